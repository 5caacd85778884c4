"""`Pool`: the connections of one process to a PostgreSQL database, which the parts of a store share.

Of its own, where `psycopg_pool` exists: that one connects in threads of its own, so that whoever waits learns that there is
no connection, and not why; and it hands out those that a restart of the database has broken.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TypeVar

import psycopg

from agents.errors import DatabaseError
from agents.storage.postgres.connection import Connection, UnreachableError, connect, explained, shown
from agents.storage.postgres.migrations import check_schema

MOST = 16
"""Connections of one pool, at most. PostgreSQL itself allows 100 unless it is told otherwise."""
WAIT_SECONDS = 10.0
"""Seconds that a use waits for a connection while all are in use, or while the database cannot be reached."""
_RETRY_SECONDS, _TELL_SECONDS, _FORGET_SECONDS = 0.1, 1.0, 2.0

T = TypeVar("T")
_logger = logging.getLogger(__name__)


class Pool:
    """Runs transactions, each on one connection. May be used from several threads at once.

    A connection is made when one is needed and none is free. Every method but `close` may raise `DatabaseError`; the pool
    works again once the cause is gone.

    Attributes:
        address: Of the database, with its password.
        waiting: Called when uses wait for the database, see `BaseSessionService.add_waiting_listener`.

    Args:
        address: Of the database, as `postgresql://…`.
        wait: See `WAIT_SECONDS`.
        most: See `MOST`.
    """

    def __init__(self, address: str, *, wait: float = WAIT_SECONDS, most: int = MOST) -> None:
        self.address = address
        self._wait, self._most = wait, most
        self._free = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._outage = _Outage(wait, lambda sentence: self.waiting(sentence) if self.waiting else None)
        self.waiting: Callable[[str | None], None] | None = None

    @contextmanager
    def writing(self) -> Generator[Connection, None, None]:
        """A transaction: all of the block is stored, or nothing."""
        with self._explained(), self._transaction(writes=True) as conn:
            yield conn

    @contextmanager
    def reading(self) -> Generator[Connection, None, None]:
        """A snapshot to read from."""
        with self._explained(), self._transaction(writes=False) as conn:
            yield conn

    def run(self, job: Callable[[Connection], T], *, writes: bool, gives_up: Callable[[], bool] = lambda: False) -> T:
        """What `job` returns for a connection in a transaction. It is repeated if the connection is lost meanwhile.

        Args:
            job: What to do; all of it is stored, or nothing. May be called again after an attempt that failed.
            writes: Whether it may write.
            gives_up: Whether nobody waits for it any more.
        """
        with self._explained():
            while True:
                try:
                    with self._transaction(writes=writes, gives_up=gives_up) as conn:
                        return job(conn)
                except psycopg.errors.DeadlockDetected:
                    if gives_up():
                        raise
                except psycopg.OperationalError as error:
                    if not _is_loss(error) or not self._outage.goes_on(str(error), self.address) or gives_up():
                        raise

    def at_once(self, job: Callable[[Connection], T]) -> T:
        """What `job` returns for a connection outside of a transaction: each statement is one. It is not repeated.

        Raises:
            psycopg.Error: It failed; if the connection was lost, the statement may be stored.
        """
        with self._transaction(writes=None) as conn:
            return job(conn)

    def notify(self, channel: str, text: str) -> None:
        """Sends a notice to all who listen on a channel, outside of any transaction that writes."""
        with self._explained():
            self.at_once(lambda conn: conn.execute("SELECT pg_notify(?, ?)", (channel, text)))

    def connect(self) -> Connection:
        """A connection beside the others, for one use; whoever asked for it closes it.

        Raises:
            DatabaseError: There is none.
        """
        conn = Connection(connect(self.address))
        try:
            check_schema(conn, self.address)
        except BaseException:
            conn.raw.close()
            raise
        return conn

    def close(self) -> None:
        """Closes the connections that are not in use, and the others after it; the next use opens new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for conn in idle:
            conn.raw.close()

    @contextmanager
    def _transaction(
        self, *, writes: bool | None, gives_up: Callable[[], bool] = lambda: False
    ) -> Generator[Connection, None, None]:
        if not self._free.acquire(timeout=self._wait):
            raise DatabaseError(
                f"All {self._most} connections of this process to the PostgreSQL database {shown(self.address)} have "
                f"been in use for more than {self._wait:g} s. Nothing was stored. Wait, and try again."
            )
        conn: Connection | None = None
        try:
            conn = self._begun(writes=writes, gives_up=gives_up)
            yield conn
            self._commit(conn)
        finally:
            if conn is not None:
                self._give_back(conn)
            self._free.release()

    def _begun(self, *, writes: bool | None, gives_up: Callable[[], bool] = lambda: False) -> Connection:
        """A connection that has begun a transaction, unless `writes` is None, as soon as there is one."""
        while True:
            with self._lock:
                conn = self._idle.pop() if self._idle else None
            try:
                conn = conn or self.connect()
                if writes is not None:
                    conn.begin(writes=writes)
            except UnreachableError as error:
                if not error.may_pass or gives_up() or not self._outage.goes_on(str(error), self.address):
                    raise
            except psycopg.OperationalError as error:  # broken since it was used last, as all others are then
                self.close()
                if conn is not None:
                    conn.raw.close()
                if gives_up() or not self._outage.goes_on(str(error), self.address):
                    raise
            else:
                self._outage.is_over()
                return conn

    def _commit(self, conn: Connection) -> None:
        number, process = conn.transaction_id, conn.raw.info.backend_pid
        try:
            conn.end(commit=True)
        except psycopg.OperationalError:
            if not number or not self._was_stored(number, process):
                raise

    def _was_stored(self, number: str, process: int) -> bool:
        """Whether a transaction was stored whose connection was lost as it ended.

        A process of the database that still has it, since it waits for the lost connection, is ended.
        """
        try:
            while True:
                conn = self._begun(writes=False)  # in the place of the lost one: all may be lost at once
                try:
                    [state] = conn.execute("SELECT pg_xact_status(CAST(? AS xid8))", (number,)).fetchone() or (None,)
                    if state != "in progress":
                        return state == "committed"
                    conn.execute("SELECT pg_terminate_backend(?)", (process,))
                finally:
                    self._give_back(conn)
                time.sleep(_RETRY_SECONDS)
        except (psycopg.Error, DatabaseError) as error:
            raise DatabaseError(
                f"The PostgreSQL database {shown(self.address)} was lost as it stored a change, and whether that is "
                "stored is not known. Once it is back, look whether the change is there before you repeat it."
            ) from error

    def _give_back(self, conn: Connection) -> None:
        with suppress(psycopg.Error):
            conn.end(commit=False)
        if conn.is_idle:
            with self._lock:
                self._idle.append(conn)
        else:
            conn.raw.close()

    @contextmanager
    def _explained(self) -> Generator[None, None, None]:
        try:
            yield
        except psycopg.Error as error:
            raise explained(error, self.address) from error


