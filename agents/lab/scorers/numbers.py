"""Numbers as people write them: thousands separators, decimal commas, percent, full-width digits, Han numerals."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import NamedTuple

from agents.models.simulated.language.numbers import numbers_in as numbers_in_words

MOST_LOOKED_AT = 20_000
"""Characters of an answer that are looked at; no answer that is a number is as long."""
_MOST_DIGITS = 60

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<sign>[-+\u2212](?=[0-9.€$£¥]))?(?P<currency>[€$£¥] ?)?"
    r"(?P<digits>[0-9]++(?:[.,'\u2019][0-9]++| [0-9]{3}(?![0-9]))*+)(?P<power>[eE][-+]?[0-9]{1,3}(?![0-9]))?"
    r"(?![eE][-+]?[0-9])(?: (?P<large>thousand|million|billion)\b)?(?P<percent> ?(?:%|percent\b|per cent\b|パーセント))?"
)
_LARGE = {"thousand": 3, "million": 6, "billion": 9}
_GROUPS = re.compile(r"[0-9]{1,3}(?:[,.][0-9]{3})++")
_HAN_UNITS = frozenset("十百千万萬億亿")


class Number(NamedTuple):
    """A number in a text: its value as written, and whether a percent sign stands behind it."""

    value: Decimal
    is_percent: bool = False


def only_number(text: str) -> Number | None:
    """The number that a text states, with words or a unit around it or without; None if there is not just one.

    `1,234.5`, `1.234,5`, `1 234,5` and `１，２３４．５` are the same. Of `1,234` the comma sets thousands apart, of `1.234`
    the point is a decimal point.
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_LOOKED_AT])
    found = list(islice(_NUMBER.finditer(plain), 2))
    if not found or any(plain[one.end() : one.end() + 1] in _HAN_UNITS for one in found if one.end() < len(plain)):
        words = numbers_in_words(plain)
        return Number(Decimal(str(words[0].value))) if len(words) == 1 else None
    return _number(found[0]) if len(found) == 1 else None


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


def _number(found: re.Match[str]) -> Number | None:
    digits = found["digits"].replace(" ", "").replace("'", "").replace("\u2019", "")
    if len(digits) > _MOST_DIGITS or (plain := _with_point(digits)) is None:
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
