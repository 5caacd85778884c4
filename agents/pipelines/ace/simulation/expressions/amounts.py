"""Amounts in a text: numbers with their currency, percent sign or unit, and dates."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from agents.models.simulated.language.characters import plain
from agents.models.simulated.reading.expression import LARGEST
from agents.models.simulated.reading.numbers import number_at
from agents.models.simulated.reading.tokens import Token, tokens_of
from agents.pipelines.ace.simulation.expressions.notations import read_date
from agents.pipelines.ace.simulation.expressions.slots import tokens_of as dated
from agents.pipelines.ace.simulation.expressions.units import DATE_SYMBOL, symbol_at

MOST_AMOUNTS = 40
_DIGITS = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d+)*")
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_NO_NUMBER = ("e", "st", "nd", "rd", "th")


class Amount(NamedTuple):
    """How much something is: a number as it stands in a text, or one that was worked out.

    Attributes:
        value: Its value; of percent a hundredth of what is written, of a date the day's number.
        symbol: What it is counted in: "€", "%", "km/h", "date", … "" for a mere number.
        text: All of it, as it was written; "" where it was worked out.
        start: Where it begins in the text.
        end: Where it ends.
    """

    value: Fraction
    symbol: str = ""
    text: str = ""
    start: int = 0
    end: int = 0

    @property
    def digits(self) -> str:
        """Its number as it was written, without sign, currency and unit; "" of a date."""
        found = _DIGITS.search(plain(self.text))
        return found[0] if found and self.symbol != DATE_SYMBOL else ""

    @property
    def decimals(self) -> int:
        """How many digits were written after the point, or after a comma that sets no thousands apart."""
        last = max(self.digits.rfind("."), self.digits.rfind(","))
        before, sign, after = self.digits[: max(last, 0)], self.digits[last : last + 1], self.digits[last + 1 :]
        is_english = sign == "," and len(after) == 3 and before != "0" and "." not in before  # noqa: PLR2004  digits
        return len(after) if last > 0 and sign not in before and not is_english else 0

    @property
    def has_comma(self) -> bool:
        """Whether its decimals stand behind a comma."""
        return self.decimals > 0 and self.digits[-self.decimals - 1] == ","

    @property
    def slack(self) -> Fraction:
        """By how much its value may differ from what was rounded to it: half a unit of the last place."""
        if self.symbol == DATE_SYMBOL:
            return Fraction(0)
        return Fraction(1, 2 * 10 ** (self.decimals + (2 if self.symbol == "%" else 0)))


def amounts_in(text: str) -> list[Amount]:
    """The amounts in a text, in order; what is part of a date is not one of its own."""
    tokens = tokens_of(text)
    dates = _dates_in(text)
    found: list[Amount] = []
    end = 0
    for at, token in enumerate(tokens):
        if token.begin < end or len(found) == MOST_AMOUNTS:
            continue
        one = dates.get(token.begin) or _amount_at(text, tokens, at)
        if one is not None:
            found.append(one)
            end = one.end
    return found


def amount_of(text: str) -> Amount | None:
    """The amount that a text states: the only one in it, with words around it or without; None if there is not just one."""
    found = amounts_in(text)
    return found[0] if len(found) == 1 else None


def beside(amount: Amount, other: Amount | None) -> Amount:
    """An amount as it is meant beside another one: 1.240 is more than a thousand where decimals stand behind a comma."""
    is_thousands = other is not None and other.has_comma and _THOUSANDS.fullmatch(amount.digits)
    return amount._replace(value=amount.value * 1000) if is_thousands else amount


def date_of(value: Fraction) -> date | None:
    """The day with a number, None if the calendar has none."""
    is_day = value.denominator == 1 and 1 <= value <= date.max.toordinal()
    return date.fromordinal(int(value)) if is_day else None


def _dates_in(text: str) -> dict[int, Amount]:
    """The dates in a text, by where they begin."""
    read = ((token, read_date(token.text)) for token in dated(text))
    return {
        token.begin: Amount(Fraction(day.toordinal()), DATE_SYMBOL, token.text, token.begin, token.end)
        for token, day in read
        if day
    }


def _amount_at(text: str, tokens: list[Token], begin: int) -> Amount | None:
    """The amount that begins with a token, its sign and a currency before it included."""
    if begin and tokens[begin - 1].end == tokens[begin].begin and _joins(tokens, begin - 1):
        return None
    at = begin + _is_minus(tokens, begin)
    currency = symbol_at(tokens, at, before=True)
    at = currency[0] + _is_minus(tokens, currency[0]) if currency else at
    number = _number_at(tokens, at)
    if number is None:
        return None
    end, value = number
    symbol = currency[1] if currency else ""
    if unit := None if currency else _unit_after(tokens, end):
        end, symbol = unit
    value = (-value if any(token.key == "-" for token in tokens[begin:at]) else value) / (100 if symbol == "%" else 1)
    start, stop = tokens[begin].begin, tokens[end - 1].end
    return Amount(value, symbol, text[start:stop], start, stop) if abs(value) <= LARGEST else None


def _number_at(tokens: list[Token], at: int) -> tuple[int, Fraction] | None:
    if at >= len(tokens) or not tokens[at].key[0].isdigit():
        return None
    found = number_at(tokens, at)
    key = tokens[at].key
    if found is None and key.count(".") == 1 and key.replace(".", "").isascii() and key.replace(".", "").isdigit():
        found = at + 1, key  # 1.200 is a little more than one here
    if found is None:
        return None
    end, value = found[0], Fraction(str(found[1]))
    after = tokens[end] if end < len(tokens) else None
    if after and after.begin == tokens[end - 1].end and after.key in _NO_NUMBER:
        return None
    return (end + 1, value * _LARGE[after.key]) if after and after.key in _LARGE else (end, value)


def _unit_after(tokens: list[Token], at: int) -> tuple[int, str] | None:
    """The unit behind a number, a blank or a hyphen between them or nothing."""
    if at < len(tokens) and tokens[at].key == "-" and tokens[at].begin == tokens[at - 1].end:
        at += 1
    return symbol_at(tokens, at) if at < len(tokens) and tokens[at].begin - tokens[at - 1].end <= 1 else None


def _is_minus(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at].key == "-" and tokens[at].end == tokens[at + 1].begin


def _joins(tokens: list[Token], at: int) -> bool:
    """Whether a number right behind a token is a part of a word, of a fraction, or of another number."""
    key = tokens[at].key
    if key == ",":
        return at > 0 and tokens[at - 1].key[0].isdigit()
    return tokens[at].is_word or key[0].isdigit() or key in "_./"
