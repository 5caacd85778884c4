"""The demo *world*: a rule changes, and a bullet becomes wrong. One update heals it; who may only add never recovers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.lab import open_data
from ui.demo.lab import curves
from ui.demo.lab.curves import QUESTIONS, SEED, place_of, results_of, right_of
from ui.demo.lab.demo import NOTHING, LabDemo
from ui.demo.stage.bullet_text import short
from ui.demo.stage.picture import Chart, Column, Mark, Picture, Row, Strip, line, shares

if TYPE_CHECKING:
    from agents.ace import Playbook
    from agents.lab import LabRun, Result

CORRECTS, ADDS = "may correct", "only adds"
RECENT = 4
"""Answers of a share: only each fourth question is about the rule."""


class Update(NamedTuple):
    """The change of the bullet that had become wrong.

    Attributes:
        first: The first answer that the change made wrong.
        playbook: The playbook that it was given with.
        bullet_id: The bullet.
        before: Its text before.
        after: Its text after.
        question: Number of the question that taught it, from 1.
        by: Who wrote it.
    """

    first: Result
    playbook: Playbook
    bullet_id: str
    before: str
    after: str
    question: int
    by: str


def change_at(run: LabRun) -> int:
    """The number of questions before the change."""
    data = run.description.data
    assert isinstance(data, dict)
    return int(data["change_at"])


def update_of(run: LabRun) -> Update | None:
    """The update; None if there was none."""
    results = results_of(run, CORRECTS)
    first = next((one for one in _about_rule(results) if one.number >= change_at(run) and not one.is_right), None)
    if first is None:
        return None
    store = run.playbook(CORRECTS, SEED)
    for record in reversed(store.history()):
        for change in record.applied:
            if record.revision > first.before and change["type"] == "UPDATE" and change["bullet_id"] in first.cited:
                taught = next(one.number + 1 for one in results if one.before < record.revision <= one.revision)
                texts = str(change["before"]), str(change["content"])
                return Update(first, store.at(first.before), change["bullet_id"], *texts, taught, record.by)
    return None


def _begin(run: LabRun) -> Picture:
    return Picture(
        say=f"After question {change_at(run)} a definition is another one.",
        more=f"{_change(run)}. No question says so: only the right answers do.",
        charts=[_chart(run)],
    )


def _stale(run: LabRun) -> Picture:
    if (update := update_of(run)) is None:
        return Picture(say=NOTHING)
    first = update.first
    rows = [
        Row("stale", "✗ stale", short(bullet.content))
        if bullet.id == update.bullet_id
        else Row("kept", "✓", short(bullet.content))
        for bullet in update.playbook.bullets
    ]
    return Picture(
        say=f"✗ Question {first.number + 1}: the answer is {first.answer}. Right is {first.truth}.",
        more=first.question,
        columns=[Column("The playbook at that question", rows)],
    )


def _update(run: LabRun) -> Picture:
    if (update := update_of(run)) is None:
        return Picture(say=NOTHING)
    return Picture(
        say=f"One UPDATE by the {update.by}, after question {update.question}.",
        more="The other bullets stay as they are.",
        columns=[
            Column("Before", [Row("stale", update.bullet_id, update.before)]),
            Column("After", [Row("kept", update.bullet_id, update.after)]),
        ],
    )


def _recovery(run: LabRun) -> Picture:
    if (update := update_of(run)) is None:
        return Picture(say=NOTHING)
    corrected, added = (_after(run, arm) for arm in (CORRECTS, ADDS))
    back = next((one.number + 1 for one in corrected if one.number >= update.question and one.is_right), None)
    again = f"Right again at question {back}" if back else "Never right again"
    return Picture(
        say=f"{again}: {right_of(corrected)} after the change. Only adding: {right_of(added)}.",
        more="The questions about the rule that changes, before the gap and after it.",
        strips=[_strip(run, arm) for arm in (CORRECTS, ADDS)],
        charts=[_chart(run)],
    )


def _end(run: LabRun) -> Picture:
    first, second = run.summary(CORRECTS), run.summary(ADDS)
    return Picture(
        say=f"{first.right} of {first.of} right where bullets may be corrected, {second.right} of {second.of} where not.",
        more=f"The arm that only adds goes wrong at one rule alone: {_change(run).lower()}.",
        charts=[curves.recent(run, marks=[_mark(run)])],
    )


def _change(run: LabRun) -> str:
    """The change in a sentence, as the data set says it."""
    data: Any = run.description.data
    return open_data(data).about.split(". ")[1]


def _about_rule(results: Sequence[Result]) -> list[Result]:
    return [one for one in results if one.labels["changes"]]


def _after(run: LabRun, arm: str) -> list[Result]:
    """The answers about the rule after it was changed."""
    return [one for one in _about_rule(results_of(run, arm)) if one.number >= change_at(run)]


def _mark(run: LabRun) -> Mark:
    return Mark(change_at(run), "the rule changes")


def _chart(run: LabRun) -> Chart:
    lines = [
        line(place_of(run, arm), f"right since then, {arm}", right_of(_after(run, arm)), points)
        for arm in (CORRECTS, ADDS)
        for points in [_points(_about_rule(results_of(run, arm)))]
    ]
    title = f"Right of the last {RECENT} answers about that rule"
    return shares(title, lines, across=curves.questions(run), axis=QUESTIONS, marks=[_mark(run)])


def _points(results: Sequence[Result]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for end, result in enumerate(results, start=1):
        latest = results[max(0, end - RECENT) : end]
        found.append((result.number + 1, sum(one.is_right for one in latest) / len(latest)))
    return found


def _strip(run: LabRun, arm: str) -> Strip:
    results = _about_rule(results_of(run, arm))
    before = [one for one in results if one.number < change_at(run)]
    return curves.answers(run, arm, before, results[len(before) :])


def figures(run: LabRun) -> list[str]:
    """The figures for a terminal."""
    rows = [
        f"{one.arm}: {one.right} of {one.of} right; about the rule, after it changed: {right_of(_after(run, one.arm))}"
        for one in run.summaries()
    ]
    if (update := update_of(run)) is None:
        return [*rows, NOTHING]
    return [
        f"the rule changes after question {change_at(run)}: {_change(run)}",
        f"the first wrong answer: question {update.first.number + 1}; one UPDATE after question {update.question}",
        f"before: {short(update.before)}",
        f"after: {short(update.after)}",
        *rows,
    ]


DEMO = LabDemo(
    name="world",
    pictures=(_begin, _stale, _update, _recovery, _end),
    figures=figures,
)
