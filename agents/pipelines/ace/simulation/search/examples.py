"""Examples that formulas remember: whether a formula agrees with one, and how its result was written."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models.simulated.reading.expression import Expression
from agents.pipelines.ace.simulation.bullets import Example, Formula, Line, Open, example_result, example_value
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.expressions.operands import bind, value_if_any
from agents.pipelines.ace.simulation.feedback import is_near
from agents.pipelines.ace.simulation.house_rules import Form, form_of, written
from agents.pipelines.ace.simulation.reading.question import Reading
from agents.pipelines.ace.simulation.search.expression_search import MOST_QUANTITIES
from agents.pipelines.ace.simulation.sentences.english import key_of

PLAIN_FORM = Form()


def example_of(reading: Reading, target: Amount) -> Example:
    """A question and its right answer, as a bullet remembers them."""
    given = reading.quantities[:MOST_QUANTITIES]
    values = tuple((one.name, example_value(one.amount.value, one.amount.symbol)) for one in given)
    return Example(values, example_result(target))


def examples_for(name: str, like: Example, lines: Sequence[Line]) -> list[Example]:
    """What bullets remember of a name with the quantities of an example, other numbers in them; each example once."""
    said = [line.says for line in lines]
    same = [one for one in said if isinstance(one, Formula | Open) and key_of(one.name) == key_of(name)]
    mine = _by_key(like)
    found = dict.fromkeys(example for one in same for example in one.examples)
    return [one for one in found if mine.keys() == (its := _by_key(one)).keys() and its != mine]


def is_same_question(one: Example, other: Example) -> bool:
    """Whether two examples put the same numbers in, whatever comes out."""
    return _by_key(one) == _by_key(other)


def agrees(expression: Expression, example: Example) -> bool:
    """Whether an expression gives what an example says."""
    result = amount_of(example.result)
    bound = bind(expression, given_in(example))
    value = value_if_any(bound, _symbol_asked(result)) if bound and result else None
    return value is not None and result is not None and is_near(value.value, result)


def form_shown(formula: Formula) -> tuple[Form, str] | None:
    """How the newest example of a formula is written, and its result; None where that is how one writes it anyway.

    Only an example that the formula agrees with shows it: 1.5 may be all digits that there are, 1.50 was written so.
    """
    for example in reversed(formula.examples):
        result = amount_of(example.result)
        bound = bind(formula.expression, given_in(example))
        value = value_if_any(bound, _symbol_asked(result)) if result and bound else None
        form = form_of(result) if result and value else None
        if result is None or value is None or form is None:
            continue
        exact = result._replace(value=value.value)
        if written(exact, form) == example.result != written(exact, PLAIN_FORM):
            return form, example.result
    return None


def _by_key(example: Example) -> dict[str, str]:
    return {key_of(name): value for name, value in example.values}


def _symbol_asked(result: Amount) -> str:
    return "%" if result.symbol == "%" else ""


def given_in(example: Example) -> dict[str, Amount]:
    """The values of an example by name."""
    return {name: amount for name, text in example.values if (amount := amount_of(text))}
