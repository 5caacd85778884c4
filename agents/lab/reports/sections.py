"""The parts of a run's report as HTML: the table of the arms, their differences, and the answers that are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from agents.lab.reports.curves import swatch
from agents.lab.reports.rows import simulation_note
from agents.lab.reports.shown_text import shown
from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import ArmSummary, LabRun
from agents.lab.statistics import LEAST_DISCORDANT
from agents.models import SIMULATED
from agents.storage.lab.result import Result

MOST_WRONG = 50
"""Wrong answers of an arm that are listed."""

_HEADS = ("arm", "right", "95 % interval", "questions", "mean score", "failed", "calls", "tokens", "cost", "bullets")
_SMALLEST_P = 0.001


def arms_table(summaries: Sequence[ArmSummary]) -> str:
    """The results of the arms, a table for each split; below them what is to be known of single arms."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in _HEADS)
    tables: list[str] = []
    for split in dict.fromkeys(one.split for one in summaries):  # no column mixes answers to different questions
        rows = "".join(_row(place, one) for place, one in enumerate(summaries) if one.split == split)
        table = f'<table class="arms"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        tables.append(f"<p>Answers on the split <b>{shown(split)}</b>:</p>{table}")
    notes = "".join(f"<li>{note}</li>" for one in summaries for note in _notes(one))
    return "".join(tables) + (f"<ul>{notes}</ul>" if notes else "")


def _row(place: int, one: ArmSummary) -> str:
    cells = (
        f"<b>{one.right:,} of {one.of:,}</b> ({one.accuracy:.1%})" if one.of else "–",
        f"{one.interval.low:.1%} to {one.interval.high:.1%}" if one.of else "–",
        f"{one.questions:,}",
        f"{one.score:.3f}" if one.of else "–",
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
    if len(one.by_seed) > 1:
        yield f"<b>{shown(one.arm)}</b>, by seed: {', '.join(f'{share:.1%}' for share in one.by_seed)}."
    if one.why:
        yield f"<b>{shown(one.arm)}</b> ended early: {shown(one.why)}"
    elif not one.has_ended:
        yield f"<b>{shown(one.arm)}</b> has not ended; these are its results so far."
    if one.lost:
        yield f"<b>{shown(one.arm)}</b>: {one.lost:,} deltas were lost."
    if one.dropped:
        yield f"<b>{shown(one.arm)}</b>: {_many(one.dropped, 'question')} did not fit into the window, the oldest first."


def differences(comparisons: Sequence[Comparison]) -> str:
    """What the differences from the first arm of the same split are worth, in words."""
    return f"<ul>{''.join(f'<li>{_difference(one)}</li>' for one in comparisons)}</ul>"


def _difference(one: Comparison) -> str:
    arm, other = f"<b>{shown(one.arm)}</b>", f"<b>{shown(one.other)}</b>"
    if one.interval is None or one.p is None or one.corrected_p is None:
        return f"{arm} against {other}: {one.outcome}"
    low, high = (f"{100 * bound:+.1f}" for bound in one.interval)
    p = _p(one.p)
    if one.of > 1:
        p += f"; corrected for {one.of} comparisons by Holm’s method, {_p(one.corrected_p)}"
    return (
        f"{arm} against {other}: <b>{100 * one.difference:+.1f} points</b> on {_many(one.questions, 'question')} that both "
        f"have answered. With 95 % confidence the difference is from {low} to {high} points. {one.only_arm:,} answers are "
        f"right only with {arm}, {one.only_other:,} only with {other}. {one.outcome} ({p}, McNemar’s test)."
    )


def _p(value: float) -> str:
    return f"p&nbsp;&lt;&nbsp;{_SMALLEST_P}" if value < _SMALLEST_P else f"p&nbsp;=&nbsp;{value:.3f}"


def limits(run: LabRun, summaries: Sequence[ArmSummary], comparisons: Sequence[Comparison]) -> str:
    """What cannot be concluded from a run, as a list."""
    told = "".join(f"<li>{one}</li>" for one in _limits(run, summaries, comparisons))
    return f"<ul>{told}</ul>" if told else ""


def _limits(run: LabRun, summaries: Sequence[ArmSummary], comparisons: Sequence[Comparison]) -> Iterator[str]:
    if note := simulation_note(run):
        yield note
    if len(run.description.seeds) == 1:
        yield "The questions were asked in one order, so how much the order matters is not known."
    else:
        yield "The seeds are orders of the same questions: they say how much the order matters, and no more."
    if run.description.model == SIMULATED and any(arm.kind == "history" for arm in run.description.arms):
        yield (
            "The simulated model looks up a question of the history that is asked again, and works nothing out from the "
            "others. So its figures say nothing about full history."
        )
    if not any(arm.kind == "none" for arm in run.description.arms):
        yield "No arm answers without a playbook, so what a playbook is worth is not known."
    if len({one.split for one in summaries}) > 1:
        yield "Arms that answer different splits are not compared."
    few = [
        f"<b>{shown(one.arm)}</b> and <b>{shown(one.other)}</b>" for one in comparisons if one.discordant < LEAST_DISCORDANT
    ]
    if few:
        yield f"Too few questions come out differently to tell apart {', '.join(few)}."
    if any(not one.has_ended for one in summaries):
        yield "The run has not ended; a result may change until then."


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
