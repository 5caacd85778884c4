"""Amounts in a text: numbers with their currency, percent sign or unit, and dates."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from agents.pipelines.ace.simulation.expressions.expression import LARGEST
from agents.pipelines.ace.simulation.expressions.parser import NUMBER, number_of
from agents.pipelines.ace.simulation.expressions.units import CURRENCIES, DATE_SYMBOL, UNIT, symbol_of_name

MOST_AMOUNTS = 40

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DIGITS = re.compile(NUMBER)
_LARGE = {"thousand": 3, "million": 6, "billion": 9}
_CURRENCY = "[" + "".join(CURRENCIES) + "]"
_MONTH = "|".join(f"{name}|{name[:3]}\\.?" for name in MONTHS)
_DATE = re.compile(
    r"\b(?:(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"
    r"|(?P<day2>\d{1,2})\.(?P<month2>\d{1,2})\.(?P<year2>\d{4})"
    rf"|(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month3>{_MONTH}),? (?P<year3>\d{{4}})"
    rf"|(?P<month4>{_MONTH}) (?P<day4>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year4>\d{{4}}))(?!\d)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    rf"(?<![\w.,/])(?P<minus>[-−](?={_CURRENCY}?\s?\d))?(?P<before>{_CURRENCY}\s?)?(?P<minus2>[-−])?"
    rf"(?P<number>{NUMBER})(?!\d|[.,]\d|[eE][+-]?\d|(?:st|nd|rd|th)\b)(?P<large>\s(?:thousand|million|billion)\b)?"
    rf"(?:(?P<gap>[\s-]?)(?P<after>%|{_CURRENCY}|(?:{UNIT})(?![\w/²³^°])|[A-Za-z]{{4,}}(?: per [a-z]{{4,}})?\b))?"
)


class Amount(NamedTuple):
    """How much something is: a number as it stands in a text, or one that was worked out.

    Attributes:
        value: Its value; of percent a hundredth of what is written, of a date the day's number.
        symbol: What it is counted in: "€", "%", "km/h", "date", … "" for a mere number.
        text: All of it, as it was written; "" where it was worked out.
        start: Where it begins in the text.
        end: Where it ends.
    """

    value: Decimal
    symbol: str = ""
    text: str = ""
    start: int = 0
    end: int = 0

    @property
    def digits(self) -> str:
        """Its number as it was written, without sign, currency and unit; "" of a date."""
        found = _DIGITS.search(self.text)
        return found[0] if found and self.symbol != DATE_SYMBOL else ""

    @property
    def decimals(self) -> int:
        """How many digits were written after the point."""
        return max(0, -int(number_of(self.digits).as_tuple().exponent)) if self.digits else 0

    @property
    def slack(self) -> Decimal:
        """By how much its value may differ from what was rounded to it: half a unit of the last place."""
        if self.symbol == DATE_SYMBOL:
            return Decimal(0)
        return Decimal("0.5").scaleb(-self.decimals - (2 if self.symbol == "%" else 0))


def amounts_in(text: str) -> list[Amount]:
    """The amounts in a text, in order; what is part of a date is not one of its own."""
    dates = [found for match in _DATE.finditer(text) if (found := _date(match))]
    taken = [(found.start, found.end) for found in dates]
    others = [
        _amount(match)
        for match in _AMOUNT.finditer(text)
        if not any(begin < match.end() and match.start() < end for begin, end in taken)
    ]
    found = [one for one in (*dates, *others) if abs(one.value) <= LARGEST]
    return sorted(found, key=lambda one: one.start)[:MOST_AMOUNTS]


def amount_of(text: str) -> Amount | None:
    """The amount that a text states: the only one in it, with words around it or without; None if there is not just one."""
    found = amounts_in(text)
    return found[0] if len(found) == 1 else None


def date_of(value: Decimal) -> date | None:
    """The day with a number, None if the calendar has none."""
    whole = int(value) if value == value.to_integral_value() else 0
    return date.fromordinal(whole) if 1 <= whole <= date.max.toordinal() else None


def _date(match: re.Match[str]) -> Amount | None:
    parts = match.groupdict()
    form = next(number for number in ("", "2", "3", "4") if parts[f"year{number}"])
    day, month, year = (parts[f"{name}{form}"] for name in ("day", "month", "year"))
    number = int(month) if month.isdigit() else 1 + [name[:3].lower() for name in MONTHS].index(month[:3].lower())
    try:
        found = date(int(year), number, int(day))
    except ValueError:
        return None
    return Amount(Decimal(found.toordinal()), DATE_SYMBOL, match[0], match.start(), match.end())


def _amount(match: re.Match[str]) -> Amount:
    value = number_of(match["number"])
    if match["large"]:
        value *= Decimal(10) ** _LARGE[match["large"].strip().lower()]
    before, after = (match["before"] or "").strip(), match["after"] or ""
    symbol = before or symbol_of_name(after)
    end = match.end() if symbol_of_name(after) else (match.end("large") if match["large"] else match.end("number"))
    if symbol == "%":
        value /= 100
    if match["minus"] or match["minus2"]:
        value = -value
    return Amount(value, symbol, match.string[match.start() : end], match.start(), end)
