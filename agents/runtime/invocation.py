"""The invocation context: what an agent's code is given as `ctx`.

All contexts of an invocation share its log, its counters and the flag that ends it. The views for callbacks and tools
are in `context.py`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any, Protocol

from google.genai import types

from agents.artifact import BaseArtifactService
from agents.errors import LlmCallsLimitExceededError
from agents.event import Event, new_uuid
from agents.history.branches import TOOL_MARK
from agents.log import TraceRecord
from agents.runtime.fault import EVERY_CALL, EVERYBODY, Fault
from agents.runtime.memory_service import BaseMemoryService
from agents.runtime.nodes.node_run import NodeRun
from agents.runtime.pending_log import PendingLog
from agents.runtime.position import Frame, Position
from agents.runtime.run_config import UNLIMITED, RunConfig, RunUsage
from agents.runtime.run_plugins import RunPlugins
from agents.session import BaseSessionService, Session
from agents.state import check_needs_no_approval


class AgentNode(Protocol):
    """The part of an agent that its context uses."""

    @property
    def name(self) -> str:
        """The agent's name."""
        ...


@dataclass(slots=True)
class _Invocation:
    """What all contexts of one invocation share."""

    log: PendingLog
    usage: RunUsage
    handled_escalations: set[str]
    faulted_calls: dict[int, int]
    called: dict[str, Frame] = field(default_factory=dict[str, Frame])
    begun: frozenset[str] = frozenset()
    failure: tuple[BaseException, InvocationContext] | None = None
    told: dict[int, tuple[BaseException, Event]] = field(default_factory=dict[int, tuple[BaseException, Event]])
    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class _Ending:
    """Whether the invocation is to end, and whether a model call in it waits; for an agent called as a tool, that call."""

    is_wanted: bool = False
    waits: bool = False
    may_pause: bool = True


