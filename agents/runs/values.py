"""The names of runs and what their watchers receive. Plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from agents.log import LogEntry
from agents.runtime.nodes.node_run import TASK_QUESTION
from agents.session_list import SessionSummary


class SessionName(TypedDict):
    """The arguments that name a session to its service."""

    app_name: str
    user_id: str
    session_id: str


class SessionKey(NamedTuple):
    """The key of a session."""

    pipeline: str
    session_id: str
    user_id: str

    @property
    def name(self) -> SessionName:
        """The key as session and artifact services take it."""
        return {"app_name": self.pipeline, "user_id": self.user_id, "session_id": self.session_id}


class ModelChoice(NamedTuple):
    """A run's models, by name, and their speed; None for the user's preferences.

    Attributes:
        model: For agents that name none.
        by_agent: For single agents.
        simulated_speed: Words a second of simulated and replayed models.
    """

    model: str | None = None
    by_agent: Mapping[str, str] | None = None
    simulated_speed: float | None = None


@dataclass(frozen=True, slots=True)
class ListChanges:
    """What changed in the list of sessions.

    Attributes:
        everything: Any row may have; the list has to be read again.
        rows: Else those that are new or may differ.
        gone: Those that are not there any more.
    """

    everything: bool
    rows: tuple[SessionSummary, ...] = ()
    gone: tuple[SessionKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has started.

    Attributes:
        pipeline: Name of the pipeline.
        session_id: Its session.
        invocation_id: The run's id in the log.
        model: The model chosen for it.
        user_id: Whose session it is.
        after: `seq` of the last log entry before the run; subscribe from there to see the run alone.
    """

    pipeline: str
    session_id: str
    invocation_id: str
    model: str
    user_id: str
    after: int = 0

    @property
    def key(self) -> SessionKey:
        """The session's key."""
        return SessionKey(self.pipeline, self.session_id, self.user_id)


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A tool call that a paused run waits for.

    Attributes:
        pipeline: Name of the pipeline.
        session_id: Its session.
        invocation_id: The id of the run that waits.
        title: The session's title.
        call_id: The call's id, for the answer.
        agent: The agent that made it.
        tool: The tool; of a confirmation, the one to confirm.
        args: Its arguments.
        hint: What the user should know before the decision.
        is_confirmation: Whether the answer is yes or no; else it is the tool's result.
        asked_at: Seconds since the epoch.
    """

    pipeline: str
    session_id: str
    invocation_id: str
    title: str
    call_id: str
    agent: str
    tool: str
    args: Mapping[str, Any]
    hint: str
    is_confirmation: bool
    asked_at: float

    @property
    def takes_messages(self) -> bool:
        """Whether the user's next message is the answer: an agent with `mode="task"` asks."""
        return self.call_id.startswith(TASK_QUESTION)


@dataclass(frozen=True, slots=True)
class LogBatch:
    """Stored log entries, in order. `more` says that further ones are stored and follow at once."""

    entries: tuple[LogEntry, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Partial:
    """A piece of an event that is still being streamed.

    To one subscriber the pieces of an event come without gaps: offset 0 begins the text, every other piece continues it.
    A stored event with the same id replaces the text; the end of the run discards what was never stored.

    Attributes:
        id: The event's id.
        author: The agent speaking.
        branch: Its parallel branch.
        offset: How many characters (code points) of this event's text, or of its thoughts, came before.
        text: The new text.
        thought: Whether this belongs to the thoughts; they are counted apart from the text.
    """

    id: str
    author: str
    branch: str | None
    offset: int
    text: str
    thought: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Runs of this process wait for the storage, or this one for its turn, or for its own code, which does not respond.

    Attributes:
        reason: A sentence that says for what; "" when the wait is over.
        is_queued: Whether it waits for its turn, and has not begun.
    """

    reason: str
    is_queued: bool = False


@dataclass(frozen=True, slots=True)
class LostRun:
    """A run that ended although its end could not be stored: its log says that it is running.

    Attributes:
        invocation_id: The run.
        message: The failure of the storage, how much is stored, and the cure.
    """

    invocation_id: str
    message: str


News = LogBatch | Partial | Waiting | LostRun
"""What a subscriber of a session receives."""


class RunLoad(NamedTuple):
    """How much a process does.

    Attributes:
        at_work: Runs that are being done.
        waiting: Runs that wait for a worker process.
    """

    at_work: int
    waiting: int
