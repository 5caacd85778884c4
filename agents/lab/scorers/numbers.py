"""Numbers as people write them: thousands separators, decimal commas, percent, full-width digits, Han numerals."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Literal, NamedTuple

from agents.models.simulated.language.numbers import numbers_in as numbers_in_words

MOST_LOOKED_AT = 20_000
"""Characters of an answer that are looked at; no answer that is a number is as long."""
_MOST_DIGITS = 60

DecimalSign = Literal["", ",", "."]
"""The sign before the decimals; "" where it is not known."""

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<sign>[-+\u2212](?=[0-9.€$£¥]))?(?P<currency>[€$£¥] ?)?"
    r"(?P<digits>[0-9]++(?:[.,'\u2019][0-9]++| [0-9]{3}(?![0-9]))*+)(?P<power>[eE][-+]?[0-9]{1,3}(?![0-9]))?"
    r"(?![eE][-+]?[0-9])(?: (?P<large>thousand|million|billion)\b)?(?P<percent> ?(?:%|percent\b|per cent\b|パーセント))?"
)
_LARGE = {"thousand": 3, "million": 6, "billion": 9}
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:[,.][0-9]{3})++")
_LONGEST_UNIT = 5
_HAN_UNITS = frozenset("十百千万萬億亿")


class Number(NamedTuple):
    """A number in a text: its value as written, and whether a percent sign stands behind it."""

    value: Decimal
    is_percent: bool = False


def only_number(text: str, decimal: DecimalSign = "") -> Number | None:
    """The number that a text states, with words or a unit around it or without; None if there is not just one.

    `1,234.5`, `1.234,5`, `1 234,5` and `１，２３４．５` are the same. Of `1,234` the comma sets thousands apart, of `1.234`
    the point is a decimal point.

    Args:
        text: The text.
        decimal: The decimal sign, so that the other one sets thousands apart; "" where the number itself has to tell.
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_LOOKED_AT])
    found = list(islice(_NUMBER.finditer(plain), 2))
    if not found or any(plain[one.end() : one.end() + 1] in _HAN_UNITS for one in found if one.end() < len(plain)):
        words = numbers_in_words(plain)
        return Number(Decimal(str(words[0].value))) if len(words) == 1 else None
    return _number(found[0], decimal) if len(found) == 1 else None


def is_same_number(given: Number, right: Number, *, tolerance: Decimal, relative: Decimal) -> bool:
    """Whether two numbers are the same within a tolerance.

    A percent sign that only one of them has may be left out, or have been worked in: 12.5 % is 12.5, and is 0.125.

    Args:
        given: The answer's number.
        right: The right one.
        tolerance: Most difference.
        relative: Most difference as a part of the right number; the greater of both counts.
    """
    values = [given.value]
    if given.is_percent != right.is_percent:
        values.append(given.value / 100 if given.is_percent else given.value * 100)
    most = max(tolerance, abs(right.value) * relative)
    return any(abs(value - right.value) <= most for value in values)


def decimal_sign(text: str) -> DecimalSign | None:
    """The decimal sign of a text that is a number, perhaps with a unit; None if the text is something else.

    It is "" of a number without one, and of `1,234` and `1.234`, where it cannot be told.
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_LOOKED_AT]).strip(" €$£¥")
    number, _, unit = plain.rpartition(" ")
    found = _NUMBER.fullmatch(number if number and unit.isalpha() and len(unit) <= _LONGEST_UNIT else plain)
    if found is None or _number(found) is None:
        return None
    sign = found["digits"].strip("0123456789 '\u2019")[-1:]
    return "" if _GROUPS.fullmatch(found["digits"]) else "," if sign == "," else "." if sign == "." else ""


def _number(found: re.Match[str], decimal: DecimalSign = "") -> Number | None:
    digits = found["digits"].replace(" ", "").replace("'", "").replace("\u2019", "")
    if len(digits) > _MOST_DIGITS or (plain := _with_decimal(digits, decimal) if decimal else _with_point(digits)) is None:
        return None
    try:
        value = Decimal(plain + (found["power"] or ""))
    except InvalidOperation:
        return None
    sign = -1 if found["sign"] in ("-", "\u2212") else 1
    return Number((sign * value).scaleb(_LARGE.get(found["large"], 0)), bool(found["percent"]))


def _with_point(digits: str) -> str | None:
    """Digits with a decimal point alone; None where separators stand as in no number, e.g. in a date."""
    commas, points = digits.count(","), digits.count(".")
    if commas and points:
        thousands, decimal = (",", ".") if digits.rfind(".") > digits.rfind(",") else (".", ",")
        whole, _, rest = digits.rpartition(decimal)
        if decimal in whole or not _GROUPS.fullmatch(whole) or thousands in rest:
            return None
        return f"{whole.replace(thousands, '')}.{rest}"
    if commas == 1 and not _GROUPS.fullmatch(digits):
        return digits.replace(",", ".")
    if commas or points > 1:
        return digits.replace(",", "").replace(".", "") if _GROUPS.fullmatch(digits) else None
    return digits


def _with_decimal(digits: str, decimal: DecimalSign) -> str | None:
    """Digits with a decimal point alone, whose decimal sign is known; None where the separators do not fit."""
    thousands = "." if decimal == "," else ","
    whole, _, rest = digits.partition(decimal)
    if (rest and not rest.isdecimal()) or (thousands in whole and not _GROUPS.fullmatch(whole)):
        return None
    return f"{whole.replace(thousands, '')}.{rest}"