def _is_loss(error: psycopg.OperationalError) -> bool:
    """Whether the connection is lost, and nothing of its transaction is stored."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


class _Outage:
    """How long uses wait for a database that cannot be reached, counted from the first that failed, for all threads.

    Once the time is over, each use tries only once, until one works or none is tried for a while: a queue of them does not
    wait one after the other.
    """

    def __init__(self, limit: float, listener: Callable[[str | None], None]) -> None:
        self._limit, self._listener = limit, listener
        self._lock = threading.Lock()
        self._began: float | None = None
        self._failed = 0.0
        self._is_told = False

    def goes_on(self, reason: str, address: str) -> bool:
        """Records a failure and waits a moment; whether to try again."""
        now = time.monotonic()
        with self._lock:
            is_first = self._began is None or now - self._failed > _FORGET_SECONDS
            if is_first or self._began is None:
                self._began = now
            self._failed, waited = now, now - self._began
            tells = _TELL_SECONDS <= waited < self._limit and not self._is_told
            self._is_told = self._is_told or tells
        if tells:
            sentence = f"Waiting for the PostgreSQL database {shown(address)}."
            _logger.warning("%s It is given up after %g s: %s", sentence, self._limit, reason)
            self._listener(sentence)
        if waited < self._limit and not is_first:
            time.sleep(_RETRY_SECONDS)
        if waited >= self._limit:
            self._tell_end()
        return waited < self._limit

    def is_over(self) -> None:
        """A use has worked."""
        if self._began is not None:
            with self._lock:
                self._began = None
            self._tell_end()

    def _tell_end(self) -> None:
        with self._lock:
            was_told, self._is_told = self._is_told, False
        if was_told:
            self._listener(None)
