"""The contexts of callbacks and tools: views of an agent's context with fewer rights.

The context itself is in `invocation.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypedDict

from google.genai import types

from agents.artifact import ArtifactVersion, BaseArtifactService
from agents.errors import NoArtifactServiceError, NoMemoryServiceError, ToolError
from agents.event import Event, EventActions, ToolConfirmation
from agents.runtime.invocation import InvocationContext, new_invocation_id
from agents.runtime.memory_service import BaseMemoryService, MemoryEntry, SearchMemoryResponse
from agents.runtime.run_config import RunConfig, StreamingMode
from agents.session import Session
from agents.state import State

__all__ = [
    "CallbackContext",
    "InvocationContext",
    "ReadonlyContext",
    "RunConfig",
    "StreamingMode",
    "ToolContext",
    "new_invocation_id",
]


class _Owner(TypedDict):
    """The owner of an artifact."""

    app_name: str
    user_id: str
    session_id: str


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
    """The context of a callback: it may change state, and the change is stored with the next event."""

    def __init__(self, invocation_context: InvocationContext, event_actions: EventActions | None = None) -> None:
        self._invocation_context = invocation_context
        self._event_actions = event_actions
        self._state: State | None = None  # created on first use: most views never need it

    @property
    def state(self) -> State:
        """The state; writes are live at once and stored with the event."""
        if self._state is None:
            self._state = State(self._invocation_context.session.state, self.actions.state_delta)
        return self._state

    @property
    def actions(self) -> EventActions:
        """The actions of the event that follows this callback or tool call."""
        if self._event_actions is None:
            self._event_actions = EventActions()
        return self._event_actions

    def collect_edits(self) -> None:
        """Adds in-place edits of the state to the delta; see `State.collect_edits`."""
        if self._state is not None:
            self._state.collect_edits()

    async def save_artifact(self, filename: str, artifact: types.Part) -> int:
        """Saves a file as its next version and names that version in the event.

        Args:
            filename: Its name; one that begins with `user:` is shared by all sessions of the user.
            artifact: A part with data, text or the address of a file.

        Returns:
            The version, from 0.

        Raises:
            ArtifactError: It cannot be kept.
            RunLimitExceededError: The run has stored as much as it may.
            NoArtifactServiceError: The runner has no artifact service.
        """
        data = artifact.inline_data.data if artifact.inline_data is not None else artifact.text
        self._invocation_context.usage.count_bytes(len(data or ""))
        version = await self._artifacts.save_artifact(**self._owner, filename=filename, artifact=artifact)
        self.actions.artifact_delta[filename] = version
        return version

    async def load_artifact(self, filename: str, version: int | None = None) -> types.Part | None:
        """A version of a file, the latest by default; None if there is none.

        Raises:
            NoArtifactServiceError: The runner has no artifact service.
        """
        return await self._artifacts.load_artifact(**self._owner, filename=filename, version=version)

    async def get_artifact_version(self, filename: str, version: int | None = None) -> ArtifactVersion | None:
        """What is known of a version of a file, the latest by default; None if there is none.

        Raises:
            NoArtifactServiceError: The runner has no artifact service.
        """
        return await self._artifacts.get_artifact_version(**self._owner, filename=filename, version=version)

    async def list_artifacts(self) -> list[str]:
        """The names of the session's files and of the user's.

        Raises:
            NoArtifactServiceError: The runner has no artifact service.
        """
        return await self._artifacts.list_artifact_keys(**self._owner)

    async def add_session_to_memory(self) -> None:
        """Adds the session, as it is now, to the memory of its user.

        Raises:
            NoMemoryServiceError: The runner has no memory service.
        """
        await self._memory.add_session_to_memory(self.session)

    async def add_events_to_memory(
        self, *, events: Sequence[Event], custom_metadata: Mapping[str, object] | None = None
    ) -> None:
        """Adds events to the memory of the session's user.

        Raises:
            NoMemoryServiceError: The runner has no memory service.
            NotImplementedError: The service takes whole sessions only.
        """
        session = self.session
        await self._memory.add_events_to_memory(
            app_name=session.app_name,
            user_id=session.user_id,
            session_id=session.id,
            events=events,
            custom_metadata=custom_metadata,
        )

    async def add_memory(
        self, *, memories: Sequence[MemoryEntry], custom_metadata: Mapping[str, object] | None = None
    ) -> None:
        """Adds entries to the memory of the session's user.

        Raises:
            NoMemoryServiceError: The runner has no memory service.
            NotImplementedError: The service takes sessions and events only.
        """
        session = self.session
        await self._memory.add_memory(
            app_name=session.app_name, user_id=session.user_id, memories=memories, custom_metadata=custom_metadata
        )

    async def search_memory(self, query: str) -> SearchMemoryResponse:
        """Searches the memory of the session's user.

        Raises:
            NoMemoryServiceError: The runner has no memory service.
        """
        session = self.session
        return await self._memory.search_memory(app_name=session.app_name, user_id=session.user_id, query=query)

    @property
    def _memory(self) -> BaseMemoryService:
        if (service := self._invocation_context.memory_service) is None:
            raise NoMemoryServiceError(
                f"Agent {self.agent_name!r} cannot use the memory: memory service is not available. "
                "Give the runner one, e.g. Runner(…, memory_service=InMemoryMemoryService())."
            )
        self._invocation_context.session_service.check_claim(self.session)
        return service

    @property
    def _owner(self) -> _Owner:
        session = self.session
        return {"app_name": session.app_name, "user_id": session.user_id, "session_id": session.id}

    @property
    def _artifacts(self) -> BaseArtifactService:
        if (service := self._invocation_context.artifact_service) is None:
            raise NoArtifactServiceError(
                f"Agent {self.agent_name!r} cannot save or load files: the run has no artifact service. "
                "Give the runner one, e.g. Runner(…, artifact_service=InMemoryArtifactService())."
            )
        self._invocation_context.session_service.check_claim(self.session)
        return service


class ToolContext(CallbackContext):
    """The context of a tool call.

    Args:
        invocation_context: The invocation.
        function_call_id: The model's call that is being answered.
        event_actions: Where state changes and signals are recorded.
        tool_confirmation: The user's answer about this call; None before the question.
    """

    def __init__(
        self,
        invocation_context: InvocationContext,
        *,
        function_call_id: str | None = None,
        event_actions: EventActions | None = None,
        tool_confirmation: ToolConfirmation | None = None,
    ) -> None:
        super().__init__(invocation_context, event_actions)
        self.function_call_id = function_call_id
        self.tool_confirmation = tool_confirmation
        self.has_run = False
        """Whether the tool has run: it is too late for a confirmation then."""
        self.waits_for_person = False
        """Whether the tool is an agent that waits for the user: it is called again then."""
        self.told: list[Event] = []
        """Events of a sub-agent that is the tool. They are stored; the caller yields them once more."""

    @property
    def may_pause(self) -> bool:
        """Whether the run can wait here for an answer: not inside an agent that was called as a tool."""
        return self._invocation_context.may_pause

    def request_confirmation(self, *, hint: str | None = None, payload: Any = None) -> None:
        """Asks the user whether this call may run. The tool's result is dropped, and the run pauses.

        If the user approves, the tool is called again with `tool_confirmation`; if not, the model gets an error response.

        Args:
            hint: What the user should know before the decision.
            payload: JSON that the user may change; the changed one is in `tool_confirmation.payload`.

        Raises:
            ToolError: This is not a model's call, the tool has run, or JSON cannot hold `payload`.
        """
        if not self.function_call_id:
            raise ToolError("request_confirmation needs the id of a call: it works only in a tool that a model has called.")
        if self.has_run:
            raise ToolError("request_confirmation was called after the tool had run. Call it in before_tool_callback.")
        try:
            json.dumps(payload, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise ToolError(f"The payload of a confirmation cannot be kept: JSON cannot hold it ({error}).") from error
        asked = ToolConfirmation(hint=hint or "", payload=payload)
        self.actions.requested_tool_confirmations[self.function_call_id] = asked
