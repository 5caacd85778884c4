"""What is measured, in rounds in which the sides take turns, and what of it is judged.

Samples are seconds (per event, append, read or import), by key, side and round.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from tests.benchmarks.sides import IMPORTS, Name
from tests.benchmarks.workloads import WORKLOADS

Samples = dict[str, dict[Name, list[float]]]

SMALL, STORED, NEWEST = 1_000, 10_000, 50
LARGE, FOLDED = 9_500, 8_000
"""Bullets of a playbook that grows to nearly as many as one may have: by the deltas of all rounds; by those of one fold."""
PEER_TURNS = 2
"""How many turns google-adk makes where a long history costs it a quarter of a second each."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        rounds: How often everything is done.
        appends: Appends a round.
        large: Events that the large database holds.
        sessions: Sessions of the database that is searched.
        writers: Processes that change one playbook at once.
        deltas: Of each of them, by side.
        samples: Of the lab run whose memory is looked at.
    """

    rounds: int
    appends: int
    large: int
    sessions: int
    writers: int
    deltas: Mapping[Name, int]
    samples: int


FULL = Size(
    rounds=7,
    appends=200,
    large=100_000,
    sessions=10_000,
    writers=16,
    deltas={"ours": 200, "adk": 20},
    samples=10_000,
)
QUICK = Size(
    rounds=2,
    appends=40,
    large=20_000,
    sessions=1000,
    writers=4,
    deltas={"ours": 50, "adk": 10},
    samples=2000,
)


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
    """A line of the report: which samples, how they are shown, what they must reach, and who the peer is."""

    section: str
    title: str
    key: str
    unit: Literal["ms", "µs", "per s", "×", "%"]
    limit: Limit | None = None
    peer: str = "adk"


TENTH = Limit("times", 10)
FLAT = Limit("ours", 1.5)
QUOTIENTS = {"growth": ("turn_5000", "turn_100"), "flatness": ("append_large", "append_small")}
COMMITS: dict[str, dict[Name, int]] = {
    "1000": {"ours": 50, "adk": 10},
    "large": {"ours": 50, "adk": 3},
}
"""How many deltas a round, by playbook and side: one that is written out as a whole takes its time."""
VALUES = {
    "apply_1000": ("apply", 1000, 2000),
    "apply_large": ("apply", LARGE, 2000),
    "duplicates_of_one": ("duplicates_of_one", LARGE, 50),
    "lexical_pass": ("lexical_pass", LARGE, 1),
    "render_changed_large": ("render_changed", LARGE, 20),
    "render_anew_large": ("render_anew", LARGE, 3),
}
"""What is done in memory, on how many bullets, and how often a round."""
OTHER_ACE = {"apply_1000": (1000, 50, False), "commit_1000": (1000, 10, True), "commit_large": (LARGE, 3, True)}
"""What is done in other implementations of ACE, by our key: bullets, deltas a round, and whether each is saved."""
EXPERIMENTS = ("timeline", "moment", "fork", "page")
LAB_WORKERS, LAB_REPEAT = (1, 8, 64), 50
"""Samples of a lab run that are worked on at once; how often a single one is, in a round."""
JUDGED = ("single", "loop", "parallel", "tool", "graph", "history", "shared_history")


def rows(size: Size, *, official: bool = False) -> list[Row]:
    """The lines of the report, in order; with those beside the official code of ACE if there is a checkout of it."""
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
        *_experiment_rows(),
        Row(f"{size.sessions:,} sessions, wall time", "a search, as it is typed", "search", "ms", Limit("ours", 0.100)),
        *_playbook_rows(size),
        *_other_rows("ace-framework", "other"),
        *(_other_rows("the official ACE code", "official") if official else []),
        *_lab_rows(size),
    ]


def _experiment_rows() -> list[Row]:
    section = f"Session of {STORED:,} events, wall time"
    return [
        Row(section, "its log read, and all moments prepared", "timeline", "ms"),
        Row(section, "state, graph and model call at an event", "moment", "ms", Limit("ours", 0.020)),
        Row(section, "a fork at its end", "fork", "ms", Limit("ours", 0.300)),
        Row(section, "the page of its first 1,000 events", "page", "ms", Limit("ours", 1.0)),
    ]


def _playbook_rows(size: Size) -> list[Row]:
    disk, values = "Playbook on disk, wall time", "Playbook in memory, wall time"
    at_once = f"{size.writers} processes at once"
    return [
        Row(disk, "commit of 2 operations, 1,000 bullets", "commit_1000", "ms", Limit("ours", 0.001)),
        Row(disk, f"the same, {LARGE:,} bullets", "commit_large", "ms", Limit("ours", 0.001)),
        Row(disk, f"load in a new process, {FOLDED:,} bullets and deltas", "load_book", "ms", Limit("ours", 0.5)),
        Row(disk, f"commits of {at_once}", "writers", "per s"),
        Row(disk, f"commits lost by {at_once}", "writers_lost", "%", Limit("ours", 0.0)),
        Row(values, "2 operations applied, 1,000 bullets", "apply_1000", "µs", Limit("ours", 50e-6)),
        Row(values, f"the same, {LARGE:,} bullets", "apply_large", "µs", Limit("ours", 500e-6)),
        Row(values, f"duplicates of a new one, {LARGE:,} bullets", "duplicates_of_one", "ms", Limit("ours", 0.010)),
        Row(values, f"all compared with all, {LARGE:,} bullets", "lexical_pass", "ms", Limit("ours", 2.5)),
        Row(values, f"prompt, one of {LARGE:,} bullets changed", "render_changed_large", "ms"),
        Row(values, f"prompt, {LARGE:,} new bullets", "render_anew_large", "ms"),
    ]


def _other_rows(peer: str, kind: str) -> list[Row]:
    section = f"Playbook, wall time, the peer is {peer}"
    titles = {False: "2 operations applied in memory, {:,} bullets", True: "2 operations stored, {:,} bullets"}
    found = [(titles[save].format(bullets), f"{kind}_{key}") for key, (bullets, _, save) in OTHER_ACE.items()]
    return [Row(section, title, key, "ms", peer="ace") for title, key in found]


def _lab_rows(size: Size) -> list[Row]:
    section = "Lab, a model that answers at once, CPU"
    at_once = [Row(section, f"samples of a run, {workers} at once", f"lab_{workers}", "per s") for workers in LAB_WORKERS]
    memory = f"memory after {size.samples:,} samples ÷ after {size.samples // 10:,}"
    return [
        Row(section, "a sample, all roles, 1,000 bullets", "lab_sample", "ms", Limit("ours", 0.005)),
        *at_once,
        Row(section, memory, "lab_memory", "×", FLAT),
    ]


def take_samples(ours: Asked, peer: Asked, size: Size, *, official: Path | None = None) -> Samples:
    """Measures everything on both sides, in turns.

    Args:
        ours: This project.
        peer: google-adk.
        size: How much is measured.
        official: A checkout of the official code of ACE, if that is measured, too.

    Raises:
        AssertionError: The sides did not do the same.
    """
    samples: Samples = defaultdict(lambda: {"ours": [], "adk": []})
    _prepare(ours, peer, size)
    for side in (ours, peer):
        _write_at_once(side, size, samples)
    samples["lab_memory"]["ours"].append(ours.ask("lab", job="memory", amount=size.samples))
    for number in range(size.rounds):
        print(f"round {number + 1} of {size.rounds}", file=sys.stderr)
        for side in (ours, peer) if number % 2 else (peer, ours):
            _imports(side, samples)
            _disk(side, size, samples)
            _books(side, samples)
        _values(ours, samples)
        _others(peer, samples, official)
        for job in EXPERIMENTS:
            samples[job]["ours"].append(ours.ask("experiment", job=job, events=STORED))
        samples["search"]["ours"].append(ours.ask("search", sessions=size.sessions))
        samples["lab_sample"]["ours"].append(ours.ask("lab", job="sample", amount=LAB_REPEAT))
        for workers in LAB_WORKERS:
            samples[f"lab_{workers}"]["ours"].append(ours.ask("lab", job="run", amount=workers))
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
        for book, bullets in {"1000": 1000, "large": LARGE}.items():
            side.ask("fill_book", book=book, bullets=bullets)
        side.ask("fill_book", book="pending", bullets=FOLDED, pending=True)
        _books(side, unmeasured)
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


def _books(side: Asked, samples: Samples) -> None:
    for book, counts in COMMITS.items():
        count = counts[side.name]
        samples[f"commit_{book}"][side.name].append(side.ask("commit", book=book, count=count) / count)
    samples["load_book"][side.name].append(side.ask("load_book", book="pending"))


def _values(ours: Asked, samples: Samples) -> None:
    for key, (job, bullets, repeat) in VALUES.items():
        seconds = ours.ask("value", job=job, bullets=bullets, repeat=repeat)
        samples[key]["ours"].append(seconds)


def _others(peer: Asked, samples: Samples, official: Path | None) -> None:
    kinds: dict[str, dict[str, str]] = {"other": {}}
    if official is not None:
        kinds["official"] = {"checkout": str(official)}
    for kind, more in kinds.items():
        for key, (bullets, repeat, save) in OTHER_ACE.items():
            seconds = peer.ask(f"{kind}_ace", bullets=bullets, repeat=repeat, save=save, **more)
            samples[f"{kind}_{key}"]["adk"].append(seconds)
            samples[f"{kind}_{key}"]["ours"].append(samples[key]["ours"][-1])


def _write_at_once(side: Asked, size: Size, samples: Samples) -> None:
    """Once, not in each round: to start so many processes takes one of the sides half a minute."""
    done: Mapping[str, Any] = side.ask("write_at_once", writers=size.writers, deltas=size.deltas[side.name])
    samples["writers"][side.name].append(done["seconds"] / done["acknowledged"])
    samples["writers_lost"][side.name].append(1 - done["kept"] / done["acknowledged"])
