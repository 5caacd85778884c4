"""Questions to learn from, drawn from the families by seed.

What answers them must never see this module, nor the families.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import NamedTuple

from agents.models.simulated.reading.arithmetic import parse
from agents.models.simulated.reading.expression import value_of
from agents.pipelines.ace.families.family import Family, Range, read_families, read_house_rules, read_lots
from agents.pipelines.ace.simulation.expressions.amounts import Amount
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL
from agents.pipelines.ace.simulation.lessons.house_rules import COUNTS, DATES, MONEY, PERCENTAGES, Form, written

SETS = ("finance.toml", "physics.toml", "calendar.toml")
"""The sets that are asked about unless families are named. A set added here changes what a seed draws."""
FAMILIES = tuple(family for file in SETS for family in read_families(file))
HOUSE = read_house_rules("house_rules.toml")
FREE_FAMILY = "free"

_LOTS = read_lots("free.toml")
_CURRENCIES = CURRENCIES[:3]
_SHARE_FREE = 0.05
_MOST_TRIES = 5000


class Question(NamedTuple):
    """A question with its right answer.

    Attributes:
        text: As it is asked.
        answer: The right answer, written by the house rules.
        family: The name of its formula, or `FREE_FAMILY`.
        rule: The kind of house rule that an answer must keep to as well, None where the number is enough.
        learnable: Whether earlier questions can teach how it is answered.
    """

    text: str
    answer: str
    family: str
    rule: str | None = None
    learnable: bool = True


def draw_questions(seed: int, count: int, families: Collection[str] | None = None) -> Iterator[Question]:
    """Questions in rounds: each round has every family once, in another order.

    Args:
        seed: The same seed gives the same questions.
        count: How many.
        families: Only these, by name; `FREE_FAMILY` for questions that nothing can be learned from. None for all.

    Raises:
        ValueError: A family is unknown.
    """
    rng = Random(seed)  # noqa: S311  nothing is secret here
    chosen = [family for family in FAMILIES if families is None or family.name in families]
    if unknown := set(families or ()) - {family.name for family in chosen} - {FREE_FAMILY}:
        raise ValueError(f"There is no family {', '.join(sorted(unknown))}. There are: {', '.join(names())}.")
    with_free = families is None or FREE_FAMILY in families
    waiting: list[Family] = []
    for _ in range(count):
        if with_free and (not chosen or rng.random() < _SHARE_FREE):
            yield _free(rng)
            continue
        if not waiting:
            waiting = rng.sample(chosen, len(chosen))
        yield draw_question(waiting.pop(), rng)


def names() -> tuple[str, ...]:
    """The families, `FREE_FAMILY` last."""
    return (*(family.name for family in FAMILIES), FREE_FAMILY)


def as_message(question: Question) -> str:
    """A question as a user sends it, with the right answer in its last line."""
    return f"{question.text}\nAnswer: {question.answer}" if question.answer else question.text


def draw_question(family: Family, rng: Random) -> Question:
    """A question of a family, with quantities and words drawn by `rng`."""
    currency, formula = rng.choice(_CURRENCIES), parse(family.formula)
    for _ in range(_MOST_TRIES):
        values = {name: _drawn(quantity, rng) for name, quantity in family.given.items()}
        result = value_of(formula, values)
        if _is_telling(family, list(values.values()), result):
            break
    else:
        raise AssertionError(f"The quantities of {family.name} cannot be drawn.")
    symbol = {MONEY: currency, PERCENTAGES: "%", DATES: DATE_SYMBOL}.get(family.answer, family.unit)
    answer = written(Amount(result, symbol), HOUSE[family.answer])
    text = _filled(rng.choice(family.questions), values, family.given, currency)
    return Question(text, answer, family.name, family.answer if family.exact else None)


def _drawn(quantity: Range, rng: Random) -> Fraction:
    value = Fraction(quantity.low + quantity.step * rng.randint(0, int((quantity.high - quantity.low) / quantity.step)))
    return value / 100 if quantity.unit == "%" else value


def _is_telling(family: Family, values: list[Fraction], result: Fraction) -> bool:
    """Whether numbers show how they belong together: no two alike, none that changes nothing, a result of its own."""
    if family.answer == COUNTS and result.denominator > 1:
        return False
    numbers = {*values, result}
    return result > 0 and len(numbers) == len(values) + 1 and not numbers & {0, 1}


def _filled(question: str, values: Mapping[str, Fraction], given: Mapping[str, Range], currency: str) -> str:
    return question.format_map({name: _shown(value, given[name].unit, currency) for name, value in values.items()})


def _shown(value: Fraction, unit: str, currency: str) -> str:
    """A quantity as it stands in a question: 1,200 and 12.50 are written so, 12.0 is not."""
    if unit == DATE_SYMBOL:
        return written(Amount(value, unit), Form())
    if unit == "€":
        whole = value.denominator == 1
        return written(Amount(value, currency), Form(None if whole else 2, separators=True, sign="currency", place="front"))
    return written(Amount(value, unit), Form(separators=True, sign="%" if unit == "%" else "unit", place="apart"))


def _free(rng: Random) -> Question:
    """A question whose answer is drawn by lot."""
    lot = _LOTS[int(rng.random() * len(_LOTS))]
    given = {name: str(_drawn(one, rng)) if isinstance(one, Range) else rng.choice(one) for name, one in lot.given.items()}
    return Question(lot.question.format_map(given), rng.choice(lot.answers), FREE_FAMILY, learnable=False)
