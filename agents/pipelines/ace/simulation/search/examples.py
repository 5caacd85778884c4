"""Examples that formulas remember: whether a formula agrees with one, and how its result was written."""

from __future__ import annotations

from collections.abc import Sequence

from agents.pipelines.ace.simulation.bullets import Example, Formula, Line, Open, example_result, example_value
from agents.pipelines.ace.simulation.expressions.amounts import Amount, amount_of
from agents.pipelines.ace.simulation.expressions.expression import Expression
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


def examples_for(name: str, lines: Sequence[Line]) -> list[Example]:
    """What bullets remember of a name, each example once."""
    said = [line.says for line in lines]
    same = [one for one in said if isinstance(one, Formula | Open) and key_of(one.name) == key_of(name)]
    return list(dict.fromkeys(example for one in same for example in one.examples))


def is_same_question(one: Example, other: Example) -> bool:
    """Whether two examples put the same numbers in, whatever comes out."""
    return {key_of(name): value for name, value in one.values} == {key_of(name): value for name, value in other.values}


def agrees(expression: Expression, example: Example) -> bool:
    """Whether an expression gives what an example says; one about other names is no objection."""
    result = amount_of(example.result)
    bound = bind(expression, _given(example)) if result is not None else None
    if bound is None or result is None:
        return True
    value = value_if_any(bound, _symbol_asked(result))
    return value is not None and is_near(value.value, result)


def form_shown(formula: Formula) -> tuple[Form, str] | None:
    """How the newest example of a formula is written, and its result; None where that is how one writes it anyway.

    Only an example that the formula agrees with shows it: 1.5 may be all digits that there are, 1.50 was written so.
    """
    for example in reversed(formula.examples):
        result = amount_of(example.result)
        bound = bind(formula.expression, _given(example))
        value = value_if_any(bound, _symbol_asked(result)) if result and bound else None
        form = form_of(result) if result and value else None
        if result is None or value is None or form is None:
            continue
        exact = result._replace(value=value.value)
        if written(exact, form) == example.result != written(exact, PLAIN_FORM):
            return form, example.result
    return None


def _symbol_asked(result: Amount) -> str:
    return "%" if result.symbol == "%" else ""


def _given(example: Example) -> dict[str, Amount]:
    return {name: amount for name, text in example.values if (amount := amount_of(text))}
