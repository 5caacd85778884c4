"""Appends: checks entries, prepares them for storage, and applies them to a `Session` once they are stored.

Shared by all session services, so that they agree on scopes, titles, status and catching up.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import PydanticSerializationError, to_jsonable_python

from agents.errors import RunEndedError, RunInProgressError, SessionExistsError
from agents.event import Event, EventActions
from agents.history.branches import TOOL_MARK
from agents.log import EVENT_KIND, TraceRecord, event_to_json
from agents.playbook import PlaybookTransaction
from agents.session import Session
from agents.state import REDUCED, TIMES, check_state_value, is_stored
from agents.storage.reducer import CHOOSING, Origin, Reducers

TITLE_LENGTH = 80
MAX_ID_LENGTH = 255
_TOUCHING = REDUCED | CHOOSING
_SCALARS = frozenset({str, int, float, bool, type(None)})


@dataclass(slots=True)
class Incoming:
    """One entry on its way into the log.

    Attributes:
        kind: "event", or the trace record's kind.
        timestamp: Seconds since the epoch.
        entry: The entry as appended.
        event: The same, if it is an event, else None.
        body: The body as JSON; "" until it is written out.
        delta: Stored state keys that the entry sets, as private copies; None for nothing.
        reduced: The operations for reducers among them, which the service applies as it stores the entry.
        touching: Whether it has a key with a reducer, or one that chooses its stored value.
        title: What an untitled session would be called after this entry, "" for nothing.
        seq: Its place in the log, 0 until it is stored.
    """

    kind: str
    timestamp: float
    entry: Event | TraceRecord
    event: Event | None = None
    body: str = ""
    delta: dict[str, Any] | None = None
    reduced: frozenset[str] = frozenset()
    touching: bool = False
    title: str = ""
    seq: int = 0
    _operations: dict[str, Any] | None = None

    def begin_again(self) -> None:
        """Restores the operations after a failed attempt to store the entry."""
        if self._operations is not None and self.delta is not None:
            self.delta.update(self._operations)

    def reduce(
        self, reducers: Reducers, playbooks: PlaybookTransaction, state: Mapping[str, Any], name: tuple[str, str], seq: int
    ) -> None:
        """Applies the operations and puts their results into the delta.

        Args:
            reducers: The service's.
            playbooks: The playbooks, in the transaction that stores the entry.
            state: The session's state.
            name: App and session.
            seq: The entry's place in the log.
        """
        assert self.delta is not None
        invocation_id = self.event.invocation_id if self.event is not None else ""
        origin = Origin(*name, invocation_id, seq, self.timestamp)
        self._operations = {key: self.delta[key] for key in self.reduced}
        for key in self.reduced:
            self.delta[key] = reducers.for_key(key).commit(playbooks, self.delta[key], state, origin)

    def write_out(self) -> None:
        """Fills `body` from the entry as it is now, without `temp:` keys."""
        entry = self.entry
        if (
            isinstance(entry, Event)
            and self.delta is not None
            and (self.reduced or len(entry.actions.state_delta) != len(self.delta))
        ):
            entry = entry.model_copy(update={"actions": entry.actions.model_copy(update={"state_delta": self.delta})})
        self.body = body_of(entry)


def check_session_id(session_id: str) -> str:
    """`session_id`, if it is valid.

    Raises:
        ValueError: It is empty, too long, or holds characters that cannot be printed.
    """
    if not session_id.strip() or len(session_id) > MAX_ID_LENGTH or not session_id.isprintable():
        raise ValueError(
            f"{session_id[:MAX_ID_LENGTH]!r} cannot be a session id: use 1 to {MAX_ID_LENGTH} printable characters, "
            "or leave it out to get a new one."
        )
    return session_id


def prepare(entries: Sequence[Event | TraceRecord]) -> list[Incoming | None]:
    """Checks entries and prepares them for storage; None stands for a partial event.

    Raises:
        StateValueError: JSON cannot hold a value of a delta.
    """
    return [
        _prepare_record(entry) if isinstance(entry, TraceRecord) else None if entry.partial else prepare_event(entry)
        for entry in entries
    ]


def prepare_event(event: Event) -> Incoming:
    """An event's part of `prepare`; it is not partial."""
    incoming = Incoming(EVENT_KIND, event.timestamp, event, event)
    if delta := event.actions.state_delta:
        incoming.delta = checked_state(delta)
        if not _TOUCHING.isdisjoint(incoming.delta):
            incoming.touching = True
            incoming.reduced = REDUCED & incoming.delta.keys()
    if event.author == "user" and is_message(event):
        incoming.title = as_title(event.text)
    return incoming


def is_message(event: Event) -> bool:
    """Whether an event of author "user" is the user's own, and not the request to an agent called as a tool."""
    return event.branch is None or TOOL_MARK not in event.branch


def _prepare_record(record: TraceRecord) -> Incoming:
    return Incoming(record.kind, record.timestamp, record)


