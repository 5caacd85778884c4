"""Everything that a PostgreSQL database keeps, to copy it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext

from agents.storage.address import PostgresAddress
from agents.storage.archive import Archive
from agents.storage.postgres.connection import Connection
from agents.storage.postgres.pool import Pool
from agents.storage.tables.archive import TableArchive


@contextmanager
def copied_archive(address: PostgresAddress) -> Generator[Archive, None, None]:
    """Everything in a database at one moment; others may write to it meanwhile.

    Raises:
        DatabaseError: It cannot be reached, or used.
    """
    with closing(Pool(address.url)) as pool, pool.reading() as conn:
        conn.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # the other database may take its time
        yield TableArchive(_Snapshot(conn))


@contextmanager
def kept_archive(address: PostgresAddress) -> Generator[Archive, None, None]:
    """Everything in a database, which gets its tables if it has none.

    Raises:
        DatabaseError: It cannot be reached, or used.
    """
    with closing(Pool(address.url)) as pool:
        with pool.writing():
            pass
        yield TableArchive(pool)


class _Snapshot:
    """A transaction of the caller's, to read from."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def reading(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._conn)

    writing = reading

    def close(self) -> None:
        return
