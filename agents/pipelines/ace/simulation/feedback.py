"""Reads feedback on an answer, and compares an answer with the right one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from agents.ace.roles.judgement import outcome_verdict
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of, amounts_in
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL
from agents.pipelines.ace.simulation.lessons.similarity import is_same_answer

_TRUTH = re.compile(r"The right answer is:\s*(.+)", re.DOTALL)
_PERSON = re.compile(r"A person says the answer is (right|wrong)\.(?:\s*They say:\s*(.+))?", re.DOTALL)
_OUTCOME = "Execution feedback:"
_SHOULD = re.compile(r"\b(?:expected|should (?:be|have been)|right answer is|correct answer is)\b:?", re.IGNORECASE)
_NEAR = Fraction("1e-9")
_MOST_LOOKED_AT = 200

Likeness = Literal["same", "form", "other"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """Parsed feedback.

    Attributes:
        truth: The right answer, or None.
        is_right: Whether the answer is right; None if unknown, or to be found by comparison.
    """

    truth: str | None = None
    is_right: bool | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether there is no feedback."""
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
    if text.startswith(_OUTCOME):
        return _of_outcome(text.removeprefix(_OUTCOME).strip())
    return Feedback()


def _of_outcome(outcome: str) -> Feedback:
    """The verdict of an exit code, a test's report or a tool's answer; a code counts before words."""
    is_right = outcome_verdict(outcome)
    if is_right:
        return Feedback(is_right=True)
    expected = _expected(outcome)
    return Feedback(truth=expected) if expected else Feedback(is_right=is_right)


def _expected(text: str) -> str | None:
    """The amount after "expected" or "should be", as it is written, or None."""
    for found in _SHOULD.finditer(text):
        said = text[found.end() :].partition("\n")[0]
        first = next(iter(amounts_in(said[:_MOST_LOOKED_AT])), None)
        if first is not None and not said[: first.start].strip(" :='\"`“(<"):
            return first.text
    return None


def compare(answer: str, truth: str) -> Likeness:
    """Compares answers: "same", the right number in another "form", or an "other" answer.

    A number is the right one if it is what the right answer was rounded from. Percent may lack their sign: 12.5 and 0.125
    are both 12.5 % in another form.
    """
    if is_same_answer(answer, truth):
        return "same"
    given, right = amount_of(answer), amount_of(truth)
    if given is None or right is None:
        return "other"
    return "form" if any(is_near(value, right) for value in _values(given, right)) else "other"


def is_near(value: Fraction, right: Amount) -> bool:
    """Whether a right answer may have been rounded from a value."""
    return abs(value - right.value) <= right.slack * (1 + _NEAR) + abs(right.value) * _NEAR


def target_of(truth: Amount, symbol_asked: str) -> Amount:
    """A right answer in the unit asked for: "25" to a question for percent is 25 %."""
    if symbol_asked == "%" and truth.symbol == "":
        return Amount(truth.value / 100, "%", truth.text)
    return truth


def _values(given: Amount, right: Amount) -> list[Fraction]:
    if DATE_SYMBOL in (given.symbol, right.symbol):
        return [given.value] if given.symbol == right.symbol else []
    if (given.symbol == "%") == (right.symbol == "%"):
        return [given.value]
    return [given.value, given.value / 100] if right.symbol == "%" else [given.value, given.value * 100]


def _said(comment: str) -> str | None:
    """The right answer in the user's words: after "it should be", else the whole comment."""
    should = _SHOULD.search(comment)
    return (comment[should.end() :].strip() if should else comment) or None
