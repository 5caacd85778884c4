"""The formula behind a right answer: a search over expressions, checked against the examples in bullets.

An expression must use every quantity that the question names. Its constants come from the question or from a bullet;
others need a second example. If several expressions of the same size fit, none is learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from agents.pipelines.ace.simulation.bullets import Example, Formula, Line, saying
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amounts_in
from agents.pipelines.ace.simulation.expressions.expression import Expression, Number, Operation, parts_of, plain, write
from agents.pipelines.ace.simulation.expressions.operands import bind, value_if_any
from agents.pipelines.ace.simulation.expressions.units import unit_of_symbol
from agents.pipelines.ace.simulation.feedback import is_near
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.search.examples import agrees, example_of, examples_for, is_same_question
from agents.pipelines.ace.simulation.search.expression_search import MOST_QUANTITIES, Depth, Given, Target, search
from agents.pipelines.ace.simulation.sentences.english import key_of, table_of

MOST_OPERATIONS_FROM_TWO = 3
"""Operations of an expression with a constant of its own that two examples are enough for."""
MOST_SLACK = Decimal("0.02")
"""Most rounding of a right answer, as part of it: a coarser one fits too many expressions."""

_CONSTANTS = table_of("constants")


class Candidate(NamedTuple):
    """A possible formula: its result, the examples that agree with it, and whether any disagrees."""

    expression: Expression
    result: Amount
    examples: tuple[Example, ...]
    disagrees: bool

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return write(self.expression)


class Findings(NamedTuple):
    """The smallest expressions that fit, the examples of other questions, and whether a further example must decide."""

    candidates: list[Candidate]
    examples: list[Example]
    is_open: bool = False

    @property
    def formula(self) -> Candidate | None:
        """The formula, if it is certain."""
        return self.candidates[0] if self.candidates and not self.is_open else None


def find_formula(question: str, reading: Reading, target: Amount, lines: Sequence[Line], depth: Depth) -> Findings:
    """Looks for the formula that leads from a question to its right answer.

    Args:
        question: The question's text, for its constants.
        reading: The question.
        target: The right answer.
        lines: The playbook's bullets.
        depth: How far to look.
    """
    mine = example_of(reading, target)
    others = [one for one in examples_for(reading.asked, lines) if not is_same_question(one, mine)]
    if not reading.is_named or len(reading.quantities) > MOST_QUANTITIES:
        return Findings([], others)
    own = _given_constants(question, reading, lines)
    strict = Depth(max(depth.operations, len(reading.quantities)), own)
    look = _Look(reading, target, others)
    for fits in (others, []) if others else ([],):
        if found := look.smallest(strict, fits):
            is_open = len(found) > 1 or not (fits or look.is_telling(found))
            return Findings(found, others, is_open)
    for fits in _most_of(others):
        operations = depth.operations if len(fits) > 1 else min(depth.operations, MOST_OPERATIONS_FROM_TWO)
        if found := look.smallest(depth._replace(operations=operations), fits):
            return Findings(found, others, is_open=len(found) > 1)
    few = depth._replace(operations=min(depth.operations, MOST_OPERATIONS_FROM_TWO))
    return Findings([], others, is_open=look.is_telling(look.smallest(few, [])))


class _Look:
    """Searches for one question."""

    def __init__(self, reading: Reading, target: Amount, remembered: Sequence[Example]) -> None:
        self._reading, self._target, self._remembered = reading, target, remembered
        self._given = reading.given

    def smallest(self, depth: Depth, fits: Sequence[Example]) -> list[Candidate]:
        """The expressions with the fewest operations that use every quantity, and agree with all of `fits`."""
        target = self._target
        if target.symbol == "%" or any(value.symbol == "%" for value in self._given.values()):
            # with percent, 100 is not a number but the way to write them
            depth = depth._replace(constants=tuple(one for one in depth.constants if one[0] != "100"))
        symbol = target.symbol or self._reading.symbol
        goal = Target(float(target.value), float(target.slack), unit_of_symbol(symbol) if symbol else None)
        parts = [Given(name, float(value.value), unit_of_symbol(value.symbol)) for name, value in self._given.items()]
        found = search(parts, goal, depth, lambda expression: all(agrees(expression, one) for one in fits))
        strong = [one for found_one in found if found_one.is_strong and (one := self._candidate(found_one.expression))]
        least = min((_size(one.expression) for one in strong), default=0)
        return [one for one in strong if _size(one.expression) == least]

    def is_telling(self, found: Sequence[Candidate]) -> bool:
        """Whether a fit is evidence: a coarsely rounded answer fits too many expressions."""
        target = self._target
        is_fine = target.slack <= abs(target.value) * MOST_SLACK
        return any(is_fine or one.result.value == target.value for one in found)

    def _candidate(self, expression: Expression) -> Candidate | None:
        """A finding with its exact result; None if that is not the right answer."""
        bound = bind(expression, self._given)
        result = value_if_any(bound, self._reading.symbol) if bound else None
        if result is None or not is_near(result.value, self._target):
            return None
        examples = tuple(one for one in self._remembered if agrees(expression, one))
        return Candidate(expression, result, examples, len(examples) < len(self._remembered))


def _size(expression: Expression) -> int:
    return sum(isinstance(part, Operation) for part in parts_of(expression))


def _most_of(examples: Sequence[Example]) -> Iterator[list[Example]]:
    """All examples; then all but one, as one may be false."""
    if examples:
        yield list(examples)
    if len(examples) > 1:
        for left_out in examples:
            yield [one for one in examples if one != left_out]


def _given_constants(question: str, reading: Reading, lines: Sequence[Line]) -> tuple[tuple[str, str], ...]:
    """Constants that the question or a bullet for the same gives, with the signs that they may stand beside."""
    quantities = {one.amount.start for one in reading.quantities}
    told = [plain(abs(one.value)) for one in amounts_in(question) if one.start not in quantities and not one.symbol]
    told += [_CONSTANTS[word] for word in question.casefold().split() if word in _CONSTANTS]
    same = [formula for _, formula in saying(Formula, lines) if key_of(formula.name) == key_of(reading.asked)]
    told += [plain(part.value) for one in same for part in parts_of(one.expression) if isinstance(part, Number)]
    if any(one.amount.symbol == "%" for one in reading.quantities):
        told.append("1")  # percent are parts of a whole
    known = [number for number in dict.fromkeys(told) if Decimal(number)]
    return tuple((number, "+-" if number == "1" else "*/^" if number in ("2", "3") else "*/") for number in known[:4])
