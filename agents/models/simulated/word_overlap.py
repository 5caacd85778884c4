"""Compares texts by the words that they share, in English, Japanese and Chinese."""

from __future__ import annotations

import re

from agents.models.simulated.language.characters import is_cjk, is_kana, plain
from agents.models.simulated.language.words import words_of

MOST_READ = 20_000
"""Characters of a text that are looked at."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_RUN = re.compile(r"[^\W_]+")
_HIRAGANA = range(0x3041, 0x30A0)
_COMMON = {*words_of("en")["detect"]["words"].split(), "agent", "assistant", "any", "all", "about", "handle", "get"}
_BETWEEN = frozenset(words_of("zh")["text"]["between"]) | frozenset(words_of("zh")["detect"]["letters"])
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("s", ""))
_SHORTEST_STEM = 3
_LIST_END = "\nIf one of them "
"""What follows the list of agents that a model may transfer to."""


def words_in(text: str) -> set[str]:
    """The words of a text that say what it is about, in a form that is the same for "refund" and "Refunds".

    Chinese and Japanese have no spaces: of Han characters every two neighbours count, and of katakana every whole word.
    """
    found: set[str] = set()
    for match in _RUN.finditer(plain(_CAMEL.sub(" ", text[:MOST_READ]))):
        found.update(_words_of(match[0]))
    return found


def listed_in(text: str, name: str) -> str:
    """What a list in a text says of a name after `- NAME: `, up to its next entry; "" if it has none."""
    _, found, said = text.rpartition(f"\n- {name}: ")
    return said.partition("\n- ")[0].partition(_LIST_END)[0] if found else ""


def _words_of(run: str) -> set[str]:
    if run.isascii():
        word = _stem(run.casefold())
        return {word} if len(word) > 1 and word not in _COMMON and run.casefold() not in _COMMON else set()
    found: set[str] = set()
    for kind, part in _parts(run):
        if kind == "han":
            found.update(part[at : at + 2] for at in range(max(1, len(part) - 1)))
        elif kind == "kana" and len(part) > 1:
            found.add(part)
        elif kind == "other":
            found.add(_stem(part.casefold()))
    return found


def _parts(run: str) -> list[tuple[str, str]]:
    """A run of letters cut where the script changes; hiragana and Chinese function words only part what is around them."""
    parts: list[tuple[str, str]] = []
    for letter in run:
        kind = _kind(letter)
        if parts and parts[-1][0] == kind:
            parts[-1] = (kind, parts[-1][1] + letter)
        else:
            parts.append((kind, letter))
    return parts


def _kind(letter: str) -> str:
    if ord(letter) in _HIRAGANA or letter in _BETWEEN:
        return "between"
    return "kana" if is_kana(letter) else "han" if is_cjk(letter) else "other"


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            return word.removesuffix(ending) + instead
    return word
