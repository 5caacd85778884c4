"""Numbers as people type them: "1,200.50", "3,5", "€ 4", "12 %", １２０, 三百円, 7本. Exact."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.numbers import whole_number
from agents.pipelines.data_pipeline.currencies import MARK

MOST_DIGITS = 15
_MOST = 10**12
"""The largest number in Japanese or Chinese numerals, or with a counter."""
_BEFORE = re.compile(rf"\A([-+−]?)\s*+(?:{MARK})\s*+", re.IGNORECASE)
_AFTER = re.compile(rf"(?:(?<!\s)\s++)?+(?:{MARK})\Z", re.IGNORECASE)
_EITHER = re.compile(r"[-+−]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
"""Thousands in one country, thousandths in another."""
_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[\s'’](?=\d{3}(?!\d))")
_PLAIN = re.compile(r"[-+−]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_THOUSANDS = re.compile(r"[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_THOUSANDS_BY_DOT = re.compile(r"[-+−]?\d{1,3}(?:\.\d{3})*,\d+|[-+−]?\d{1,3}(?:\.\d{3}){2,}", re.ASCII)
_DECIMAL_COMMA = re.compile(r"\A[-+−]?\d++,\d+", re.ASCII)


def read_number(text: str) -> Decimal | None:
    """The number that a cell holds, None if it holds something else or more digits than can be added up exactly."""
    bare = _BETWEEN_THOUSANDS.sub("", _AFTER.sub("", _BEFORE.sub(r"\1", plain(text).strip())))
    if any(map(is_cjk, bare[:MOST_DIGITS])):
        value = whole_number(bare)
        return None if value is None or abs(value) >= _MOST else Decimal(str(value))
    if _THOUSANDS.fullmatch(bare):
        bare = bare.replace(",", "")
    elif _THOUSANDS_BY_DOT.fullmatch(bare) or _DECIMAL_COMMA.fullmatch(bare):
        bare = bare.replace(".", "").replace(",", ".")
    if _EITHER.fullmatch(bare) or not _PLAIN.fullmatch(bare) or sum(letter.isdigit() for letter in bare) > MOST_DIGITS:
        return None
    return Decimal(bare.replace("−", "-"))


def show_number(value: Decimal, *, places: int | None = None) -> str:
    """A number as it is written in a report: without an exponent; rounded half up if `places` are given."""
    if places is not None:
        value = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{value:f}"


def is_plain_number(text: str) -> bool:
    """Whether a text is a number in the form in which `show_number` writes one."""
    return _PLAIN.fullmatch(text) is not None
