"""What the arms of a run came to: a table, and what the difference to the first arm is worth."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from agents.lab import corrected
from ui.lab import charts
from ui.state import runs
from ui.text.glossary import help_on
from ui.text.labels import plain, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agents.lab import ArmSummary, Comparison, LabRun

OF = ": "
"""Between a run's name and an arm's; neither has a colon."""
_SMALL_P, _LONGEST = 0.001, 400
_HEAD = (
    "arm",
    "right",
    "95 % interval",
    "failed",
    "calls",
    "tokens",
    "cost",
    "bullets",
    "tokens of the playbook",
)


def label(of: LabRun, arm: str, run: LabRun) -> str:
    """What an arm is called on the page of `run`: an arm of another run begins with that run's name."""
    return arm if of is run else f"{of.name}{OF}{arm}"


def draw(run: LabRun, summaries: list[ArmSummary], beside: LabRun | None, *, is_live: bool) -> None:
    """Draws the table and the differences.

    Args:
        run: The run.
        summaries: What its arms came to.
        beside: A run to compare it with.
        is_live: Whether the run is worked on; its differences are worked out afterwards, since they take seconds.
    """
    found = [one for one in summaries if one.of or one.samples]
    if not found:
        return
    titles = [arm.title for arm in run.description.arms]
    rows = [(one.split, _row(one, plain(one.arm), titles.index(one.arm))) for one in found]
    if beside is not None:
        others = enumerate(beside.summaries(), start=len(titles))
        rows += [
            (one.split, _row(one, plain(label(beside, one.arm, run)), place))
            for place, one in others
            if one.of or one.samples
        ]
    with st.container(key="lab_arms"):
        for split in dict.fromkeys(split for split, _ in rows):  # no column mixes answers to different questions
            head = (f"arm, on the split *{plain(split)}*", *_HEAD[1:])
            cells = [head, ("---",) * len(head), *(row for of, row in rows if of == split)]
            table = "\n".join(f"| {' | '.join(row)} |" for row in cells)
            st.markdown(table, help=help_on("arm", "95 % interval", "McNemar"))
    notes = [_spread(found)] if any(len(one.by_seed) > 1 for one in found) else []
    notes += [f"{plain(one.arm)} ended early: {plain(one.why)}" for one in found if one.why]
    notes += [f"{plain(one.arm)}: {one.lost:,} deltas were lost." for one in found if one.lost]
    notes += [_failures(run, one) for one in found if one.failed]
    if is_live and (len(found) > 1 or beside is not None):
        notes.append("How much the arms differ is told when the run ends or is stopped.")
    said = [] if is_live else [*_to_first(run, found), *_to_other(run, beside)]
    if said or notes:
        st.markdown("\n".join(f"- {one}" for one in [*said, *notes]))


def _spread(found: list[ArmSummary]) -> str:
    """The accuracy of each arm with each seed, and the number of questions."""
    arms = [
        f"{plain(one.arm)} {', '.join(f'{share:.1%}' for share in one.by_seed)} ({one.questions:,} questions)"
        for one in found
    ]
    return f"By seed, which is an order of the same questions: {'; '.join(arms)}"


def _failures(run: LabRun, one: ArmSummary) -> str:
    """Why samples of an arm failed, by the first of them."""
    said = f":orange[⚠] {plain(one.arm)}: {one.failed:,} failed, and count as wrong."
    if (first := run.first_failed(one.arm)) is None:
        return said
    return f"{said} The first is question {first.number + 1:,}: {plain(title_of(first.error, length=_LONGEST))}"


def _to_first(run: LabRun, found: list[ArmSummary]) -> Iterator[str]:
    there = {one.arm for one in found}
    pairs = [pair for pair in run.pairs() if there.issuperset(pair)]
    for one in corrected([_compared(run, arm, run, other) for arm, other in pairs]):
        yield _difference(one, plain(one.arm), plain(one.other))


def _to_other(run: LabRun, beside: LabRun | None) -> Iterator[str]:
    if beside is None:
        return
    there = {arm.title for arm in beside.description.arms}
    shared = [arm.title for arm in run.description.arms if arm.title in there]
    for one in corrected([_compared(run, arm, beside, arm) for arm in shared]):
        yield _difference(one, plain(one.arm), plain(label(beside, one.arm, run)))


def _compared(run: LabRun, arm: str, other: LabRun, of: str) -> Comparison:
    """The comparison of two arms; it is worked out again only when one of the runs has gone on."""
    stamps = tuple(tuple(one.number for one in each.standings()) for each in (run, other))
    return _comparison(runs.workspace().lab.folder, run.name, arm, other.name, of, stamps)


@lru_cache(maxsize=64)
def _comparison(folder: Path, name: str, arm: str, other: str, of: str, stamps: tuple[tuple[int, ...], ...]) -> Comparison:  # noqa: ARG001  the cache's key
    with runs.workspace().lab.open(name) as run, runs.workspace().lab.open(other) as beside:
        return run.compare(arm, of, run=beside)


def _row(one: ArmSummary, name: str, place: int) -> tuple[str, ...]:
    cost = "unknown" if one.cost is None else f"${one.cost:.4f}" if one.cost else "–"
    interval = f"{one.interval.low:.1%} – {one.interval.high:.1%}" if one.of else "–"
    return (
        charts.legend(name, place),
        f"**{one.right:,} of {one.of:,}** ({one.accuracy:.1%})" if one.of else "–",
        interval,
        f"{one.failed:,}" if one.failed else "–",
        f"{one.calls:,}",
        f"{one.tokens:,}",
        cost,
        f"{one.bullets:,.0f}",
        f"{one.playbook_tokens:,.0f}",
    )


def _difference(found: Comparison, arm: str, other: str) -> str:
    if found.interval is None or found.p is None or found.corrected_p is None:
        return f"{arm} and {other}: {found.outcome}"
    p = _p(found.p)
    if found.of > 1:
        p += f", {_p(found.corrected_p)} corrected for {found.of} comparisons"
    points = f"{100 * found.difference:+.1f} points"
    between = f"95 % interval {100 * found.interval.low:+.1f} to {100 * found.interval.high:+.1f}"
    alone = f"{found.only_arm:,} answers right only here, {found.only_other:,} only there"
    counts = f"{found.questions:,} questions, {alone}"
    return f"**{arm}** against {other}: **{points}** ({between}; McNemar {p}; {counts}). {found.outcome}"


def _p(value: float) -> str:
    return f"p < {_SMALL_P}" if value < _SMALL_P else f"p = {value:.3f}"
