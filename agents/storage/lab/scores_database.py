"""`ScoresDatabase`: scores and measurements of playbooks, in a file beside the runs of the Lab."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.storage.sqlite.blocking_database import BlockingDatabase

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


class ScoresDatabase:
    """The file, for any thread. Every method may raise `DatabaseError`.

    Args:
        path: The file. It is created when something is stored; until then nothing is found.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = BlockingDatabase(path)
        self._has_tables = False

    def measurement(self, playbook: str) -> str | None:
        """The text of a playbook's last measurement; None if there is none."""
        found = self._read("SELECT body FROM lab_measurements WHERE playbook = ?", (playbook,))
        return found[0][0] if found else None

    def keep_measurement(self, playbook: str, body: str) -> None:
        """Keeps the text of a measurement in place of the last one of its playbook."""
        self._write("INSERT OR REPLACE INTO lab_measurements (playbook, body) VALUES (?, ?)", (playbook, body))

    def scores(self, scope: bytes) -> list[tuple[str, bytes, float]]:
        """Left out bullet, sample and value of each score of a scope; the samples and the scope are hashes."""
        return self._read("SELECT left_out, sample, value FROM lab_scores WHERE scope = ?", (scope,))

    def keep_score(self, scope: bytes, left_out: str, sample: bytes, value: float) -> None:
        """Keeps a score."""
        insert = "INSERT OR REPLACE INTO lab_scores (scope, left_out, sample, value) VALUES (?, ?, ?, ?)"
        self._write(insert, (scope, left_out, sample, value))

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        self._database.close()

    def _read(self, query: str, values: Sequence[Any]) -> list[Any]:
        if not self._has_tables and not self._path.exists():
            return []
        self._create_tables()
        with self._database.reading() as conn:
            return conn.execute(query, values).fetchall()

    def _write(self, statement: str, values: Sequence[Any]) -> None:
        self._create_tables()
        with self._database.writing() as conn:
            conn.execute(statement, values)

    def _create_tables(self) -> None:
        if not self._has_tables:
            with self._database.writing() as conn:
                for table in _TABLES:
                    conn.execute(table)
            self._has_tables = True
