"""Playbooks in the tables of a database."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agents.playbook import (
    GrowthPoint,
    JudgedAnswer,
    PlaybookInfo,
    PlaybookRepository,
    PlaybookTransaction,
    StoredDelta,
    StoredSnapshot,
    taken,
)
from agents.storage.tables.connection import Connection
from agents.storage.tables.database import Tables, hold

_KIND = "playbook"
_INFO = "SELECT name, revision, bullets, frozen, created_at, updated_at, guard, pending, key FROM playbooks "
_COLUMNS = ", ".join(StoredDelta._fields)
_INSERT = f"INSERT INTO playbook_deltas (playbook, {_COLUMNS}) VALUES (?{', ?' * len(StoredDelta._fields)})"  # noqa: S608
_DELTAS = (
    f"SELECT {_COLUMNS} FROM playbook_deltas "  # noqa: S608  our own text, here and above
    "WHERE playbook = ? AND revision > ? AND revision <= ? {containing} ORDER BY revision {order} LIMIT ?"
)
_SNAPSHOT = (
    "SELECT revision, playbook_snapshots.body, tokens, mark FROM playbook_snapshots "
    "JOIN playbook_deltas USING (playbook, revision) WHERE playbook = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
)
_CONTAINING = "AND replace(body, ?, '') != body"
_MOST = 2**63 - 1
_BATCH = 1000
"""Deltas that are read at once."""
_ANSWER = "revision, judged_at, app_name, session_id, seq, question, is_right, feedback"


class StoredPlaybookTransaction(PlaybookTransaction):
    """The playbooks of a session database, in a transaction of one of its connections.

    A playbook that is to be changed is asked for by `find_or_create` or `create`, and blocked for others from then on.

    Attributes:
        conn: The connection.
    """

    __slots__ = ("conn",)

    def __init__(self, conn: Connection) -> None:
        self.conn = conn

    def find(self, name: str) -> PlaybookInfo | None:
        row = self.conn.execute(f"{_INFO}WHERE name = ?", (name,)).fetchone()
        return None if row is None else _info(row)

    def infos(self) -> list[PlaybookInfo]:
        rows = self.conn.execute(f"{_INFO}WHERE deleted_at IS NULL ORDER BY updated_at DESC, key DESC")
        return [*map(_info, rows)]

    def create(self, name: str, at: float) -> PlaybookInfo:
        hold(self.conn, _KIND, name)
        return super().create(name, at)

    def find_or_create(self, name: str, at: float | None = None) -> PlaybookInfo:
        hold(self.conn, _KIND, name)
        return super().find_or_create(name, at)

    def _add(self, name: str, at: float) -> PlaybookInfo:
        insert = "INSERT INTO playbooks (name, created_at, updated_at) VALUES (?, ?, ?) RETURNING key"
        [key] = self.conn.execute(insert, (name, at, at)).fetchone()
        return PlaybookInfo(name, 0, 0, frozen=False, created_at=at, updated_at=at, key=key)

    def freeze(self, key: int, *, frozen: bool) -> None:
        self.conn.execute("UPDATE playbooks SET frozen = ? WHERE key = ?", (frozen, key))

    def guard(self, key: int, folder: str) -> None:
        self.conn.execute("UPDATE playbooks SET guard = ? WHERE key = ?", (folder, key))

    def delete(self, key: int) -> None:
        # A line break is in no name of a playbook.
        delete = "UPDATE playbooks SET deleted_at = ?, name = name || CAST(? AS TEXT) WHERE key = ?"
        self.conn.execute(delete, (time.time(), f"\n{key}", key))

    def restore(self, name: str) -> bool:
        row = self.conn.execute(
            "SELECT key FROM playbooks WHERE name = CAST(? AS TEXT) || key AND deleted_at IS NOT NULL "
            "ORDER BY deleted_at DESC, key DESC LIMIT 1",
            (f"{name}\n",),
        ).fetchone()
        if row is None:
            return False
        if self.find(name) is not None:
            raise taken(name)
        self.conn.execute("UPDATE playbooks SET deleted_at = NULL, name = ? WHERE key = ?", (name, row[0]))
        return True

    def append(
        self, key: int, delta: StoredDelta, *, updated_at: float, pending: int = 0, snapshot: str | None = None
    ) -> None:
        self.conn.execute(_INSERT, (key, *delta))
        if snapshot is not None:
            insert = "INSERT INTO playbook_snapshots (playbook, revision, body) VALUES (?, ?, ?)"
            self.conn.execute(insert, (key, delta.revision, snapshot))
        self.conn.execute(
            "UPDATE playbooks SET revision = ?, bullets = ?, updated_at = ?, pending = ? WHERE key = ?",
            (delta.revision, delta.bullets, updated_at, pending, key),
        )

    def deltas(
        self,
        key: int,
        *,
        after: int = 0,
        upto: int | None = None,
        containing: str = "",
        limit: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[StoredDelta]:
        order = "DESC" if newest_first else "ASC"
        query = _DELTAS.format(containing=_CONTAINING if containing else "", order=order)
        last = _MOST if upto is None else upto
        left = _MOST if limit is None else limit
        while left > 0:
            values = (key, after, last, *([containing] if containing else []), min(left, _BATCH))
            rows = self.conn.execute(query, values).fetchall()
            yield from map(StoredDelta._make, rows)
            if len(rows) < _BATCH:
                return
            left -= len(rows)
            after, last = (after, rows[-1][0] - 1) if newest_first else (rows[-1][0], last)

    def mark(self, key: int, revision: int) -> int | None:
        query = "SELECT mark FROM playbook_deltas WHERE playbook = ? AND revision = ?"
        row = self.conn.execute(query, (key, revision)).fetchone()
        return None if row is None else row[0]

    def growth(self, key: int) -> list[GrowthPoint]:
        totals = "SELECT revision, committed_at, bullets, helpful, harmful, tokens FROM playbook_deltas"
        return [GrowthPoint(*row) for row in self.conn.execute(f"{totals} WHERE playbook = ? ORDER BY revision", (key,))]

    def snapshot(self, key: int, upto: int) -> StoredSnapshot | None:
        row = self.conn.execute(_SNAPSHOT, (key, upto)).fetchone()
        return None if row is None else StoredSnapshot(*row)

    def add_answer(self, key: int, answer: JudgedAnswer) -> None:
        insert = f"INSERT INTO playbook_answers (playbook, {_ANSWER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        self.conn.execute(insert, (key, *answer))

    def answers(self, key: int) -> list[JudgedAnswer]:
        rows = self.conn.execute(f"SELECT {_ANSWER} FROM playbook_answers WHERE playbook = ? ORDER BY id", (key,))  # noqa: S608
        return [
            JudgedAnswer(*place, right=None if right is None else bool(right), feedback=feedback)
            for *place, right, feedback in rows
        ]

    def _rename_session(self, app_name: str, session_id: str, new_id: str) -> None:
        for table in ("playbook_deltas", "playbook_answers"):
            rename = f"UPDATE {table} SET session_id = ? WHERE app_name = ? AND session_id = ?"  # noqa: S608  as above
            self.conn.execute(rename, (new_id, app_name, session_id))


def _info(row: Sequence[Any]) -> PlaybookInfo:
    info = PlaybookInfo._make(row)
    return info._replace(frozen=bool(info.frozen))


class StoredPlaybookRepository(PlaybookRepository):
    """Keeps playbooks in a database.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    @contextmanager
    def writing(self) -> Generator[StoredPlaybookTransaction, None, None]:
        with self._database.writing() as conn:
            hold(conn, _KIND)
            yield StoredPlaybookTransaction(conn)

    @contextmanager
    def reading(self) -> Generator[StoredPlaybookTransaction, None, None]:
        with self._database.reading() as conn:
            yield StoredPlaybookTransaction(conn)

    def close(self) -> None:
        self._database.close()
