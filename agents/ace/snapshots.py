"""Snapshots: what a playbook's deltas add up to at a revision, written so that 100,000 bullets are read in a moment.

A line is a run of bullets, a bullet the list of its fields. A snapshot is read where the table is, and never exported:
`formats` has the JSON for that. Functions over a connection.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from agents.ace.bullet import Bullet
from agents.ace.playbook import Playbook

_INSERT = "INSERT INTO playbook_snapshots (playbook, revision, body) VALUES (?, ?, ?)"
_NEWEST = (
    "SELECT revision, playbook_snapshots.body, tokens FROM playbook_snapshots "
    "JOIN playbook_deltas USING (playbook, revision) "
    "WHERE playbook = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
)
_MERGED_FROM = Bullet._fields.index("merged_from")


def write(conn: sqlite3.Connection, key: int, playbook: Playbook) -> None:
    """Stores a snapshot of a playbook at its revision, for which there must be a delta."""
    head = json.dumps([playbook.next_number, playbook.queries])
    # What was written of a run of bullets is kept with it: the next time, only the runs that changed are written.
    runs = [chunk.computed("snapshot", _run) for chunk in playbook.chunks()]
    conn.execute(_INSERT, (key, playbook.revision, "\n".join([head, *runs])))


def read(conn: sqlite3.Connection, key: int, revision: int) -> Playbook:
    """The playbook at the newest revision up to `revision` of which there is a snapshot; the empty one if there is none."""
    row = conn.execute(_NEWEST, (key, revision)).fetchone()
    if row is None:
        return Playbook()
    head, *runs = row[1].split("\n")
    next_number, queries = json.loads(head)
    # Run by run, so that what is parsed is let go soon: the fewer objects there are, the less the collector has to do.
    bullets = (_bullet(fields) for run in runs for fields in json.loads(run))
    return Playbook(bullets, revision=row[0], next_number=next_number, queries=queries, tokens=row[2])


def _run(bullets: tuple[Bullet, ...]) -> str:
    return json.dumps(bullets, ensure_ascii=False, separators=(",", ":"))


def _bullet(fields: list[Any]) -> Bullet:
    fields[_MERGED_FROM] = tuple(fields[_MERGED_FROM])
    return Bullet(*fields)
