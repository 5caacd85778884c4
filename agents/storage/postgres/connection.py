"""A connection to PostgreSQL: opening it, transactions on it, and its errors in words that a user can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, LiteralString, cast

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.string import StrDumperUnknown

from agents.errors import DatabaseError, DatabaseReadOnlyError

SCHEMA = "playground"
"""The schema that all tables are in: other programs may use the same database."""

CONNECT_SECONDS = 5
"""Seconds that one attempt to connect may take."""

STILL_SECONDS = 5.0
"""Seconds that a transaction which writes may stand still, as its process does; then PostgreSQL ends it and frees its locks.

Others wait up to 10 s for that, so none of them fails because a process stands still.
"""

_SETTINGS = (
    f"SET search_path = {SCHEMA}, public; SET client_encoding = 'UTF8'; SET application_name = 'playground'; "
    "SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'"
)
_ABSENT = ("does not exist", "password", "pg_hba.conf", "no encryption", "SSL", "role ", "not permitted to log in")


class Connection:
    """A connection in a transaction, which speaks as those of SQLite do: `?` stands for a value.

    So the SQL of most tables is written once, for both kinds of database. Where they differ, it asks the connection.

    Attributes:
        raw: psycopg's connection, in autocommit mode: transactions are begun explicitly.
        transaction_id: Of the current transaction, if it may write; it says later whether that was stored.

    Args:
        raw: psycopg's connection.
    """

    each = "json_array_elements(CAST(? AS json))"
    """The items of a value that is a JSON array, as rows with a `value`."""
    next_entry = "nextval('entries')"
    """A number above those of all entries so far."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self.raw = raw
        self.transaction_id = ""
        self._last: list[tuple[str, Sequence[Any]]] = []

    @property
    def lock(self) -> str:
        """What a query ends with that reads rows to change them."""
        return " FOR NO KEY UPDATE" if self.transaction_id else ""

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> psycopg.Cursor[Any]:
        """Runs a statement; `?` stands for a value."""
        return self.raw.execute(translated(sql), values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> psycopg.Cursor[Any]:
        """Runs a statement for each row of values."""
        cursor = self.raw.cursor()
        cursor.executemany(translated(sql), rows)
        self.raw.execute("SELECT")  # directly after a pipeline PostgreSQL does not see that a transaction stands still
        return cursor

    def at_end(self, sql: str, values: Sequence[Any]) -> None:
        """Has a statement run in one message with the commit: no process stands between them, so its locks are soon free."""
        self._last.append((sql, values))

    def begin(self, *, writes: bool) -> None:
        """Begins a transaction: one that sees each statement's newest rows and locks them, or a snapshot to read from."""
        self.transaction_id = ""
        self._last = []
        if not writes:
            self.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return
        still = f"set_config('idle_in_transaction_session_timeout', '{int(STILL_SECONDS * 1000)}', true)"
        begin = cast("LiteralString", f"BEGIN; SELECT pg_current_xact_id()::text, {still}")
        cursor = self.raw.execute(begin, prepare=False)
        cursor.nextset()
        row: Any = cursor.fetchone()
        self.transaction_id = str(row[0])

    def end(self, *, commit: bool) -> None:
        """Ends it, if it has not ended by itself; what is not committed is undone."""
        if not self.raw.closed and self.raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            if commit and self._last:
                with self.raw.pipeline():
                    for sql, values in self._last:
                        self.execute(sql, values)
                    self.raw.execute("COMMIT")
            else:
                self.raw.execute("COMMIT" if commit else "ROLLBACK")
        self.transaction_id = ""

    @property
    def is_idle(self) -> bool:
        """Whether another transaction can begin on it."""
        return not self.raw.closed and self.raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


@lru_cache(maxsize=1024)
def translated(sql: str) -> LiteralString:
    """SQL with `?` for values as psycopg has it."""
    return cast("LiteralString", sql.replace("%", "%%").replace("?", "%s"))


_ESCAPE = "\x1b"
_WRITTEN = str.maketrans({"\0": f"{_ESCAPE}0", _ESCAPE: f"{_ESCAPE}1"})


class _TextDumper(StrDumperUnknown):
    """PostgreSQL's texts hold no NUL: two characters stand for it."""

    def dump(self, obj: str) -> bytes:
        return (obj.translate(_WRITTEN) if "\0" in obj or _ESCAPE in obj else obj).encode()


class _TextLoader(Loader):
    """Undoes what `_TextDumper` does."""

    def load(self, data: Buffer) -> str:
        text = str(data, "utf-8")
        return text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE) if _ESCAPE in text else text


def connect(address: str) -> psycopg.Connection[Any]:
    """A new connection, in autocommit mode.

    Raises:
        DatabaseError: There is none; the message says why, without the password.
    """
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error:
        parts = None  # its text may quote the password
    if parts is None:
        raise DatabaseError(
            "The address of the PostgreSQL database cannot be read. Write it as "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %XX for the special characters of a password."
        )
    parts = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": 15_000, **parts}
    try:
        raw = psycopg.connect(**cast("dict[str, Any]", parts), autocommit=True)
    except psycopg.OperationalError as error:
        reason = " ".join(str(error).split())
    else:
        raw.adapters.register_dumper(str, _TextDumper)
        raw.adapters.register_loader("text", _TextLoader)
        raw.execute(_SETTINGS)
        return raw
    raise UnreachableError(shown(address), reason)  # not in the handler: psycopg's error holds the password


class UnreachableError(DatabaseError):
    """No connection can be made.

    Attributes:
        may_pass: Whether another attempt may work, though nobody changes the address, e.g. while the database restarts.
    """

    def __init__(self, name: str, reason: str) -> None:
        self.may_pass = not any(text in reason for text in _ABSENT)
        cure = (
            "Check that it runs and can be reached from here, then try again."
            if self.may_pass
            else "Check the user, the password and the name of the database in its address."
        )
        super().__init__(f"The PostgreSQL database {name} cannot be reached: {reason}. Nothing was stored. {cure}")


def shown(address: str) -> str:
    """The address without its password and parameters, to be shown."""
    parts = conninfo_to_dict(address)
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"


def explained(error: psycopg.Error, address: str) -> DatabaseError:
    """PostgreSQL's error as one that names the database, the reason and the cure."""
    reason = error.diag.message_primary or " ".join(str(error).split())
    kind: type[DatabaseError] = DatabaseError
    match error:
        case psycopg.errors.ReadOnlySqlTransaction():
            kind, cure = (
                DatabaseReadOnlyError,
                "It is a copy that follows another one, or was made read-only. Use the first one.",
            )
        case psycopg.errors.InsufficientPrivilege():
            kind, cure = DatabaseReadOnlyError, "Give the user of its address the right to it: GRANT CREATE ON DATABASE."
        case psycopg.errors.LockNotAvailable():
            cure = "Another program has kept it locked. Close that program, or wait, and try again."
        case psycopg.errors.DiskFull():
            cure = "Free some space on its disk and try again."
        case _:
            cure = "Check it, then try again."
    return kind(f"The PostgreSQL database {shown(address)} failed: {reason}. Nothing was stored. {cure}")
