"""Brings sums in Japanese and Chinese into digits and signs: full-width digits, numerals, and signs as words."""

from __future__ import annotations

import re

from agents.pipelines.language.characters import plain
from agents.pipelines.language.numbers import NUMERALS, value_of
from agents.pipelines.language.words import any_of, words_beside

MOST_NUMERALS = 12
"""Characters of a number that is written in numerals."""

_DATA: dict[str, list[str]] = words_beside(__file__, "signs.toml")
_SIGNS: dict[str, str] = {word: sign for sign, words in _DATA.items() for word in words}
_NUMBER = re.compile(f"[{NUMERALS}]+")
_SIGN = re.compile(rf"(?<=[\d ()])(?:{any_of(_SIGNS)})")
_OTHER = re.compile("[\u3001-\u30ff\u3400-\u9fff]")


def in_digits(text: str) -> str:
    """A text with its sums in ASCII; what is Japanese or Chinese and no part of a sum becomes blanks."""
    if text.isascii():
        return text
    text = _NUMBER.sub(lambda found: str(value_of(found[0])) if len(found[0]) <= MOST_NUMERALS else " ", plain(text))
    return _OTHER.sub(" ", _SIGN.sub(lambda found: f" {_SIGNS[found[0]]} ", text))
