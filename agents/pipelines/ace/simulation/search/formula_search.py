"""The formula behind right answers: a search over expressions that must agree with the examples in bullets.

A formula uses every quantity that the question names, and no constants but those that the question gives and a few small
ones. It takes two examples: what one of them fits is a guess. If several expressions of the same size fit, none is learned.
An expression with a quantity twice, or with two constants, takes as many examples as rule out that it fits by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk
from agents.models.simulated.reading.expression import PI, Expression, Name, Number, Operation, parts_of, plain, typed
from agents.pipelines.ace.simulation.bullets import Example, Formula, Knowledge, Line, Open, saying
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of, amounts_in
from agents.pipelines.ace.simulation.expressions.operands import bind, value_if_any
from agents.pipelines.ace.simulation.feedback import is_near
from agents.pipelines.ace.simulation.reading.question import Quantity, Reading
from agents.pipelines.ace.simulation.search.examples import agrees, example_of, examples_for, given_in
from agents.pipelines.ace.simulation.search.expression_search import Constant, Given, Target, search
from agents.pipelines.ace.simulation.sentences.english import key_of, table_of, words_of

MOST_SLACK = Fraction("0.03")
MOST_SLACK_OF_MANY = Fraction("0.005")
"""Most rounding of a right answer, as part of it: a coarser one fits too many expressions, even more with constants."""

_SAID = table_of("constants")
_SMALL: tuple[Constant, ...] = (("1", "+-"), ("2", "*^"), ("0.5", "*"), ("100", "*/"))
"""Constants that nobody has to give."""
_MOST_GIVEN = 4
_MOST_TWICE, _MOST_TWICE_ALONE = 3, 2
"""Quantities, above which none is used twice: with other examples, and alone."""
_EXPRESSIONS = (1, 1, 10, 150, 4000)
"""How many expressions there are, about, by the number of quantities in them."""
_WITH_A_CONSTANT = 30
"""How many times as many there are with a constant, for each quantity."""
_EXACT = 0.02
"""How likely it is, at most, that a wrong expression comes to a right answer exactly."""
_MOST_CHANCE = 0.001


class Candidate(NamedTuple):
    """A possible formula, its result, and the examples that show it: with a constant that nobody gave, of two questions."""

    expression: Expression
    result: Amount
    examples: tuple[Example, ...]

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return typed(self.expression)


class Findings(NamedTuple):
    """The simplest expressions that fit, the examples of other questions, and whether a further example may decide."""

    candidates: list[Candidate]
    examples: list[Example]
    is_open: bool = False

    @property
    def formula(self) -> Candidate | None:
        """The formula, if a second example agrees with it and nothing as simple fits."""
        return self.candidates[0] if len(self.candidates) == 1 and self.candidates[0].examples else None


def find_formula(question: str, reading: Reading, target: Amount, lines: Sequence[Line]) -> Findings:
    """Looks for the formula that leads from a question to its right answer.

    Args:
        question: The question's text, for its constants.
        reading: The question.
        target: The right answer.
        lines: The playbook's bullets.
    """
    mine = example_of(reading, target)
    others = examples_for(reading.asked, mine, lines)
    if not reading.is_named:
        return Findings([], others)
    given = _given_constants(question, reading, lines)
    for fits in [*_most_of(others), []]:
        if found := _simplest(reading, target, given, fits):
            return Findings(_with_evidence(found, (*fits, mine), MOST_SLACK), fits, is_open=True)
    for fits in _most_of(others):
        if found := _simplest(reading, target, (*given, *_SMALL), fits):
            found = [one._replace(examples=(*fits, mine)) for one in found]
            return Findings(_with_evidence(found, (*fits, mine), MOST_SLACK_OF_MANY), fits, is_open=True)
    if others and (found := _larger(reading, target, (*given, *_SMALL), others)):
        examples = (*others, mine)
        shown = [
            one._replace(examples=() if _chance(one.expression, examples) > _MOST_CHANCE else examples) for one in found
        ]
        return Findings(shown, others, is_open=True)
    is_open = _is_telling(_simplest(reading, target, (*given, *_SMALL), []), target)
    if not is_open and (len(reading.quantities) == 1 or target.slack <= abs(target.value) * MOST_SLACK_OF_MANY):
        is_open = bool(_larger(reading, target, (*given, *_SMALL), []))
    return Findings([], others, is_open)


def _with_evidence(found: Sequence[Candidate], examples: Sequence[Example], most_slack: Fraction) -> list[Candidate]:
    """The candidates, without their examples where fewer than two results are exact enough to tell."""

    def is_shown(expression: Expression) -> bool:
        return sum(agrees(expression, one, most_slack=most_slack) for one in examples) > 1

    return [one if is_shown(one.expression) else one._replace(examples=()) for one in found]


def guess_from(says: Knowledge | None) -> Formula | None:
    """The formula in a bullet; of one that has examples only, the one expression that fits most, which is a guess."""
    return _guessed(says) if isinstance(says, Open) else says if isinstance(says, Formula) else None


def guesses(lines: Sequence[Line]) -> list[tuple[Line, Formula]]:
    """The formulas in bullets, guesses included, each with its bullet."""
    return [(line, formula) for line in lines if (formula := guess_from(line.says))]


@lru_cache(maxsize=1024)
def _guessed(says: Open) -> Formula | None:
    for some in [*_most_of(says.examples), says.examples[:1]]:
        if found := _that_fit(says.name, some):
            return Formula(says.name, found[0].expression, says.examples) if len(found) == 1 else None
    return None


def _that_fit(name: str, examples: Sequence[Example]) -> list[Candidate]:
    """The simplest expressions that fit examples; none where they are no evidence."""
    target = amount_of(examples[-1].result) if examples else None
    if target is None:
        return []
    quantities = tuple(Quantity(given, amount) for given, amount in given_in(examples[-1]).items())
    reading = Reading(quantities, name, target.symbol)
    given = _given_constants("", reading, ())
    found = _simplest(reading, target, given, examples[:-1])
    if not found and len(examples) > 1:
        found = _simplest(reading, target, (*given, *_SMALL), examples[:-1])
    return found if _is_telling(found, target) else []


def _larger(reading: Reading, target: Amount, constants: Sequence[Constant], fits: Sequence[Example]) -> list[Candidate]:
    """The simplest expressions with a quantity twice or two constants that agree with all of `fits`."""
    if len(reading.quantities) > (_MOST_TWICE if fits else _MOST_TWICE_ALONE):
        return []
    found = [one for twice in ("", *reading.given) for one in _simplest(reading, target, constants, fits, twice=twice)]
    size = min((_size(one.expression) for one in found), default=0)
    elsewhere = {
        name: one._replace(value=one.value * (place + 11) / 10) for place, (name, one) in enumerate(reading.given.items())
    }
    kept: dict[Amount | None, Candidate] = {}
    for one in found:
        bound = bind(one.expression, elsewhere)
        if bound and _size(one.expression) == size:
            kept.setdefault(value_if_any(bound), one)  # a / (1 + a / b) is b / (1 + b / a) in other words
    return list(kept.values())


def _size(expression: Expression) -> int:
    return sum(isinstance(part, Operation) for part in parts_of(expression))


def _chance(expression: Expression, examples: Sequence[Example]) -> float:
    """How many expressions like this one agree with all examples by chance, about."""
    parts = list(parts_of(expression))
    quantities = sum(isinstance(part, Name) and part != PI for part in parts)
    constants = sum(isinstance(part, Number) for part in parts)
    chance = _EXPRESSIONS[quantities] * float(_WITH_A_CONSTANT * quantities) ** constants
    for one in examples:
        result = amount_of(one.result)
        if result is not None and result.value:
            share = float(2 * result.slack / abs(result.value))
            chance *= min(share, _EXACT) if agrees(expression, one, most_slack=Fraction(0)) else share
    return chance


def _simplest(
    reading: Reading, target: Amount, constants: Sequence[Constant], fits: Sequence[Example], *, twice: str | None = None
) -> list[Candidate]:
    """The expressions with the fewest operations that use every quantity, and agree with all of `fits`.

    With `twice`, they may have two constants, and have the quantity of that name twice; "" for none.
    """
    given = reading.given
    if target.symbol == "%" or any(value.symbol == "%" for value in given.values()):
        # with percent, 100 is not a number but the way to write them
        constants = [one for one in constants if one[0] != "100"]
    goal = Target(float(target.value), float(target.slack))
    parts = [Given(name, float(given[name].value)) for name in (*given, *([twice] if twice else []))]
    most_constants = 1 if twice is None else 2
    found: list[Candidate] = []
    for expression in search(
        parts, goal, constants, lambda expression: all(agrees(expression, one) for one in fits), most_constants
    ):
        bound = bind(expression, given)
        result = value_if_any(bound, reading.symbol) if bound else None
        if result is not None and is_near(result.value, target):
            found.append(Candidate(expression, result, tuple(fits)))
    return found


def _is_telling(found: Sequence[Candidate], target: Amount) -> bool:
    """Whether a fit is evidence: a coarsely rounded answer fits too many expressions."""
    is_fine = target.slack <= abs(target.value) * MOST_SLACK
    return any(is_fine or one.result.value == target.value for one in found)


def _most_of(examples: Sequence[Example]) -> Iterator[list[Example]]:
    """All examples; then all but one, as one may be false: most likely the newest."""
    if examples:
        yield list(examples)
    if len(examples) > 1:
        for left_out in reversed(examples):
            yield [one for one in examples if one != left_out]


def _given_constants(question: str, reading: Reading, lines: Sequence[Line]) -> tuple[Constant, ...]:
    """Constants that the question or a bullet for the same gives, with the signs that they may stand beside."""
    quantities = {one.amount.start for one in reading.quantities}
    told = [plain(abs(one.value)) for one in amounts_in(question) if one.start not in quantities and not one.symbol]
    words = words_of(question.casefold())
    told += [number for word, number in _SAID.items() if word in words or (is_cjk(word[0]) and word in question)]
    same = [formula for _, formula in saying(Formula, lines) if key_of(formula.name) == key_of(reading.asked)]
    told += [plain(part.value) for one in same for part in parts_of(one.expression) if isinstance(part, Number)]
    if any(one.amount.symbol == "%" for one in reading.quantities):
        told.append("1")  # percent are parts of a whole
    known = [number for number in dict.fromkeys(told) if number != "0"][:_MOST_GIVEN]
    return tuple((number, "+-" if number == "1" else "*/^" if number in ("2", "3") else "*/") for number in known)
