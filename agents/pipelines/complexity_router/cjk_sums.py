"""Brings sums in Japanese and Chinese into digits and signs: full-width digits, numerals, and signs as words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

MOST_NUMERALS = 12
"""Characters of a number that is written in numerals."""

_DATA = tomllib.loads(Path(__file__).with_name("arithmetic.toml").read_text(encoding="utf-8"))
_SIGNS: dict[str, str] = {word: sign for sign, words in _DATA["signs"].items() for word in words}
_NUMERALS: dict[str, int] = _DATA["numerals"]
_MYRIAD = 10_000
_NUMBER = re.compile(f"[{''.join(_NUMERALS)}]+")
_SIGN = re.compile(rf"(?<=[\d ()])(?:{'|'.join(sorted(_SIGNS, key=len, reverse=True))})")
_OTHER = re.compile("[\u3001-\u30ff\u3400-\u9fff]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def in_digits(text: str) -> str:
    """A text with its sums in ASCII; what is Japanese or Chinese and no part of a sum becomes blanks."""
    if text.isascii():
        return text
    text = _NUMBER.sub(lambda found: _as_digits(found[0]), text.translate(_FULL_WIDTH))
    return _OTHER.sub(" ", _SIGN.sub(lambda found: f" {_SIGNS[found[0]]} ", text))


def _as_digits(numerals: str) -> str:
    """A number in digits: 二十三 is 23, 二〇 is 20."""
    values = [_NUMERALS[one] for one in numerals]
    if len(values) > MOST_NUMERALS:
        return " "
    if max(values) < 10:  # noqa: PLR2004  digit after digit
        return "".join(map(str, values))
    total = group = digit = 0
    for value in values:
        if value < 10:  # noqa: PLR2004
            digit = value
        elif value < _MYRIAD:
            group += (digit or 1) * value
            digit = 0
        else:
            total += (group + digit or 1) * value
            group = digit = 0
    return str(total + group + digit)
