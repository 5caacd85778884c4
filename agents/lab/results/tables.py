"""The tables of a run, in a database beside those of its playbooks. Functions over a connection."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, NamedTuple

Status = Literal["waiting", "running", "finished", "limit"]
"""An arm and seed: not begun; begun, perhaps stopped; at its end; ended by a limit."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far an arm and seed is, and what it has used.

    Attributes:
        key: Of its row.
        arm: The arm's title.
        seed: The seed.
        status: Whether it goes on.
        why: Why it ended early; "" if it did not.
        part: The part of its plan that is being worked on.
        place: The place of the next sample in that part.
        number: Samples done, of all parts.
        failed: Samples that failed, of all parts.
        calls: Model calls so far.
        input: Tokens sent.
        output: Tokens received.
        cost: US dollars; None if a model has no price.
        seconds: Seconds that samples took.
        most: The most calls, tokens and dollars of one sample so far.
        best: Revision and accuracy of the playbook that did best in a validation; None before one.
    """

    key: int
    arm: str
    seed: int
    status: Status = "waiting"
    why: str = ""
    part: int = 0
    place: int = 0
    number: int = 0
    failed: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    most: tuple[int, int, float] = (0, 0, 0.0)
    best: tuple[int, float] | None = None

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output

    @property
    def playbook(self) -> str:
        """The name of its playbook."""
        return f"{self.arm}, seed {self.seed}"

    @property
    def has_ended(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in ("finished", "limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one sample.

    Attributes:
        number: Its number in the arm, from 0, over all parts.
        phase: What it was for, see `agents.lab.plan.plan.Part`.
        part: The part of the plan.
        place: The place in the split.
        sample: The sample's id.
        is_right: Whether the answer counts as right.
        failed: Whether there is no score: the model, the pipeline or the scorer failed.
        value: The score's value, from 0 to 1.
        right: Parts that are right.
        of: All parts.
        question: The question.
        truth: The right answer; None where none is known.
        answer: The answer.
        why: The scorer's reason.
        error: What went wrong.
        cited: Ids of the bullets that the answer cites.
        labels: The sample's labels.
        epoch: The pass over the training samples.
        before: The playbook's revision that it was answered with.
        revision: Its revision after the sample's batch.
        bullets: Its bullets then.
        playbook_tokens: Its tokens then.
        lost: Batches of operations that were lost, see `description.Merge`.
        calls: Model calls.
        input: Tokens sent.
        output: Tokens received.
        cost: US dollars; None if unknown.
        seconds: Seconds that it took.
        roles: Calls and tokens by agent.
    """

    number: int
    phase: str
    part: int
    place: int
    sample: str
    is_right: bool
    failed: bool
    value: float
    right: int = 0
    of: int = 1
    question: str = ""
    truth: str | None = None
    answer: str = ""
    why: str = ""
    error: str = ""
    cited: tuple[str, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict[str, Any])
    epoch: int = 0
    before: int = 0
    revision: int = 0
    bullets: int = 0
    playbook_tokens: int = 0
    lost: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    roles: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output


_COLUMNS = ("number", "phase", "part", "place", "sample", "is_right", "failed", "value")
_REST = tuple(one.name for one in fields(Result) if one.name not in _COLUMNS)
_TRIAL = ("key", "arm", "seed", "status")


def create(conn: sqlite3.Connection) -> None:
    """Creates the tables that are missing."""
    for table in _TABLES:
        conn.execute(table)


def add_trial(conn: sqlite3.Connection, arm: str, seed: int) -> Standing:
    """Adds an arm and seed that was not begun."""
    key = conn.execute(
        "INSERT INTO lab_trials (arm, seed, status, body) VALUES (?, ?, 'waiting', '{}')", (arm, seed)
    ).lastrowid
    assert key is not None
    return Standing(key=key, arm=arm, seed=seed)


def trials(conn: sqlite3.Connection) -> list[Standing]:
    """All arms and seeds, in order."""
    found: list[Standing] = []
    for key, arm, seed, status, text in conn.execute("SELECT key, arm, seed, status, body FROM lab_trials ORDER BY key"):
        body = json.loads(text)
        for name in ("most", "best"):
            if body.get(name) is not None:
                body[name] = tuple(body[name])
        found.append(Standing(key=key, arm=arm, seed=seed, status=status, **body))
    return found


def write_standing(conn: sqlite3.Connection, standing: Standing) -> None:
    """Stores how far an arm and seed is."""
    body = {name: value for name, value in asdict(standing).items() if name not in _TRIAL}
    conn.execute(
        "UPDATE lab_trials SET status = ?, body = ? WHERE key = ?", (standing.status, json.dumps(body), standing.key)
    )


