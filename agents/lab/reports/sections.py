"""The parts of a run's report as HTML: the table of the arms, their differences, and the answers that are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from agents.lab.reports.curves import swatch
from agents.lab.reports.rows import simulation_note
from agents.lab.reports.shown_text import shown
from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import ArmSummary, LabRun
from agents.lab.statistics import LEAST_DISCORDANT, wilson
from agents.storage.lab.result import Result
from agents.storage.lab.run_database import LabelCount

MOST_WRONG = 50
"""Wrong answers of an arm that are listed."""

_HEADS = ("arm", "right", "95 % interval", "questions", "mean score", "failed", "calls", "tokens", "cost", "bullets")
_COMPARED_HEADS = (
    *("arm", "against", "its accuracy", "the other’s", "points", "95 % interval", "p", "p, corrected"),
    *("only this one right", "only the other", "questions"),
)
_GAIN = (
    "The accuracy with memory less that without, on the same questions. Interval and p are of one method, which belongs to "
    "McNemar’s test; the corrected p is for all comparisons together, by Holm’s method."
)
_FROM_FIRST = "No arm answers these questions without memory, so each is compared with the first one, in the same way."
MOST_VALUES = 60
"""Values of a label that are listed."""
_LONGEST = 60
_SMALLEST_P = 0.001


def arms_table(summaries: Sequence[ArmSummary]) -> str:
    """The results of the arms, a table for each split; below them what is to be known of single arms."""
    tables: list[str] = []
    for split in dict.fromkeys(one.split for one in summaries):  # no column mixes answers to different questions
        rows = [_row(place, one) for place, one in enumerate(summaries) if one.split == split]
        tables.append(f"<p>Answers on the split <b>{shown(split)}</b>:</p>{_table(_HEADS, rows)}")
    notes = "".join(f"<li>{note}</li>" for one in summaries for note in _notes(one))
    return "".join(tables) + (f"<ul>{notes}</ul>" if notes else "")


def _row(place: int, one: ArmSummary) -> tuple[str, Sequence[str]]:
    return f"{swatch(place)} {shown(one.arm)}", (
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


def _notes(one: ArmSummary) -> Iterator[str]:
    if len(one.by_seed) > 1:
        yield f"<b>{shown(one.arm)}</b>, by seed: {', '.join(f'{share:.1%}' for share in one.by_seed)}."
    if one.why:
        yield f"<b>{shown(one.arm)}</b> ended early: {shown(one.why)}"
    elif not one.has_ended:
        yield f"<b>{shown(one.arm)}</b> has not ended; these are its results so far."
    if one.lost:
        yield f"<b>{shown(one.arm)}</b>: {one.lost:,} deltas were lost."
    if one.parts > one.of:
        share = f"{one.right_parts:,} of {one.parts:,} parts of answers are right ({one.right_parts / one.parts:.1%})"
        yield f"<b>{shown(one.arm)}</b>: {share}."
    if one.dropped:
        yield f"<b>{shown(one.arm)}</b>: {_many(one.dropped, 'question')} did not fit into the window, the oldest first."


def differences(run: LabRun, comparisons: Sequence[Comparison]) -> str:
    """What memory gains, and how far arms are apart where none is without memory, as tables with what each row shows."""
    without = {arm.title for arm in run.description.arms if arm.kind == "none"}
    gains = [one for one in comparisons if one.other in without]
    rest = [one for one in comparisons if one.other not in without]
    found = f"<h2>Gain</h2><p>{_GAIN}</p>{_compared(gains)}" if gains else ""
    return found + (f"<h2>Differences</h2><p>{_FROM_FIRST}</p>{_compared(rest)}" if rest else "")


def _compared(comparisons: Sequence[Comparison]) -> str:
    told = "".join(f"<li><b>{shown(one.arm)}</b>: {one.outcome}</li>" for one in comparisons)
    rows = [(f"<b>{shown(one.arm)}</b>", _cells(one)) for one in comparisons]
    return f"{_table(_COMPARED_HEADS, rows)}<ul>{told}</ul>"


def _cells(one: Comparison) -> tuple[str, ...]:
    if one.interval is None or one.p is None or one.corrected_p is None:
        return (shown(one.other), *["–"] * (len(_COMPARED_HEADS) - 3), "0")
    low, high = (f"{100 * bound:+.1f}" for bound in one.interval)
    of, other = (f"{(one.both + only) / one.pairs:.1%}" for only in (one.only_arm, one.only_other))
    points = f"<b>{100 * one.difference:+.1f}</b>"
    alone = f"{one.only_arm:,}", f"{one.only_other:,}"
    return (
        shown(one.other),
        of,
        other,
        points,
        f"{low} to {high}",
        _p(one.p),
        _p(one.corrected_p),
        *alone,
        f"{one.questions:,}",
    )


def _p(value: float) -> str:
    return f"&lt;&nbsp;{_SMALLEST_P}" if value < _SMALLEST_P else f"{value:.3f}"


def by_label(run: LabRun, summaries: Sequence[ArmSummary]) -> str:
    """The accuracy of the arms by each label of the data, a table for each label and split."""
    counts, tables = {one.arm: run.by_label(one.arm) for one in summaries}, list[str]()
    for split in dict.fromkeys(one.split for one in summaries):
        arms = [one.arm for one in summaries if one.split == split]
        for label in dict.fromkeys(one.label for arm in arms for one in counts[arm]):
            cells = {(arm, one.value): _share(one) for arm in arms for one in counts[arm] if one.label == label}
            values = list(dict.fromkeys(value for _, value in cells))
            rows = [(shown(value), [cells.get((arm, value), "–") for arm in arms]) for value in values[:MOST_VALUES]]
            more = f"<p>The first {MOST_VALUES} of {len(values):,} values.</p>" if len(values) > MOST_VALUES else ""
            name = shown(label[:_LONGEST])
            head = f"<summary>By <b>{name}</b>, on the split {shown(split)}</summary>"
            tables.append(f"<details>{head}{_table((name, *map(shown, arms)), rows, 'arms narrow')}{more}</details>")
    return "".join(tables)


def _share(one: LabelCount) -> str:
    low, high = wilson(one.right / one.of * one.questions, one.questions)
    return f"<b>{one.right:,} of {one.of:,}</b> ({low:.0%} to {high:.0%})"


def _table(heads: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], kind: str = "arms") -> str:
    """A table; on a narrow page each cell has its head beside it."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "".join(f'<tr><th scope="row">{name}</th>{_named(heads, cells)}</tr>' for name, cells in rows)
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _named(heads: Sequence[str], cells: Sequence[str]) -> str:
    pairs = zip(heads[1:], cells, strict=True)
    return "".join(f'<td data-label="{head}"><span>{cell}</span></td>' for head, cell in pairs)


def limits(run: LabRun, summaries: Sequence[ArmSummary], comparisons: Sequence[Comparison]) -> str:
    """What cannot be concluded from a run, as a list."""
    told = "".join(f"<li>{one}</li>" for one in _limits(run, summaries, comparisons))
    return f"<ul>{told}</ul>" if told else ""


def _limits(run: LabRun, summaries: Sequence[ArmSummary], comparisons: Sequence[Comparison]) -> Iterator[str]:
    if note := simulation_note(run):
        yield note
    if run.description.repeats > 1:
        yield "The repeats are answers to the same questions in one order: they say how much answers vary, and no more."
    elif len(run.description.seeds) == 1:
        yield "The questions were asked in one order, so how much the order matters is not known."
    else:
        yield "The seeds are orders of the same questions: they say how much the order matters, and no more."
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
