"""Judged answers in signs and words, and the share of right ones from question to question."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from agents.lab import wilson

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer

RECENT = 10
"""Answers of the share of the latest ones."""
SIGNS = {True: "✓", False: "✗", None: "○"}
VERDICTS = {True: "right", False: "wrong", None: "unchecked"}
COLOURS = {True: "green", False: "red", None: "gray"}
FEEDBACK = {
    "ground truth": "the answer in the message",
    "person": "a thumb",
    "execution": "a reported outcome",
    "nothing": "no feedback",
}
"""What an answer was judged by, in words."""


def verdict(right: bool | None) -> str:
    """A verdict as sign and word, e.g. "✓ right"."""
    return f"{SIGNS[right]} {VERDICTS[right]}"


def coloured(right: bool | None) -> str:
    """A verdict in its colour, as Markdown."""
    return f":{COLOURS[right]}[{verdict(right)}]"


class Point(NamedTuple):
    """One question of the chart.

    Attributes:
        number: Its number, from 1, in the order in which answers were judged.
        answer: The judged answer.
        share: Share of right answers among all judged up to here; None before the first.
        latest: The same among the last `RECENT` judged.
        low: The lower end of the share's Wilson interval.
        high: The upper end.
    """

    number: int
    answer: JudgedAnswer
    share: float | None
    latest: float | None
    low: float | None = None
    high: float | None = None


def points(answers: Sequence[JudgedAnswer]) -> list[Point]:
    """A point for each answer. Answers that nothing judged leave the shares as they are."""
    found: list[Point] = []
    right = judged = 0
    latest: deque[bool] = deque(maxlen=RECENT)
    for number, answer in enumerate(answers, start=1):
        if answer.right is not None:
            right, judged = right + answer.right, judged + 1
            latest.append(answer.right)
        if judged:
            found.append(Point(number, answer, right / judged, sum(latest) / len(latest), *wilson(right, judged)))
        else:
            found.append(Point(number, answer, None, None))
    return found
