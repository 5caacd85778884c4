"""Cuts a message into tokens: words, numbers in digits, single Han characters and kana, single signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from agents.models.simulated.language.characters import plain
from agents.models.simulated.language.chinese import SIMPLIFIED

MOST_LETTERS = 600
"""A message with more characters is no order that a form covers."""

_CJK = r"\u3041-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f々〇"
_TOKEN = re.compile(rf"\d++(?:[.,']\d++)*+|[{_CJK}]|[^\W\d_²³{_CJK}]++(?:['-][^\W\d_²³{_CJK}]++)*+|\S")
_IS_CJK = re.compile(f"[{_CJK}]")
_SIMPLIFIED = SIMPLIFIED | str.maketrans("’‘", "''")


class Token(NamedTuple):
    """A piece of a message.

    Attributes:
        key: How it is compared: in small letters and simplified characters.
        written: How it stands in the message.
        begin: Where it begins.
        end: Where it ends.
    """

    key: str
    written: str
    begin: int
    end: int

    @property
    def is_cjk(self) -> bool:
        """Whether it is a Han character or kana."""
        return len(self.key) == 1 and _IS_CJK.match(self.key) is not None

    @property
    def is_word(self) -> bool:
        """Whether it is a word in an alphabet."""
        return self.key[0].isalpha() and not self.is_cjk


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text; white space is between them."""
    source = plain(text).translate(_SIMPLIFIED)
    return [
        Token(found[0].lower(), text[found.start() : found.end()], found.start(), found.end())
        for found in _TOKEN.finditer(source)
    ]


def written(text: str, tokens: list[Token], begin: int, end: int) -> str:
    """What stands in a message from one token to before another, on one line."""
    return " ".join(text[tokens[begin].begin : tokens[end - 1].end].split())
