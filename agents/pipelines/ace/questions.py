"""Questions to learn from, drawn by seed: the learner's school and its examination.

What answers them must never see this module, nor the families behind it. Knows no playbook.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from decimal import Decimal
from random import Random
from typing import NamedTuple

from agents.pipelines.ace.amounts import DATE_SYMBOL, amount_of
from agents.pipelines.ace.arithmetic import work_out
from agents.pipelines.ace.family import Draw, Family
from agents.pipelines.ace.finance import FINANCE
from agents.pipelines.ace.parsing import parse
from agents.pipelines.ace.physics import CALENDAR, PHYSICS
from agents.pipelines.ace.rules import COUNTS, DATES, MEASUREMENTS, MONEY, PERCENTAGES, RATIOS, Form, written
from agents.pipelines.ace.verdicts import compare

FAMILIES = (*FINANCE, *PHYSICS, *CALENDAR)
"""All that can be learned."""

HOUSE = {
    MONEY: Form(2, separators=True, sign="currency", place="front"),
    PERCENTAGES: Form(1, sign="%"),
    RATIOS: Form(2),
    COUNTS: Form(0, separators=True),
    MEASUREMENTS: Form(2, separators=True, sign="unit", place="apart"),
    DATES: Form(dates="YYYY-MM-DD"),
}
"""How answers of each kind are written in this house."""

FREE = "free"
TOLERANCE = Decimal("0.001")
"""Of a number that need not be written by the house rule: as part of the right one."""

_CURRENCIES = ("€", "$", "£")
_SHARE_FREE = 0.05
_MOST_TRIES = 5000
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
_COLOURS = "red blue green yellow white black"


class Question(NamedTuple):
    """A question with its right answer.

    Attributes:
        text: As it is asked.
        answer: The right answer, written by the house rules.
        family: The name of its formula, or `FREE`.
        rule: The kind of house rule that an answer must keep to as well, None where the number is enough.
        learnable: Whether earlier questions can teach how it is answered.
    """

    text: str
    answer: str
    family: str
    rule: str | None = None
    learnable: bool = True


def stream(seed: int, count: int, families: Collection[str] | None = None) -> Iterator[Question]:
    """Questions without an end in sight: the families come in rounds, each round in another order.

    Args:
        seed: The same seed gives the same questions.
        count: How many.
        families: Only these, by name; `FREE` for questions that nothing can be learned from. None for all.

    Raises:
        ValueError: A family is unknown.
    """
    rng = Random(seed)  # noqa: S311  nothing is secret here
    chosen = [family for family in FAMILIES if families is None or family.name in families]
    if unknown := set(families or ()) - {family.name for family in chosen} - {FREE}:
        raise ValueError(f"There is no family {', '.join(sorted(unknown))}. There are: {', '.join(names())}.")
    with_free = families is None or FREE in families
    waiting: list[Family] = []
    for _ in range(count):
        if with_free and (not chosen or rng.random() < _SHARE_FREE):
            yield _free(rng)
            continue
        if not waiting:
            waiting = rng.sample(chosen, len(chosen))
        yield _question(waiting.pop(), rng)


def names() -> tuple[str, ...]:
    """The families, `FREE` last."""
    return (*(family.name for family in FAMILIES), FREE)


def as_message(question: Question) -> str:
    """A question as a person sends it, with the right answer in its last line."""
    return f"{question.text}\nAnswer: {question.answer}" if question.answer else question.text


def score(answer: str, truth: str, question: Question) -> bool:
    """Whether an answer counts as right.

    Where the question has a rule, it must be written exactly as the right answer is, blanks around it and a full stop
    aside. Where it has none, the number is enough: within what the right answer was rounded from, or a thousandth of it;
    currency and unit may be missing, and percent may be written without their sign. Free questions need the same words.
    """
    given = answer.strip().rstrip(".")
    if question.rule is not None:
        return given == truth
    if compare(given, truth) != "other":
        return True
    found, right = amount_of(given), amount_of(truth)
    if found is None or right is None or DATE_SYMBOL in (found.symbol, right.symbol):
        return False
    return found.symbol in ("", right.symbol) and abs(found.value - right.value) <= abs(right.value) * TOLERANCE


def _question(family: Family, rng: Random) -> Question:
    currency, formula = rng.choice(_CURRENCIES), parse(family.formula)
    for _ in range(_MOST_TRIES):
        values = {name: _drawn(draw, rng) for name, draw in family.draws.items()}
        result = work_out(formula, values)
        if _is_telling(family, list(values.values()), result):
            break
    else:
        raise AssertionError(f"The quantities of {family.name} cannot be drawn.")
    shown = {name: _shown(values[name], draw, currency) for name, draw in family.draws.items()}
    symbol = {MONEY: currency, PERCENTAGES: "%", DATES: DATE_SYMBOL}.get(family.kind, family.unit)
    answer = written(result, symbol, HOUSE[family.kind])
    text = rng.choice(family.ways).format_map(shown)
    return Question(text, answer, family.name, family.kind if family.exact else None)


def _drawn(draw: Draw, rng: Random) -> Decimal:
    if draw.unit == DATE_SYMBOL:
        first, last = date.fromisoformat(draw.low).toordinal(), date.fromisoformat(draw.high).toordinal()
        return Decimal(rng.randint(first, last))
    low, step = Decimal(draw.low), Decimal(draw.step)
    value = low + step * rng.randint(0, int((Decimal(draw.high) - low) / step))
    return value / 100 if draw.unit == "%" else value


def _is_telling(family: Family, values: list[Decimal], result: Decimal) -> bool:
    """Whether numbers show how they belong together: no two alike, none that changes nothing, a result of its own."""
    if family.kind == COUNTS and result != result.to_integral_value():
        return False
    numbers = {value.normalize() for value in (*values, result)}
    return result > 0 and len(numbers) == len(values) + 1 and not numbers & {Decimal(0), Decimal(1)}


def _shown(value: Decimal, draw: Draw, currency: str) -> str:
    """A quantity as it stands in a question: 1,200 and 12.50 are written so, 12.0 is not."""
    if draw.unit == DATE_SYMBOL:
        return written(value, DATE_SYMBOL, Form())
    symbol = currency if draw.unit == "€" else draw.unit
    is_money = symbol == currency
    whole = value == value.to_integral_value()
    form = Form(
        decimals=2 if is_money and not whole else None,
        separators=True,
        sign="currency" if is_money else "%" if symbol == "%" else "unit",
        place="front" if is_money else "apart",
    )
    return written(value, symbol, form)


def _free(rng: Random) -> Question:
    """A question whose answer is drawn by lot: nothing before it can tell."""
    if rng.random() < 0.5:  # noqa: PLR2004  as often as the other
        day, month = rng.choice(_DAYS.split()), rng.choice(_MONTHS.split())
        text = f"Which side does a coin show that is thrown on a {day} in {month}?"
        return Question(text, rng.choice(("Heads", "Tails")), FREE, learnable=False)
    text = f"Which colour has the next ball from urn {rng.randint(2, 99)}?"
    return Question(text, rng.choice(_COLOURS.split()), FREE, learnable=False)
