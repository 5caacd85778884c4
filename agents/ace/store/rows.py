"""The rows of playbooks: find, list, create. Functions over a connection."""

from __future__ import annotations

import sqlite3
import time
from typing import NamedTuple

from agents.errors import PlaybookExistsError, PlaybookNotFoundError, known

MAX_NAME = 80


class PlaybookInfo(NamedTuple):
    """One row of a list of playbooks; `guard` is the folder of cases that guards it, "" for none."""

    name: str
    revision: int
    bullets: int
    frozen: bool
    created_at: float
    updated_at: float
    guard: str = ""


class Row(NamedTuple):
    """A playbook's row, as commits need it."""

    key: int
    revision: int
    frozen: bool
    pending: int = 0
    bullets: int = 0


def find(conn: sqlite3.Connection, name: str) -> Row | None:
    """A playbook's row, or None."""
    row = conn.execute("SELECT key, revision, frozen, pending, bullets FROM playbooks WHERE name = ?", (name,)).fetchone()
    return None if row is None else Row(row[0], row[1], bool(row[2]), *row[3:])


def key_of(conn: sqlite3.Connection, name: str) -> int:
    """The key of a playbook's row; 0, which no row has, if there is none."""
    row = find(conn, name)
    return 0 if row is None else row.key


def must_find(conn: sqlite3.Connection, name: str) -> Row:
    """A playbook's row.

    Raises:
        PlaybookNotFoundError: There is none of that name.
    """
    row = find(conn, name)
    if row is None:
        names = [info.name for info in infos(conn)]
        raise PlaybookNotFoundError(f"There is no playbook {name!r}. There are: {known(names)}.")
    return row


def create(conn: sqlite3.Connection, name: str, at: float) -> Row:
    """Creates an empty playbook.

    Raises:
        PlaybookExistsError: The name is taken.
        ValueError: The name is not valid.
    """
    check_playbook_name(name)
    if find(conn, name) is not None:
        raise taken(name)
    values = (name, at, at)
    key = conn.execute("INSERT INTO playbooks (name, created_at, updated_at) VALUES (?, ?, ?)", values).lastrowid
    assert key is not None
    return Row(key, 0, frozen=False)


def find_or_create(conn: sqlite3.Connection, name: str) -> Row:
    """A playbook's row; creates an empty playbook if there is none.

    Raises:
        ValueError: The name is not valid.
    """
    return find(conn, name) or create(conn, name, time.time())


def taken(name: str) -> PlaybookExistsError:
    """The error for a name that is taken."""
    return PlaybookExistsError(f"There is a playbook {name!r} already. Choose another name, or switch to it.")


def check_playbook_name(name: str) -> None:
    """Raises `ValueError` unless `name` can name a playbook."""
    if not is_playbook_name(name):
        raise ValueError(
            f"{name[:MAX_NAME]!r} cannot name a playbook: use 1 to {MAX_NAME} printable characters, no space at the ends."
        )


def is_playbook_name(name: str) -> bool:
    """Whether it is a valid name of a playbook."""
    return bool(name.strip()) and name == name.strip() and len(name) <= MAX_NAME and name.isprintable()


def freeze(conn: sqlite3.Connection, name: str, *, frozen: bool) -> None:
    """Makes a playbook read-only, or lets it grow again."""
    conn.execute("UPDATE playbooks SET frozen = ? WHERE key = ?", (frozen, must_find(conn, name).key))


def guard(conn: sqlite3.Connection, name: str) -> str:
    """The folder of cases that guards a playbook; "" for none."""
    row = conn.execute("SELECT guard FROM playbooks WHERE name = ?", (name,)).fetchone()
    return "" if row is None else row[0]


def set_guard(conn: sqlite3.Connection, name: str, folder: str) -> None:
    """Sets the folder of cases that guards a playbook."""
    conn.execute("UPDATE playbooks SET guard = ? WHERE key = ?", (folder, must_find(conn, name).key))


def delete(conn: sqlite3.Connection, name: str) -> None:
    """Deletes a playbook: its name is free, its rows stay for `restore`."""
    key = must_find(conn, name).key  # a line break is in no name of a playbook
    conn.execute("UPDATE playbooks SET deleted_at = ?, name = name || char(10) || key WHERE key = ?", (time.time(), key))


def restore(conn: sqlite3.Connection, name: str) -> bool:
    """Restores the playbook of that name that was deleted last; whether there was one.

    Raises:
        PlaybookExistsError: Another playbook has taken the name.
    """
    row = conn.execute(
        "SELECT key FROM playbooks WHERE name = ? || char(10) || key AND deleted_at IS NOT NULL "
        "ORDER BY deleted_at DESC, key DESC LIMIT 1",
        (name,),
    ).fetchone()
    if row is None:
        return False
    if find(conn, name) is not None:
        raise taken(name)
    conn.execute("UPDATE playbooks SET deleted_at = NULL, name = ? WHERE key = ?", (name, row[0]))
    return True


def infos(conn: sqlite3.Connection) -> list[PlaybookInfo]:
    """All playbooks, last changed first."""
    rows = conn.execute(
        "SELECT name, revision, bullets, frozen, created_at, updated_at, guard FROM playbooks WHERE deleted_at IS NULL "
        "ORDER BY updated_at DESC, key DESC"
    )
    return [PlaybookInfo(name, revision, bullets, bool(frozen), *more) for name, revision, bullets, frozen, *more in rows]
