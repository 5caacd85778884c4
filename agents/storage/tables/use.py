"""`UseTables`: what users use of a database, counted in the transactions that use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.storage.tables.connection import Connection
from agents.storage.tables.database import Tables, hold
from agents.storage.use.store import LEASE_SECONDS, Held, Kind, ModelUse, Place, UseStore

USE_COLUMNS = "day, user_id, model, calls, input, cached, output, searches"
ADD_USE = (
    f"INSERT INTO model_use ({USE_COLUMNS}) {{}} "
    "ON CONFLICT (day, user_id, model) DO UPDATE SET calls = model_use.calls + excluded.calls, "
    "input = model_use.input + excluded.input, cached = model_use.cached + excluded.cached, "
    "output = model_use.output + excluded.output, searches = model_use.searches + excluded.searches"
)
"""Adds the rows of a query, which stands in its braces."""
_ADD = ADD_USE.format("VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
_USE = "SELECT user_id, model, calls, input, cached, output, searches FROM model_use WHERE day = ?"
_BYTES = "coalesce(length(data), 0) + coalesce(length(part), 0)"
_LOGS = "SELECT user_id, sum(CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END), CAST(sum(bytes) AS BIGINT) FROM sessions"
_FILES = f"SELECT user_id, 0, CAST(sum({_BYTES}) AS BIGINT) FROM artifacts"  # noqa: S608  of ours
_LIVES = (
    f"expires > lease_clock() AND expires <= lease_clock() + {LEASE_SECONDS}"  # SQLite's clock begins anew with the machine
)
_PLACES = f"SELECT id, kind, user_id, holder, of, '', started, turn FROM places WHERE kind = ? AND {_LIVES} ORDER BY seq"  # noqa: S608
_TAKE = (
    "INSERT INTO places (id, kind, user_id, holder, of, work, started, turn, expires) "
    "VALUES (?, ?, ?, ?, ?, ?, 0, 0, lease_clock() + ?) "
    "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires WHERE places.holder = excluded.holder"
)
_RETAKE = "UPDATE places SET expires = lease_clock() + ? WHERE id = ? AND holder = ?"
_WITHDRAW = "DELETE FROM places WHERE id = ? AND kind = 'run' AND started = 0 RETURNING id, kind, user_id, holder, of, work"
_RENEW = "UPDATE places SET expires = lease_clock() + ? WHERE holder = ?"
_END = "UPDATE places SET expires = 0 WHERE holder = ?"
_ADOPT = f"UPDATE places SET expires = lease_clock() + ?, holder = ? WHERE NOT ({_LIVES})"  # noqa: S608  of ours, here and below
_ADOPTED = f"{_ADOPT} RETURNING id, kind, user_id, holder, of, work"
_IS_OVER = f"SELECT 1 FROM places WHERE NOT ({_LIVES})"  # noqa: S608
_FORGET = f"DELETE FROM places WHERE NOT ({_LIVES}) AND (started = 1 OR kind != 'run')"  # noqa: S608


class UseTables(UseStore):
    """Counts in a database.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def model_use(self, day: int, user_id: str | None = None) -> list[ModelUse]:
        with self._database.reading() as conn:
            return _use_of(conn, day, user_id)

    def held(self, user_id: str | None = None) -> list[Held]:
        where, values = ("", ()) if user_id is None else (" WHERE user_id = ?", (user_id,))
        found = {} if user_id is None else {user_id: Held(user_id, 0, 0)}
        with self._database.reading() as conn:
            for query in (_LOGS, _FILES):
                for user, sessions, size in conn.execute(f"{query}{where} GROUP BY user_id", values):
                    before = found.get(user, Held(user, 0, 0))
                    found[user] = Held(user, before.sessions + int(sessions), before.bytes + int(size))
        return list(found.values())

    def count_call(self, user_id: str, day: int, check: Callable[[list[ModelUse]], object], *, of_all: bool = False) -> None:
        with self._database.writing() as conn:
            hold(conn, "model use", *(() if of_all else (user_id,)))
            check(_use_of(conn, day, None if of_all else user_id))
            add_use(conn, {(day, ""): ModelUse(user_id, "", 1)})

    def take(self, wanted: Place, decide: Callable[[Sequence[Place]], Place], *, is_new: bool = True) -> Place:
        with self._database.writing() as conn:
            hold(conn, "places", wanted.kind)
            if is_new:
                conn.execute(_TAKE, (*wanted[:6], LEASE_SECONDS))
            else:
                conn.execute(_RETAKE, (LEASE_SECONDS, wanted.id, wanted.holder))
            found = decide(_places(conn, wanted.kind))
            conn.execute("UPDATE places SET started = ?, turn = ? WHERE id = ?", (int(found.started), found.turn, found.id))
        return found

    def places(self, kind: Kind) -> list[Place]:
        with self._database.reading() as conn:
            return _places(conn, kind)

    def leave(self, place_id: str, holder: str) -> bool:
        with self._database.writing() as conn:
            return bool(conn.execute("DELETE FROM places WHERE id = ? AND holder = ?", (place_id, holder)).rowcount)

    def withdraw(self, place_id: str) -> Place | None:
        with self._database.writing() as conn:
            found = conn.execute(_WITHDRAW, (place_id,)).fetchone()
            return None if found is None else Place(*found)

    def renew(self, holder: str, *, ends: bool = False) -> None:
        with self._database.writing() as conn:
            conn.execute(*((_END, (holder,)) if ends else (_RENEW, (LEASE_SECONDS, holder))))

    def adopt(self, holder: str) -> list[Place]:
        with self._database.reading() as conn:  # without a lock for writing
            if conn.execute(_IS_OVER).fetchone() is None:
                return []
        with self._database.writing() as conn:
            hold(conn, "places", "run")
            conn.execute(_FORGET)
            return [Place(*row) for row in conn.execute(_ADOPTED, (LEASE_SECONDS, holder)).fetchall()]

    def close(self) -> None:
        self._database.close()


def add_use(conn: Connection, spent: Mapping[tuple[int, str], ModelUse]) -> None:
    """Adds what entries spent, in the transaction that stores them."""
    for row in use_rows(spent):
        conn.at_end(_ADD, row)


def use_rows(spent: Mapping[tuple[int, str], ModelUse]) -> list[tuple[Any, ...]]:
    """What entries spent as rows of `USE_COLUMNS`, in an order in which no two transactions wait for each other."""
    return [(day, *use) for (day, _), use in sorted(spent.items())]


def _use_of(conn: Connection, day: int, user_id: str | None) -> list[ModelUse]:
    where, values = ("", (day,)) if user_id is None else (" AND user_id = ?", (day, user_id))
    return [ModelUse(*row) for row in conn.execute(f"{_USE}{where} ORDER BY user_id, model", values)]


def _places(conn: Connection, kind: Kind) -> list[Place]:
    found = (Place(*row) for row in conn.execute(_PLACES, (kind,)))
    return [place._replace(started=bool(place.started)) for place in found]
