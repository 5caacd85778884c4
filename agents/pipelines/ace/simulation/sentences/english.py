"""English words by what they do in a sentence, and names made of words. The words are in `english.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agents.models.simulated.language.words import words_beside

_DATA = words_beside(__file__, "english.toml")
_SHORTEST_PLURAL = 4
"""Letters: "gas" and "yes" are none."""

WORD = r"[^\W\d_²³]+(?:[-'’&][^\W\d_²³]+)*"
_WORD = re.compile(WORD)
_CONTENT = re.compile(r"\w+(?:[.,]\d+)?")


def words_for(kind: str) -> frozenset[str]:
    """The words of a list in the data file."""
    return frozenset(_DATA[kind].split())


def table_of(kind: str) -> Mapping[str, str]:
    """A table in the data file, by word."""
    return _DATA[kind]


ARTICLES = words_for("articles")
DETERMINERS = ARTICLES | words_for("demonstratives")
PRONOUNS = words_for("pronouns")
LINKS = words_for("links")
HELPING_VERBS = words_for("helping_verbs")
VERBS = HELPING_VERBS | words_for("verbs")
JOINTS = words_for("joints")
ORDINALS: Sequence[str] = _DATA["ordinals"].split()
STOPS = DETERMINERS | PRONOUNS | VERBS | JOINTS
"""What ends a name, seen from its last word."""
_EMPTY = DETERMINERS | PRONOUNS | HELPING_VERBS | JOINTS | words_for("empty")


def words_of(text: str) -> list[str]:
    """The words of a text, case kept."""
    return _WORD.findall(text)


def content_words(text: str) -> frozenset[str]:
    """The words and numbers of a text that say what it is about, as they are compared."""
    return frozenset(_singular(word.casefold()) for word in _CONTENT.findall(text)) - _EMPTY


def key_of(name: str) -> str:
    """A name as it is compared: without case, articles and plural."""
    words = [word.casefold() for word in _WORD.findall(name)]
    return " ".join(_singular(word) for word in words if word not in DETERMINERS) or " ".join(words)


def name_of(words: Sequence[str]) -> str:
    """Words as a name: abbreviations keep their case."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _singular(word: str) -> str:
    if len(word) > _SHORTEST_PLURAL and word.endswith("ies"):
        return f"{word[:-3]}y"
    plural = len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word
