"""Puts a question's quantities into an expression, and works it out with its currency or unit.

Percent are parts of one, as in a spreadsheet: 20 % is 0.2. Only an expression with the number 100 in it, as people write
`rate / 100` or `profit / revenue * 100`, is worked out with 20.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from agents.models.simulated.reading import expression as expressions
from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import (
    Expression,
    Name,
    Negative,
    Number,
    Operation,
    Percent,
    names_in,
    number,
    operands,
    parts_of,
    typed,
    with_names,
    with_operands,
)
from agents.pipelines.ace.simulation.expressions.amounts import Amount, date_of
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL
from agents.pipelines.ace.simulation.sentences.english import key_of

HUNDRED = Fraction(100)


@dataclass(frozen=True, slots=True)
class Bound:
    """An expression whose names stand for something: by name as it is in the expression."""

    expression: Expression
    values: Mapping[str, Amount]


def bind(
    expression: Expression, given: Mapping[str, Amount], find: Callable[[str], Amount | None] = lambda _: None
) -> Bound | None:
    """Says what the names of an expression stand for.

    A name stands for the quantity of the same name; else for the only one whose name ends like it; else for what `find`
    gives; the last name and the last quantity left belong together.

    Args:
        expression: With names as a user may write them.
        given: The quantities of a question, by name.
        find: How else a name may get its value.

    Returns:
        None if a name stands for nothing.
    """
    names = names_in(expression)
    keys = {key_of(name): name for name in given}
    bound: dict[str, str] = {name: keys[key_of(name)] for name in names if key_of(name) in keys}
    for name in names:
        alike = [one for one in given if one not in bound.values() and _ends_alike(key_of(one), key_of(name))]
        if name not in bound and len(alike) == 1:
            bound[name] = alike[0]
    values = {name: given[bound[name]] for name in bound}
    values |= {name: found for name in names if name not in bound and (found := find(name))}
    missing = [name for name in names if name not in values]
    left = [name for name in given if name not in bound.values()]
    if len(missing) == 1 and len(left) == 1 and len(values) + 1 == len(names):
        values[missing[0]] = given[left[0]]
        missing = []
    if not missing:
        return Bound(_of_the_rest(expression, values), values)
    return _without_hyphens(expression, given, find) if any("-" in name for name in missing) else None


def value_of(bound: Bound, symbol_asked: str = "") -> Amount:
    """What an expression comes to.

    Args:
        bound: It, with what its names stand for.
        symbol_asked: The unit that the answer is to be in; nothing is converted.

    Raises:
        ArithmeticError: It has no value; the message says why.
    """
    hundredths = _counts_in_hundredths(bound.expression)
    values = {
        name: value.value * HUNDRED if hundredths and value.symbol == "%" else value.value
        for name, value in bound.values.items()
    }
    result = expressions.value_of(bound.expression, values)
    symbol = _symbol(bound)
    if symbol == DATE_SYMBOL:
        return Amount(result, DATE_SYMBOL)
    if symbol_asked == "%" and hundredths:
        result /= HUNDRED
    return Amount(result, symbol_asked or symbol)


def value_if_any(bound: Bound, symbol_asked: str = "") -> Amount | None:
    """What an expression comes to; None if it has no value."""
    try:
        return value_of(bound, symbol_asked)
    except ArithmeticError:
        return None


def is_ratio(expression: Expression) -> bool:
    """Whether something is divided last."""
    match expression:
        case Operation("/"):
            return True
        case Operation("*", left, Number()) | Percent(left) | Negative(left):
            return is_ratio(left)
        case _:
            return False


def put_in(bound: Bound) -> str:
    """An expression with numbers in the place of its names, as one writes the step down."""

    def put(name: Name) -> Expression:
        value = bound.values.get(name.words)
        if value is None:
            return name
        if value.symbol == DATE_SYMBOL and (day := date_of(value.value)):
            return Name(day.isoformat())
        return Percent(number(value.value * HUNDRED)) if value.symbol == "%" else number(value.value)

    return typed(with_names(bound.expression, put))


def _counts_in_hundredths(expression: Expression) -> bool:
    """Whether percent are numbers out of a hundred there: it has a 100 that is not 100 %, or the percent of a name."""
    percents = [part.of for part in parts_of(expression) if isinstance(part, Percent)]
    hundred = Number(HUNDRED)
    hundreds = sum(part == hundred for part in parts_of(expression))
    return hundreds > percents.count(hundred) or any(isinstance(of, Name) for of in percents)


def _symbol(bound: Bound) -> str:
    """What a result is counted in: a date, a currency or unit that is left once; "" where that is not known.

    What an hour or a kilometre costs is mostly told as money alone, so that money times hours is money.
    """
    symbols = {name: value.symbol for name, value in bound.values.items() if value.symbol not in ("", "%")}
    said = set(symbols.values())
    if DATE_SYMBOL in said:
        return DATE_SYMBOL if [*symbols.values()].count(DATE_SYMBOL) == 1 else ""
    symbol = next(iter(said & {*CURRENCIES}), "") or (said.pop() if len(said) == 1 else "")
    return symbol if _power(bound.expression, {name for name in symbols if symbols[name] == symbol}) == 1 else ""


def _power(expression: Expression, names: Collection[str]) -> Fraction:
    """The power of a unit in an expression, from the names that are counted in it."""
    if isinstance(expression, Name):
        return Fraction(expression.words in names)
    powers = [_power(one, names) for one in operands(expression)]
    match expression:
        case Operation("*"):
            return sum(powers, Fraction(0))
        case Operation("/"):
            return powers[0] - powers[1]
        case Operation("^", _, Number(exponent)):
            return powers[0] * exponent
        case _:
            return max(powers, default=Fraction(0))


def _of_the_rest(expression: Expression, values: Mapping[str, Amount]) -> Expression:
    """The expression with `sum + 10 %` as people mean it: 10 % of the sum, unless that is counted in percent itself."""
    match expression:
        case Operation("+" | "-" as sign, left, Percent(Number()) as part) if any(
            values[name].symbol != "%" for name in names_in(left)
        ):
            return Operation("*", _of_the_rest(left, values), Operation(sign, Number(Fraction(1)), part))
        case _:
            return with_operands(expression, [_of_the_rest(one, values) for one in operands(expression)])


def _ends_alike(one: str, other: str) -> bool:
    return bool(one and other) and (one.endswith(f" {other}") or other.endswith(f" {one}"))


def _without_hyphens(
    expression: Expression, given: Mapping[str, Amount], find: Callable[[str], Amount | None]
) -> Bound | None:
    """Another try with "revenue-costs" as a subtraction."""
    try:
        again = parse(typed(expression).replace("-", " - "))
    except ValueError:
        return None
    return bind(again, given, find) if again != expression else None
