"""Whether a PostgreSQL database can be written now."""

from __future__ import annotations

from contextlib import closing

from agents.errors import DatabaseReadOnlyError
from agents.storage.address import PostgresAddress
from agents.storage.postgres.pool import Pool

READY_SECONDS = 2.0
"""How long the server may take to answer."""


def check_writable(address: PostgresAddress) -> None:
    """Checks that it can be reached and written, and has this version's schema; nothing is written.

    Raises:
        DatabaseError: It cannot, or it has not.
    """
    with closing(Pool(address.url, wait=READY_SECONDS, most=1)) as pool:
        [(replica,)] = pool.at_once(lambda conn: conn.execute("SELECT pg_is_in_recovery()").fetchall())
    if replica:
        raise DatabaseReadOnlyError(f"The database {address} is a replica and cannot be written to. Name the primary one.")
