"""The normalised words of a text: without case, spacing, ornament and widths of characters.

What changes the meaning stays: operators, signs, currencies, the decimal point, a comma that stands alone. Chinese,
Japanese and Thai, which write no spaces, are split into characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_WIDE = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_POINTS = r".,;:!?\"'`()\[\]{}…‥«»“”„‚‘’‹›·•¡¿、。「」『』【】《》〈〉"

NUMBER = r"(?<![\w.])\.\d+|\d+(?:[.,:]\d+)*"
_SIGN = rf"[!<>=]=|[^\w\s{_POINTS}]"
_JAPANESE_NOT = "ない|なく|なかっ|ません"
_WORD = rf"{_JAPANESE_NOT}|[{_WIDE}]|[^\W\d{_WIDE}][^\W{_WIDE}]*(?:'[^\W\d{_WIDE}]+)*"
_TOKEN = re.compile(rf"{NUMBER}|{_WORD}|{_SIGN}|(?<!\S)[{_POINTS}]+(?!\S)")
_TOKEN_OF_FORMULA = re.compile(rf"{NUMBER}|{_WORD}|{_SIGN}|[()]")

_LIST_MARK = re.compile(r"\A\s*(?:[-*•]|#+)\s+(?=\S)")
_EMPHASIS = re.compile(r"(?<![\w*])\*\*(?=\w)([^*]+)(?<=\w)\*\*(?![\w*])")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_DASHES = str.maketrans("‐‑‒–−’ʼ×÷⁄", "-----''*//")

_STOP_WORDS = """
a an the of in on at is are am was were be been being it its this that these those there here you your yours we our ours i my
please do does did will shall also just very which who so then such as
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that do not change what a sentence says."""

NEGATED_VERB = "n't"
_NUMBERS = "two three four five six seven eight nine ten eleven twelve"  # "the one that …" counts nothing
NUMBER_WORDS = {"zero": "0", **{word: str(value) for value, word in enumerate(_NUMBERS.split(), start=2)}}
_ENDINGS = ("ings", "ing", "ed", "es", "s", "e")
_SHORTEST_STEM = 4


def plain(text: str) -> str:
    """A text without ornament and with one character for each of its look-alikes; case and punctuation stay.

    "x²" becomes "x^2", not "x2", and "5½" does not become "51/2".
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", "".join(map(_spread, text))).translate(_DASHES)
    text = _LIST_MARK.sub("", text, count=1)
    if "," in text:
        text = _THOUSANDS.sub(_without_commas, text)
    if "**" in text:
        text = _EMPHASIS.sub(r"\1", text)
    return _HYPHEN.sub(" ", text) if "-" in text else text


def words_of(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of a `plain` text, in lower case and without punctuation; at least one."""
    return tuple(_TOKEN.findall(text.casefold())) or (text,)


def formula_words(text: str) -> list[str]:
    """As `words_of`, with the parentheses, which mean something in a formula; of a `plain` text."""
    return _TOKEN_OF_FORMULA.findall(text.casefold())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its English ending, if enough remains: "dividing", "divides" and "divide" have one stem."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if word == "cannot" or word.endswith(NEGATED_VERB):
        return "not"
    if not word.isascii():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


def content_of(words: Sequence[str]) -> tuple[str, ...]:
    """The stems of the content words, in order; of all words if there are none."""
    return tuple([stem(word) for word in words if word not in STOP_WORDS]) or tuple(words)


def _without_commas(number: re.Match[str]) -> str:
    return number[0].replace(",", "")


def _spread(character: str) -> str:
    """A superscript digit as a power; other numbers of one character with spaces around them."""
    if not character.isnumeric() or character.isdecimal():
        return character
    kind = unicodedata.decomposition(character)
    if kind.startswith("<super>"):
        return f"^{character}"
    return f" {character} " if kind else character
