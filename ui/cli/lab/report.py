"""The results of runs as lines for a terminal, or as rows for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unicodedata import combining, east_asian_width

from agents.lab import CLOSED_WORLD, STATUS_WORDS, ArmSummary, Comparison, LabRun, RunInfo, arm_row, difference_row
from agents.models import SIMULATED
from ui.text.visible_text import visible_line

_HEADS = ("arm", "accuracy", "right", "failed", "calls", "tokens", "cost", "bullets", "lost")
_SMALLEST_P = 0.001


def report_lines(run: LabRun) -> Iterator[str]:
    """A run's results as text."""
    summaries = run.summaries()
    yield _headline(run)
    yield ""
    yield from _table(_HEADS, [_cells(one) for one in summaries])
    yield from _notes(run, summaries)
    if run.origin.skipped_lines:
        yield run.origin.skipped_lines
        yield from (f"  {visible_line(one)}" for one in run.origin.problems)
    yield from _differences(run.compare(one.arm, summaries[0].arm) for one in summaries[1:])
    if run.description.model == SIMULATED:
        yield ""
        yield CLOSED_WORLD


def compare_lines(run: LabRun, other: LabRun) -> Iterator[str]:
    """The results of two runs as text."""
    for one in (run, other):
        yield _headline(one)
        yield ""
        yield from _table(_HEADS, [_cells(summary) for summary in one.summaries()])
        yield ""
    found = list(_compared(run, other))
    if not found:
        yield "No arms of the same name: nothing is compared."
    yield from _differences(found)
    if SIMULATED in (run.description.model, other.description.model):
        yield ""
        yield CLOSED_WORLD


def compare_rows(run: LabRun, other: LabRun) -> Iterator[dict[str, Any]]:
    """The results of two runs for JSON."""
    for one in (run, other):
        yield from (arm_row(one, summary) for summary in one.summaries())
    yield from map(difference_row, _compared(run, other))


def list_lines(runs: Sequence[RunInfo], folder: Path) -> Iterator[str]:
    """The runs as text."""
    if not runs:
        yield f"No lab runs in {visible_line(str(folder))}. Begin one with `playground lab run FILE`."
        return
    rows = [
        (
            visible_line(one.name),
            STATUS_WORDS[one.status],
            f"{one.samples:,}",
            visible_line(one.problem or ", ".join(one.arms)),
        )
        for one in runs
    ]
    yield from _table(("run", "status", "samples", "arms"), rows)


def list_rows(runs: Iterable[RunInfo]) -> Iterator[dict[str, Any]]:
    """The runs for JSON."""
    for one in runs:
        more = {"problem": one.problem} if one.problem else {}
        yield {"name": one.name, "status": one.status, "arms": list(one.arms), "samples": one.samples, **more}


def _headline(run: LabRun) -> str:
    told, seeds = run.description, ", ".join(map(str, run.description.seeds))
    what = f"pipeline {told.pipeline}, model {told.model}, split {told.split}, seeds {seeds}"
    return visible_line(f"{run.name}: {STATUS_WORDS[run.status]}; {what}")


def _cells(one: ArmSummary) -> tuple[str, ...]:
    low, high = (f"{100 * bound:.1f}" for bound in one.interval)
    return (
        visible_line(one.arm),
        f"{100 * one.accuracy:.1f} % ({low}–{high})" if one.of else "–",
        f"{one.right:,}/{one.of:,}",
        f"{one.failed:,}",
        f"{one.calls:,}",
        f"{one.tokens:,}",
        "unknown" if one.cost is None else f"${one.cost:.2f}",
        f"{one.bullets:,.0f}",
        f"{one.lost:,}",
    )


def _notes(run: LabRun, summaries: Iterable[ArmSummary]) -> Iterator[str]:
    yield ""
    yield "Accuracy has Wilson intervals at 95 %, seeds pooled; failed samples count as wrong."
    yield "Calls and tokens are those of all roles."
    for one in summaries:
        if one.why:
            yield f"{visible_line(one.arm)} ended early: {one.why}"
        elif not one.has_ended:
            yield f"{visible_line(one.arm)} has not ended."
        if one.failed and (first := run.first_failed(one.arm)) is not None:
            yield visible_line(f"{one.arm}: {one.failed:,} failed. The first is sample {first.number + 1:,}: {first.error}")


def _differences(comparisons: Iterable[Comparison]) -> Iterator[str]:
    found = list(comparisons)
    if found:
        yield ""
        yield "Differences on the same samples, with intervals by paired bootstrap and McNemar's exact test:"
        rows = [_difference_cells(one) for one in found]
        yield from _table(("arms", "points", "p", "only the first", "only the second", "samples"), rows)
    if alike := ", ".join(_names(one) for one in found if one.interval and one.interval.low <= 0 <= one.interval.high):
        yield f"No difference is shown: {alike}."


def _names(one: Comparison) -> str:
    return f"{visible_line(one.arm)} − {visible_line(one.other)}"


def _difference_cells(one: Comparison) -> tuple[str, ...]:
    names = _names(one)
    if one.interval is None or one.p is None:
        return names, "–", "–", "–", "–", "none in common"
    low, high = (f"{100 * bound:+.1f}" for bound in one.interval)
    p = f"< {_SMALLEST_P}" if one.p < _SMALLEST_P else f"{one.p:.3f}"
    points = f"{100 * one.difference:+.1f} ({low} to {high})"
    return names, points, p, f"{one.only_arm:,}", f"{one.only_other:,}", f"{one.pairs:,}"


def _compared(run: LabRun, other: LabRun) -> Iterator[Comparison]:
    theirs = {arm.title for arm in other.description.arms}
    for arm in run.description.arms:
        if arm.title in theirs:
            found = run.compare(arm.title, arm.title, run=other)
            yield found._replace(arm=f"{run.name}: {arm.title}", other=f"{other.name}: {arm.title}")


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(_width(row[place]) for row in (heads, *rows)) for place in range(len(heads))]
    for row in (heads, *rows):
        cells = (f"{cell}{' ' * (width - _width(cell))}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Columns of a terminal that a text takes: two for each wide character, none for a mark that is set above another."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
