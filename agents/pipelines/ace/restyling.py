"""The house rule behind the way in which a right answer is written. Knows no formula but the one that gave the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from agents.pipelines.ace.amounts import amount_of
from agents.pipelines.ace.arithmetic import Expression
from agents.pipelines.ace.binding import Value, is_ratio
from agents.pipelines.ace.reading import Reading
from agents.pipelines.ace.rules import KINDS, PERCENTAGES, Rule, form_of, kind_of, widened, written
from agents.pipelines.ace.solving import PLAIN_FORM, Known, rule_for


class Lesson(NamedTuple):
    """A house rule to learn; it `goes_on` where it says more than the one that there was, and takes nothing of it back."""

    rule: Rule
    goes_on: bool


def rule_to_learn(
    value: Value, expression: Expression, reading: Reading, told: str, known: Sequence[Known]
) -> Lesson | None:
    """The rule by which a result would have been written as the right answer is.

    Args:
        value: The result.
        expression: The formula that gave it.
        reading: The question.
        told: The right answer.
        known: The playbook's bullets, the best first.

    Returns:
        None if the rules that there are write it so, or no rule could.
    """
    text, truth = told.strip().rstrip("."), amount_of(told)
    there = rule_for(value, expression, reading, known)
    rule = there.says if there is not None and isinstance(there.says, Rule) else None
    if written(value.number, value.symbol, rule.form if rule else PLAIN_FORM) == text or truth is None:
        return None
    if rule is not None and (wider := widened(rule.form, value.number, value.symbol, text)):
        return Lesson(replace(rule, form=wider), goes_on=True)
    form = form_of(truth)
    if form is None or written(value.number, value.symbol, form) != text:
        return None
    kind = kind_of(value.symbol, is_ratio=is_ratio(expression), counts=reading.counts)
    is_exception = form.sign == "%" and kind != PERCENTAGES
    if there is not None and rule is not None:
        held_elsewhere = rule.subject in KINDS and there.line.helpful > there.line.harmful
        is_exception = is_exception or held_elsewhere
        kind = rule.subject
    return Lesson(Rule(reading.asked if is_exception else kind, form), goes_on=False)
