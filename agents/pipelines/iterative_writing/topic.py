"""Reads a topic: a noun phrase in English, and how it can stand in the sentences of a story."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from agents.models.simulated.language.words import words_beside
from agents.models.simulated.reading.forms import Forms
from agents.models.simulated.reading.kinds import Message
from agents.models.simulated.reading.tokens import Token, written

MOST_WORDS = 12

_DATA: dict[str, Any] = words_beside(__file__, "simulation.toml")
_BEINGS, _LIFELESS, _MALE, _FEMALE = (frozenset(words.split()) for words in _DATA["beings"].values())
_SCENES = " ".join(scene["hints"] for scene in words_beside(__file__, "scenes.toml")["scenes"]).split()
_NOUNS = _BEINGS | _MALE | _FEMALE | (frozenset(_SCENES) - frozenset(_DATA["verbs"]["orders"].split()))
_VERBS = frozenset(_DATA["verbs"]["stems"].split())
_CLASSES = {word: name for name, words in _DATA["classes"].items() for word in words.split()}
_HEAD_ENDS = re.compile(rf" (?:{_DATA['classes']['p'].replace(' ', '|')}|to|who|that|which|where|and) ")
_DOER = re.compile(r"[a-z]{3,}(?:er|or|ist|ian)")
_FINITE = re.compile(r"[a-z']{2,}ed")
# Phrases of word classes, see `classes` in the data. Repetitions have bounds, so a pattern takes linear time.
_BEFORE = "a{0,4}(?:[onmik]{0,2}g)?a{0,4}[onmik]{0,2}"
_PHRASE = f"(?:1{_BEFORE}[onmik]|d{_BEFORE}[onmikus]|[d2]a{{0,4}}f|2{_BEFORE}[us]|a{{0,2}}[om]?[mu]|go)"
_WHERE = f"(?:[pt](?:{_PHRASE}|[on]|k{{1,3}})){{0,4}}"
_DOES = f"(?:x{{0,2}}[afsuonik](?:t[onm])?(?:{_PHRASE})?|xa|x{_PHRASE}|x?[afonsu]tb(?:{_PHRASE}|a)){_WHERE}"
_TOPIC = re.compile(f"{_PHRASE}{_WHERE}(?:c{_PHRASE}{_WHERE})?(?:w{_DOES}|hq{_DOES})?")
_TITLE = re.compile("k{1,4}")
_PLURAL = re.compile(r"[a-z'-]{2,}(?:[^siu]s|children|people|women|men|mice|geese)")


class Topic(NamedTuple):
    """A topic as sentences need it.

    `phrase` is its first mention, e.g. "a lighthouse keeper"; `again` is a later one, e.g. "the lighthouse keeper".
    `pronoun` is that of a topic who can be the hero of a story: "she", "he", or "they" where either may be right; else "".
    """

    phrase: str
    again: str
    pronoun: str = ""


def read_topic(message: str) -> Topic | None:
    """What a message asks to write about; None if it is no topic."""
    reading = FORMS.read(message)
    if reading is None:
        return None
    first, _, rest = str(reading.get("topic")).partition(" ")
    if _CLASSES.get(first.lower()) not in ("1", "2", "d"):
        return Topic(reading.get("topic"), reading.get("topic"))
    phrase = f"{first.lower()} {rest}"
    again = f"the {rest.replace(' and a ', ' and the ').replace(' and an ', ' and the ')}"
    return Topic(phrase, again if first.lower() in ("a", "an", "another") else phrase, _pronoun(phrase))


def _pronoun(phrase: str) -> str:
    """How a noun phrase is spoken of further on, if it is one living being or near to it; else ""."""
    first, _, rest = phrase.lower().partition(" ")
    head = _HEAD_ENDS.split(rest, maxsplit=1)[0].rpartition(" ")[2]
    is_doer = head not in _LIFELESS and _DOER.fullmatch(head)
    if first == "every" or _CLASSES[first] == "2" or " and " in rest or not (head in _BEINGS or is_doer):
        return ""
    return "he" if head in _MALE else "she" if head in _FEMALE else "they"


def _class_of(token: Token, *, is_first: bool) -> str:
    """The class of a word, a letter of the patterns; "-" for what no topic has in it."""
    word = token.key
    if not word.isascii() or not token.is_word or word in _CLASSES:
        return _CLASSES.get(word, "-")
    bare = word.removesuffix("s")
    stems = {bare, word.removesuffix("es"), f"{word.removesuffix('ies')}y"} - {word}
    looks = {
        "k": token.written.istitle() and not is_first and not token.written.endswith("s"),
        "o": word in _NOUNS,
        "g": word.endswith("'s"),
        "-": word.endswith("ly") or len(word) == 1,
        "u": not stems.isdisjoint(_NOUNS),
        "f": not stems.isdisjoint(_VERBS),
        "a": _FINITE.fullmatch(word) is not None,
        "s": _PLURAL.fullmatch(word) is not None,
        "i": word.endswith("ing"),
    }
    return next((name for name, is_so in looks.items() if is_so), "n")


def _phrases(pattern: re.Pattern[str], message: Message, at: int, *, is_title: bool = False) -> Iterator[tuple[int, str]]:
    words = enumerate(message.tokens[at : at + MOST_WORDS])
    known = (_class_of(word, is_first=not place and not is_title) for place, word in words)
    classes = "".join(takewhile(lambda one: one != "-", known))
    for length in range(1, len(classes) + 1):
        if pattern.fullmatch(classes, 0, length):
            yield at + length, written(message.text, message.tokens, at, at + length)


FORMS = Forms(
    _DATA,
    {
        "topic": lambda message, at: _phrases(_TOPIC, message, at),
        "title": lambda message, at: _phrases(_TITLE, message, at, is_title=True),
    },
)