def add_result(conn: sqlite3.Connection, trial: int, result: Result) -> None:
    """Stores a result."""
    values = asdict(result)
    body = json.dumps({name: values[name] for name in _REST}, ensure_ascii=False).encode("utf-8", "replace").decode()
    sample = result.sample.encode("utf-8", "replace").decode()
    columns = (result.number, result.phase, result.part, result.place, sample)
    verdict = (result.is_right, result.failed, result.value)
    conn.execute("INSERT INTO lab_results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (trial, *columns, *verdict, body))


def results(conn: sqlite3.Connection, trial: int, *, after: int = -1, limit: int = -1) -> Iterator[Result]:
    """The results of an arm and seed in order, from a number on."""
    rows = conn.execute(
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


def verdicts(conn: sqlite3.Connection, trial: int, phases: tuple[str, ...]) -> Iterator[tuple[int, str, bool, bool, float]]:
    """Place, sample, right, failed and value of an arm's results in some phases, in order."""
    marks = ", ".join("?" for _ in phases)
    rows = conn.execute(
        f"SELECT place, sample, is_right, failed, value FROM lab_results WHERE trial = ? AND phase IN ({marks}) "  # noqa: S608
        "ORDER BY number",
        (trial, *phases),
    )
    for place, sample, is_right, failed, value in rows:
        yield place, sample, bool(is_right), bool(failed), value


class CurveRow(NamedTuple):
    """What a curve has of a result."""

    is_right: bool
    calls: int
    tokens: int
    bullets: int
    playbook_tokens: int
    revision: int


_CURVE = ", ".join(f"json_extract(body, '$.{name}')" for name in ("calls", "input", "output", *CurveRow._fields[3:]))


def curve(conn: sqlite3.Connection, trial: int) -> Iterator[CurveRow]:
    """What a curve has of each result, in order; texts are not read."""
    rows = conn.execute(f"SELECT is_right, {_CURVE} FROM lab_results WHERE trial = ? ORDER BY number", (trial,))  # noqa: S608
    for is_right, calls, sent, received, *size in rows:
        yield CurveRow(bool(is_right), calls, sent + received, *size)


def last_size(conn: sqlite3.Connection, trial: int) -> tuple[int, int] | None:
    """Bullets and tokens of the playbook after the last result; None before the first one."""
    query = (
        "SELECT json_extract(body, '$.bullets'), json_extract(body, '$.playbook_tokens') FROM lab_results "
        "WHERE trial = ? ORDER BY number DESC LIMIT 1"
    )
    return conn.execute(query, (trial,)).fetchone()


def counts(conn: sqlite3.Connection, trial: int, phases: tuple[str, ...]) -> tuple[int, int, int]:
    """How many results an arm has in some phases, how many of them are right, and how many failed."""
    marks = ", ".join("?" for _ in phases)
    query = f"SELECT count(*), total(is_right), total(failed) FROM lab_results WHERE trial = ? AND phase IN ({marks})"  # noqa: S608
    of, right, failed = conn.execute(query, (trial, *phases)).fetchone()
    return of, int(right), int(failed)


def first_failed(conn: sqlite3.Connection, trial: int) -> int | None:
    """The number of the first result that failed; None if none did."""
    row = conn.execute("SELECT min(number) FROM lab_results WHERE trial = ? AND failed", (trial,)).fetchone()
    return row[0]


def part_accuracy(conn: sqlite3.Connection, trial: int, part: int) -> float:
    """The share of right answers in a part; failed samples count as wrong."""
    query = "SELECT coalesce(avg(is_right), 0) FROM lab_results WHERE trial = ? AND part = ?"
    return conn.execute(query, (trial, part)).fetchone()[0]


def add_session(conn: sqlite3.Connection, trial: int, number: int, body: bytes) -> None:
    """Stores the log of a sample."""
    conn.execute("INSERT INTO lab_sessions (trial, number, body) VALUES (?, ?, ?)", (trial, number, body))


def session(conn: sqlite3.Connection, trial: int, number: int) -> bytes | None:
    """The stored log of a sample, if it was kept."""
    row = conn.execute("SELECT body FROM lab_sessions WHERE trial = ? AND number = ?", (trial, number)).fetchone()
    return None if row is None else row[0]


def claim(conn: sqlite3.Connection, process: tuple[int, float]) -> None:
    """Notes the process that works on the run."""
    conn.execute("INSERT OR REPLACE INTO lab_claim VALUES (1, ?, ?)", process)


def claimed_by(conn: sqlite3.Connection) -> tuple[int, float] | None:
    """The process that works on the run, as it was noted last."""
    return conn.execute("SELECT pid, process_started FROM lab_claim").fetchone()


def release(conn: sqlite3.Connection) -> None:
    """Notes that no process works on the run."""
    conn.execute("DELETE FROM lab_claim")


def lost(conn: sqlite3.Connection, trial: int) -> int:
    """How many batches of operations were lost."""
    query = "SELECT coalesce(sum(json_extract(body, '$.lost')), 0) FROM lab_results WHERE trial = ?"
    return conn.execute(query, (trial,)).fetchone()[0]
