"""What is known of an answer: reads feedback, and compares an answer with the right one. Knows no playbook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from agents.pipelines.ace.amounts import DATE_SYMBOL, Amount, amount_of

_TRUTH = re.compile(r"The right answer is:\s*(.+)", re.DOTALL)
_PERSON = re.compile(r"A person says the answer is (right|wrong)\.(?:\s*They say:\s*(.+))?", re.DOTALL)
_OUTCOME = re.compile(r"Execution feedback:\s*(.+)", re.DOTALL)
_SHOULD = re.compile(r"\b(?:expected|should (?:be|have been)|right answer is|correct answer is)\b:?\s*(.+)", re.IGNORECASE)
_BAD = re.compile(r"\b(?:wrong|incorrect|fail\w*|error\w*|exit code [1-9]\d*|not (?:right|correct|ok))\b", re.IGNORECASE)
_GOOD = re.compile(r"\b(?:right|correct|pass\w*|success\w*|ok|exit code 0)\b", re.IGNORECASE)
_NEAR = Decimal("1e-9")

Likeness = Literal["same", "form", "other"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a reflector is told.

    Attributes:
        truth: The right answer; None if it is not told.
        is_right: Whether the answer is right; None if it is not told, or has to be found by comparing.
    """

    truth: str | None = None
    is_right: bool | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing at all is known."""
        return self.truth is None and self.is_right is None


def read_feedback(text: str) -> Feedback:
    """Reads the feedback of a reflector's prompt."""
    text = text.strip()
    if found := _TRUTH.match(text):
        return Feedback(truth=found[1].strip())
    if found := _PERSON.match(text):
        comment = (found[2] or "").strip()
        if found[1] == "right":
            return Feedback(is_right=True)
        return Feedback(truth=_said(comment), is_right=False)
    if found := _OUTCOME.match(text):
        outcome = found[1].strip()
        should = _SHOULD.search(outcome)
        if should and amount_of(should[1]):
            return Feedback(truth=should[1].strip())
        return Feedback(is_right=False if _BAD.search(outcome) else True if _GOOD.search(outcome) else None)
    return Feedback()


def compare(answer: str, truth: str) -> Likeness:
    """Whether an answer is the right one: "same", the right number written in another "form", or an "other" one.

    A number is the right one if it is what the right answer was rounded from. Percent may lack their sign: 12.5 and 0.125
    are both 12.5 % in another form.
    """
    if _plain(answer) == _plain(truth):
        return "same"
    given, right = amount_of(answer), amount_of(truth)
    if given is None or right is None:
        return "other"
    return "form" if any(is_near(value, right) for value in _values(given, right)) else "other"


def is_near(value: Decimal, right: Amount) -> bool:
    """Whether a right answer may have been rounded from a value."""
    return abs(value - right.value) <= right.slack * (1 + _NEAR) + abs(right.value) * _NEAR


def target_of(truth: Amount, symbol_asked: str) -> Amount:
    """A right answer as what is asked for: "25" to a question for percent is 25 %."""
    if symbol_asked == "%" and truth.symbol == "":
        return Amount(truth.value / 100, "%", truth.text)
    return truth


def _values(given: Amount, right: Amount) -> list[Decimal]:
    if DATE_SYMBOL in (given.symbol, right.symbol):
        return [given.value] if given.symbol == right.symbol else []
    if (given.symbol == "%") == (right.symbol == "%"):
        return [given.value]
    return [given.value, given.value / 100] if right.symbol == "%" else [given.value, given.value * 100]


def _said(comment: str) -> str | None:
    """The right answer in a person's words: after "it should be", else all that they say."""
    should = _SHOULD.search(comment)
    return (should[1].strip() if should else comment) or None


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()
