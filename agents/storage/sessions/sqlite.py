"""`SqliteSessionService`: sessions in one SQLite file, shared by any number of processes.

Its methods run in two threads, one that reads and one that writes (see `writer`), so that the event loop never waits
for a disk and a long read does not hold up an append. The SQL is in `statements` and `claims`; `database` opens the file.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agents.errors import DatabaseError, DatabaseLostError
from agents.event import Event
from agents.log import LogEntry, TraceRecord
from agents.session import (
    BaseSessionService,
    GetSessionConfig,
    ListSessionsResponse,
    Session,
    SessionImport,
    SessionSummary,
)
from agents.state import split_by_scope
from agents.storage.collections.sqlite import SqliteCollection
from agents.storage.reducer import NotReadyError, Reducers
from agents.storage.sessions import claims, statements
from agents.storage.sessions.columns import Name
from agents.storage.sessions.copies import copies_of
from agents.storage.sessions.incoming import (
    Incoming,
    apply,
    as_title,
    caught_up,
    check_session_id,
    checked_state,
    prepare,
    touches_reduced,
)
from agents.storage.sessions.session_import import write_import
from agents.storage.sqlite.database import WAIT_SECONDS, Connection, explained, snapshot
from agents.storage.sqlite.worker import NotNowError, Worker, WorkerClosedError
from agents.storage.sqlite.writer import Writer

SHORT_ENTRIES, SHORT_CHARACTERS = 16, 50_000
"""Most bytes of an append that counts as short."""

RELEASE_SECONDS = 1.0
"""How long the release of a claim waits for a lock or a full disk after a run that failed or was stopped."""

_NO_EVENTS = GetSessionConfig(num_recent_events=0)
T = TypeVar("T")
_logger = logging.getLogger(__name__)


class _Appended(NamedTuple):
    seqs: list[int]
    missed: list[Event]
    last_seq: int
    updated_at: float
    reduced: dict[str, Any] | None


class SqliteSessionService(BaseSessionService):
    """Keeps sessions in a SQLite file. May be used from several threads and event loops at once.

    The file is opened, created or upgraded when it is first needed, so that making a service costs nothing; `open` does it
    sooner. Every method may raise `DatabaseError`; the service works again once the cause is gone.

    Attributes:
        reducers: Apply the operations of keys with a reducer.
        collection: The sessions as a collection.

    Args:
        path: The database file; its folder is made if it is missing.
        busy_timeout: How long to wait for other processes that write, or for space on a full disk, in seconds.
    """

    def __init__(self, path: str | Path, *, busy_timeout: float = WAIT_SECONDS) -> None:
        self.path = Path(path).expanduser()
        self._busy_timeout = busy_timeout
        self._writer = Writer(self.path, busy_timeout, self._notify_waiting)
        self._reading = Connection(self.path, busy_timeout, read_only=True)
        self._polling = Connection(self.path, 0, read_only=True)
        self._reader = Worker("sessions-read")
        self.reducers = Reducers()
        self._ready = False
        self._mark = 0
        self._mark_lock = threading.Lock()
        self.collection = SqliteCollection(self._read, self._write)

    async def open(self) -> None:
        """Opens the file now, so that its errors show early; creates it if it is missing or was deleted.

        Raises:
            DatabaseError: It cannot be used; the message says why and what to do.
        """
        await self._explained(self._writer.open())
        self._ready = True

    async def create_session(
        self, *, app_name: str, user_id: str, state: Mapping[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """See `BaseSessionService`."""
        values = checked_state(state)
        name = (app_name, user_id, str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        [first] = prepare([TraceRecord("session_created", data={"state": split_by_scope(values)[0]})])
        assert first is not None
        first.write_out()

        def job(conn: sqlite3.Connection) -> Session:
            row = statements.create(conn, name, first, values, self.reducers)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        try:
            return await self._write(job, lambda session: [(name, session.last_seq)])
        except NotReadyError as error:
            await self._read(error.prepare)
            return await self._write(job, lambda session: [(name, session.last_seq)])

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
        named = (origin.app_name, origin.user_id, origin.id)
        name = (*named[:2], str(uuid.uuid4()) if session_id is None else check_session_id(session_id))
        more = [entry for entry in prepare(records) if entry is not None]
        for entry in more:
            entry.write_out()
        copies = await self._read(lambda conn: copies_of(entries, statements.timestamps(conn, named)))

        def job(conn: sqlite3.Connection) -> Session:
            row = statements.fork(conn, named, name, copies, more, time.time())
            statements.write_state(conn, name, row, values)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        return await self._write(job, lambda session: [(name, session.last_seq)])

    async def import_session(self, imported: SessionImport) -> Session:
        """See `BaseSessionService`."""
        name = (imported.app_name, imported.user_id, check_session_id(imported.id))

        def job(conn: sqlite3.Connection) -> Session:
            row = write_import(conn, name, imported)
            return statements.read_session(conn, name, row, _NO_EVENTS, self.reducers)

        return await self._write(job, lambda session: [(name, session.last_seq)])

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """See `BaseSessionService`."""
        name = (app_name, user_id, session_id)

        def job(conn: sqlite3.Connection) -> Session | None:
            row = statements.look_up(conn, name)
            if row is None:
                return None
            return statements.read_session(conn, name, row, config or GetSessionConfig(), self.reducers)

        return await self._read(job)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """See `BaseSessionService`."""
        found = await self._read(lambda conn: statements.list_sessions(conn, app_name, user_id, self.reducers))
        return ListSessionsResponse(sessions=found)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """See `BaseSessionService`."""
        await self._set_deleted((app_name, user_id, session_id), deleted=True)

    async def restore_session(self, *, app_name: str, user_id: str, session_id: str) -> bool:
        """See `BaseSessionService`."""
        return await self._set_deleted((app_name, user_id, session_id), deleted=False)

    async def rename_session(self, *, app_name: str, user_id: str, session_id: str, title: str) -> None:
        """See `BaseSessionService`."""
        name = (app_name, user_id, session_id)

        def job(conn: sqlite3.Connection) -> int:
            row = statements.find(conn, name)
            statements.rename(conn, row, as_title(title))
            return row.last_seq

        await self._write(job, lambda last_seq: [(name, last_seq)])

    async def summaries(self, *, app_name: str | None = None, user_id: str | None = None) -> list[SessionSummary]:
        """See `BaseSessionService`."""
        return await self._read(lambda conn: statements.summaries(conn, app_name, user_id))

    async def append(
        self, session: Session, entries: Sequence[Event | TraceRecord], *, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        """See `BaseSessionService`."""
        incoming = prepare(entries)
        if not any(incoming) and not texts:
            return [0] * len(incoming)
        is_short = _written_out(incoming) and not texts
        name = (session.app_name, session.user_id, session.id)

        def brief(conn: sqlite3.Connection) -> _Appended:
            row = statements.find(conn, name)
            if row.last_seq > session.last_seq:  # how much was missed is unknown
                raise NotNowError
            return _Appended(statements.append(conn, name, row, incoming), [], row.last_seq, row.updated_at, None)

        def job(conn: sqlite3.Connection) -> _Appended:
            _begin_again(incoming)
            row = statements.find(conn, name)
            missed = statements.missed_events(conn, row, session.last_seq)
            reducing = None
            if touches_reduced(missed, incoming):
                reducing = statements.Reducing(self.reducers, caught_up(session, missed))
            seqs = statements.append(conn, name, row, incoming, reducing)
            if texts:
                statements.write_texts(conn, texts)
            reduced = None if reducing is None else self.reducers.values(reducing.state, conn, session.app_name)
            return _Appended(seqs, missed, row.last_seq, row.updated_at, reduced)

        def committed(stored: _Appended) -> list[tuple[Name, int]]:
            # Here, before anything else is written, and not in `then`: the next append of this object may be next in
            # line, and must not count these entries as missed.
            session.note(stored.last_seq)
            return [(name, stored.last_seq)] if any(stored.seqs) else []

        def then(stored: _Appended) -> None:
            apply(session, stored.missed, incoming, stored.updated_at, stored.reduced)

        try:
            return (await self._write(job, committed, then, brief=brief if is_short else None)).seqs
        except NotReadyError as error:
            await self._read(error.prepare)
            return await self.append(session, entries, texts=texts)

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
        name = (app_name, user_id, session_id)
        return await self._read(
            lambda conn: statements.read_log(conn, statements.find(conn, name), after, limit, newest=newest, kind=kind)
        )

    async def count_events(self, *, app_name: str, user_id: str, session_id: str, until: int) -> int:
        """See `BaseSessionService`."""
        name = (app_name, user_id, session_id)
        return await self._read(lambda conn: statements.count_events(conn, statements.find(conn, name), until))

    async def read_texts(self, hashes: Sequence[str]) -> dict[str, str]:
        """See `BaseSessionService`."""
        return await self._read(lambda conn: statements.read_texts(conn, hashes))

    @asynccontextmanager
    async def claim(self, session: Session, invocation_id: str) -> AsyncGenerator[None, None]:
        """See `BaseSessionService`."""
        name = (session.app_name, session.user_id, session.id)
        token = claims.new_token()
        taken: list[int | None] = []
        patience: float | None = None
        try:
            await self._write(
                lambda conn: claims.take(conn, session, invocation_id, token),
                lambda marked: [] if marked is None else [(name, marked)],
                taken.append,
            )
            yield
        except BaseException:
            patience = RELEASE_SECONDS
            raise
        finally:
            claims.let_go(token)
            if taken:
                await self._release(token, within=patience)

    async def recover(self) -> int:
        """See `BaseSessionService`."""
        return len(await self._write(claims.sweep, lambda marked: marked))

    def change_mark(self) -> int:
        """See `BaseSessionService`. Also differs after this service wrote, and while the file is not there.

        Does not wait, raises nothing.
        """
        with self._mark_lock:
            if self._ready:
                try:
                    self._mark = self._polling.get().execute("PRAGMA data_version").fetchone()[0]
                except DatabaseLostError:
                    self._mark = -1  # the next reader gets the error
                except (sqlite3.Error, DatabaseError):
                    self._polling.close()  # the error shows at the next read or write
            return self._mark

    async def close(self) -> None:
        """Finishes pending jobs, then closes the file and ends the threads. Closing twice is no error."""
        await self._writer.close()
        with suppress(WorkerClosedError):
            await self._reader.run(self._reading.close)
        self._reader.close()
        with self._mark_lock:
            self._ready = False
            self._polling.close()

    async def _set_deleted(self, name: Name, *, deleted: bool) -> bool:
        last_seq = await self._write(
            lambda conn: statements.set_deleted(conn, name, deleted=deleted),
            lambda last_seq: [] if last_seq is None else [(name, last_seq)],
        )
        return last_seq is not None

    async def _release(self, token: str, *, within: float | None) -> None:
        try:
            async with asyncio.timeout(within):
                await self._write(lambda conn: claims.release(conn, token), lambda _: [])
        except (DatabaseError, TimeoutError) as error:
            # The run itself is over. This process may claim the session again, others once this process has ended.
            _logger.warning("A finished run still holds its session for other processes: %s", error.__cause__ or error)

    async def _write(
        self,
        job: Callable[[sqlite3.Connection], T],
        committed: Callable[[T], Sequence[tuple[Name, int]]],
        then: Callable[[T], None] | None = None,
        *,
        brief: Callable[[sqlite3.Connection], T] | None = None,
    ) -> T:
        """Does `job` in a transaction; see `Writer.write`.

        Args:
            job: What to do; all of it is stored, or nothing.
            committed: Called with the result once it is; gives the sessions changed and their `last_seq`, for listeners.
            then: Called with the result in the caller's event loop, also when the caller was cancelled.
            brief: The same as `job`, if it is short.
        """

        def stored(result: T) -> None:
            self._ready = True
            for name, last_seq in committed(result):
                self._notify(*name, last_seq)

        return await self._explained(self._writer.write(job, stored, then, brief=brief))

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `job` in the reading thread, on a snapshot of the database."""
        if not self._ready:
            await self.open()

        def work() -> T:
            with snapshot(self._reading.get()) as conn:
                return job(conn)

        return await self._explained(self._reader.run(work))

    async def _explained(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        except sqlite3.Error as error:
            raise explained(error, self.path, self._busy_timeout) from error
        except WorkerClosedError as error:
            raise DatabaseError(
                f"The session database {self.path} was closed by close(). Make a new SqliteSessionService to go on."
            ) from error


def _begin_again(entries: Sequence[Incoming | None]) -> None:
    """Restores entries after a failed attempt to store them."""
    for entry in entries:
        if entry is not None and entry.reduced:
            entry.begin_again()


def _written_out(entries: Sequence[Incoming | None]) -> bool:
    """Serialises the entries as far as possible now; whether storing them is short work for any session."""
    characters, is_plain = 0, True
    for entry in entries:
        if entry is not None:
            if not entry.reduced:
                entry.write_out()
            is_plain = is_plain and not entry.touching  # a reducer takes its time
            characters += len(entry.body)
    return is_plain and len(entries) <= SHORT_ENTRIES and characters <= SHORT_CHARACTERS
