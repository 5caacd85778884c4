"""What is measured, in rounds in which the sides take turns, and what of it is judged.

Samples are seconds (per event, append, read or import), by key, side and round.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tests.benchmarks.sides import IMPORTS, Name
from tests.benchmarks.workloads import WORKLOADS

Samples = dict[str, dict[Name, list[float]]]

SMALL, STORED, NEWEST = 1_000, 10_000, 50
PEER_TURNS = 2
"""How many turns google-adk makes where a long history costs it a quarter of a second each."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: rounds, appends a round, and how many events the large database holds."""

    rounds: int
    appends: int
    large: int


FULL = Size(rounds=7, appends=200, large=100_000)
QUICK = Size(rounds=2, appends=40, large=20_000)


class Asked(Protocol):
    """A process that does what it is asked."""

    name: Name

    def ask(self, what: str, /, **arguments: Any) -> Any:
        """Has one thing done and returns the answer."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A budget: a bound on our figure, or on how many times better it is than google-adk's."""

    of: Literal["ours", "times"]
    bound: float


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the report: which samples, how they are shown, and what they must reach."""

    section: str
    title: str
    key: str
    unit: Literal["ms", "µs", "per s", "×"]
    limit: Limit | None = None


TENTH = Limit("times", 10)
FLAT = Limit("ours", 1.5)
QUOTIENTS = {"growth": ("turn_5000", "turn_100"), "flatness": ("append_large", "append_small")}
JUDGED = ("single", "loop", "parallel", "tool", "history", "shared_history")


def rows(size: Size) -> list[Row]:
    """The lines of the report, in order."""
    cpu, grows = "CPU per event", "CPU per event, include_contents='none'"
    disk = "SQLite, wall time"
    load = "Import, wall time"
    return [
        *(Row(cpu, WORKLOADS[key].title, key, "µs", TENTH) for key in JUDGED),
        *(Row(grows, WORKLOADS[key].title, key, "µs") for key in ("turn_100", "turn_5000")),
        Row(grows, "the second ÷ the first", "growth", "×", FLAT),
        Row(disk, f"appends after {SMALL:,} events", "append_small", "per s", TENTH),
        Row(disk, f"appends after {size.large:,} events", "append_large", "per s"),
        Row(disk, "an append there ÷ an append here", "flatness", "×", FLAT),
        Row(disk, f"read the last {NEWEST} of {STORED:,}", "read_last", "ms", Limit("ours", 0.002)),
        *(
            Row(load, IMPORTS["ours"][key], f"import_{key}", "ms", Limit("ours", 0.150) if key == "package" else None)
            for key in IMPORTS["ours"]
        ),
    ]


def take_samples(ours: Asked, peer: Asked, size: Size) -> Samples:
    """Measures everything on both sides, in turns.

    Raises:
        AssertionError: The sides did not do the same.
    """
    samples: Samples = defaultdict(lambda: {"ours": [], "adk": []})
    _prepare(ours, peer, size)
    for number in range(size.rounds):
        print(f"round {number + 1} of {size.rounds}", file=sys.stderr)
        for side in (ours, peer) if number % 2 else (peer, ours):
            _imports(side, samples)
            _disk(side, size, samples)
        for key in WORKLOADS:
            _workload(key, (ours, peer) if number % 2 else (peer, ours), samples)
    for derived, (second, first) in QUOTIENTS.items():
        for name, above in samples[second].items():
            if above:
                samples[derived][name] = [a / b for a, b in zip(above, samples[first][name], strict=True)]
    return dict(samples)


def _prepare(ours: Asked, peer: Asked, size: Size) -> None:
    """Fills the databases, and does everything once that is slow the first time."""
    unmeasured: Samples = defaultdict(lambda: {"ours": [], "adk": []})
    ours.ask("fill", store="large", events=size.large)
    for side in (ours, peer):
        side.ask("fill", store="small", events=SMALL)
        side.ask("fill", store="read", events=STORED)
        _imports(side, unmeasured)
        _disk(side, size, unmeasured)
    for key in WORKLOADS:
        _workload(key, (ours, peer), unmeasured)


def _workload(key: str, sides: tuple[Asked, ...], samples: Samples) -> None:
    workload, done = WORKLOADS[key], set[tuple[float, float]]()
    for side in sides:
        repeat = workload.repeat if key in JUDGED or side.name == "ours" else PEER_TURNS
        answer: Mapping[str, Any] = side.ask("workload", name=key, repeat=repeat)
        done.add((answer["events"] / repeat, answer["contents"] / repeat))
        samples[key][side.name].append(answer["seconds"] / answer["events"])
    assert len(done) == 1, f"{workload.title}: the sides yielded or sent their model different numbers: {done}"
    assert done.pop()[0] == workload.events, f"{workload.title}: not {workload.events} events"


def _disk(side: Asked, size: Size, samples: Samples) -> None:
    for store in ("small", "large") if side.name == "ours" else ("small",):
        seconds = side.ask("append", store=store, count=size.appends)
        samples[f"append_{store}"][side.name].append(seconds / size.appends)
    samples["read_last"][side.name].append(side.ask("read_last", store="read", count=NEWEST, times=10) / 10)


def _imports(side: Asked, samples: Samples) -> None:
    for what in IMPORTS[side.name]:
        samples[f"import_{what}"][side.name].append(side.ask("import", what=what))
