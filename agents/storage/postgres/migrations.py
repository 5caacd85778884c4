"""Makes and upgrades the schema of a PostgreSQL database, as numbered steps. A released step is never edited.

Each step is SQL without values; all that are missing run in one transaction, while other processes wait. The tables are
the same as SQLite's, see `agents.storage.sqlite.migrations`, but that `log` counts within its session alone: how far the
search index has read is noted for each session (`session_sizes`), since transactions do not end in the order of a number
that they share. Text is compared by code point (`COLLATE "C"`), as SQLite does it.
"""

from __future__ import annotations

from typing import LiteralString

from agents.errors import DatabaseError
from agents.storage.postgres.connection import SCHEMA, Connection, shown
from agents.storage.postgres.schema import beside, playbooks, sessions, use

STEPS: tuple[LiteralString, ...] = (sessions.TABLES, playbooks.TABLES, beside.TABLES, use.TABLES)
USABLE_FROM = 1
"""The lowest version whose code can use the schema after all steps: servers are upgraded one after the other."""
VERSION = len(STEPS)
"""The schema that this code reads and writes."""

_LOCK = 0x706C6179  # any number of our own
_EXISTS = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = %s AND tablename = 'schema_version'"
_FIND = f"SELECT version, usable_from FROM {SCHEMA}.schema_version"  # noqa: S608  a constant


def check_schema(conn: Connection, address: str) -> None:
    """Makes or upgrades the schema if that is needed.

    Raises:
        DatabaseError: A newer version has made it, and this code cannot use it; or its encoding is not UTF-8.
    """
    if _found(conn, address) == VERSION:
        return
    conn.begin(writes=True)
    try:
        conn.raw.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if (found := _found(conn, address)) < VERSION:  # not done meanwhile by another process
            _check_encoding(conn, address)
            for step in STEPS[found:]:
                conn.raw.execute(step)
            conn.raw.execute(
                "INSERT INTO schema_version VALUES (1, %s, %s) ON CONFLICT (id) DO UPDATE SET (version, usable_from) = "
                "(excluded.version, excluded.usable_from)",
                (VERSION, USABLE_FROM),
            )
        conn.end(commit=True)
    finally:
        conn.end(commit=False)


def _found(conn: Connection, address: str) -> int:
    """The version of a schema that this code can use; 0 for none, and its own for a newer one that it can use, too."""
    exists = conn.raw.execute(_EXISTS, (SCHEMA,)).fetchone()
    row = conn.raw.execute(_FIND).fetchone() if exists else None
    version, usable_from = row or (0, 0)
    if usable_from > VERSION:
        raise DatabaseError(
            f"The PostgreSQL database {shown(address)} has schema version {version}, made by a newer Agent Playground; this "
            f"one knows versions up to {VERSION}. Update Agent Playground, or choose another database."
        )
    return min(version, VERSION)


def _check_encoding(conn: Connection, address: str) -> None:
    encoding = conn.raw.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise DatabaseError(
            f"The PostgreSQL database {shown(address)} keeps texts as {encoding}, which cannot hold all of them. "
            "Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and use that."
        )