def apply(
    session: Session,
    missed: Iterable[Event],
    stored: Iterable[Incoming | None],
    updated_at: float,
    reduced: Mapping[str, Any] | None = None,
) -> None:
    """Brings `session` up to date after an append.

    Args:
        session: The caller's object; changed in place.
        missed: Events that were appended elsewhere before.
        stored: What the caller appended.
        updated_at: The session's new `last_update_time`, in seconds since the epoch.
        reduced: New values of keys with a reducer, if any of the events has an operation for one.
    """
    events, state = session.events, session.state
    for event in missed:
        events.append(event)
        state.update(plain(event.actions.state_delta))
    for incoming in stored:
        if incoming is not None and (event := incoming.event) is not None:
            event.stored_as(incoming.seq)
            events.append(event)
            if incoming.delta is not None:
                _apply_delta(state, incoming.delta, event.actions)
    if reduced:
        state.update(reduced)
    session.last_update_time = updated_at


def touches_reduced(missed: Sequence[Event], incoming: Iterable[Incoming | None]) -> bool:
    """Whether an event has an operation for a reducer, or chooses its stored value."""
    for entry in incoming:  # called at every append, where `any` over a generator would cost too much
        if entry is not None and entry.touching:
            return True
    return bool(missed) and any(not _TOUCHING.isdisjoint(event.actions.state_delta) for event in missed)


def caught_up(session: Session, missed: Iterable[Event]) -> dict[str, Any]:
    """The session's state as it will be once the missed events are applied; shares values with them."""
    state = dict(session.state)
    for event in missed:
        state.update(event.actions.state_delta)
    return state


def _apply_delta(state: dict[str, Any], stored: dict[str, Any], actions: EventActions) -> None:
    """Applies the delta of an event that the caller appended; from then on the event has the stored one."""
    for key, value in actions.state_delta.items():
        if key not in stored or isinstance(value, TIMES):
            state[key] = value  # temp:, or what only the log has as text
        elif key not in state or state[key] is not value or value != stored[key]:
            # The object that an agent works on stays in place; any other value becomes a copy of the stored one,
            # which also turns tuples into the lists that a reader will find.
            state[key] = plain(value)
    actions.state_delta = stored


def plain(value: Any) -> Any:
    """A copy of a state value, as JSON has it, that shares no container with it: tuples become lists, and times texts."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in cast("Sequence[Any]", value)]
    return to_jsonable_python(value) if isinstance(value, TIMES) else value


def checked_state(state: Mapping[str, Any] | None) -> dict[str, Any]:
    """A session's first state: a copy without `temp:` keys.

    Raises:
        StateValueError: JSON cannot hold a value.
    """
    checked: dict[str, Any] = {}
    for key, value in (state or {}).items():
        check_state_value(key, value)
        if ":" not in key or is_stored(key):
            checked[key] = plain(value)
    return checked


def as_title(text: str) -> str:
    """The first line of `text` that is not blank; a long one is cut at 80 characters, the last of which is then "…"."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    title = storable(" ".join(line.split()))
    return title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1].rstrip()}…"


def body_of(entry: Event | TraceRecord) -> str:
    """An entry's body as JSON text, even if JSON or Unicode cannot hold all of it.

    Models cut emoji in half and tools answer with objects. Refusing the entry would lose it, so a lone surrogate
    becomes U+FFFD, an unknown object its `repr`, and a number that is not finite null.
    """
    try:
        return entry.to_json() if isinstance(entry, TraceRecord) else event_to_json(entry)
    except PydanticSerializationError:
        if isinstance(entry, TraceRecord):
            fields = entry.fields()
        else:
            fields = entry.model_dump(mode="json", exclude_defaults=True, fallback=repr)
        return json.dumps(_readable(fields), ensure_ascii=False)


def _readable(value: Any) -> Any:
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(str(key)): _readable(item) for key, item in cast("dict[Any, Any]", value).items()}
        case list() | tuple():
            return [_readable(item) for item in cast("Sequence[Any]", value)]
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case _:
            return repr(value)


to_json = json.JSONEncoder(ensure_ascii=False).encode
"""A state value as JSON text; `json.dumps` would make an encoder for each."""


def storable(text: str) -> str:
    """`text` with lone surrogates, which no encoding can hold, replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def size_of(body: str) -> int:
    """Bytes of an entry's body in UTF-8."""
    return len(body) if body.isascii() else len(body.encode())


def session_exists(app_name: str, user_id: str, session_id: str) -> SessionExistsError:
    """The error for an id that is taken."""
    return SessionExistsError(
        f"There is already a session {session_id!r} of {app_name!r} for user {user_id!r}. "
        "Open it with get_session, delete it first, or choose another id."
    )


def run_ended(session: Session) -> RunEndedError:
    """The error for a run that stores something after its claim was revoked."""
    return RunEndedError(
        f"This run of session {session.id!r} of {session.app_name!r} was stopped while an agent did not respond, so nothing "
        "more of it is stored. Run the session again."
    )


def run_taken_over(session: Session) -> RunEndedError:
    """The error for a run that stores something after another process took its session over."""
    return RunEndedError(
        f"This run of session {session.id!r} of {session.app_name!r} stood still too long, and another process has taken "
        "the session over, so nothing more of it is stored. Open the session to see how it went on."
    )


def run_in_progress(session: Session, invocation_id: str, where: str) -> RunInProgressError:
    """The error for a session that is being run; `where` is "this process" or "process 123"."""
    return RunInProgressError(
        f"Session {session.id!r} of {session.app_name!r} is running already (invocation {invocation_id}, in {where}). "
        "A session runs one invocation at a time: wait until it ends or stop it, then try again."
    )
