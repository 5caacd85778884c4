"""Computes a quantity by the formulas among the bullets, and says in which form it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.models.simulated.reading.expression import Expression, typed
from agents.pipelines.ace.simulation.bullets import Formula, Line, Rule, best_first, saying
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.expressions.operands import bind, is_ratio, put_in, value_of
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL, measured_in
from agents.pipelines.ace.simulation.lessons.house_rules import kind_of, written
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.search.examples import PLAIN_FORM, form_shown, written_alike
from agents.pipelines.ace.simulation.search.formula_search import guesses
from agents.pipelines.ace.simulation.sentences.english import key_of
from agents.pipelines.ace.simulation.sentences.phrases import sentences_of

_MOST_FORMULAS_IN_A_ROW = 3
_UNITS_IN = re.compile(r"[/²³]")


class Solved(NamedTuple):
    """The result of a formula; the first of the bullets used has the formula itself, or examples that it is guessed from."""

    result: Amount
    formula: Formula
    expression: Expression
    lines: list[Line]
    steps: list[str]


def solve(reading: Reading, lines: Sequence[Line], *, unusable: list[str] | None = None) -> Solved | None:
    """Works out what a question asks for, with the best formula that can be used.

    Args:
        reading: The question.
        lines: The bullets.
        unusable: List that receives why formulas of that name cannot be used.
    """
    best = best_first(lines)
    return _solve(reading.asked, reading, best, [] if unusable is None else unusable, (key_of(reading.asked),))


def rule_for(value: Amount, expression: Expression, reading: Reading, lines: Sequence[Line]) -> tuple[Line, Rule] | None:
    """The house rule that an answer is written by: one for the very name goes before one for its kind."""
    kind = kind_of(value.symbol, is_ratio=is_ratio(expression), counts=reading.counts)
    fitting = [(line, rule) for line, rule in saying(Rule, best_first(lines)) if rule.fits(kind, reading.asked)]
    own = [(line, rule) for line, rule in fitting if rule.subject != kind]
    return next(iter(own or fitting), None)


def answer_as_shown(solved: Solved) -> tuple[str, str]:
    """A result without a house rule, written like the formula's example, which is returned too; else in the plain form."""
    form, example = form_shown(solved.formula) or (PLAIN_FORM, "")
    return (written(solved.result, form), example) if example else written_alike(solved.result, solved.formula)


def shown(value: Amount) -> str:
    """A value in a step of reasoning."""
    if value.symbol == DATE_SYMBOL:
        return written(value, PLAIN_FORM)
    number = Amount(value.value * 100 if value.symbol == "%" else value.value)
    return f"{written(number, PLAIN_FORM)} {value.symbol}".strip()


def unit_shown(formula: Formula, reading: Reading) -> str:
    """The unit of a formula's examples; a currency may be another one in each question, and m/s are no km/h."""
    results = [result.symbol for example in formula.examples if (result := amount_of(example.result))]
    symbol = next((symbol for symbol in results if symbol not in (*CURRENCIES, "%", DATE_SYMBOL)), "")
    given = {measured_in(one.amount.symbol): one.amount.symbol for one in reading.quantities if one.amount.symbol}
    return symbol if all(given.get(measured_in(part), part) == part for part in _UNITS_IN.split(symbol) if part) else ""


def _solve(name: str, reading: Reading, best: Sequence[Line], unusable: list[str], trail: tuple[str, ...]) -> Solved | None:
    say = sentences_of("generator").say
    for line, formula in guesses(best):
        if key_of(formula.name) != key_of(name):
            continue
        inner: dict[str, Solved] = {}

        def find(other: str, inner: dict[str, Solved] = inner) -> Amount | None:
            key = key_of(other)
            if key in trail or len(trail) >= _MOST_FORMULAS_IN_A_ROW:
                return None
            if found := _solve(other, reading, best, [], (*trail, key)):
                inner[other] = found
            return found.result if found else None

        newest = amount_of(formula.examples[-1].result) if formula.examples else None
        bound = bind(formula.expression, reading.beside(newest).given, find)
        if bound is None:
            unusable.append(say("lacks_quantities", id=line.id, name=formula.name))
            continue
        try:
            value = value_of(bound, (reading.symbol or unit_shown(formula, reading)) if len(trail) == 1 else "")
        except ArithmeticError as error:
            unusable.append(say("has_no_value", id=line.id, problem=error))
            continue
        steps = [step for one in inner.values() for step in one.steps]
        kind = "says_formula" if isinstance(line.says, Formula) else "guesses_formula"
        steps.append(say(kind, id=line.id, name=formula.name, formula=typed(formula.expression)))
        steps.append(f"{put_in(bound)} = {shown(value)}.")
        return Solved(
            value, formula, bound.expression, [line, *(used for one in inner.values() for used in one.lines)], steps
        )
    return None
