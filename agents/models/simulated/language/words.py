"""Loads words from data files: those of each language beside this module, those of a pipeline beside its own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from agents.models.simulated.language.chinese import with_simplified

FILES = ("en", "ja", "zh")

_WORD = re.compile(r"[^\W_]++(?:[’'-][^\W_]++)*+")


@cache
def words_beside(module: str, file: str = "words.toml") -> dict[str, Any]:
    """The data of a file beside a module, see `with_simplified`. Not to be changed.

    Args:
        module: The module's `__file__`.
        file: The name of the data file.
    """
    return with_simplified(tomllib.loads(Path(module).with_name(file).read_text(encoding="utf-8")))


def words_of(file: str) -> dict[str, Any]:
    """The data of one language file, e.g. "ja". Not to be changed."""
    return words_beside(__file__, f"{file}.toml")


def listed(section: str, key: str) -> list[str]:
    """The words that all language files list below `section` and `key`, in the order of `FILES`."""
    found = [words_of(file).get(section, {}).get(key, "") for file in FILES]
    return [word for words in found for word in (words.split() if isinstance(words, str) else words)]


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of `words`, the longest first; a blank stands for any white space or hyphen.

    Raises:
        ValueError: There are no words.
    """
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    if not longest_first:
        raise ValueError("A pattern needs at least one word.")
    return "|".join(re.escape(word).replace(r"\ ", r"[\s-]") for word in longest_first)


def in_plain_words(text: str) -> str:
    """The words of a text in small letters, with a blank between them."""
    return " ".join(_WORD.findall(text.lower()))


def has_phrase(text: str, phrase: str) -> bool:
    """Whether words stand in a text, in small letters or capitals, and not as a part of longer words."""
    words = in_plain_words(phrase)
    return bool(words) and f" {words} " in f" {in_plain_words(text)} "
