"""`InMemorySessionService`: sessions that live as long as the process.

Events are shared with readers, never copied; state is copied, because agents edit it in place.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from agents.event import Event
from agents.log import LogEntry, TraceRecord
from agents.session import BaseSessionService, GetSessionConfig, ListSessionsResponse, Session, SessionImport
from agents.session_list import SessionFilter, SessionSummary, SummaryPage
from agents.state import REDUCED, split_by_scope
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.storage.reducer import Reducers
from agents.storage.sessions.collections.memory import MemoryCollection
from agents.storage.sessions.collections.texts import folded, words_of
from agents.storage.sessions.copies import copies_of, imported_copies, numbered_state
from agents.storage.sessions.incoming import (
    Incoming,
    apply,
    as_title,
    caught_up,
    check_session_id,
    checked_state,
    prepare_event,
    run_ended,
    run_in_progress,
    storable,
    touches_reduced,
)
from agents.storage.sessions.run_status import STOPPED
from agents.storage.sessions.stored_session import StoredSession, StoredSessions
from agents.storage.tables.session_tables import Name
from agents.storage.use.memory import InMemoryUseStore
from agents.storage.use.store import spent

_WHOLE = GetSessionConfig()
_NO_EVENTS = GetSessionConfig(num_recent_events=0)


class InMemorySessionService(BaseSessionService):
    """Keeps sessions in memory. May be used from several threads and event loops at once.

    Attributes:
        tables: Where playbooks are kept.
        use: What users use of the sessions.
        reducers: Apply the operations of keys with a reducer.

    Args:
        reducers: Others than those of `agents.state`.
    """

    def __init__(self, *, reducers: Reducers | None = None) -> None:
        self._lock = threading.Lock()
        self.tables = InMemoryPlaybookRepository()
        self._sessions = StoredSessions(self.tables)
        self.use = InMemoryUseStore(self._sessions.held)
        self._texts: dict[str, str] = {}
        self.reducers = reducers or Reducers()
        self._claims: dict[Name, _Claim] = {}

    @property
    def collection(self) -> MemoryCollection:
        """The sessions as a collection. It is made anew: kept here, it and this would wait for the garbage collector."""
        return MemoryCollection(self._lock, self._sessions, self._notify)

    async def create_session(
        self, *, app_name: str, user_id: str, state: Mapping[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        values = checked_state(state)
        name = _checked_name(app_name, user_id, str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        first = TraceRecord("session_created", data={"state": split_by_scope(values)[0]})
        with self._lock:
            self._sessions.check_room(name, self.check_room)
            self._sessions.check_free(name)
            with self.tables.writing() as playbooks:
                values = self.reducers.first_state(playbooks, name, 1, first.timestamp, values)
            stored = self._sessions.make(name, first.timestamp)
            self._sessions.add(stored, [first])
            self._sessions.write_state(stored, values)
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
        values = numbered_state(checked_state(state), [entry.seq for entry in entries])
        name = (*_name(origin)[:2], str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        with self._lock:
            self._sessions.check_room(name, self.check_room)
            source = self._sessions.find(_name(origin))
            copies = copies_of(entries, {seq: entry.timestamp for seq, entry in enumerate(source.log, 1)})
            stored = self._sessions.begin(name, copies, records, source.title)
            self._sessions.write_state(stored, values)
            session = self._read(stored, _NO_EVENTS)
        self._notify(*name, session.last_seq)
        return session

    async def import_session(self, imported: SessionImport) -> Session:
        name = _checked_name(imported.app_name, imported.user_id, check_session_id(imported.id))
        with self._lock:
            self._sessions.check_room(name, self.check_room)
            found = imported.log
            values = checked_state(found.state)
            copies = imported_copies(found)
            with self.tables.writing() as playbooks:
                imported.beside(playbooks)
                stored = self._sessions.begin(name, copies, found.records, as_title(imported.title))
            self._sessions.write_state(stored, values)
            for key, text in imported.texts.items():
                self._texts.setdefault(key, storable(text))
            session = self._read(stored, _NO_EVENTS)
        self._notify(*name, session.last_seq)
        return session

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        with self._lock:
            stored = self._sessions.by_name.get((app_name, user_id, session_id))
            if stored is None or stored.deleted:
                return None
            return self._read(stored, config or _WHOLE)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        with self._lock:
            found = [self._read(stored, _NO_EVENTS) for stored in self._sessions.visible(app_name, user_id)]
        return ListSessionsResponse(sessions=found)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        self._set_deleted((app_name, user_id, session_id), deleted=True)

    async def restore_session(self, *, app_name: str, user_id: str, session_id: str) -> bool:
        return self._set_deleted((app_name, user_id, session_id), deleted=False)

    async def rename_session(self, *, app_name: str, user_id: str, session_id: str, title: str) -> None:
        name = (app_name, user_id, session_id)
        with self._lock:
            stored = self._sessions.find(name)
            stored.title = as_title(title)
        self._notify(*name, stored.last_seq)

    async def summary(self, *, app_name: str, user_id: str, session_id: str) -> SessionSummary | None:
        with self._lock:
            stored = self._sessions.by_name.get((app_name, user_id, session_id))
            return None if stored is None or stored.deleted else stored.summary()

    async def page(self, wanted: SessionFilter, *, limit: int, before: int | None = None) -> SummaryPage:
        words = words_of(wanted.title)
        with self._lock:
            found = [
                stored
                for stored in self._sessions.visible(wanted.app_name, None)
                if wanted.has_user(stored.name[1])
                and wanted.session_id in (None, stored.name[2])
                and (wanted.among is None or (stored.name[0], stored.name[2]) in wanted.among)
                and (not wanted.statuses or stored.status in wanted.statuses)
                and all(word in folded(stored.title) for word in words)
            ]
            left = sorted(
                (stored for stored in found if before is None or stored.last_entry < before),
                key=lambda stored: stored.last_entry,
                reverse=True,
            )
            shown = left[: max(0, limit)]
            rows = tuple(stored.summary() for stored in shown)
            more = shown[-1].last_entry if shown and len(left) > len(shown) else None
            return SummaryPage(rows=rows, found=len(found), next=more)

    async def summaries(self, *, app_name: str | None = None, user_id: str | None = None) -> list[SessionSummary]:
        with self._lock:
            found = sorted(self._sessions.visible(app_name, user_id), key=lambda stored: stored.last_entry, reverse=True)
            return [stored.summary() for stored in found]

    async def append(
        self, session: Session, entries: Sequence[Event | TraceRecord], *, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        kept, events = _prepared(entries)
        if not kept and not texts:
            return [0] * len(entries)
        name = _name(session)
        with self._lock:
            self._check_claim(session, name)
            stored = self._sessions.find(name)
            read = session.last_seq
            missed = [] if stored.last_seq <= read else stored.events_after(read)
            touches = (events or missed) and touches_reduced(missed, events.values())
            reduced = self._reduce(session, stored.last_seq, missed, events) if touches else None
            seqs = self._sessions.add(stored, kept)
            self.use.add(spent(name[1], kept))
            for place, event in events.items():
                event.seq = seqs[place]
                stored.title = stored.title or event.title
                if event.delta:
                    self._sessions.write_state(stored, event.delta)
            if (last := stored.last_seq) > read:
                session.read_up_to(last)
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
        with self._lock:
            return self._sessions.find((app_name, user_id, session_id)).entries(after, limit, newest=newest, kind=kind)

    async def count_events(self, *, app_name: str, user_id: str, session_id: str, until: int) -> int:
        with self._lock:
            return self._sessions.find((app_name, user_id, session_id)).count_events(until)

    async def read_texts(self, hashes: Sequence[str]) -> dict[str, str]:
        with self._lock:
            return {key: self._texts[key] for key in hashes if key in self._texts}

    def claim(self, session: Session, invocation_id: str, *, goes_on: bool = False) -> AbstractAsyncContextManager[None]:
        return _Claim(self, session, invocation_id, goes_on=goes_on)

    def begin_claim(self, claim: _Claim) -> None:
        """For `claim`: takes the right to run a session."""
        name = _name(claim.session)
        with self._lock:
            stored = self._sessions.find(name)
            if (held := self._claims.get(name)) is not None:
                raise run_in_progress(claim.session, held.invocation_id, "this process")
            self._claims[name] = claim
            claim.session.claimed(claim)
            orphaned = self._sessions.finish_orphan(stored, unless=claim.invocation_id if claim.goes_on else None)
        if orphaned:
            self._notify(*name, stored.last_seq)

    def end_claim(self, claim: _Claim) -> None:
        """For `claim`: gives that right back, if it was not revoked."""
        name = _name(claim.session)
        with self._lock:
            if self._claims.get(name) is claim:
                del self._claims[name]
                claim.session.claimed(None)

    async def revoke(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        ending: Mapping[str, str] | None = None,
        invocation_id: str | None = None,
    ) -> bool:
        name = (app_name, user_id, session_id)
        with self._lock:
            claim = self._claims.get(name)
            if claim is None or invocation_id not in (None, claim.invocation_id):
                return False
            del self._claims[name]
            stored = self._sessions.find(name)
            orphaned = self._sessions.finish_orphan(stored, ending or STOPPED)
        if orphaned:
            self._notify(*name, stored.last_seq)
        return True

    def check_claim(self, session: Session) -> None:
        self._check_claim(session, _name(session))

    def _check_claim(self, session: Session, name: Name) -> None:
        if (claim := session.claim) is not None and claim is not self._claims.get(name):
            raise run_ended(session)

    async def recover(self) -> int:
        """See `BaseSessionService`. In memory this can only be a run whose task ended without a `run_finished` record."""
        with self._lock:
            orphans = [
                stored
                for name, stored in self._sessions.by_name.items()
                if name not in self._claims and self._sessions.finish_orphan(stored)
            ]
        for stored in orphans:
            self._notify(*stored.name, stored.last_seq)
        return len(orphans)

    def change_mark(self) -> int:
        """Always 0: no other process can write here."""
        return 0

    def _reduce(
        self, session: Session, last_seq: int, missed: Sequence[Event], events: Mapping[int, Incoming]
    ) -> dict[str, Any]:
        """Applies the operations in events that will be stored next, in one transaction, and reads their results."""
        state = caught_up(session, missed)
        with self.tables.writing() as playbooks:
            for place, event in events.items():
                if event.delta:
                    state.update(event.delta)
                    if event.reduced:
                        name = (session.app_name, session.id)
                        event.reduce(self.reducers, playbooks, state, name, last_seq + 1 + place)
            return self.reducers.values(state, playbooks, session.app_name)

    def _set_deleted(self, name: Name, *, deleted: bool) -> bool:
        with self._lock:
            stored = self._sessions.by_name.get(name)
            if stored is None or stored.deleted is deleted:
                return False
            if not deleted:
                self._sessions.check_room(name, self.check_room)
            stored.deleted = deleted
        self._notify(*name, stored.last_seq)
        return True

    def _read(self, stored: StoredSession, config: GetSessionConfig) -> Session:
        app_name, user_id, session_id = stored.name
        state = self._sessions.state_of(stored)
        if not REDUCED.isdisjoint(state):
            with self.tables.reading() as playbooks:
                self.reducers.read_into(state, playbooks, app_name)
        session = Session.model_construct(  # its events were checked when they came
            id=session_id,
            app_name=app_name,
            user_id=user_id,
            state=state,
            events=stored.selected(config),
            last_update_time=stored.updated_at,
        )
        session.read_up_to(stored.last_seq)
        return session


class _Claim:
    """A claim of an `InMemorySessionService`. As an `asynccontextmanager` it would take three times as long."""

    __slots__ = ("_service", "goes_on", "invocation_id", "session")

    def __init__(self, service: InMemorySessionService, session: Session, invocation_id: str, *, goes_on: bool) -> None:
        self._service = service
        self.session = session
        self.invocation_id = invocation_id
        self.goes_on = goes_on

    async def __aenter__(self) -> None:
        self._service.begin_claim(self)

    async def __aexit__(self, *_: object) -> None:
        self._service.end_claim(self)


def _prepared(entries: Sequence[Event | TraceRecord]) -> tuple[list[Event | TraceRecord], dict[int, Incoming]]:
    """Entries that will be stored, and the events among them by their place."""
    kept: list[Event | TraceRecord] = []
    events: dict[int, Incoming] = {}
    for entry in entries:
        if type(entry) is not TraceRecord:
            if entry.partial:
                continue
            events[len(kept)] = prepare_event(entry)
        kept.append(entry)
    return kept, events


def _checked_name(app_name: str, user_id: str, session_id: str) -> Name:
    """The name of a session to be made; it is checked here once, and not whenever the session is read."""
    return _name(Session(id=session_id, app_name=app_name, user_id=user_id))


def _name(session: Session) -> Name:
    return session.app_name, session.user_id, session.id
