"""`RunDatabase`: the file of a run of the Lab, with its results beside its playbooks."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import NamedTuple

from agents.storage.lab.result import Result, Standing
from agents.storage.playbooks.stored import StoredPlaybookRepository, StoredPlaybookTransaction
from agents.storage.sqlite.blocking_database import BlockingDatabase

_TABLES = (
    """CREATE TABLE IF NOT EXISTS lab_claim (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pid INTEGER NOT NULL,
    process_started REAL NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS lab_trials (
    key INTEGER PRIMARY KEY,
    arm TEXT NOT NULL,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (arm, seed)
)""",
    """CREATE TABLE IF NOT EXISTS lab_results (
    trial INTEGER NOT NULL REFERENCES lab_trials (key),
    number INTEGER NOT NULL,
    phase TEXT NOT NULL,
    part INTEGER NOT NULL,
    place INTEGER NOT NULL,
    sample TEXT NOT NULL,
    is_right INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    value REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (trial, number)
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS lab_sessions (
    trial INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (trial, number)
)""",
)


_COLUMNS = ("number", "phase", "part", "place", "sample", "is_right", "failed", "value")
_REST = tuple(one.name for one in fields(Result) if one.name not in _COLUMNS)
_TRIAL = ("key", "arm", "seed", "status")


class Counts(NamedTuple):
    """What some results come to.

    Attributes:
        of: Their number.
        right: The right ones.
        failed: The failed ones.
        value: The sum of their scores.
        right_parts: Their parts that are right, such as entities of a list.
        parts: All of their parts.
    """

    of: int
    right: int
    failed: int
    value: float
    right_parts: int
    parts: int


class LabelCount(NamedTuple):
    """The answers to questions with one value of a label: their questions, their number, the right ones among them."""

    label: str
    value: str
    questions: int
    of: int
    right: int


class CurveRow(NamedTuple):
    """What a curve has of a result."""

    sample: str
    is_right: bool
    calls: int
    tokens: int
    bullets: int
    playbook_tokens: int
    revision: int


_CURVE = ", ".join(f"json_extract(body, '$.{name}')" for name in ("calls", "input", "output", *CurveRow._fields[4:]))


def _of(trials: int, phases: Sequence[str]) -> str:
    """The condition for the results of some trials in some phases; its parameters are the keys, then the phases."""
    return f"WHERE trial IN ({', '.join('?' * trials)}) AND phase IN ({', '.join('?' * len(phases))})"


class RunTransaction(StoredPlaybookTransaction):
    """The results of a run and its playbooks, in one transaction."""

    __slots__ = ()

    def create_tables(self) -> None:
        """Creates the tables that are missing."""
        for table in _TABLES:
            self.conn.execute(table)

    def add_trial(self, arm: str, seed: int) -> Standing:
        """Adds an arm and seed that was not begun."""
        insert = "INSERT INTO lab_trials (arm, seed, status, body) VALUES (?, ?, 'waiting', '{}') RETURNING key"
        [key] = self.conn.execute(insert, (arm, seed)).fetchone()
        return Standing(key=key, arm=arm, seed=seed)

    def trials(self) -> list[Standing]:
        """All arms and seeds, in order."""
        found: list[Standing] = []
        for key, arm, seed, status, text in self.conn.execute(
            "SELECT key, arm, seed, status, body FROM lab_trials ORDER BY key"
        ):
            body = json.loads(text)
            for name in ("most", "best"):
                if body.get(name) is not None:
                    body[name] = tuple(body[name])
            found.append(Standing(key=key, arm=arm, seed=seed, status=status, **body))
        return found

    def write_standing(self, standing: Standing) -> None:
        """Stores how far an arm and seed is."""
        body = {name: value for name, value in asdict(standing).items() if name not in _TRIAL}
        self.conn.execute(
            "UPDATE lab_trials SET status = ?, body = ? WHERE key = ?", (standing.status, json.dumps(body), standing.key)
        )

    def add_result(self, trial: int, result: Result) -> None:
        """Stores a result."""
        values = asdict(result)
        body = json.dumps({name: values[name] for name in _REST}, ensure_ascii=False).encode("utf-8", "replace").decode()
        sample = result.sample.encode("utf-8", "replace").decode()
        columns = (result.number, result.phase, result.part, result.place, sample)
        verdict = (result.is_right, result.failed, result.value)
        self.conn.execute("INSERT INTO lab_results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (trial, *columns, *verdict, body))

    def results(self, trial: int, *, after: int = -1, limit: int = -1) -> Iterator[Result]:
        """The results of an arm and seed in order, from a number on."""
        rows = self.conn.execute(
            "SELECT number, phase, part, place, sample, is_right, failed, value, body FROM lab_results "
            "WHERE trial = ? AND number > ? ORDER BY number LIMIT ?",
            (trial, after, limit),
        )
        for number, phase, part, place, sample, is_right, failed, value, text in rows:
            body = json.loads(text)
            body["cited"] = tuple(body["cited"])
            yield Result(
                number=number,
                phase=phase,
                part=part,
                place=place,
                sample=sample,
                is_right=bool(is_right),
                failed=bool(failed),
                value=value,
                **body,
            )

    def verdicts(self, trial: int, phases: tuple[str, ...]) -> Iterator[tuple[int, str, bool, bool, float]]:
        """Place, sample, right, failed and value of an arm's results in some phases, in order."""
        rows = self.conn.execute(
            f"SELECT place, sample, is_right, failed, value FROM lab_results {_of(1, phases)} ORDER BY number",  # noqa: S608
            (trial, *phases),
        )
        for place, sample, is_right, failed, value in rows:
            yield place, sample, bool(is_right), bool(failed), value

    def curve(self, trial: int) -> Iterator[CurveRow]:
        """What a curve has of each result, in order; texts are not read."""
        query = f"SELECT sample, is_right, {_CURVE} FROM lab_results WHERE trial = ? ORDER BY number"  # noqa: S608
        for sample, is_right, calls, sent, received, *size in self.conn.execute(query, (trial,)):
            yield CurveRow(sample, bool(is_right), calls, sent + received, *size)

    def last_size(self, trial: int) -> tuple[int, int] | None:
        """Bullets and tokens of the playbook after the last result; None before the first one."""
        query = (
            "SELECT json_extract(body, '$.bullets'), json_extract(body, '$.playbook_tokens') FROM lab_results "
            "WHERE trial = ? ORDER BY number DESC LIMIT 1"
        )
        return self.conn.execute(query, (trial,)).fetchone()

    def counts(self, trial: int, phases: Sequence[str]) -> Counts:
        """What the results of an arm and seed in some phases come to."""
        parts = "total(json_extract(body, '$.right')), total(json_extract(body, '$.of'))"
        counts = f"count(*), total(is_right), total(failed), total(value), {parts}"
        query = f"SELECT {counts} FROM lab_results {_of(1, phases)}"  # noqa: S608
        of, right, failed, value, right_parts, all_parts = self.conn.execute(query, (trial, *phases)).fetchone()
        return Counts(of, int(right), int(failed), value, int(right_parts), int(all_parts))

    def by_label(self, trials: Sequence[int], phases: Sequence[str]) -> list[LabelCount]:
        """What the results of an arm in some phases come to by the labels of their samples, over all seeds."""
        said = "iif(label.type IN ('true', 'false'), label.type, CAST(label.value AS TEXT))"
        query = (
            f"SELECT label.key, {said}, count(DISTINCT sample), count(*), total(is_right) "  # noqa: S608
            f"FROM lab_results, json_each(body, '$.labels') AS label {_of(len(trials), phases)} GROUP BY 1, 2 ORDER BY 1, 2"
        )
        rows = self.conn.execute(query, (*trials, *phases))
        return [LabelCount(label, value, questions, of, int(right)) for label, value, questions, of, right in rows]

    def questions(self, trials: Sequence[int], phases: Sequence[str]) -> int:
        """How many questions have results in some phases, over an arm's seeds."""
        query = f"SELECT count(DISTINCT sample) FROM lab_results {_of(len(trials), phases)}"  # noqa: S608
        return self.conn.execute(query, (*trials, *phases)).fetchone()[0]

    def first_failed(self, trial: int) -> int | None:
        """The number of the first result that failed; None if none did."""
        row = self.conn.execute("SELECT min(number) FROM lab_results WHERE trial = ? AND failed", (trial,)).fetchone()
        return row[0]

    def part_accuracy(self, trial: int, part: int) -> float:
        """The share of right answers in a part; failed samples count as wrong."""
        query = "SELECT coalesce(avg(is_right), 0) FROM lab_results WHERE trial = ? AND part = ?"
        return self.conn.execute(query, (trial, part)).fetchone()[0]

    def add_session(self, trial: int, number: int, body: bytes) -> None:
        """Stores the log of a sample."""
        self.conn.execute("INSERT INTO lab_sessions (trial, number, body) VALUES (?, ?, ?)", (trial, number, body))

    def session(self, trial: int, number: int) -> bytes | None:
        """The stored log of a sample, if it was kept."""
        row = self.conn.execute("SELECT body FROM lab_sessions WHERE trial = ? AND number = ?", (trial, number)).fetchone()
        return None if row is None else row[0]

    def claim(self, process: tuple[int, float]) -> None:
        """Notes the process that works on the run."""
        self.conn.execute("INSERT OR REPLACE INTO lab_claim VALUES (1, ?, ?)", process)

    def claimed_by(self) -> tuple[int, float] | None:
        """The process that works on the run, as it was noted last."""
        return self.conn.execute("SELECT pid, process_started FROM lab_claim").fetchone()

    def release(self) -> None:
        """Notes that no process works on the run."""
        self.conn.execute("DELETE FROM lab_claim")

    def lost(self, trial: int) -> int:
        """How many batches of operations were lost."""
        query = "SELECT coalesce(sum(json_extract(body, '$.lost')), 0) FROM lab_results WHERE trial = ?"
        return self.conn.execute(query, (trial,)).fetchone()[0]


class RunDatabase(StoredPlaybookRepository):
    """The database of a run, for any thread.

    Args:
        path: The file, created if it is missing.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(BlockingDatabase(path))

    @contextmanager
    def writing(self) -> Generator[RunTransaction, None, None]:
        with self._database.writing() as conn:
            yield RunTransaction(conn)

    @contextmanager
    def reading(self) -> Generator[RunTransaction, None, None]:
        with self._database.reading() as conn:
            yield RunTransaction(conn)
