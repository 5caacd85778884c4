"""Sessions in memory: each with its log and what its entries add up to, and all of them with the state that they share.

Events are shared with readers, never copied; state is copied, because agents edit it in place.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.access import shares_app_state
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry, TraceRecord, read_entry
from agents.playbook import PlaybookRepository
from agents.records import RunFinished, RunStarted
from agents.session import GetSessionConfig, RoomCheck, session_not_found
from agents.session_list import SessionSummary
from agents.state import State
from agents.storage.sessions.columns import COLUMNS, SessionColumns
from agents.storage.sessions.copies import EntryCopy
from agents.storage.sessions.incoming import body_of, plain, session_exists, size_of
from agents.storage.sessions.run_status import ended_run, goes_on, interrupted
from agents.storage.tables.session_tables import Name
from agents.storage.use.store import Held


@dataclass(slots=True, kw_only=True)
class StoredSession(SessionColumns):
    """A session with its log, and what its entries add up to."""

    name: Name
    created_at: float
    deleted: bool = False
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    all_events: list[Event] = field(default_factory=list[Event])
    log: list[Event | TraceRecord] = field(default_factory=list[Event | TraceRecord])
    last_entry: int = 0
    """How many entries all sessions had when its newest one came: says which session changed last."""
    tags: set[str] = field(default_factory=set[str])

    @property
    def last_seq(self) -> int:
        """The seq of its newest entry: entries are numbered from 1."""
        return len(self.log)

    def summary(self) -> SessionSummary:
        """The session as a row of a list."""
        columns = {column: getattr(self, column) for column in COLUMNS}
        return SessionSummary(*self.name, created_at=self.created_at, **columns)

    def add(self, entries: Sequence[Event | TraceRecord]) -> None:
        """Puts entries, at least one, at the end of the log."""
        self.all_events.extend(self.fold(entries))
        self.log.extend(entries)

    def entries(
        self, after: int, limit: int | None = None, *, newest: bool = False, kind: str | None = None
    ) -> list[LogEntry]:
        """Entries with `seq > after`, as JSON; with `kind` those of one kind."""
        chosen: Sequence[int] = range(max(0, after), len(self.log))
        if kind is not None:
            chosen = [place for place in chosen if _kind_of(self.log[place]) == kind]
        if limit is not None:
            chosen = chosen[max(0, len(chosen) - limit) :] if newest else chosen[: max(0, limit)]
        return [LogEntry(place + 1, _kind_of(self.log[place]), body_of(self.log[place])) for place in chosen]

    def count_events(self, until: int) -> int:
        """How many events there are up to a seq."""
        return sum(isinstance(entry, Event) for entry in self.log[: max(0, until)])

    def events_after(self, seq: int) -> list[Event]:
        """Events with a seq above `seq`."""
        return [entry for entry in self.log[seq:] if isinstance(entry, Event)]

    def unfinished_run(self) -> list[LogEntry]:
        """The trace records of the run that goes on, as `interrupted` reads them."""
        start = self._last_of(RunStarted.kind, len(self.log))
        run = self.entries(after=start)
        if goes_on(run):
            run = [*self.entries(self._last_of(RunFinished.kind, start), limit=1), *run]
        return [entry for entry in run if entry.kind != EVENT_KIND]

    def _last_of(self, kind: str, end: int) -> int:
        """Place of the last trace record of a kind among the first `end` entries."""
        return next(i for i in range(end - 1, -1, -1) if getattr(self.log[i], "kind", None) == kind)

    def selected(self, config: GetSessionConfig) -> list[Event]:
        """The events that a reader asks for."""
        events = self.all_events
        if config.after_timestamp is not None:
            events = [event for event in events if event.timestamp >= config.after_timestamp]
        recent = config.num_recent_events
        return events[:] if recent is None else events[max(0, len(events) - recent) :]


class StoredSessions:
    """All sessions by name, the newest last. Whoever calls holds a lock.

    Attributes:
        by_name: The sessions, deleted ones included.

    Args:
        playbooks: The playbooks that they read and change.
    """

    def __init__(self, playbooks: PlaybookRepository) -> None:
        self.by_name: dict[Name, StoredSession] = {}
        self._playbooks = playbooks
        self._entries = 0
        self._user_state: dict[tuple[str, str], dict[str, Any]] = {}
        self._app_state: dict[str, dict[str, Any]] = {}

    def find(self, name: Name) -> StoredSession:
        """A session that is not deleted.

        Raises:
            SessionNotFoundError: There is none of that name.
        """
        stored = self.by_name.get(name)
        if stored is None or stored.deleted:
            raise session_not_found(*name)
        return stored

    def visible(self, app_name: str | None, user_id: str | None) -> list[StoredSession]:
        """The sessions of an app and a user that are not deleted; with None, of all."""
        return [
            stored
            for (app, user, _), stored in self.by_name.items()
            if not stored.deleted and app_name in (None, app) and user_id in (None, user)
        ]

    def check_room(self, name: Name, check: RoomCheck | None) -> None:
        """See `BaseSessionService.check_room`."""
        if check is not None:
            check(name[1], lambda own: len(self.visible(None, name[1] if own else None)))

    def check_free(self, name: Name) -> None:
        """Checks that no session has a name; a deleted one gives it up.

        Raises:
            SessionExistsError: One has.
        """
        if (old := self.by_name.get(name)) and not old.deleted:
            raise session_exists(*name)

    def make(self, name: Name, created_at: float, title: str = "") -> StoredSession:
        """Makes a session without entries; its name is free."""
        if name in self.by_name:
            self.remove(name)  # a deleted one gives way for good
        stored = self.by_name[name] = StoredSession(name=name, created_at=created_at, title=title)
        return stored

    def remove(self, name: Name) -> None:
        """Removes a session for good."""
        del self.by_name[name]
        app_name, _, session_id = name
        if not any((app, id_) == (app_name, session_id) for app, _, id_ in self.by_name):
            with self._playbooks.writing() as playbooks:
                playbooks.forget_session(app_name, session_id)

    def begin(self, name: Name, copies: Iterable[EntryCopy], records: Sequence[TraceRecord], title: str) -> StoredSession:
        """Makes a session whose log begins with copies.

        Raises:
            SessionExistsError: The name is taken.
        """
        self.check_free(name)
        entries = [read_entry(LogEntry(seq, copy.kind, copy.body)) for seq, copy in enumerate(copies, 1)]
        stored = self.make(name, time.time(), title)
        self.add(stored, entries)
        self.add(stored, records)
        return stored

    def held(self) -> dict[str, Held]:
        """What each user keeps, in the bytes of the logs alone. It needs no lock, and reads all of them."""
        found: dict[str, Held] = {}
        for stored in list(self.by_name.values()):
            user, sessions, size = found.get(stored.name[1], Held(stored.name[1], 0, 0))
            size += sum(size_of(body_of(entry)) for entry in stored.log[:])
            found[user] = Held(user, sessions + (not stored.deleted), size)
        return found

    def add(self, stored: StoredSession, entries: Sequence[Event | TraceRecord]) -> range:
        """Puts entries at the end of a session's log; returns their seqs."""
        first = stored.last_seq + 1
        if entries:
            stored.add(entries)
            self._entries += len(entries)
            stored.last_entry = self._entries
        return range(first, first + len(entries))

    def state_of(self, stored: StoredSession) -> dict[str, Any]:
        """A copy of a session's state, with that of its user and its app."""
        app_name, user_id, _ = stored.name
        if stored.origin:
            return plain(stored.state)
        shared = {**self._user_state.get((app_name, user_id), {}), **self._app_state.get(app_name, {})}
        return plain({**shared, **stored.state})  # what a session has to itself wins

    def write_state(self, stored: StoredSession, values: Mapping[str, Any]) -> None:
        """Writes values of a session's state, each where its scope has it."""
        app_name, user_id, _ = stored.name
        for key, value in values.items():
            if stored.origin or ":" not in key:  # a fork has all of its state to itself
                stored.state[key] = plain(value)
            elif key.startswith(State.APP_PREFIX) and shares_app_state(user_id):
                self._app_state.setdefault(app_name, {})[key] = plain(value)
            elif key.startswith(State.USER_PREFIX):
                self._user_state.setdefault((app_name, user_id), {})[key] = plain(value)
            else:
                stored.state[key] = plain(value)

    def finish_orphan(
        self, stored: StoredSession, ending: Mapping[str, str] | None = None, *, unless: str | None = None
    ) -> bool:
        """Ends a run that nothing runs any more, unless it is one, as "interrupted" or as `ending` says; whether it did."""
        if stored.status != "running":
            return False
        run = stored.unfinished_run()
        if run[0].fields().get("invocation_id") == unless:
            return False
        self.add(stored, [ended_run(run, ending) if ending else interrupted(run, stored.updated_at)])
        return True


def _kind_of(entry: Event | TraceRecord) -> str:
    return entry.kind if isinstance(entry, TraceRecord) else EVENT_KIND
