"""`InMemorySessionService`: sessions that live as long as the process.

Events are shared with readers, never copied; state is copied, because agents edit it in place.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from agents.event import Event
from agents.log import LogEntry, TraceRecord, read_entry
from agents.session import (
    BaseSessionService,
    GetSessionConfig,
    ListSessionsResponse,
    Session,
    SessionImport,
    SessionSummary,
    session_not_found,
)
from agents.state import REDUCED, State, split_by_scope
from agents.storage.collections.memory import MemoryCollection
from agents.storage.reducer import Reducers
from agents.storage.sessions.columns import Name
from agents.storage.sessions.copies import EntryCopy, copies_of
from agents.storage.sessions.incoming import (
    Incoming,
    apply,
    as_title,
    caught_up,
    check_session_id,
    checked_state,
    plain,
    prepare_event,
    run_in_progress,
    session_exists,
    storable,
    touches_reduced,
)
from agents.storage.sessions.run_status import interrupted
from agents.storage.sessions.stored_session import StoredSession
from agents.storage.sessions.tables import MemoryTables
from agents.storage.sqlite.first_state import first_state

_WHOLE = GetSessionConfig()
_NO_EVENTS = GetSessionConfig(num_recent_events=0)


class InMemorySessionService(BaseSessionService):
    """Keeps sessions in memory. May be used from several threads and event loops at once.

    Attributes:
        tables: Where state with a reducer is kept.
        reducers: Apply the operations of keys with a reducer.
        collection: The sessions as a collection.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0  # the last seq given
        self._sessions: dict[Name, StoredSession] = {}
        self._user_state: dict[tuple[str, str], dict[str, Any]] = {}
        self._app_state: dict[str, dict[str, Any]] = {}
        self._texts: dict[str, str] = {}
        self.reducers = Reducers()
        self.tables = MemoryTables()
        self._claims: dict[Name, str] = {}
        self.collection = MemoryCollection(self._lock, self._sessions, self._notify)

    async def create_session(
        self, *, app_name: str, user_id: str, state: Mapping[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """See `BaseSessionService`."""
        values = checked_state(state)
        name = (app_name, user_id, str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        first = TraceRecord("session_created", data={"state": split_by_scope(values)[0]})
        with self._lock:
            if (old := self._sessions.get(name)) and not old.deleted:
                raise session_exists(*name)
            if not REDUCED.isdisjoint(values) or self.tables.are_used:
                with self.tables.transaction() as conn:
                    values = first_state(self.reducers, conn, name, self._last + 1, first.timestamp, values)
            self._sessions.pop(name, None)  # so that the new one is also the newest
            stored = self._sessions[name] = StoredSession(name=name, created_at=first.timestamp)
            self._store(stored, [first])
            self._write_state(stored, values)
            session = self._read(stored, _NO_EVENTS)
        self._notify(*name, session.last_seq)
        return session

    async def fork_session(
        self,
        origin: Session,
        *,
        entries: Sequence[LogEntry],
        records: Sequence[TraceRecord],
        state: Mapping[str, Any],
        session_id: str | None = None,
    ) -> Session:
        """See `BaseSessionService`."""
        values = checked_state(state)
        name = (*_name(origin)[:2], str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        with self._lock:
            source = self._find(_name(origin))
            times = {seq: entry.timestamp for seq, entry in zip(source.seqs, source.log, strict=True)}
            copies = copies_of(entries, times)
            stored = self._begin(name, copies, records, source.title)
            self._write_state(stored, values)
            session = self._read(stored, _NO_EVENTS)
        self._notify(*name, session.last_seq)
        return session

    async def import_session(self, imported: SessionImport) -> Session:
        """See `BaseSessionService`."""
        name = (imported.app_name, imported.user_id, check_session_id(imported.id))
        with self._lock:
            found = imported.log(self._last)
            values = checked_state(found.state)
            copies = copies_of(found.entries, found.timestamps)
            with self.tables.transaction() as conn:
                imported.beside(conn)
                stored = self._begin(name, copies, found.records, as_title(imported.title))
            self._write_state(stored, values)
            for key, text in imported.texts.items():
                self._texts.setdefault(key, storable(text))
            session = self._read(stored, _NO_EVENTS)
        self._notify(*name, session.last_seq)
        return session

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """See `BaseSessionService`."""
        with self._lock:
            stored = self._sessions.get((app_name, user_id, session_id))
            if stored is None or stored.deleted:
                return None
            return self._read(stored, config or _WHOLE)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """See `BaseSessionService`."""
        with self._lock:
            found = [self._read(stored, _NO_EVENTS) for stored in self._visible(app_name, user_id)]
        return ListSessionsResponse(sessions=found)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """See `BaseSessionService`."""
        self._set_deleted((app_name, user_id, session_id), deleted=True)

    async def restore_session(self, *, app_name: str, user_id: str, session_id: str) -> bool:
        """See `BaseSessionService`."""
        return self._set_deleted((app_name, user_id, session_id), deleted=False)

    async def rename_session(self, *, app_name: str, user_id: str, session_id: str, title: str) -> None:
        """See `BaseSessionService`."""
        name = (app_name, user_id, session_id)
        with self._lock:
            stored = self._find(name)
            stored.title = as_title(title)
        self._notify(*name, stored.last_seq)

    async def summaries(self, *, app_name: str | None = None, user_id: str | None = None) -> list[SessionSummary]:
        """See `BaseSessionService`."""
        with self._lock:
            found = sorted(self._visible(app_name, user_id), key=lambda stored: stored.last_seq, reverse=True)
            return [stored.summary(stored.name, stored.created_at) for stored in found]

    async def append(
        self, session: Session, entries: Sequence[Event | TraceRecord], *, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        """See `BaseSessionService`."""
        kept, events = _prepared(entries)
        if not kept and not texts:
            return [0] * len(entries)
        name = _name(session)
        with self._lock:
            stored = self._find(name)
            read = session.last_seq
            missed = [] if stored.last_seq <= read else stored.events_after(read)
            touches = bool(events or missed) and touches_reduced(missed, events.values())
            reduced = self._reduce(session, missed, events) if touches else None
            seqs = self._store(stored, kept)
            for place, event in events.items():
                event.seq = seqs[place]
                stored.title = stored.title or event.title
                if event.delta:
                    self._write_state(stored, event.delta)
            last = stored.last_seq
            session.note(last)
            apply(session, missed, events.values(), stored.updated_at, reduced)
            for key, text in texts.items() if texts else ():
                if key not in self._texts:
                    self._texts[key] = storable(text)
        if kept and self._listeners:
            self._notify(*name, last)
        if len(kept) == len(entries):
            return list(seqs)
        places = iter(seqs)
        return [0 if isinstance(entry, Event) and entry.partial else next(places) for entry in entries]

    async def read_log(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        after: int = 0,
        limit: int | None = None,
        newest: bool = False,
        kind: str | None = None,
    ) -> list[LogEntry]:
        """See `BaseSessionService`."""
        with self._lock:
            return self._find((app_name, user_id, session_id)).entries(after, limit, newest=newest, kind=kind)

    async def count_events(self, *, app_name: str, user_id: str, session_id: str, until: int) -> int:
        """See `BaseSessionService`."""
        with self._lock:
            return self._find((app_name, user_id, session_id)).count_events(until)

    async def read_texts(self, hashes: Sequence[str]) -> dict[str, str]:
        """See `BaseSessionService`."""
        with self._lock:
            return {key: self._texts[key] for key in hashes if key in self._texts}

    @asynccontextmanager
    async def claim(self, session: Session, invocation_id: str) -> AsyncGenerator[None, None]:
        """See `BaseSessionService`."""
        name = _name(session)
        with self._lock:
            stored = self._find(name)
            if name in self._claims:
                raise run_in_progress(session, self._claims[name], "this process")
            self._claims[name] = invocation_id
            orphaned = self._finish_orphan(stored)
        if orphaned:
            self._notify(*name, stored.last_seq)
        try:
            yield
        finally:
            with self._lock:
                del self._claims[name]

    async def recover(self) -> int:
        """See `BaseSessionService`. In memory this can only be a run whose task ended without a `run_finished` record."""
        with self._lock:
            orphans = [
                stored for name, stored in self._sessions.items() if name not in self._claims and self._finish_orphan(stored)
            ]
        for stored in orphans:
            self._notify(*stored.name, stored.last_seq)
        return len(orphans)

    def change_mark(self) -> int:
        """Always 0: no other process can write here."""
        return 0

    def _reduce(self, session: Session, missed: Sequence[Event], events: Mapping[int, Incoming]) -> dict[str, Any]:
        """Applies the operations in events that will be stored next, in one transaction, and reads their results."""
        state = caught_up(session, missed)
        with self.tables.transaction() as conn:
            for place, event in events.items():
                if event.delta:
                    state.update(event.delta)
                    if event.reduced:
                        seq = self._last + 1 + place
                        event.reduce(self.reducers, conn, state, (session.app_name, session.id), seq)
            return self.reducers.values(state, conn, session.app_name)

    def _find(self, name: Name) -> StoredSession:
        stored = self._sessions.get(name)
        if stored is None or stored.deleted:
            raise session_not_found(*name)
        return stored

    def _visible(self, app_name: str | None, user_id: str | None) -> list[StoredSession]:
        return [
            stored
            for (app, user, _), stored in self._sessions.items()
            if not stored.deleted and app_name in (None, app) and user_id in (None, user)
        ]

    def _set_deleted(self, name: Name, *, deleted: bool) -> bool:
        with self._lock:
            stored = self._sessions.get(name)
            if stored is None or stored.deleted is deleted:
                return False
            stored.deleted = deleted
        self._notify(*name, stored.last_seq)
        return True

    def _read(self, stored: StoredSession, config: GetSessionConfig) -> Session:
        app_name, user_id, session_id = stored.name
        state = plain(stored.state)
        if not stored.origin:
            state.update(plain(self._user_state.get((app_name, user_id), {})))
            state.update(plain(self._app_state.get(app_name, {})))
        if not REDUCED.isdisjoint(state):
            with self.tables.transaction() as conn:
                self.reducers.read_into(state, conn, app_name)
        session = Session(id=session_id, app_name=app_name, user_id=user_id, state=state, last_update_time=stored.updated_at)
        session.events = stored.selected(config)
        session.read_up_to(stored.last_seq)
        return session

    def _store(self, stored: StoredSession, entries: Sequence[Event | TraceRecord]) -> range:
        """Puts entries at the end of a session's log; returns their seqs."""
        seqs = range(self._last + 1, self._last + 1 + len(entries))
        if entries:
            stored.add(entries, seqs)
            self._last = seqs[-1]
        return seqs

    def _begin(self, name: Name, copies: Sequence[EntryCopy], records: Sequence[TraceRecord], title: str) -> StoredSession:
        """Makes a session whose log begins with copies."""
        if (old := self._sessions.get(name)) and not old.deleted:
            raise session_exists(*name)
        before = self._last
        entries = [read_entry(LogEntry(0, copy.kind, copy.numbered(before))) for copy in copies]
        self._sessions.pop(name, None)
        stored = self._sessions[name] = StoredSession(name=name, created_at=time.time(), title=title)
        self._store(stored, entries)
        for seq, entry in zip(stored.seqs, stored.log, strict=True):
            if isinstance(entry, Event):
                entry.stored_as(seq)
        self._store(stored, records)
        return stored

    def _write_state(self, stored: StoredSession, values: Mapping[str, Any]) -> None:
        app_name, user_id, _ = stored.name
        for key, value in values.items():
            if stored.origin or ":" not in key:  # a fork has all of its state to itself
                stored.state[key] = plain(value)
            elif key.startswith(State.APP_PREFIX):
                self._app_state.setdefault(app_name, {})[key] = plain(value)
            elif key.startswith(State.USER_PREFIX):
                self._user_state.setdefault((app_name, user_id), {})[key] = plain(value)
            else:
                stored.state[key] = plain(value)

    def _finish_orphan(self, stored: StoredSession) -> bool:
        """Marks a run without a process as interrupted; whether there was one."""
        if stored.status != "running":
            return False
        self._store(stored, [interrupted(stored.unfinished_run(), stored.updated_at)])
        return True


def _prepared(entries: Sequence[Event | TraceRecord]) -> tuple[list[Event | TraceRecord], dict[int, Incoming]]:
    """Entries that will be stored, and the events among them by their place."""
    kept: list[Event | TraceRecord] = []
    events: dict[int, Incoming] = {}
    for entry in entries:
        if not isinstance(entry, TraceRecord):
            if entry.partial:
                continue
            events[len(kept)] = prepare_event(entry)
        kept.append(entry)
    return kept, events


def _name(session: Session) -> Name:
    fields = session.__dict__  # asked at every append
    return fields["app_name"], fields["user_id"], fields["id"]
