"""Snapshots: a playbook at a revision, in a form that is fast to read.

A line is a chunk of bullets, a bullet the list of its fields. A snapshot never leaves its database; `formats` has the JSON
for export. Functions over a connection.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext

from pydantic_core import from_json

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.store import bundles
from agents.ace.store.collector import LARGE_PLAYBOOK, spared

_INSERT = "INSERT INTO playbook_snapshots (playbook, revision, body, bundle) VALUES (?, ?, ?, ?)"
_NEWEST = (
    "SELECT revision, playbook_snapshots.body, tokens, playbook_snapshots.bundle, bullets, mark FROM playbook_snapshots "
    "JOIN playbook_deltas USING (playbook, revision) "
    "WHERE playbook = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
)
_MERGED_FROM = StoredBullet._fields.index("merged_from")


def write(conn: sqlite3.Connection, key: int, playbook: Playbook) -> None:
    """Stores a snapshot of a playbook at its revision, for which there must be a delta."""
    conn.execute(_INSERT, (key, playbook.revision, "\n".join([_head(playbook), *lines(playbook)]), None))


def write_bundled(conn: sqlite3.Connection, key: int, playbook: Playbook, bundle: int) -> None:
    """Stores a snapshot whose `lines` are in a bundle, and publishes the bundle."""
    bundles.publish(conn, bundle)
    conn.execute(_INSERT, (key, playbook.revision, _head(playbook), bundle))


def lines(playbook: Playbook) -> Iterator[str]:
    """The lines of a snapshot."""
    # The text of a chunk is cached with it, so only changed chunks are written again.
    return (chunk.computed("snapshot", _run) for chunk in playbook.chunks())


def newest(conn: sqlite3.Connection, key: int, revision: int) -> int:
    """The newest revision up to `revision` with a snapshot; 0 if there is none."""
    query = "SELECT coalesce(max(revision), 0) FROM playbook_snapshots WHERE playbook = ? AND revision <= ?"
    return conn.execute(query, (key, revision)).fetchone()[0]


def read(conn: sqlite3.Connection, key: int, revision: int) -> tuple[Playbook, int]:
    """The playbook at the newest revision up to `revision` that has a snapshot, else the empty one; and its mark."""
    row = conn.execute(_NEWEST, (key, revision)).fetchone()
    if row is None:
        return Playbook(), 0
    found, body, tokens, bundle, count, mark = row
    head, *runs = body.split("\n")
    next_number, queries = json.loads(head)
    parts = [runs] if bundle is None else (part.split("\n") for part in bundles.read_all(conn, bundle))
    with spared() if count >= LARGE_PLAYBOOK else nullcontext() as settle:
        bullets = _bullets(parts, settle)
        return Playbook(bullets, revision=found, next_number=next_number, queries=queries, tokens=tokens), mark


def _bullets(parts: Iterable[list[str]], settle: Callable[[], None] | None) -> Iterator[StoredBullet]:
    for part in parts:
        # Line by line, so parsed objects are freed soon and the collector has less to visit.
        for run in part:
            for fields in from_json(run, cache_strings="none"):
                fields[_MERGED_FROM] = tuple(fields[_MERGED_FROM])
                yield StoredBullet(*fields)
        if settle is not None:
            settle()


def _head(playbook: Playbook) -> str:
    return json.dumps([playbook.next_number, playbook.queries])


def _run(bullets: tuple[StoredBullet, ...]) -> str:
    return json.dumps(bullets, ensure_ascii=False, separators=(",", ":"))
