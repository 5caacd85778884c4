"""The results of runs as lines for a terminal, or as rows for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unicodedata import combining, east_asian_width

from agents.lab import (
    STATUS_WORDS,
    ArmSummary,
    Comparison,
    LabRun,
    RunInfo,
    arm_row,
    corrected,
    difference_row,
    simulation_note,
)
from ui.text.visible_text import visible_line

_HEADS = ("arm", "accuracy", "right", "questions", "failed", "calls", "tokens", "cost", "bullets", "lost")
_SMALLEST_P = 0.001


def report_lines(run: LabRun) -> Iterator[str]:
    """A run's results as text."""
    summaries = run.summaries()
    yield _headline(run)
    yield ""
    yield from _arms(summaries)
    yield from _notes(run, summaries)
    if run.origin.skipped_lines:
        yield run.origin.skipped_lines
        yield from (f"  {visible_line(one)}" for one in run.origin.problems)
    yield from _differences(run.differences())
    if note := simulation_note(run):
        yield ""
        yield note


def compare_lines(run: LabRun, other: LabRun) -> Iterator[str]:
    """The results of two runs as text."""
    for one in (run, other):
        yield _headline(one)
        yield ""
        yield from _arms(one.summaries())
        yield ""
    found = _compared(run, other)
    if not found:
        yield "No arms of the same name: nothing is compared."
    yield from _differences(found)
    for note in {note: None for one in (run, other) if (note := simulation_note(one))}:
        yield ""
        yield note


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


def _arms(summaries: Sequence[ArmSummary]) -> Iterator[str]:
    """A table for each split, so that no column mixes answers to different questions."""
    for number, split in enumerate(dict.fromkeys(one.split for one in summaries)):
        if number:
            yield ""
        yield visible_line(f"Answers on the split {split}:")
        yield from _table(_HEADS, [_cells(one) for one in summaries if one.split == split])


def _cells(one: ArmSummary) -> tuple[str, ...]:
    low, high = (f"{100 * bound:.1f}" for bound in one.interval)
    return (
        visible_line(one.arm),
        f"{100 * one.accuracy:.1f} % ({low}–{high})" if one.of else "–",
        f"{one.right:,}/{one.of:,}",
        f"{one.questions:,}",
        f"{one.failed:,}",
        f"{one.calls:,}",
        f"{one.tokens:,}",
        "unknown" if one.cost is None else f"${one.cost:.2f}",
        f"{one.bullets:,.0f}",
        f"{one.lost:,}",
    )


def _notes(run: LabRun, summaries: Iterable[ArmSummary]) -> Iterator[str]:
    yield ""
    yield "Accuracy has Wilson intervals at 95 % over questions: seeds are orders of the same questions, and no new ones."
    yield "Failed samples count as wrong."
    yield "Calls and tokens are those of all roles."
    for one in summaries:
        if len(one.by_seed) > 1:
            yield visible_line(f"{one.arm}, by seed: {', '.join(f'{100 * share:.1f} %' for share in one.by_seed)}")
        if one.why:
            yield f"{visible_line(one.arm)} ended early: {one.why}"
        elif not one.has_ended:
            yield f"{visible_line(one.arm)} has not ended."
        if one.dropped:
            yield visible_line(f"{one.arm}: {one.dropped:,} questions did not fit into the window, the oldest first.")
        if one.failed and (first := run.first_failed(one.arm)) is not None:
            yield visible_line(f"{one.arm}: {one.failed:,} failed. The first is sample {first.number + 1:,}: {first.error}")


def _differences(found: Sequence[Comparison]) -> Iterator[str]:
    if found:
        yield ""
        yield "Differences on the same questions; the one from an arm without a playbook is the gain. They have"
        yield "Tango's score interval, which belongs to McNemar's test, and its p-value;"
        yield f"the second p is corrected for the number of comparisons, {found[0].of:,} (Holm)."
        rows = [_difference_cells(one) for one in found]
        yield from _table(("arms", "points", "p", "p (Holm)", "only the first", "only the second", "questions"), rows)
        yield from (f"{_names(one)}: {one.outcome}" for one in found)


def _names(one: Comparison) -> str:
    return f"{visible_line(one.arm)} − {visible_line(one.other)}"


def _difference_cells(one: Comparison) -> tuple[str, ...]:
    names = _names(one)
    if one.interval is None or one.p is None:
        return names, "–", "–", "–", "–", "–", "none in common"
    low, high = (f"{100 * bound:+.1f}" for bound in one.interval)
    p_values = (f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}" for p in (one.p, one.corrected_p or 0.0))
    points = f"{100 * one.difference:+.1f} ({low} to {high})"
    return names, points, *p_values, f"{one.only_arm:,}", f"{one.only_other:,}", f"{one.questions:,}"


def _compared(run: LabRun, other: LabRun) -> list[Comparison]:
    theirs = {arm.title for arm in other.description.arms}
    shared = [arm.title for arm in run.description.arms if arm.title in theirs]
    found = corrected([run.compare(arm, arm, run=other) for arm in shared])
    return [one._replace(arm=f"{run.name}: {one.arm}", other=f"{other.name}: {one.other}") for one in found]


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(width_of(row[place]) for row in (heads, *rows)) for place in range(len(heads))]
    for row in (heads, *rows):
        cells = (f"{cell}{' ' * (width - width_of(cell))}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def width_of(text: str) -> int:
    """Columns of a terminal that a text takes: two for each wide character, none for a mark that is set above another."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
