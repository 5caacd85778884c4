"""Words in the form that the search compares: without case, accents and endings, and without stop words."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from agents.models.simulated.language.words import words_beside

WORDS: dict[str, Any] = words_beside(__file__)
"""What is said of words, see the file."""
STOP_WORDS = frozenset(WORDS["stop"].split())
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_ENDING = re.compile(r"(?<=[^\W_]{3})(?:(?<!s)s|ing|ed)$")


def stems(text: str) -> list[str]:
    """The words of a text that mean something, in order, each without its ending: "Moved tides" → mov, tid."""
    return [_stem(word) for word in _WORD.findall(_without_accents(text.casefold())) if word not in STOP_WORDS]


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    # one character at a time: a run of accents in one call is sorted by Python in quadratic time
    return "".join(c for letter in text for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c))


def _stem(word: str) -> str:
    word = f"{word[:-3]}y" if word.endswith("ies") else _ENDING.sub("", word)
    return word.rstrip("e") or word
