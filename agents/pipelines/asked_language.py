"""The language to answer a message in, told by its script, and the sentences that a simulation has in each language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

Language = Literal["en", "ja", "zh", "zh-Hant"]

MOST_READ = 5_000
"""Characters of a message that are looked at."""
_OUTWEIGHS = 4
"""Latin letters for each Han character or kana, from which a message with both counts as English."""


def answer_language(text: str) -> Language:
    """Japanese, simplified or traditional Chinese where a message is written in it, else English."""
    head = text[:MOST_READ]
    kana = sum("\u3041" <= letter <= "\u30fa" or "\uff66" <= letter <= "\uff9f" for letter in head)
    han = [letter for letter in head if "\u3400" <= letter <= "\u9fff"]
    latin = sum(letter.isascii() and letter.isalpha() for letter in head)
    if latin >= _OUTWEIGHS * (kana + len(han)):
        return "en"
    if kana:
        return "ja"
    simplified = sum(_is_in("gb2312", letter) and not _is_in("big5", letter) for letter in han)
    traditional = sum(_is_in("big5", letter) and not _is_in("gb2312", letter) for letter in han)
    return "zh-Hant" if traditional > simplified else "zh"


@cache
def sentences_beside(module: str) -> dict[str, dict[str, str]]:
    """Language → key → sentence with fields in braces, from `sentences.toml` beside a module's `__file__`."""
    return tomllib.loads(Path(module).with_name("sentences.toml").read_text(encoding="utf-8"))


def _is_in(character_set: str, letter: str) -> bool:
    try:
        letter.encode(character_set)
    except UnicodeEncodeError:
        return False
    return True
