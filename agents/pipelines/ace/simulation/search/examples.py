"""Examples that formulas remember: whether a formula agrees with one, and how its result was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from agents.models.simulated.reading.expression import Expression
from agents.pipelines.ace.simulation.bullets import Example, Formula, Knowledge, Line, Open, example_result, example_value
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.expressions.operands import bind, value_if_any
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL
from agents.pipelines.ace.simulation.feedback import is_near
from agents.pipelines.ace.simulation.lessons.fact import Fact
from agents.pipelines.ace.simulation.lessons.house_rules import Form, form_of, written
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.reading.wording import read_by_wording
from agents.pipelines.ace.simulation.search.expression_search import MOST_QUANTITIES
from agents.pipelines.ace.simulation.sentences.english import key_of

PLAIN_FORM = Form()
_COMMA_FOR_POINT = str.maketrans(".,", ",.")


def example_of(reading: Reading, target: Amount) -> Example:
    """A question and its right answer, as a bullet remembers them."""
    given = reading.quantities[:MOST_QUANTITIES]
    values = tuple((one.name, example_value(one.amount.value, one.amount.symbol)) for one in given)
    return Example(values, example_result(target))


def examples_for(name: str, like: Example, lines: Sequence[Line]) -> list[Example]:
    """What bullets remember of a name with the quantities of an example, other numbers in them; each example once."""
    mine = _by_key(like)
    found = dict.fromkeys(example for line in lines for example in _remembered(name, line.says))
    return [one for one in found if mine.keys() == (its := _by_key(one)).keys() and its != mine]


def _remembered(name: str, says: Knowledge | None) -> Iterator[Example]:
    """The examples of a name in a bullet; a fact is one if its question is read by its wording."""
    match says:
        case Formula() | Open() if key_of(says.name) == key_of(name):
            yield from says.examples
        case Fact(questions, answer) if result := amount_of(answer):
            readings = (read_by_wording(question) for question in questions)
            told = result._replace(text=answer)
            same = (one.beside(result) for one in readings if one and key_of(one.asked) == key_of(name))
            yield from (example_of(one, told) for one in same)
        case _:
            pass


def is_same_question(one: Example, other: Example) -> bool:
    """Whether two examples put the same numbers in, whatever comes out."""
    return _by_key(one) == _by_key(other)


def agrees(expression: Expression, example: Example, *, most_slack: Fraction | None = None) -> bool:
    """Whether an expression gives what an example says: exactly, or with less rounding than a part of the result."""
    result = amount_of(example.result)
    bound = bind(expression, given_in(example))
    value = value_if_any(bound, _symbol_asked(result)) if bound and result else None
    if value is None or result is None or not is_near(value.value, result):
        return False
    return most_slack is None or result.slack <= abs(result.value) * most_slack or value.value == result.value


def form_shown(formula: Formula) -> tuple[Form, str] | None:
    """How the newest example of a formula is written, and its result; None where that is how one writes it anyway.

    Only an example that the formula agrees with shows it: 1.5 may be all digits that there are, 1.50 was written so.
    """
    for example in reversed(formula.examples):
        result, value = amount_of(example.result), computed(formula, example)
        form = form_of(result) if result and value else None
        if result is None or value is None or form is None:
            continue
        exact = result._replace(value=value.value)
        if written(exact, form) == example.result != written(exact, PLAIN_FORM):
            has_zeros = all(len({other.decimals, form.decimals}) == 1 for other in _results(formula))
            shown = form if has_zeros else replace(form, at_most=True)
            return replace(shown, decimals=None) if not form.decimals and _are_whole(formula) else shown, example.result
    return None


def _are_whole(formula: Formula) -> bool:
    """Whether all results that examples remember are whole numbers by themselves, so that they do not show rounding."""
    return all(is_whole(value) for example in formula.examples if (value := computed(formula, example)))


def is_whole(value: Amount) -> bool:
    """Whether a value is a whole number, counted in percent if it is a percentage."""
    return (value.value * (100 if value.symbol == "%" else 1)).denominator == 1


def computed(formula: Formula, example: Example) -> Amount | None:
    """What a formula comes to in an example, None if it has no value."""
    result, bound = amount_of(example.result), bind(formula.expression, given_in(example))
    return value_if_any(bound, _symbol_asked(result)) if result and bound else None


def written_alike(value: Amount, formula: Formula) -> tuple[str, str]:
    """A result with the words and signs that stand around the newest example's, if no form has them: 1320円, 95.20 EUR.

    Returns:
        The text and the example; the plain form and "" where a form would do.
    """
    results = _results(formula)
    newest = results[-1] if results else None
    example = formula.examples[-1].result if newest else ""
    has_form = newest is not None and newest.text == example and form_of(newest) is not None
    if newest is None or has_form or DATE_SYMBOL in (newest.symbol, value.symbol):
        return written(value, PLAIN_FORM), ""
    decimals = {result.decimals for result in results}
    has_comma = any(result.has_comma for result in results)
    has_separators = ("." if has_comma else ",") in newest.digits
    form = Form(max(decimals), at_most=len(decimals) > 1, separators=has_separators) if max(decimals) else PLAIN_FORM
    number = written(Amount(value.value * 100 if newest.symbol == "%" else value.value), form)
    text = number.translate(_COMMA_FOR_POINT) if has_comma else number
    before, digits, after = example.partition(newest.digits)
    return f"{before.removesuffix('-').removesuffix('−')}{text}{after}" if digits else text, example


def _results(formula: Formula) -> list[Amount]:
    return [result for example in formula.examples if (result := amount_of(example.result))]


def _by_key(example: Example) -> dict[str, str]:
    return {key_of(name): value for name, value in example.values}


def _symbol_asked(result: Amount) -> str:
    return "%" if result.symbol == "%" else ""


def given_in(example: Example) -> dict[str, Amount]:
    """The values of an example by name."""
    return {name: amount for name, text in example.values if (amount := amount_of(text))}
