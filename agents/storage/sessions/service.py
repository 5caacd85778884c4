"""`StoredSessionService`: sessions in the tables of a database, shared by any number of processes.

It says what is done with sessions, its `SessionTables` in which thread; the SQL is in `statements` and `claims`.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from agents.errors import DatabaseError
from agents.event import Event
from agents.log import LogEntry, TraceRecord
from agents.session import BaseSessionService, GetSessionConfig, ListSessionsResponse, Orphan, Session, SessionImport
from agents.session_list import SessionFilter, SessionSummary, SummaryPage
from agents.state import split_by_scope
from agents.storage.reducer import Reducers
from agents.storage.sessions import claims, creation, statements
from agents.storage.sessions.append import Append
from agents.storage.sessions.collections import listing
from agents.storage.sessions.collections.stored import SearchIndex, StoredCollection
from agents.storage.sessions.copies import copies_of, numbered_state
from agents.storage.sessions.incoming import Incoming, as_title, check_session_id, checked_state, prepare, run_ended
from agents.storage.sessions.run_status import STOPPED
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Name, SessionTables

RELEASE_SECONDS = 1.0
"""How long the release of a claim waits for a lock or a full disk after a run that failed or was stopped."""

_NO_EVENTS = GetSessionConfig(num_recent_events=0)
_logger = logging.getLogger(__name__)


class StoredSessionService(BaseSessionService):
    """Keeps sessions in a database. May be used from several threads and event loops at once.

    Every method may raise `DatabaseError`; the service works again once the cause is gone.

    Attributes:
        reducers: Apply the operations of keys with a reducer.
        collection: The sessions as a collection.

    Args:
        database: The database.
        held: The claims of this service.
        index: What the sessions are searched with.
    """

    def __init__(self, database: SessionTables, held: claims.Claims, index: SearchIndex) -> None:
        self._database = database
        self.reducers = Reducers()
        self._claims = held
        self.collection = StoredCollection(database, index)

    async def open(self) -> None:
        await self._database.open()

    async def create_session(
        self, *, app_name: str, user_id: str, state: Mapping[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        values = checked_state(state)
        name = (app_name, user_id, str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        [first] = prepare([TraceRecord("session_created", data={"state": split_by_scope(values)[0]})])
        assert first is not None
        first.write_out()

        def job(conn: Connection) -> Session:
            creation.check_room(conn, name, self.check_room)
            row = creation.create(conn, name, first, values, self.reducers)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        return await self._database.write(job, lambda session: [(name, session.last_seq)], of=name)

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
        named = (origin.app_name, origin.user_id, origin.id)
        name = (*named[:2], str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        more = [entry for entry in prepare(records) if entry is not None]
        for entry in more:
            entry.write_out()
        copies = await self._database.read(lambda conn: copies_of(entries, statements.timestamps(conn, named)))

        def job(conn: Connection) -> Session:
            creation.check_room(conn, name, self.check_room)
            row = creation.fork(conn, named, name, copies, more, time.time())
            statements.write_state(conn, name, row, values)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        return await self._database.write(job, lambda session: [(name, session.last_seq)], of=name)

    async def import_session(self, imported: SessionImport) -> Session:
        name = (imported.app_name, imported.user_id, check_session_id(imported.id))

        def job(conn: Connection) -> Session:
            creation.check_room(conn, name, self.check_room)
            row = creation.add_import(conn, name, imported)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        return await self._database.write(job, lambda session: [(name, session.last_seq)], of=name)

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        name = (app_name, user_id, session_id)

        def job(conn: Connection) -> Session | None:
            row = statements.look_up(conn, name)
            if row is None:
                return None
            return statements.read_session(conn, name, row, config or GetSessionConfig(), self.reducers)

        return await self._database.read(job)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        found = await self._database.read(lambda conn: statements.list_sessions(conn, app_name, user_id, self.reducers))
        return ListSessionsResponse(sessions=found)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        await self._set_deleted((app_name, user_id, session_id), deleted=True)

    async def restore_session(self, *, app_name: str, user_id: str, session_id: str) -> bool:
        return await self._set_deleted((app_name, user_id, session_id), deleted=False)

    async def rename_session(self, *, app_name: str, user_id: str, session_id: str, title: str) -> None:
        name = (app_name, user_id, session_id)

        def job(conn: Connection) -> int:
            row = statements.find(conn, name)
            statements.rename(conn, row, as_title(title))
            return row.last_seq

        await self._database.write(job, lambda last_seq: [(name, last_seq)], of=name)

    async def summary(self, *, app_name: str, user_id: str, session_id: str) -> SessionSummary | None:
        return await self._database.read(lambda conn: listing.summary(conn, (app_name, user_id, session_id)))

    async def page(self, wanted: SessionFilter, *, limit: int, before: int | None = None) -> SummaryPage:
        return await self._database.read(lambda conn: listing.page(conn, wanted, limit, before))

    async def summaries(self, *, app_name: str | None = None, user_id: str | None = None) -> list[SessionSummary]:
        return await self._database.read(lambda conn: listing.summaries(conn, app_name, user_id))

    async def append(
        self, session: Session, entries: Sequence[Event | TraceRecord], *, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        incoming = prepare(entries)
        if not any(incoming) and not texts:
            return [0] * len(incoming)
        append = self._append(session, incoming, texts or {})
        brief = append.store_at_once if append.is_short else None
        name = (session.app_name, session.user_id, session.id)
        return (await self._database.write(append.store, append.committed, append.then, of=name, brief=brief)).seqs

    def _append(self, session: Session, incoming: Sequence[Incoming | None], texts: Mapping[str, str]) -> Append:
        return Append(session, incoming, texts, self.reducers)

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
        name = (app_name, user_id, session_id)
        return await self._database.read(
            lambda conn: statements.read_log(conn, statements.find(conn, name), after, limit, newest=newest, kind=kind)
        )

    async def count_events(self, *, app_name: str, user_id: str, session_id: str, until: int) -> int:
        name = (app_name, user_id, session_id)
        return await self._database.read(lambda conn: statements.count_events(conn, statements.find(conn, name), until))

    async def read_texts(self, hashes: Sequence[str]) -> dict[str, str]:
        return await self._database.read(lambda conn: statements.read_texts(conn, hashes))

    @asynccontextmanager
    async def claim(self, session: Session, invocation_id: str, *, goes_on: bool = False) -> AsyncGenerator[None, None]:
        claim = self._claims.new(session, invocation_id)
        taken: list[int | None] = []
        patience: float | None = None
        try:
            await self._database.write(
                lambda conn: claims.take(conn, session, claim, self._claims, goes_on=goes_on),
                lambda marked: [] if marked is None else [(claim.name, marked)],
                taken.append,
                of=claim.name,
            )
            session.claimed(claim)
            yield
        except BaseException:
            patience = RELEASE_SECONDS
            raise
        finally:
            if self._claims.let_go(claim) and taken:
                session.claimed(None)
                await self._release(claim, within=patience)

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
        claim = self._claims.of(name)
        if invocation_id is not None and (claim is None or claim.invocation_id != invocation_id):
            claim = await self._database.read(lambda conn: claims.stored_claim(conn, name, invocation_id))
        if claim is None:
            return False
        claim.lost = run_ended
        try:
            await self._database.write(
                lambda conn: claims.revoke(conn, claim, ending or STOPPED),
                lambda marked: [] if marked is None else [(name, marked)],
                of=name,
            )
        finally:
            self._claims.let_go(claim)  # also where that could not be stored
        return True

    def check_claim(self, session: Session) -> None:
        claims.check_lost(session)

    async def recover(self) -> int:
        """See `BaseSessionService`. Takes no write lock where there is nothing to mark."""
        if not await self._database.read(lambda conn: claims.has_orphans(conn, self._claims)):
            return 0
        return len(await self._database.write(lambda conn: claims.sweep(conn, self._claims), lambda marked: marked))

    async def orphans(self) -> list[Orphan]:
        return await self._database.read(self._claims.orphans)

    def change_mark(self) -> int:
        """See `BaseSessionService`. Also differs after this service wrote, and while the database is not there.

        Does not wait, raises nothing.
        """
        return self._database.change_mark()

    async def close(self) -> None:
        """Finishes pending jobs, then closes the database and ends the threads. Closing twice is no error."""
        self._claims.close()
        await self._database.close()

    async def _set_deleted(self, name: Name, *, deleted: bool) -> bool:
        def job(conn: Connection) -> int | None:
            if not deleted:
                creation.check_room(conn, name, self.check_room)
            return statements.set_deleted(conn, name, deleted=deleted)

        last_seq = await self._database.write(
            job,
            lambda last_seq: [] if last_seq is None else [(name, last_seq)],
            of=name,
        )
        return last_seq is not None

    async def _release(self, claim: claims.Claim, *, within: float | None) -> None:
        try:
            async with asyncio.timeout(within):
                await self._database.write(lambda conn: claims.release(conn, claim), lambda _: [], of=claim.name)
        except (DatabaseError, TimeoutError) as error:
            # The run itself is over. This service may claim the session again, others once the lease is over.
            _logger.warning("A finished run still holds its session for other processes: %s", error.__cause__ or error)
