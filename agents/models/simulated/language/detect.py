"""Tells which language a text is in, as far as its letters and function words show."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Literal

from agents.models.simulated.language.characters import is_han, is_kana, plain
from agents.models.simulated.language.words import any_of, words_of

Language = Literal["en", "ja", "zh", "zh-Hant"]
LANGUAGES: tuple[Language, ...] = ("en", "ja", "zh", "zh-Hant")
LANGUAGE_NAMES: dict[Language, str] = {
    "en": "English",
    "ja": "Japanese",
    "zh": "Chinese (simplified)",
    "zh-Hant": "Chinese (traditional)",
}

_BY_NAME: dict[str, Language] = {name: language for language, name in LANGUAGE_NAMES.items()}

MOST_READ = 5000
"""Characters of a text that are looked at."""
_OUTWEIGHS = 4
"""Latin letters for each Han character or kana, from which a text with both counts as one in Latin letters."""

_WORD = re.compile(r"[^\W\d_]+")
_JAPANESE = re.compile(f"(?:{any_of(words_of('ja')['detect']['words'].split())})")
_CHINESE = frozenset(words_of("zh")["detect"]["letters"])
_ENGLISH = frozenset(words_of("en")["detect"]["words"].split())
_OTHER = frozenset(words_of("en")["detect"]["other"].split()) - _ENGLISH


def language_of(text: str) -> Language | None:
    """The language of a text, None for one that the simulations do not read. A text without words counts as English."""
    head = text[:MOST_READ]
    scripts = Counter(map(_script, head))
    cjk = scripts["kana"] + scripts["han"]
    if scripts["other"] > scripts["latin"] + cjk:
        return None
    if cjk and scripts["latin"] < _OUTWEIGHS * cjk:
        return "ja" if scripts["kana"] else _of_han(head)
    return _of_latin(head)


def answer_language(text: str) -> Language:
    """The language to answer a text in: its own where that is read, else English."""
    return language_of(text) or "en"


def language_called(name: str) -> Language:
    """The language of a name in `LANGUAGE_NAMES`; English for any other name."""
    return _BY_NAME.get(name, "en")


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    if not letter.isalpha() and letter not in "々〇":
        return ""
    if letter.isascii():
        return "latin"
    if is_kana(letter):
        return "kana"
    if is_han(letter):
        return "han"
    return "latin" if unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN")) else "other"


def _of_han(text: str) -> Language:
    """Japanese is told by characters and words that Chinese has not, or by both Chinese scripts side by side."""
    written = Counter(map(_home, text))
    if written["ja"] or (
        not _CHINESE.intersection(text) and (_JAPANESE.search(plain(text)) or (written["zh"] and written["zh-Hant"]))
    ):
        return "ja"
    return "zh-Hant" if written["zh-Hant"] > written["zh"] else "zh"


@lru_cache(maxsize=4096)
def _home(letter: str) -> str:
    """The only language that writes a Han character, as far as the old national character sets tell; "" for several.

    GB 2312 holds the simplified characters, Big5 the traditional ones, and Shift JIS those of Japanese.
    """
    is_simplified, is_traditional = _is_in("gb2312", letter), _is_in("big5", letter)
    if is_simplified != is_traditional:
        return "zh" if is_simplified else "zh-Hant"
    return "" if is_simplified or not is_han(letter) or letter in "々〇" or not _is_in("shift_jis", letter) else "ja"


def _is_in(character_set: str, letter: str) -> bool:
    try:
        letter.encode(character_set)
    except UnicodeEncodeError:
        return False
    return is_han(letter)


def _of_latin(text: str) -> Language | None:
    words = _WORD.findall(plain(text).casefold())
    english, other = sum(word in _ENGLISH for word in words), sum(word in _OTHER for word in words)
    if english or other:
        return "en" if english >= other else None
    return None if len(words) > 1 and 2 * sum(not word.isascii() for word in words) >= len(words) else "en"
