"""`Measurements`: scores and measurements of playbooks, in a file beside the runs of the Lab.

Each score is kept as soon as it is known: a measurement that was stopped, failed or killed asks only for what is missing. A
score holds for the playbook as prompts have it, texts and counters, the sample, the pipeline's sources and the model.
"""

from __future__ import annotations

import json
import sqlite3
from collections import UserDict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.ace.store.playbook_store import PlaybookStore
from agents.lab.attribution import Key
from agents.lab.effects.plan import MeasuredEffect, Measurement, Plan, hash_of
from agents.lab.sample import Sample

EFFECTS_FILE = "effects.db"
_NAME = "lab"
_TABLES = (
    """CREATE TABLE IF NOT EXISTS lab_scores (
    scope BLOB NOT NULL,
    left_out TEXT NOT NULL,
    sample BLOB NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (scope, left_out, sample)
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS lab_measurements (
    playbook TEXT PRIMARY KEY,
    body TEXT NOT NULL
) WITHOUT ROWID""",
)


class Measurements:
    """The measurements of a database's playbooks, for any thread. Every method may raise `DatabaseError`.

    Args:
        folder: The folder of the Lab, see `lab_folder`. It is made when something is stored.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / EFFECTS_FILE
        self._store: PlaybookStore | None = None

    def latest(self, playbook: str, made_at: float) -> Measurement | None:
        """The last measurement of a playbook; None if there is none.

        Args:
            playbook: Its name.
            made_at: When it was made.
        """
        if (store := self._opened(create=False)) is None:
            return None
        query = "SELECT body FROM lab_measurements WHERE playbook = ?"
        row = store.read(lambda conn: conn.execute(query, (playbook,)).fetchone())
        found = None if row is None else _from_json(row[0])
        return found if found is not None and found.made_at == made_at else None

    def keep(self, measurement: Measurement) -> None:
        """Keeps a measurement in place of the last one of its playbook."""
        row = measurement.playbook, json.dumps(asdict(measurement))
        self._write("INSERT OR REPLACE INTO lab_measurements (playbook, body) VALUES (?, ?)", row)

    def scores(self, plan: Plan, told: Callable[[], None] = lambda: None) -> Scores:
        """The scores of a plan that are known; new ones are kept.

        Args:
            plan: The plan.
            told: Is called after each new one.
        """
        scope, hashes = plan.scope(), {sample.id: _of_sample(sample) for sample in plan.samples}

        def write(key: Key, value: float) -> None:
            row = scope, key.left_out, hashes[key.sample], value
            self._write("INSERT OR REPLACE INTO lab_scores (scope, left_out, sample, value) VALUES (?, ?, ?, ?)", row)
            told()

        found = Scores(write)
        if (store := self._opened(create=False)) is not None:
            query = "SELECT left_out, sample, value FROM lab_scores WHERE scope = ?"
            rows = store.read(lambda conn: conn.execute(query, (scope,)).fetchall())
            names = {hashed: id_ for id_, hashed in hashes.items()}
            wanted = {"", *plan.bullet_ids}
            playbook = plan.playbook
            found.data |= {
                Key(playbook.name, playbook.revision, left_out, names[sample]): value
                for left_out, sample, value in rows
                if sample in names and left_out in wanted
            }
        return found

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        if self._store is not None:
            self._store.close()

    def _write(self, statement: str, row: Sequence[Any]) -> None:
        store = self._opened(create=True)
        assert store is not None
        store.write(lambda conn: conn.execute(statement, row))

    def _opened(self, *, create: bool) -> PlaybookStore | None:
        if self._store is None and (create or self._path.exists()):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            store = PlaybookStore(self._path, _NAME)
            store.write(_make_tables)
            self._store = store
        return self._store


class Scores(UserDict[Key, float]):
    """Known scores; each new one is written."""

    def __init__(self, write: Callable[[Key, float], None]) -> None:
        super().__init__()
        self._write = write

    def __setitem__(self, key: Key, value: float) -> None:
        """Writes a score, and knows it from then on."""
        self._write(key, value)
        super().__setitem__(key, value)


def _make_tables(conn: sqlite3.Connection) -> None:
    for statement in _TABLES:
        conn.execute(statement)


def _from_json(body: str) -> Measurement:
    fields: dict[str, Any] = json.loads(body)
    effects = {id_: MeasuredEffect(*values) for id_, values in fields.pop("effects").items()}
    return Measurement(**fields, effects=effects)


def _of_sample(sample: Sample) -> bytes:
    labels = json.dumps(dict(sample.labels), sort_keys=True)
    return hash_of(sample.question, "" if sample.truth is None else f"={sample.truth}", labels)
