"""The house rule behind the way in which right answers are written.

One answer shows no rule: another one of its kind must have been written the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from agents.models.simulated.reading.expression import Expression
from agents.pipelines.ace.simulation.bullets import Example, Line, best_first
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.expressions.operands import is_ratio
from agents.pipelines.ace.simulation.feedback import target_of
from agents.pipelines.ace.simulation.lessons.house_rules import (
    COUNTS,
    KINDS,
    PERCENTAGES,
    Form,
    Rule,
    form_of,
    kind_of,
    widened,
    written,
)
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.search.examples import PLAIN_FORM, computed, example_of, is_same_question, is_whole
from agents.pipelines.ace.simulation.search.formula_search import guesses
from agents.pipelines.ace.simulation.sentences.english import key_of
from agents.pipelines.ace.simulation.solver import rule_for


class Lesson(NamedTuple):
    """A house rule to learn; it `goes_on` where it says more than the one that there was, and takes nothing of it back."""

    rule: Rule
    goes_on: bool


def rule_to_learn(
    value: Amount, expression: Expression, reading: Reading, told: str, lines: Sequence[Line]
) -> Lesson | None:
    """The rule by which a result would have been written as the right answer is.

    Args:
        value: The result.
        expression: The formula that gave it.
        reading: The question.
        told: The right answer.
        lines: The playbook's bullets.

    Returns:
        None if the rules that there are write it so, if no rule could, or if no other answer was written so yet.
    """
    text, truth = told.strip().rstrip("."), amount_of(told)
    there = rule_for(value, expression, reading, lines)
    rule = there[1] if there else None
    if written(value, rule.form if rule else PLAIN_FORM) == text or truth is None:
        return None
    if rule is not None and (wider := widened(rule.form, value, text)):
        return Lesson(replace(rule, form=wider), goes_on=True)
    form = form_of(truth)
    if form is None or written(value, form) != text:
        return None
    kind = kind_of(value.symbol, is_ratio=is_ratio(expression), counts=reading.counts)
    is_exception = form.sign == "%" and kind != PERCENTAGES
    if there is not None and rule is not None:
        held_elsewhere = rule.subject in KINDS and there[0].helpful > there[0].harmful
        is_exception = is_exception or held_elsewhere
        kind = rule.subject
    subject = reading.asked if is_exception else kind
    mine = example_of(reading, target_of(truth, reading.symbol))
    seen = [(other, rounds) for other, rounds in _forms_seen(subject, lines, mine) if _go_together(form, other)]
    if not seen:
        return None
    separators = next((one.separators for one in (form, *(other for other, _ in seen)) if one.separators is not None), None)
    # 25 % and 40 % do not show how 5.5 % is written
    shows_decimals = form.sign != "%" or form.decimals or not is_whole(value) or any(rounds for _, rounds in seen)
    form = replace(form, separators=separators, decimals=form.decimals if shows_decimals else None)
    return Lesson(Rule(subject, form), goes_on=False)


def _forms_seen(subject: str, lines: Sequence[Line], example: Example) -> Iterator[tuple[Form, bool]]:
    """How answers of a kind, or for a name, were written that bullets remember, and whether they are no whole numbers."""
    for _, formula in guesses(best_first(lines)):
        for other in formula.examples:
            result = amount_of(other.result)
            is_named = key_of(formula.name) == key_of(subject)
            if result is None or is_same_question(other, example):
                continue
            kinds = {
                kind_of(result.symbol, is_ratio=is_ratio(formula.expression), counts=counts) for counts in (False, True)
            }
            if (is_named or subject in kinds or (subject == COUNTS and not result.symbol)) and (form := form_of(result)):
                value = computed(formula, other)
                yield form, value is not None and not is_whole(value)


def _go_together(one: Form, other: Form) -> bool:
    """Whether two answers may have been written by one rule; a short number does not show how thousands are set apart."""
    if one.separators is None or other.separators is None:
        return replace(one, separators=None) == replace(other, separators=None)
    return one == other