class InvocationContext:
    """One agent's place in one invocation: from a user's message to the last event of the answer.

    Attributes:
        invocation_id: Names the run.
        agent: The agent running in this context.
        agent_name: Its name.
        session: The session; `session.state` is live.
        session_service: Where the log goes.
        branch: Dotted path of the parallel branch, None outside of one.
        user_content: The message that started the run.
        run_config: How to run.
        artifact_service: Where files are saved; None if the runner was given none.
        memory_service: Memory across sessions; None if the runner was given none.
        plugins: The runner's plugins; None if it has none.
        events_compaction_config: When the session's events are summed up; None for never.
        hand_overs: How many nested transfers led to this agent.
        paused: Whether this agent, or one below it, waits for an answer; then nothing new is started here.
        position: Where this agent's run stood when it paused; None if the run is not a resumed one.
        asides: How often this agent's code has asked a model, see `ask_model`.
        node_run: The run of a graph's node that this agent is; None outside of a graph.
    """

    __slots__ = (
        "_ending",
        "_invocation",
        "_waiting",
        "agent",
        "agent_name",
        "artifact_service",
        "asides",
        "branch",
        "events_compaction_config",
        "hand_overs",
        "invocation_id",
        "memory_service",
        "node_run",
        "paused",
        "plugins",
        "position",
        "run_config",
        "session",
        "session_service",
        "user_content",
    )

    def __init__(  # noqa: PLR0913  what a run needs, by name
        self,
        *,
        invocation_id: str,
        agent: AgentNode,
        session: Session,
        session_service: BaseSessionService,
        branch: str | None = None,
        user_content: types.Content | None = None,
        run_config: RunConfig | None = None,
        artifact_service: BaseArtifactService | None = None,
        memory_service: BaseMemoryService | None = None,
        plugins: RunPlugins | None = None,
        events_compaction_config: Any = None,
        resume_from: Position | None = None,
    ) -> None:
        self.invocation_id = invocation_id
        self.agent: Any = agent
        self.agent_name = agent.name
        self.session = session
        self.session_service = session_service
        self.branch = branch
        self.user_content = user_content
        self.run_config = run_config or RunConfig()
        self.artifact_service = artifact_service
        self.memory_service = memory_service
        self.plugins = plugins
        self.events_compaction_config = events_compaction_config
        self.hand_overs = 0
        self.paused = False
        self.position: Frame | None = None
        self.asides = 0
        self.node_run: NodeRun | None = None
        self._waiting: list[Frame] | None = None
        self._ending = _Ending(may_pause=branch is None or TOOL_MARK not in branch)
        self._invocation = _Invocation(PendingLog(session, session_service), RunUsage(self.run_config), set(), {})
        if resume_from is not None:
            self._invocation.called.update(resume_from.called)
            self._invocation.begun = resume_from.begun
            self._waiting = [] if resume_from.root is None else [resume_from.root]
            self._invocation.llm_calls = resume_from.calls
            self._invocation.input_tokens, self._invocation.output_tokens = resume_from.tokens

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> InvocationContext:
        """A context of the same agent in the same invocation, with some attributes replaced."""
        copy = self._copy(self.agent)
        copy.position, copy._waiting = self.position, self._waiting
        for name, value in (update or {}).items():
            setattr(copy, name, value)
        return copy

    def for_agent(self, agent: AgentNode) -> InvocationContext:
        """This context, for a child agent. In a resumed run, the first context of a paused child has its position."""
        copy = self._copy(agent)
        if (run := self.node_run) is not None and run.agent is agent:
            copy.node_run, copy.position = run, run.frame
            copy._waiting = None if run.frame is None else list(run.frame.waiting)
        elif self._waiting:
            copy.position = next((f for f in self._waiting if (f.agent, f.branch) == (agent.name, self.branch)), None)
            if copy.position is not None:
                self._waiting.remove(copy.position)
                copy._waiting = list(copy.position.waiting)
        return copy

    def for_node(self, run: NodeRun) -> InvocationContext:
        """This context, for the run of a graph's node: `for_agent` gives its agent the run."""
        copy = self._copy(self.agent)
        copy.branch, copy.node_run = run.branch, run
        return copy

    def _copy(self, agent: AgentNode) -> InvocationContext:
        copy = InvocationContext.__new__(InvocationContext)
        copy.invocation_id = self.invocation_id
        copy.agent = agent
        copy.agent_name = agent.name
        copy.session = self.session
        copy.session_service = self.session_service
        copy.branch = self.branch
        copy.user_content = self.user_content
        copy.run_config = self.run_config
        copy.artifact_service = self.artifact_service
        copy.memory_service = self.memory_service
        copy.plugins = self.plugins
        copy.events_compaction_config = self.events_compaction_config
        copy.hand_overs = self.hand_overs
        copy.paused = False
        copy.position = None
        copy.asides = 0
        copy.node_run = None
        copy._waiting = None
        copy._ending = self._ending
        copy._invocation = self._invocation
        return copy

    def apart(
        self, *, update: Mapping[str, Any], resumed: Frame | None = None, may_pause: bool = False
    ) -> InvocationContext:
        """A context for an agent called as a tool: `model_copy`, but ending the invocation there ends that call only.

        Args:
            update: Attributes to replace.
            resumed: Where the agent stood when it paused in this call; None for a new call.
            may_pause: Whether the call can wait for the user, if the caller can.
        """
        copy = self.model_copy(update=update)
        copy._ending = _Ending(may_pause=may_pause and self.may_pause)
        copy._waiting = None if resumed is None else [resumed]
        return copy

    def paused_in(self, branches: Iterable[str]) -> Frame | None:
        """The first agent called as a tool in one of these branches that paused there before the run resumed."""
        return next((frame for branch in branches if (frame := self._invocation.called.get(branch))), None)

    @property
    def begun_calls(self) -> frozenset[str]:
        """Ids of the tool calls that had begun when the run was cut off; it is not known what came of them."""
        return self._invocation.begun

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
        return self._ending.is_wanted

    @end_invocation.setter
    def end_invocation(self, value: bool) -> None:
        self._ending.is_wanted = value

    def pause(self) -> None:
        """Marks this context's agent as waiting for an answer; when it ends, its callers end too."""
        self.paused = True

    def wait_for_person(self) -> None:
        """Pauses for a model call that the user answers; inside an agent that was called as a tool, that call waits."""
        self.paused = self._ending.waits = True

    @property
    def waits_for_person(self) -> bool:
        """Whether such a call was made in this run, or in this call of an agent as a tool."""
        return self._ending.waits

    @property
    def may_pause(self) -> bool:
        """Whether the run can wait here for an answer: not inside an agent that was called as an `AgentTool`."""
        return self._ending.may_pause

    @property
    def llm_calls(self) -> int:
        """Model calls made so far in this invocation."""
        return self._invocation.llm_calls

    @property
    def usage(self) -> RunUsage:
        """What the invocation has used of its limits."""
        return self._invocation.usage

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens (sent, received) so far in this invocation, as the models counted them."""
        return self._invocation.input_tokens, self._invocation.output_tokens

    def count_tokens(self, *, sent: int, received: int) -> None:
        """Adds the tokens of one model call."""
        self._invocation.input_tokens += sent
        self._invocation.output_tokens += received

    async def allow_call(self) -> None:
        """Asks whether a model call may be made.

        Raises:
            LimitReachedError: The user's model calls, tokens or dollars of the day are used up.
        """
        if self.run_config.allowance is not None:
            await self.run_config.allowance()

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

    def take_back_call(self, call: int) -> bool:
        """Removes the records of a model call that is to be made later; False if they are stored already."""
        mine = (self.agent_name, self.branch, call)
        log = self._invocation.log
        kept = [one for one in log.records if (one.agent, one.branch, one.data.get("call")) != mine]
        if len(kept) == len(log.records):
            return False
        log.records[:] = kept
        if self._invocation.llm_calls == call:  # else a parallel branch has counted on
            self._invocation.llm_calls -= 1
        return True

    def fault_for(self, model: str, *, is_inside: bool = False) -> Fault | None:
        """The fault that this agent's call of `model` is to have, if any. Asking counts as a call.

        Args:
            model: The model's name.
            is_inside: Whether another model passes the agent's call on to it; then only faults for the model's name apply.
        """
        found: Fault | None = None
        targets = (model,) if is_inside else (EVERYBODY, self.agent_name, model)
        for place, fault in enumerate(self.run_config.faults):
            if fault.target in targets:
                calls = self._invocation.faulted_calls
                calls[place] = calls.get(place, 0) + 1
                if found is None and fault.call in (EVERY_CALL, calls[place]):
                    found = fault
        return found

    def record(self, kind: str, /, *, agent: str | None = None, **data: Any) -> None:
        """Puts a trace record into the log, before the next event or at the next `flush`."""
        self.add_record(kind, data, agent)

    def add_record(self, kind: str, data: dict[str, Any], agent: str | None = None) -> None:
        """`record` for data that is in a dictionary already, which must not change afterwards."""
        name = self.agent_name if agent is None else agent
        self._invocation.log.records.append(TraceRecord(kind, self.invocation_id, name, self.branch, data, time()))

    def refer_to(self, text_hash: str, text: str) -> None:
        """Keeps a text that a trace record names by hash, to be stored with it."""
        self._invocation.log.texts[text_hash] = text

    def sign(self, event: Event) -> Event:
        """Fills in where `event` comes from, in the fields that its author left empty."""
        if not event.author:
            event.author = self.agent_name
        if not event.invocation_id:
            event.invocation_id = self.invocation_id
        if self.branch is not None and event.branch is None:
            event.branch = self.branch
        return event

    def note_failure(self, error: Exception) -> None:
        """Records that `error` ended this context's agent, unless it is recorded for an agent below."""
        if self._invocation.failure is None or self._invocation.failure[0] is not error:
            self._invocation.failure = (error, self)

    def note_told(self, error: BaseException, event: Event) -> None:
        """Notes that `event` has told of `error`, which goes on to end the run."""
        self._invocation.told[id(error)] = (error, event)  # the error is kept, so that no other one gets its id

    def told_of(self, error: BaseException) -> Event | None:
        """The event that has told of `error`, if there is one."""
        told = self._invocation.told.get(id(error))
        return None if told is None else told[1]

    def forget_told(self, error: BaseException) -> None:
        """Notes that `error` does not go on: it is told again if it is raised again."""
        self._invocation.told.pop(id(error), None)

    def place_of(self, error: Exception) -> tuple[str, str | None]:
        """Name and branch of the innermost agent that `error` ended, else this context's own."""
        failure = self._invocation.failure
        place = failure[1] if failure is not None and failure[0] is error else self
        return place.agent_name, place.branch

    def flush(self) -> Awaitable[None]:
        """Stores pending trace records now: call it before something that must not happen unrecorded."""
        return self._invocation.log.flush()

    def flush_soon(self) -> None:
        """Stores pending trace records as soon as the run waits: call it before something slow."""
        self._invocation.log.flush_soon()

    def store(self, event: Event | None = None) -> Awaitable[None]:
        """Stores pending trace records and then `event`, in one transaction; if that fails they stay pending.

        An event that is stored already is not stored again.

        Raises:
            RunLimitExceededError: The run has stored as much as it may.
            NotPermittedError: The event changes what needs approval in this run.
        """
        if event is not None and event.seq is not None:
            event = None
        if event is not None:
            if (stamp := self.run_config.custom_metadata) is not None:
                event.custom_metadata = {**stamp, **(event.custom_metadata or {})}
            self._invocation.usage.count(event)
            if self.run_config.needs_approval:
                check_needs_no_approval(event.actions.state_delta)
        return self._invocation.log.store(event)

    def handle_escalation(self, event: Event) -> bool:
        """Whether `event` escalates and no loop below was ended by it; marks it as handled."""
        if not event.actions.escalate or event.id in self._invocation.handled_escalations:
            return False
        self._invocation.handled_escalations.add(event.id)
        return True

    def escalates(self, event: Event) -> bool:
        """Whether `event` escalates and no loop below was ended by it."""
        return bool(event.actions.escalate) and event.id not in self._invocation.handled_escalations


def new_invocation_id() -> str:
    """A fresh invocation id."""
    return f"e-{new_uuid()}"
