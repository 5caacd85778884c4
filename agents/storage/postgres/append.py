"""An append in one statement, which PostgreSQL commits by itself: a third of the time of a transaction of several."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from operator import attrgetter
from typing import Any

from agents.session import Session
from agents.storage.reducer import Reducers
from agents.storage.sessions import claims, statements
from agents.storage.sessions.append import Append, Appended
from agents.storage.sessions.columns import COLUMNS
from agents.storage.sessions.incoming import Incoming, size_of, storable, to_json
from agents.storage.sessions.statements import SessionRow
from agents.storage.tables.connection import Connection
from agents.storage.tables.session_tables import Change, Name
from agents.storage.tables.use import ADD_USE, USE_COLUMNS, use_rows
from agents.storage.tables.worker import NotNowError
from agents.storage.use.store import spent

MOST_ROWS = 2000
"""Sessions whose rows a service remembers."""
MOST_VALUES = 64
"""Values of state that one statement sets, at most."""

_SET = [name for name in COLUMNS if name != "title"]
_values_of = attrgetter(*_SET)
_STATES = {
    "session_state": ("session, key", "held.key"),
    "user_state": ("app_name, user_id, key", "held.app_name, held.user_id"),
    "app_state": ("app_name, key", "held.app_name"),
}


_USE = "CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), " + ", ".join(["CAST(? AS BIGINT)"] * 5)


@lru_cache(maxsize=256)
def _statement(entries: int, states: tuple[tuple[str, int], ...], uses: int, *, claimed: bool) -> str:
    """The statement for a number of entries, of values in each table of state, and of models that they use.

    The condition is looked at again after a wait for another transaction, so an append whose session was changed or claimed
    meanwhile does nothing.
    """
    columns = ", ".join(f"{name} = ?" for name in _SET)
    new = ", ".join(["(CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS DOUBLE PRECISION), CAST(? AS TEXT))"] * entries)
    held = (
        f"UPDATE sessions SET {columns}, title = CASE title WHEN '' THEN ? ELSE title END, last_seq = ?, bytes = ?, "  # noqa: S608
        "last_entry = nextval('entries') WHERE key = ? AND last_seq = ? AND deleted_at IS NULL"
    )
    parts = [f"WITH held AS ({held}{' AND holder = ?' if claimed else ''} RETURNING key, app_name, user_id)"]
    for table, count in states:
        key, owner = _STATES[table]
        values = ", ".join(["(CAST(? AS TEXT), CAST(? AS TEXT))"] * count)
        parts.append(
            f", {table}_set AS (INSERT INTO {table} ({key}, value) SELECT {owner}, new.key, new.value "  # noqa: S608
            f"FROM held, (VALUES {values}) AS new (key, value) ON CONFLICT ({key}) DO UPDATE SET value = excluded.value)"
        )
    if uses:
        used = f"SELECT new.* FROM held, (VALUES {', '.join([f'({_USE})'] * uses)}) AS new ({USE_COLUMNS})"  # noqa: S608
        parts.append(f", use_set AS ({ADD_USE.format(used)})")
    parts.append(
        " INSERT INTO log (session, seq, kind, timestamp, body) SELECT held.key, new.* "  # noqa: S608
        f"FROM held, (VALUES {new}) AS new (seq, kind, timestamp, body)"
    )
    return "".join(parts)


class Rows:
    """The rows of sessions as this service has written them last; one is true as long as the session has its `last_seq`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: OrderedDict[Name, SessionRow] = OrderedDict()

    def get(self, name: Name, last_seq: int) -> SessionRow | None:
        """A copy of a session's row, if it is known for that `last_seq`."""
        with self._lock:
            row = self._rows.get(name)
            if row is None or row.last_seq != last_seq:
                return None
            self._rows.move_to_end(name)
            return copy(row)

    def put(self, name: Name, row: SessionRow) -> None:
        """Remembers a row that is stored."""
        with self._lock:
            self._rows[name] = row
            self._rows.move_to_end(name)
            if len(self._rows) > MOST_ROWS:
                self._rows.popitem(last=False)


class PostgresAppend(Append):
    """See `Append`. `store_at_once` needs no transaction.

    Args:
        session: The session; brought up to date.
        entries: What to append; None where an entry is not stored.
        texts: Texts that trace records refer to.
        reducers: The service's.
        rows: The service's.
    """

    def __init__(
        self,
        session: Session,
        entries: Sequence[Incoming | None],
        texts: Mapping[str, str],
        reducers: Reducers,
        rows: Rows,
    ) -> None:
        super().__init__(session, entries, texts, reducers)
        self._rows = rows
        self._sent: tuple[int, SessionRow] | None = None

    def store_at_once(self, conn: Connection) -> Appended:
        session, entries = self._session, [entry for entry in self._entries if entry is not None]
        claims.check_lost(session)
        known = session.last_seq
        if (row := self._rows.get(self._name, known)) is None:
            raise NotNowError
        for entry in entries:
            row.last_seq += 1
            row.bytes += size_of(entry.body)
            entry.seq = row.last_seq
        row.fold([entry.entry for entry in entries])
        title = next((entry.title for entry in entries if entry.title), "")
        claim = session.claim
        held = [claim.holder] if isinstance(claim, claims.Claim) else []
        states = self._states(row, entries)
        if sum(map(len, states.values())) > MOST_VALUES:
            raise NotNowError
        self._sent = known, row
        uses = use_rows(spent(self._name[1], [entry.entry for entry in entries]))
        tables = tuple((table, len(found)) for table, found in states.items())
        sql = _statement(len(entries), tables, len(uses), claimed=bool(held))
        values: list[Any] = [*_values_of(row), title, row.last_seq, row.bytes, row.key, known, *held]
        for found in states.values():
            values += [value for pair in sorted(found.items()) for value in pair]
        for use in uses:
            values += use
        for entry in entries:
            values += (entry.seq, entry.kind, entry.timestamp, entry.body)
        if not conn.execute(sql, values).rowcount:
            self._sent = None
            raise NotNowError
        return self._appended(row)

    def store(self, conn: Connection) -> Appended:
        if self._sent is not None and self._was_stored(conn, *self._sent):
            return self._appended(self._sent[1])
        self._sent = None
        return super().store(conn)

    def committed(self, stored: Appended) -> Sequence[Change]:
        row = self._sent[1] if self._sent is not None else self._row
        if row is not None:
            self._rows.put(self._name, row)
        return super().committed(stored)

    def _states(self, row: SessionRow, entries: Sequence[Incoming]) -> dict[str, dict[str, str]]:
        """The values of state that the entries set, by the table that each belongs into."""
        found: dict[str, dict[str, str]] = {}
        for entry in entries:
            for key, value in (entry.delta or {}).items():
                table = statements.state_table(self._name, row, key)
                found.setdefault(table, {})[storable(key)] = to_json(value)
        return dict(sorted(found.items()))

    def _was_stored(self, conn: Connection, known: int, row: SessionRow) -> bool:
        """Whether a statement was stored whose answer was lost with the connection; the session is locked from now on."""
        statements.look_up(conn, self._name)
        sent = [entry.body for entry in self._entries if entry is not None]
        query = "SELECT body FROM log WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq"
        return [body for (body,) in conn.execute(query, (row.key, known, row.last_seq))] == sent

    def _appended(self, row: SessionRow) -> Appended:
        seqs = [0 if entry is None else entry.seq for entry in self._entries]
        return Appended(seqs, [], row.last_seq, row.updated_at, None)
