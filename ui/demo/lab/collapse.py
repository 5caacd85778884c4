"""The demo *collapse*: a text that is rewritten as a whole loses what single changes keep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agents.lab import REWRITING_RULE
from ui.demo.lab import curves
from ui.demo.lab.curves import SEED, results_of, right_of
from ui.demo.lab.demo import NOTHING, LabDemo
from ui.demo.stage.bullet_text import name_of, short
from ui.demo.stage.picture import Column, Mark, Picture, Row

if TYPE_CHECKING:
    from agents.lab import LabRun, Result

SINGLE, REWRITTEN = "single changes", "rewritten text"
AROUND = 10
"""Answers before the fall and after it."""


class Fall(NamedTuple):
    """The rewrite that made the text lose most tokens.

    Attributes:
        question: Number of the question after which it was made, from 1.
        tokens: Tokens of the text before and after.
        others: Tokens of the other arm's playbook before and after that question.
        before: Lines of the text before.
        after: Lines of the text after.
    """

    question: int
    tokens: tuple[int, int]
    others: tuple[int, int]
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def lost(self) -> list[str]:
        """Lines that are not in the text after it."""
        return [one for one in self.before if one not in self.after]


def fall_of(run: LabRun) -> Fall | None:
    """The fall; None if the text never lost a token."""
    results = results_of(run, REWRITTEN)
    steps = [(then.playbook_tokens - now.playbook_tokens, now) for then, now in pairwise(results)]
    lost, at = max(steps, key=lambda step: step[0], default=(0, None))
    if at is None or lost <= 0:
        return None
    store, other = run.playbook(REWRITTEN, SEED), run.playbook(SINGLE, SEED)
    grown = results_of(run, SINGLE)[at.number]
    before, after = store.at(at.before), store.at(at.revision)
    return Fall(
        at.number + 1,
        (before.tokens, after.tokens),
        (other.at(grown.before).tokens, other.at(grown.revision).tokens),
        tuple(bullet.content for bullet in before.bullets),
        tuple(bullet.content for bullet in after.bullets),
    )


def _begin(run: LabRun) -> Picture:
    say = "Single changes, or the whole text anew?"
    return Picture(say=say, more=REWRITING_RULE, charts=[curves.recent(run), curves.tokens(run)])


def _fall(run: LabRun) -> Picture:
    if (fall := fall_of(run)) is None:
        return Picture(say=NOTHING)
    marks = [Mark(fall.question, f"question {fall.question}")]
    then, now = fall.tokens
    return Picture(
        say=f"Question {fall.question}: one rewrite, {then:,} → {now:,} tokens.",
        more=f"With single changes: {fall.others[0]:,} → {fall.others[1]:,} tokens at the same question.",
        charts=[curves.tokens(run, marks=marks), curves.recent(run, marks=marks)],
    )


def _texts(run: LabRun) -> Picture:
    if (fall := fall_of(run)) is None:
        return Picture(say=NOTHING)
    kept = set(fall.after)
    before = [Row("kept" if text in kept else "lost", "✓" if text in kept else "✗", name_of(text)) for text in fall.before]
    known = set(fall.before)
    after = [Row("kept" if text in known else "new", "" if text in known else "new", short(text)) for text in fall.after]
    return Picture(
        say=f"{len(fall.before)} lines before the rewrite, {len(fall.after)} after it: {len(fall.lost)} are gone.",
        columns=[Column(f"Before: {len(before)} lines", before, short=True), Column(f"After: {len(after)} lines", after)],
    )


def _cost(run: LabRun) -> Picture:
    if (fall := fall_of(run)) is None:
        return Picture(say=NOTHING)
    before, after = _around(results_of(run, REWRITTEN), fall)
    return Picture(
        say=f"The rewritten text: {right_of(before)} right before it, {right_of(after)} after it.",
        more=f"The next {len(after)} questions are those that follow the gap. Both arms get the same ones.",
        strips=[curves.answers(run, arm, *_around(results_of(run, arm), fall)) for arm in (SINGLE, REWRITTEN)],
        charts=[curves.recent(run, marks=[Mark(fall.question, f"question {fall.question}")])],
    )


def _end(run: LabRun) -> Picture:
    single, rewritten = run.summary(SINGLE), run.summary(REWRITTEN)
    return Picture(
        say=f"{single.right} of {single.of} right with single changes, {rewritten.right} of {rewritten.of} with rewriting.",
        more=f"Learned: {single.bullets:.0f} bullets with {single.playbook_tokens:,.0f} tokens, and a text of "
        f"{rewritten.playbook_tokens:,.0f} tokens. Model calls: {single.calls:,} and {rewritten.calls:,}.",
        charts=[curves.recent(run), curves.tokens(run)],
    )


def _around(results: Sequence[Result], fall: Fall) -> tuple[list[Result], list[Result]]:
    """The answers before the fall and those after it. The one at the fall was given before the text was rewritten."""
    at = fall.question
    return list(results[max(0, at - AROUND) : at]), list(results[at : at + AROUND])


def figures(run: LabRun) -> list[str]:
    """The figures for a terminal."""
    rows = [
        f"{one.arm}: {one.right} of {one.of} right, {one.playbook_tokens:,.0f} tokens at the end" for one in run.summaries()
    ]
    if (fall := fall_of(run)) is None:
        return [*rows, NOTHING]
    then, now = fall.tokens
    lines = f"{len(fall.before)} → {len(fall.after)} lines, {len(fall.lost)} gone"
    rows.append(f"the fall, after question {fall.question}: {then:,} → {now:,} tokens, {lines}")
    for arm in (REWRITTEN, SINGLE):
        before, after = _around(results_of(run, arm), fall)
        rows.append(f"right around it, {arm}: {right_of(before)} before, {right_of(after)} after")
    return rows


DEMO = LabDemo(
    name="collapse",
    pictures=(_begin, _fall, _texts, _cost, _end),
    figures=figures,
)
