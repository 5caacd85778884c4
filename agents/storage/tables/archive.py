"""`TableArchive`: everything in the tables of a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from agents.session_list import SessionSummary
from agents.storage.archive import Archive, Kind, Name, Record
from agents.storage.tables.connection import Connection
from agents.storage.tables.database import Tables


class Shape(NamedTuple):
    """Where the records of a kind are.

    Attributes:
        table: One row is one record.
        name: Expressions of its name.
        order: The column by which `names` are in order.
        parts: Tables with more rows of a record, and the column by which they are in order.
        link: The column of these tables that has the key of the record's row.
    """

    table: str
    name: tuple[str, ...]
    order: str = ""
    parts: Mapping[str, str] = {}
    link: str = ""


_NAME_IN_USE = "replace(name, CASE WHEN deleted_at IS NULL THEN '\n' ELSE '\n' || key END, '')"
"""The name of a playbook; while it is deleted, a line break and its key follow in the column."""

SHAPES: Mapping[Kind, Shape] = {
    "texts": Shape("texts", ("hash",)),
    "files": Shape("artifacts", ("app_name", "user_id", "session_id", "filename", "version")),
    "playbooks": Shape(
        "playbooks",
        (_NAME_IN_USE, "coalesce(deleted_at, 0)"),
        order="key",
        parts={"playbook_deltas": "revision", "playbook_snapshots": "revision", "playbook_answers": "id"},
        link="playbook",
    ),
    "app state": Shape("app_state", ("app_name", "key")),
    "user state": Shape("user_state", ("app_name", "user_id", "key")),
    "preferences": Shape("preferences", ("name",)),
    "journals": Shape("journals", ("name", "seq")),
    "use": Shape("model_use", ("day", "user_id", "model")),
    "lessons": Shape("lesson_progress", ("user_id", "lesson", "step")),
    "sessions": Shape(
        "sessions",
        ("app_name", "user_id", "id"),
        order="last_entry",
        parts={"log": "seq", "session_state": "key", "session_tags": "tag"},
        link="session",
    ),
}
_OWN = {"key", "last_entry", "holder"}
"""Columns of a row with parts that mean nothing in another database."""
_OWN_OF_PARTS = {"id", "bundle"}
"""The same, in the rows of its parts, besides the link."""
_TRUTHS = {"frozen", "is_right", *(field.name for field in fields(SessionSummary) if field.type == "bool")}
"""Columns of truth values, which SQLite has as 0 and 1."""


class TableArchive(Archive):
    """Everything that a database keeps.

    Args:
        database: The database.
    """

    def __init__(self, database: Tables) -> None:
        self._database = database

    def names(self, kind: Kind) -> list[Name]:
        shape = SHAPES[kind]
        order = shape.order or ", ".join(shape.name)
        with self._database.reading() as conn:
            query = f"SELECT {', '.join(shape.name)} FROM {shape.table} ORDER BY {order}"  # noqa: S608  our own texts, here and below
            return [tuple(row) for row in conn.execute(query).fetchall()]

    def read(self, kind: Kind, name: Name) -> Record:
        shape = SHAPES[kind]
        wanted = " AND ".join(f"{part} = ?" for part in shape.name)
        with self._database.reading() as conn:
            rows = _rows(conn, f"SELECT * FROM {shape.table} WHERE {wanted}", name)  # noqa: S608
            if not rows:
                raise KeyError(name)
            [fields] = rows
            found = {
                table: _rows(conn, f"SELECT * FROM {table} WHERE {shape.link} = ? ORDER BY {order}", (fields["key"],))  # noqa: S608
                for table, order in shape.parts.items()
            }
        if kind == "playbooks":
            fields["name"] = name[0]
        parts = {table: [_without(row, {*_OWN_OF_PARTS, shape.link}) for row in rows] for table, rows in found.items()}
        return Record(name, _without(fields, _OWN) if shape.parts else fields, parts)

    def add(self, kind: Kind, record: Record) -> None:
        shape = SHAPES[kind]
        with self._database.writing() as conn:
            fields = dict(record.fields)
            if is_deleted_playbook := kind == "playbooks" and fields["deleted_at"] is not None:
                fields["name"] = f"{fields['name']}\n"  # free until the key is known
            if not shape.parts:
                _insert(conn, shape.table, [fields])
                return
            [key] = _insert(conn, shape.table, [fields], returning="key")
            for table, rows in record.parts.items():
                _insert(conn, table, [{**row, shape.link: key} for row in rows])
            if is_deleted_playbook:
                conn.execute("UPDATE playbooks SET name = name || key WHERE key = ?", (key,))
            if kind == "sessions":
                conn.execute(f"UPDATE sessions SET last_entry = {conn.next_entry} WHERE key = ?", (key,))  # noqa: S608


def _rows(conn: Connection, query: str, values: Sequence[Any]) -> list[dict[str, Any]]:
    found = conn.execute(query, values)
    columns = [column for column, *_ in found.description]
    return [
        {column: int(value) if isinstance(value, bool) else value for column, value in zip(columns, row, strict=True)}
        for row in found.fetchall()
    ]


def _insert(conn: Connection, table: str, rows: Sequence[Mapping[str, Any]], *, returning: str = "") -> Sequence[Any]:
    """Inserts rows that have the same columns; what is returned of the only one, if that is asked for."""
    if not rows:
        return ()
    columns = [*rows[0]]
    insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    values = [[_as_column(column, row[column]) for column in columns] for row in rows]
    if returning:
        return conn.execute(f"{insert} RETURNING {returning}", values[0]).fetchone()
    conn.executemany(insert, values)
    return ()


def _as_column(column: str, value: Any) -> Any:
    return bool(value) if column in _TRUTHS and value is not None else value


def _without(row: Mapping[str, Any], columns: set[str]) -> dict[str, Any]:
    return {column: value for column, value in row.items() if column not in columns}
