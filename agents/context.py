"""What agents, callbacks and tools are given while they run: contexts over one invocation.

`InvocationContext` is an agent's; `ReadonlyContext`, `CallbackContext` and `ToolContext` are views of it with less
power. Knows no agent class, only what it must of one.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from enum import Enum
from time import time
from types import MappingProxyType
from typing import Any, Protocol

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.errors import LlmCallsLimitExceededError
from agents.event import Event, EventActions
from agents.fault import EVERY_CALL, EVERYBODY, Fault
from agents.log import TraceRecord
from agents.pending import PendingLog
from agents.session import BaseSessionService, GetSessionConfig, Session
from agents.state import State

UNLIMITED = 0


class StreamingMode(Enum):
    """Whether models stream: NONE gives whole answers only, SSE also their pieces as they come."""

    NONE = None
    SSE = "sse"


class RunConfig(BaseModel):
    """How an invocation runs.

    Attributes:
        streaming_mode: Whether partial events are yielded.
        max_llm_calls: Model calls an invocation may make; 0 or less for no limit.
        model: Name or object for agents that name no model themselves.
        model_timeout: Seconds that a model may be silent before it counts as hanging; None waits for ever.
        get_session_config: How much of the session's history is read.
        faults: What is to go wrong on purpose.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    streaming_mode: StreamingMode = StreamingMode.NONE
    max_llm_calls: int = 500
    model: Any = None
    model_timeout: float | None = Field(default=240.0, gt=0)
    get_session_config: GetSessionConfig | None = None
    faults: tuple[Fault, ...] = ()

    @field_validator("max_llm_calls")
    @classmethod
    def _fits(cls, value: int) -> int:
        if value >= 2**63 - 1:
            raise ValueError("max_llm_calls must be smaller than 2**63 - 1; use 0 for no limit.")
        return value


class AgentNode(Protocol):
    """What a context must know of the agent that it runs."""

    @property
    def name(self) -> str:
        """The agent's name."""
        ...


class _Invocation:
    """What all contexts of one invocation share."""

    __slots__ = (
        "end",
        "failure",
        "faulted_calls",
        "handled_escalations",
        "input_tokens",
        "llm_calls",
        "log",
        "output_tokens",
    )

    def __init__(self, log: PendingLog) -> None:
        self.log = log
        self.end = False
        self.failure: tuple[BaseException, InvocationContext] | None = None
        self.llm_calls = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.handled_escalations: set[str] = set()
        self.faulted_calls: dict[int, int] = {}


