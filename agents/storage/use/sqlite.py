"""`SqliteUseStore`: what users use of a SQLite file, counted in the transactions that use it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence

from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.sqlite.database import transaction
from agents.storage.use.store import LEASE_SECONDS, Held, Kind, ModelUse, Place, UseStore

_ADD = (
    "INSERT INTO model_use (day, user_id, model, calls, input, cached, output, searches) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, input = input + excluded.input, "
    "cached = cached + excluded.cached, output = output + excluded.output, searches = searches + excluded.searches"
)
_USE = "SELECT user_id, model, calls, input, cached, output, searches FROM model_use WHERE day = ?"
_LOGS = "SELECT user_id, sum(deleted_at IS NULL), sum(bytes) FROM sessions"
_FILES = "SELECT user_id, 0, sum(coalesce(length(data), 0) + coalesce(length(part), 0)) FROM artifacts"
_PLACES = "SELECT id, kind, user_id, holder, of, '', started, turn FROM places WHERE kind = ? AND expires > ? ORDER BY seq"
_ADOPT = "UPDATE places SET holder = ?, expires = ? WHERE expires <= ? RETURNING id, kind, user_id, holder, of, work"
_TAKE = (
    "INSERT INTO places (id, kind, user_id, holder, of, work, started, turn, expires) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?) "
    "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires WHERE holder = excluded.holder"
)


class SqliteUseStore(OneConnection, UseStore):
    """Counts in a SQLite file."""

    def model_use(self, day: int, user_id: str | None = None) -> list[ModelUse]:
        return self._use(lambda conn: _use_of(conn, day, user_id))

    def held(self, user_id: str | None = None) -> list[Held]:
        where, values = (" GROUP BY user_id", ()) if user_id is None else (" WHERE user_id = ?", (user_id,))

        def work(conn: sqlite3.Connection) -> list[tuple[str | None, int | None, int | None]]:
            return [row for query in (_LOGS, _FILES) for row in conn.execute(query + where, values)]

        found = {} if user_id is None else {user_id: Held(user_id, 0, 0)}
        for user, sessions, size in self._use(work):
            if user is not None:  # a sum of no rows
                before = found.get(user, Held(user, 0, 0))
                found[user] = Held(user, before.sessions + (sessions or 0), before.bytes + (size or 0))
        return list(found.values())

    def count_call(self, user_id: str, day: int, check: Callable[[list[ModelUse]], object], *, of_all: bool = False) -> None:
        def work(conn: sqlite3.Connection) -> None:
            with transaction(conn):
                check(_use_of(conn, day, None if of_all else user_id))
                add(conn, {(day, ""): ModelUse(user_id, "", 1)})

        self._use(work)

    def take(self, wanted: Place, decide: Callable[[Sequence[Place]], Place]) -> Place:
        def work(conn: sqlite3.Connection) -> Place:
            with transaction(conn):
                now = time.time()
                conn.execute(_TAKE, (*wanted[:6], now + LEASE_SECONDS))
                found = decide(_places(conn, wanted.kind, now))
                conn.execute("UPDATE places SET started = ?, turn = ? WHERE id = ?", (found.started, found.turn, found.id))
            return found

        return self._use(work)

    def places(self, kind: Kind) -> list[Place]:
        return self._use(lambda conn: _places(conn, kind, time.time()))

    def leave(self, place_id: str, holder: str) -> None:
        self._use(lambda conn: conn.execute("DELETE FROM places WHERE id = ? AND holder = ?", (place_id, holder)))

    def renew(self, holder: str, *, ends: bool = False) -> None:
        until = 0.0 if ends else time.time() + LEASE_SECONDS
        self._use(lambda conn: conn.execute("UPDATE places SET expires = ? WHERE holder = ?", (until, holder)))

    def adopt(self, holder: str) -> list[Place]:
        def work(conn: sqlite3.Connection) -> list[Place]:
            now = time.time()
            if conn.execute("SELECT 1 FROM places WHERE expires <= ?", (now,)).fetchone() is None:
                return []  # without a lock for writing
            with transaction(conn):
                conn.execute("DELETE FROM places WHERE expires <= ? AND (started OR kind != 'run')", (now,))
                rows = conn.execute(_ADOPT, (holder, now + LEASE_SECONDS, now)).fetchall()
            return [Place(*row) for row in rows]

        return self._use(work)


def add(conn: sqlite3.Connection, spent: Mapping[tuple[int, str], ModelUse]) -> None:
    """Adds what entries spent, in the transaction that stores them."""
    conn.executemany(_ADD, [(day, *use) for (day, _), use in spent.items()])


def _use_of(conn: sqlite3.Connection, day: int, user_id: str | None) -> list[ModelUse]:
    where, values = ("", (day,)) if user_id is None else (" AND user_id = ?", (day, user_id))
    return [ModelUse(*row) for row in conn.execute(f"{_USE}{where} ORDER BY user_id, model", values)]


def _places(conn: sqlite3.Connection, kind: Kind, now: float) -> list[Place]:
    found = (Place(*row) for row in conn.execute(_PLACES, (kind, now)))
    return [place._replace(started=bool(place.started)) for place in found]
