"""Formulas that may be behind a right answer: what a search comes to, held against the examples that bullets remember."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agents.pipelines.ace.amounts import Amount, amount_of
from agents.pipelines.ace.arithmetic import Expression, write
from agents.pipelines.ace.binding import Value, bind, value_of
from agents.pipelines.ace.bullets import Example, Formula, Line, example_result, example_value, understand
from agents.pipelines.ace.english import key_of
from agents.pipelines.ace.reading import Reading
from agents.pipelines.ace.search import MOST_QUANTITIES, Depth, Found, Given, Target, search
from agents.pipelines.ace.solving import quantities_of
from agents.pipelines.ace.units import Unit, unit_of_symbol
from agents.pipelines.ace.verdicts import is_near


class Candidate(NamedTuple):
    """A formula that may be the right one.

    Attributes:
        expression: It.
        value: What it comes to for the question.
        is_strong: Whether it uses all that the question gives, and its unit is not wrong.
        examples: What bullets of the same name remember and what it agrees with.
        disagrees: Whether it does not agree with some of what they remember.
    """

    expression: Expression
    value: Value
    is_strong: bool
    examples: tuple[Example, ...]
    disagrees: bool

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return write(self.expression)


def candidates_for(reading: Reading, target: Amount, lines: Sequence[Line], depth: Depth) -> list[Candidate]:
    """Formulas that lead from a question to its right answer, the most likely first.

    Those that agree with all examples that bullets of the same name remember; if there is none, those that do not.

    Args:
        reading: The question.
        target: The right answer.
        lines: The playbook's bullets.
        depth: How far to look.
    """
    remembered = _remembered(reading.asked, lines)
    given = quantities_of(reading)
    if target.symbol == "%" or any(value.symbol == "%" for value in given.values()):
        # with percent, 100 is not a number but the way to write them
        depth = depth._replace(constants=tuple(one for one in depth.constants if one[0] != "100"))

    def look(fits: Sequence[Example]) -> list[Found]:
        goal = Target(float(target.value), float(target.slack), _unit_wanted(target, reading))
        parts = [Given(name, float(value.number), unit_of_symbol(value.symbol)) for name, value in given.items()]
        return search(parts, goal, depth, lambda expression: all(agrees(expression, one) for one in fits))

    found = look(remembered)
    if not found and remembered:
        found = look(())
    return [one for one in (_candidate(found_one, reading, remembered, target) for found_one in found) if one is not None]


def agrees(expression: Expression, example: Example) -> bool:
    """Whether an expression gives what an example says; one about other names is no objection."""
    result = amount_of(example.result)
    given = {name: Value(amount.value, amount.symbol) for name, text in example.values if (amount := amount_of(text))}
    bound = bind(expression, given) if result is not None else None
    if bound is None or result is None:
        return True
    try:
        value = value_of(bound, result.symbol if result.symbol == "%" else "")
    except ArithmeticError:
        return False
    return is_near(value.number, result)


def example_of(reading: Reading, target: Amount) -> Example:
    """A question and its right answer, as a formula's bullet remembers them."""
    given = reading.quantities[:MOST_QUANTITIES]
    values = tuple((one.name, example_value(one.amount.value, one.amount.symbol)) for one in given)
    return Example(values, example_result(target))


def _remembered(asked: str, lines: Sequence[Line]) -> list[Example]:
    formulas = [says for line in lines if isinstance(says := understand(line.content), Formula)]
    same = [formula for formula in formulas if key_of(formula.name) == key_of(asked)]
    return list(dict.fromkeys(example for formula in same for example in formula.examples))


def _unit_wanted(target: Amount, reading: Reading) -> Unit | None:
    symbol = target.symbol or reading.symbol
    return unit_of_symbol(symbol) if symbol else None


def _candidate(found: Found, reading: Reading, remembered: Sequence[Example], target: Amount) -> Candidate | None:
    """A finding, worked out exactly; None if that shows that it was only nearly right."""
    bound = bind(found.expression, quantities_of(reading))
    if bound is None:
        return None
    try:
        value = value_of(bound, reading.symbol)
    except ArithmeticError:
        return None
    if not is_near(value.number, target):
        return None
    examples = tuple(one for one in remembered if agrees(found.expression, one))
    return Candidate(found.expression, value, found.is_strong, examples, len(examples) < len(remembered))