class InvocationContext:
    """One agent's place in one invocation: from a user's message to the last event of the answer.

    Attributes:
        invocation_id: Names the run.
        agent: The agent running in this context.
        session: The session; `session.state` is live.
        session_service: Where the log goes.
        branch: Dotted path of the parallel branch, None outside of one.
        user_content: The message that started the run.
        run_config: How to run.
    """

    __slots__ = (
        "_invocation",
        "agent",
        "artifact_service",
        "branch",
        "invocation_id",
        "memory_service",
        "run_config",
        "session",
        "session_service",
        "user_content",
    )

    def __init__(
        self,
        *,
        invocation_id: str,
        agent: AgentNode,
        session: Session,
        session_service: BaseSessionService,
        branch: str | None = None,
        user_content: types.Content | None = None,
        run_config: RunConfig | None = None,
        artifact_service: Any = None,
        memory_service: Any = None,
    ) -> None:
        self.invocation_id = invocation_id
        self.agent: Any = agent
        self.session = session
        self.session_service = session_service
        self.branch = branch
        self.user_content = user_content
        self.run_config = run_config or RunConfig()
        self.artifact_service = artifact_service
        self.memory_service = memory_service
        self._invocation = _Invocation(PendingLog(session, session_service))

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> InvocationContext:
        """A context of the same invocation with some attributes replaced."""
        copy = self.for_agent(self.agent)
        for name, value in (update or {}).items():
            setattr(copy, name, value)
        return copy

    def for_agent(self, agent: AgentNode) -> InvocationContext:
        """This context, for a child agent."""
        copy = InvocationContext.__new__(InvocationContext)
        copy.invocation_id = self.invocation_id
        copy.agent = agent
        copy.session = self.session
        copy.session_service = self.session_service
        copy.branch = self.branch
        copy.user_content = self.user_content
        copy.run_config = self.run_config
        copy.artifact_service = self.artifact_service
        copy.memory_service = self.memory_service
        copy._invocation = self._invocation
        return copy

    @property
    def app_name(self) -> str:
        """The session's app."""
        return self.session.app_name

    @property
    def user_id(self) -> str:
        """The session's user."""
        return self.session.user_id

    @property
    def end_invocation(self) -> bool:
        """Set to True in a callback or tool to end the whole invocation after the current event."""
        return self._invocation.end

    @end_invocation.setter
    def end_invocation(self, value: bool) -> None:
        self._invocation.end = value

    @property
    def llm_calls(self) -> int:
        """Model calls made so far in this invocation."""
        return self._invocation.llm_calls

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens (sent, received) so far in this invocation, as the models counted them."""
        return self._invocation.input_tokens, self._invocation.output_tokens

    def count_tokens(self, *, sent: int, received: int) -> None:
        """Adds what one model call used."""
        self._invocation.input_tokens += sent
        self._invocation.output_tokens += received

    def count_llm_call(self) -> int:
        """Counts a model call about to be made and returns its number, from 1.

        Raises:
            LlmCallsLimitExceededError: `run_config.max_llm_calls` were made already.
        """
        limit = self.run_config.max_llm_calls
        if limit > UNLIMITED and self._invocation.llm_calls >= limit:
            raise LlmCallsLimitExceededError(
                f"This run made {limit} model calls, the most that RunConfig.max_llm_calls allows. "
                "Check whether an agent calls the same tool again and again, or raise the limit."
            )
        self._invocation.llm_calls += 1
        return self._invocation.llm_calls

    def fault_for(self, model: str) -> Fault | None:
        """The fault that this agent's call of `model` is to have, if any. Asking counts as a call."""
        found: Fault | None = None
        for place, fault in enumerate(self.run_config.faults):
            if fault.target in (EVERYBODY, self.agent.name, model):
                calls = self._invocation.faulted_calls
                calls[place] = calls.get(place, 0) + 1
                if found is None and fault.call in (EVERY_CALL, calls[place]):
                    found = fault
        return found

    def record(self, kind: str, *, agent: str | None = None, **data: Any) -> None:
        """Puts a trace record into the log, before the next event or at the next `flush`."""
        name = self.agent.name if agent is None else agent
        self._invocation.log.add(TraceRecord(kind, self.invocation_id, name, self.branch, data, time()))

    def refer_to(self, text_hash: str, text: str) -> None:
        """Keeps a text that a trace record names by hash, to be stored with it."""
        self._invocation.log.add_text(text_hash, text)

    def sign(self, event: Event) -> Event:
        """Says in `event` where it comes from, as far as whoever made it did not."""
        if not event.author:
            event.author = self.agent.name
        if not event.invocation_id:
            event.invocation_id = self.invocation_id
        if event.branch is None:
            event.branch = self.branch
        return event

    def note_failure(self, error: Exception) -> None:
        """Remembers that `error` ended this context's agent, unless it ended one below before."""
        if self._invocation.failure is None or self._invocation.failure[0] is not error:
            self._invocation.failure = (error, self)

    def place_of(self, error: Exception) -> tuple[str, str | None]:
        """Name and branch of the innermost agent that `error` ended, else this context's own."""
        failure = self._invocation.failure
        place = failure[1] if failure is not None and failure[0] is error else self
        return place.agent.name, place.branch

    async def flush(self) -> None:
        """Stores pending trace records now: call it before something that must not happen unrecorded."""
        await self._invocation.log.flush()

    def flush_soon(self) -> None:
        """Has pending trace records stored once the run waits for anything: call it before what may take a while."""
        self._invocation.log.flush_soon()

    async def store(self, event: Event | None = None) -> None:
        """Stores pending trace records and then `event`, in one transaction; if that fails they stay pending."""
        await self._invocation.log.store(event)

    def handle_escalation(self, event: Event) -> bool:
        """Whether `event` escalates and no loop below has ended by it yet; marks it as taken."""
        if not event.actions.escalate or event.id in self._invocation.handled_escalations:
            return False
        self._invocation.handled_escalations.add(event.id)
        return True

    def escalates(self, event: Event) -> bool:
        """Whether `event` escalates and no loop below has ended by it."""
        return bool(event.actions.escalate) and event.id not in self._invocation.handled_escalations


def new_invocation_id() -> str:
    """A fresh invocation id."""
    return f"e-{uuid.uuid4()}"


class ReadonlyContext:
    """A view of an invocation that changes nothing: for instruction providers and routers."""

    def __init__(self, invocation_context: InvocationContext) -> None:
        self._invocation_context = invocation_context

    @property
    def invocation_id(self) -> str:
        """The run."""
        return self._invocation_context.invocation_id

    @property
    def agent_name(self) -> str:
        """The agent running."""
        return self._invocation_context.agent.name

    @property
    def user_content(self) -> types.Content | None:
        """The message that started the run."""
        return self._invocation_context.user_content

    @property
    def user_id(self) -> str:
        """The session's user."""
        return self._invocation_context.user_id

    @property
    def session(self) -> Session:
        """The session."""
        return self._invocation_context.session

    @property
    def run_config(self) -> RunConfig:
        """How the invocation runs."""
        return self._invocation_context.run_config

    @property
    def state(self) -> Mapping[str, Any]:
        """The state, read-only."""
        return MappingProxyType(self._invocation_context.session.state)


class CallbackContext(ReadonlyContext):
    """What a callback is given: it may change state, and the change is stored with the next event.

    Args:
        invocation_context: The invocation.
        event_actions: Where changes are recorded.
    """

    def __init__(self, invocation_context: InvocationContext, event_actions: EventActions | None = None) -> None:
        super().__init__(invocation_context)
        self._event_actions = event_actions or EventActions()
        self._state = State(invocation_context.session.state, self._event_actions.state_delta)

    @property
    def state(self) -> State:
        """The state; writes are live at once and stored with the event."""
        return self._state

    @property
    def actions(self) -> EventActions:
        """The actions of the event that this callback or tool leads to."""
        return self._event_actions


class ToolContext(CallbackContext):
    """What a tool is given.

    Args:
        invocation_context: The invocation.
        function_call_id: The model's call that is being answered.
        event_actions: Where state changes and signals are recorded.
    """

    def __init__(
        self,
        invocation_context: InvocationContext,
        *,
        function_call_id: str | None = None,
        event_actions: EventActions | None = None,
    ) -> None:
        super().__init__(invocation_context, event_actions)
        self.function_call_id = function_call_id
