"""Tells which language a question is in, as far as its letters and function words show."""

from __future__ import annotations

import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja", "zh", "zh-Hant"]

MOST_READ = 5000
"""Characters of a text that are looked at."""

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """A text with full-width letters, digits and signs as ASCII; its length stays the same."""
    return text.translate(_FULL_WIDTH)


def language_of(text: str) -> Language | None:
    """The language of a text; None for one that the learner does not read. Without any words it counts as English."""
    scripts = [_script(sign) for sign in text[:MOST_READ] if sign.isalpha()]
    if "kana" in scripts:
        return "ja"
    if "han" in scripts:
        return _chinese(text)
    if scripts.count("other") > scripts.count("latin"):
        return None
    return _latin(half_width(text[:MOST_READ]).casefold())


def _script(letter: str) -> str:
    if letter.isascii():
        return "latin"
    name = unicodedata.name(letter, "")
    for begin, script in (
        ("LATIN", "latin"),
        ("CJK", "han"),
        ("HIRAGANA", "kana"),
        ("KATAKANA", "kana"),
        ("FULLWIDTH", "latin"),
    ):
        if name.startswith(begin):
            return script
    return "other"


def _chinese(text: str) -> Language:
    words = _words()
    traditional, simplified = set(words["traditional"]), set(words["simplified"])
    return "zh-Hant" if len(set(text) & (traditional - simplified)) > len(set(text) & (simplified - traditional)) else "zh"


def _latin(text: str) -> Language | None:
    words = "".join(sign if sign.isalpha() else " " for sign in text).split()
    known = {language: frozenset(listed.split()) for language, listed in _words().items()}
    english = sum(word in known["en"] for word in words)
    other = sum(word in known["other"] and word not in known["en"] for word in words)
    if english or other:
        return "en" if english >= other else None
    foreign = any(sign.isalpha() and not sign.isascii() and _script(sign) == "latin" for sign in text)
    return None if foreign and len(words) > 1 else "en"


@cache
def _words() -> dict[str, str]:
    return tomllib.loads((Path(__file__).parent / "languages.toml").read_text(encoding="utf-8"))
