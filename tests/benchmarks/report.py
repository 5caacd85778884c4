"""What the samples come to: medians, how many times better, and whether the budgets are kept. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from tests.benchmarks.plan import Row, Samples

_SCALES = {"ms": 1e3, "µs": 1e6, "×": 1.0, "%": 100.0}
_LAYOUT = "{:<42} {:>9} {:>17}   {:>9} {:>17}   {:>8}   {:<18} {}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A median and what it lies between, in the row's unit."""

    median: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """A row with its figures.

    Attributes:
        row: The row.
        ours: This project's figure.
        adk: The peer's, mostly google-adk's; None where it is not measured.
        times: How many times better ours is: its median by ours, the other way round for rates.
        kept: Whether the budget is kept, None where there is none. Times better, and quotients, are judged by the
            medians; seconds by the fastest round, since what else the machine does only ever adds to them.
    """

    row: Row
    ours: Figure
    adk: Figure | None
    times: float | None
    kept: bool | None


def judge(rows: Sequence[Row], samples: Samples) -> list[Verdict]:
    """Every row with its figures, times and verdict."""
    return [_judge(row, samples[row.key].get("ours", []), samples[row.key].get("adk", [])) for row in rows]


def _judge(row: Row, ours: Sequence[float], adk: Sequence[float]) -> Verdict:
    times = median(adk) / median(ours) if adk and row.unit not in "×%" else None
    kept = None
    if row.limit is not None and row.limit.of == "times":
        kept = times is not None and times >= row.limit.bound
    elif row.limit is not None:
        kept = (median(ours) if row.unit == "×" else min(ours)) <= row.limit.bound
    return Verdict(row, _figure(row, ours), _figure(row, adk) if adk else None, times, kept)


def _figure(row: Row, seconds: Sequence[float]) -> Figure:
    shown = [1 / value if row.unit == "per s" else value * _SCALES[row.unit] for value in seconds]
    return Figure(median(shown), min(shown), max(shown))


def as_table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The report's lines."""
    section = None
    for verdict in verdicts:
        if verdict.row.section != section:
            section = verdict.row.section
            yield ""
            yield _LAYOUT.format(
                section, "ours", "min … max", verdict.row.peer, "min … max", "better", "budget", ""
            ).rstrip()
        unit = f" {verdict.row.unit}"
        columns = [*_columns(verdict.ours), *_columns(verdict.adk)]
        times = f"{verdict.times:.1f}×" if verdict.times is not None else ""
        word = {True: "PASS", False: "MISS", None: ""}[verdict.kept]
        yield _LAYOUT.format(verdict.row.title + ("," + unit), *columns, times, _budget(verdict.row), word).rstrip()


def _columns(figure: Figure | None) -> tuple[str, str]:
    if figure is None:
        return "", ""
    return _number(figure.median), f"{_number(figure.lowest)} … {_number(figure.highest)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _budget(row: Row) -> str:
    if row.limit is None:
        return ""
    if row.limit.of == "times":
        return f"≥ {row.limit.bound:g}× better"
    return f"≤ {row.limit.bound * _SCALES[row.unit]:g} {row.unit}"


def as_json(verdicts: Sequence[Verdict], samples: Samples, about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything for a program to read: figures, verdicts, and the samples in seconds."""
    return {"about": dict(about), "rows": [asdict(verdict) for verdict in verdicts], "samples": samples}
