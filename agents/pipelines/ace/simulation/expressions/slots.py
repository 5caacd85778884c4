"""The tokens of a question, and the values that a slot among them takes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain
from agents.pipelines.ace.simulation.expressions.notations import DAY_FIRST, MONTH_FIRST, begins_date, read_date

_CJK = "\u3041-\u30ff\u3400-\u9fff々〇"
_SIGNS = "\"'“”‘’«»„()\\[\\]{}<>.,;:!?…「」『』（）【】、。，：；！？"
_TOKEN = re.compile(rf"[{_CJK}{_SIGNS}]|[^\s{_CJK}{_SIGNS}]+(?:[{_SIGNS}]+[^\s{_CJK}{_SIGNS}]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_PAUSE = re.compile(r"[,;:?!](?=\s|$)|[。、，；：？！]|\.(?=\s)")
_LONGEST_DATE = 7
"""Tokens: Friday, 14 March, 2025."""


class Token(NamedTuple):
    """A word, a number, a date, a Chinese character or kana, or a sign, and its place in the whole text."""

    text: str
    begin: int
    end: int

    @property
    def is_sign(self) -> bool:
        """Whether it has neither letters nor digits."""
        return not any(map(str.isalnum, self.text))

    @property
    def key(self) -> str:
        """It as it is compared."""
        return plain(self.text).casefold()


@lru_cache(maxsize=1024)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a text."""
    single = [Token(found[0], found.start(), found.end()) for found in _TOKEN.finditer(text)]
    tokens: list[Token] = []
    at = 0
    while at < len(single):
        end = at + 1
        if begins_date(single[at].text):
            ends = range(min(len(single), at + _LONGEST_DATE), at, -1)
            end = next((end for end in ends if is_date(text[single[at].begin : single[end - 1].end])), end)
        tokens.append(Token(text[single[at].begin : single[end - 1].end], single[at].begin, single[end - 1].end))
        at = end
    return tuple(tokens)


def is_date(text: str) -> bool:
    """Whether a text is a date, whichever way it may be read."""
    return text[-1:].isalnum() and any(read_date(text, order) for order in ("", DAY_FIRST, MONTH_FIRST))


def kind_of(values: Sequence[str]) -> str:
    """The kind of a slot that has taken some values: d for dates, n for numbers, t for other text."""
    if all(map(is_date, values)):
        return "d"
    return "n" if all(set("0123456789.,").issuperset(plain(value)) for value in values) else "t"


def is_alike(value: str, seen: Sequence[str], *, drops_letters: bool, counts_digits: bool) -> bool:
    """Whether a value is of the same kind as those that a slot has taken.

    Args:
        value: The value.
        seen: The others.
        drops_letters: Whether the answer leaves its letters out: euros are no dollars, though the number is the same.
        counts_digits: Whether the answer takes digits by their places.
    """
    often = {len(one.split()) for one in seen}
    if len(often) == 1 and len(value.split()) not in often:
        return False
    mine, marks = _marks(value), [_marks(one) for one in seen]
    if marks and not marks[0].intersection(*marks) <= mine <= marks[0].union(*marks):
        return False
    if not set(_PAUSE.findall(value)) <= {sign for one in seen for sign in _PAUSE.findall(one)}:
        return False
    if drops_letters and not _words(value) <= {word for one in seen for word in _words(one)}:
        return False
    digits = [_digits(one) for one in seen]
    return not counts_digits or not digits or min(digits) <= _digits(value) <= max(digits)


def _marks(value: str) -> frozenset[str]:
    """What a value is made of: kinds of letters, digits, signs of currencies and the like."""
    return frozenset(mark for sign in plain(value) if (mark := _mark(sign)))


def _mark(sign: str) -> str:
    if sign.isdigit():
        return "digit"
    if "\u3041" <= sign <= "\u309f":
        return "hiragana"
    if sign.isalpha():
        return "cjk" if is_cjk(sign) else "letter"
    return sign if unicodedata.category(sign) == "Sc" or sign in "%@#&" else ""


def _words(value: str) -> set[str]:
    return {word.casefold() for word in _LETTERS.findall(value)}


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))
