"""Words as the search compares them: without case, accents and endings, and without those that say nothing by themselves."""

from __future__ import annotations

import re
import unicodedata

_LISTED = """
a about all also am an and any are as at be because been between both but by can could did do does each for from get had
has have he her his how i if in into is it its just like many may me more most much my no not of on one only or other our
out please she should so some than that the their them then there these they this those to too up us was we were what
when where which while who whom whose why will with without would you your
"""
STOP_WORDS = frozenset(_LISTED.split())
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
