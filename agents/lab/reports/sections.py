"""The parts of a run's report as HTML: the table of the arms, their differences, and the answers that are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from agents.lab.reports.curves import swatch
from agents.lab.reports.shown_text import shown
from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import ArmSummary, LabRun
from agents.storage.lab.result import Result

MOST_WRONG = 50
"""Wrong answers of an arm that are listed."""

_HEADS = ("arm", "right", "95 % interval", "failed", "calls", "tokens", "cost", "bullets")
_SMALLEST_P, _LIKELY_CHANCE = 0.001, 0.05


def arms_table(summaries: Sequence[ArmSummary]) -> str:
    """The results of the arms; below them what is to be known of single arms."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in _HEADS)
    rows = "".join(_row(place, one) for place, one in enumerate(summaries))
    notes = "".join(f"<li>{note}</li>" for one in summaries for note in _notes(one))
    table = f'<table class="arms"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    return table + (f"<ul>{notes}</ul>" if notes else "")


def _row(place: int, one: ArmSummary) -> str:
    cells = (
        f"<b>{one.right:,} of {one.of:,}</b> ({one.accuracy:.1%})" if one.of else "–",
        f"{one.interval.low:.1%} to {one.interval.high:.1%}" if one.of else "–",
        f"{one.failed:,}",
        f"{one.calls:,}",
        f"{one.tokens:,}",
        "unknown" if one.cost is None else f"${one.cost:,.4f}" if one.cost else "$0",
        f"{one.bullets:,.0f}",
    )
    named = "".join(
        f'<td data-label="{head}"><span>{cell}</span></td>' for head, cell in zip(_HEADS[1:], cells, strict=True)
    )
    return f'<tr><th scope="row">{swatch(place)} {shown(one.arm)}</th>{named}</tr>'


def _notes(one: ArmSummary) -> Iterator[str]:
    if one.why:
        yield f"<b>{shown(one.arm)}</b> ended early: {shown(one.why)}"
    elif not one.has_ended:
        yield f"<b>{shown(one.arm)}</b> has not ended; these are its results so far."
    if one.lost:
        yield f"<b>{shown(one.arm)}</b>: {one.lost:,} deltas were lost."


def differences(comparisons: Sequence[Comparison]) -> str:
    """What the differences from the first arm are worth, in words."""
    return f"<ul>{''.join(f'<li>{_difference(one)}</li>' for one in comparisons)}</ul>"


def _difference(one: Comparison) -> str:
    arm, other = f"<b>{shown(one.arm)}</b>", f"<b>{shown(one.other)}</b>"
    if one.interval is None or one.p is None:
        return f"{arm} and {other} have answered no question in common, so they are not compared."
    low, high = (f"{100 * bound:+.1f}" for bound in one.interval)
    p = f"p&nbsp;&lt;&nbsp;{_SMALLEST_P}" if one.p < _SMALLEST_P else f"p&nbsp;=&nbsp;{one.p:.3f}"
    chance = "Chance alone may explain this" if one.p >= _LIKELY_CHANCE else "Chance alone hardly explains this"
    return (
        f"{arm} against {other}: <b>{100 * one.difference:+.1f} points</b> on {_many(one.pairs, 'question')} that both have "
        f"answered. With 95 % confidence the difference is from {low} to {high} points. {one.only_arm:,} are right only "
        f"with {arm}, {one.only_other:,} only with {other}. {chance} ({p}, McNemar’s exact test)."
    )


def wrong_answers(run: LabRun, summaries: Sequence[ArmSummary]) -> str:
    """The first wrong answers of each arm, with question and truth."""
    return "".join(_wrong_of(run, place, one) for place, one in enumerate(summaries) if one.right < one.of)


def _wrong_of(run: LabRun, place: int, one: ArmSummary) -> str:
    phases = run.reported(one.arm)
    seeds = [standing.seed for standing in run.standings() if standing.arm == one.arm]
    found = chain.from_iterable(_wrong(run, one.arm, seed, phases) for seed in seeds)
    items = "".join(_answer(seed, result) for seed, result in islice(found, MOST_WRONG))
    count = one.of - one.right
    first = f"; the first {MOST_WRONG}" if count > MOST_WRONG else ""
    head = f"{swatch(place)} <b>{shown(one.arm)}</b>: {_many(count, 'wrong answer')} of {one.of:,}{first}"
    return f"<details><summary>{head}</summary><ol>{items}</ol></details>"


def _wrong(run: LabRun, arm: str, seed: int, phases: Sequence[str]) -> Iterator[tuple[int, Result]]:
    for result in run.results(arm, seed):
        if result.phase in phases and not result.is_right:
            yield seed, result


def _answer(seed: int, one: Result) -> str:
    rows = [
        ("question", one.question),
        ("answer", one.answer or "none"),
        ("truth", "unknown" if one.truth is None else one.truth),
    ]
    rows += [(name, said) for name, said in (("reason", one.why), ("error", one.error)) if said]
    said = "".join(f'<dt>{name}</dt><dd dir="auto">{shown(text)}</dd>' for name, text in rows)
    return f'<li><p class="place">{shown(one.sample)}, number {one.number + 1:,}, seed {seed}</p><dl>{said}</dl></li>'


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
