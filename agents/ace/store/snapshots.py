"""Snapshots: a playbook at a revision, in a form that is fast to read.

A line is a run of bullets, a bullet the list of its fields. A snapshot never leaves its database; `formats` has the JSON
for export. Functions over a connection.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator

from pydantic_core import from_json

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook

_NEWEST = (
    "SELECT revision, playbook_snapshots.body, tokens, mark FROM playbook_snapshots "
    "JOIN playbook_deltas USING (playbook, revision) "
    "WHERE playbook = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
)
_RUN = 100
"""Bullets of a line."""
_MERGED_FROM = StoredBullet._fields.index("merged_from")


def text_of(playbook: Playbook) -> str:
    """The text of a snapshot."""
    # Run by run, here and in `_bullets`: other threads stand still while a JSON text is written or read.
    starts = range(0, len(playbook), _RUN)
    runs = (json.dumps(playbook.bullets[at : at + _RUN], ensure_ascii=False, separators=(",", ":")) for at in starts)
    return "\n".join([json.dumps([playbook.next_number, playbook.queries]), *runs])


def write(conn: sqlite3.Connection, key: int, revision: int, text: str) -> None:
    """Stores the snapshot of a playbook at a revision, for which there must be a delta."""
    conn.execute("INSERT INTO playbook_snapshots (playbook, revision, body) VALUES (?, ?, ?)", (key, revision, text))


def read(conn: sqlite3.Connection, key: int, revision: int) -> tuple[Playbook, int]:
    """The playbook at the newest revision up to `revision` that has a snapshot, else the empty one; and its mark."""
    row = conn.execute(_NEWEST, (key, revision)).fetchone()
    if row is None:
        return Playbook(), 0
    found, body, tokens, mark = row
    head, *runs = body.split("\n")
    next_number, queries = json.loads(head)
    return Playbook(_bullets(runs), revision=found, next_number=next_number, queries=queries, tokens=tokens), mark


def _bullets(runs: Iterable[str]) -> Iterator[StoredBullet]:
    for run in runs:
        for fields in from_json(run, cache_strings="none"):
            fields[_MERGED_FROM] = tuple(fields[_MERGED_FROM])
            yield StoredBullet(*fields)
