"""Reads what a user typed as a topic: the phrase itself, and how it can stand in an English sentence."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from agents.models.simulated.language.words import words_beside

MAX_WORDS = 12
MAX_LENGTH = 72

_WORDS: dict[str, str] = words_beside(__file__, "topics.toml")
_DETERMINERS, _MASS, _QUOTED, _PLURAL = (
    frozenset(_WORDS[kind].split()) for kind in ("determiners", "mass", "quoted", "plural")
)
_BEINGS, _LIFELESS, _MALE, _FEMALE = (frozenset(_WORDS[kind].split()) for kind in ("beings", "lifeless", "male", "female"))
_ASKED_FOR = re.compile(_WORDS["asked_for"], re.IGNORECASE | re.VERBOSE)
_PLAIN_WORDS = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*(?: [A-Za-z]+(?:['’-][A-Za-z]+)*)*")
_HEAD_ENDS = re.compile(rf" (?:{'|'.join(_WORDS['after_head'].split())}) ")
_DOER = re.compile(r"[a-z]{3,}(?:er|or|ist|ian)")
_SAFE_MARKS = str.maketrans({"“": "‘", "”": "’", '"': "’", "<": "‹", ">": "›", "`": "’"})
_JOINERS = "\u200c\u200d"


class Topic(NamedTuple):
    """A topic as sentences need it.

    `phrase` is its first mention, a noun phrase such as "a lighthouse keeper" or a title such as “why not?”; `again` is a
    later one, e.g. "the lighthouse keeper". A title stands in quotation marks because its grammar is not known. `pronoun`
    is that of a topic who can be the hero of a story: "she", "he", or "they" where either may be right; else "".
    """

    phrase: str
    again: str
    is_title: bool = False
    pronoun: str = ""


def read_topic(message: str) -> Topic:
    """What a message asks to write about; anything at all gives a usable topic."""
    text = _one_line(message)
    text = (_ASKED_FOR.sub("", text, count=1) or text).rstrip(" .,;:")
    if not any(unicodedata.category(letter)[0] not in "PZ" for letter in text):
        return Topic("a blank page", "the blank page")
    if not _is_noun_phrase(text):
        short = " ".join(text[:MAX_LENGTH].split()[:MAX_WORDS])
        title = f"“{text}”" if short == text else f"“{short.rstrip('.,;:!? ')}…”"
        return Topic(title, title, is_title=True)
    first, _, rest = text.partition(" ")
    if first.lower() not in _DETERMINERS:
        return Topic(text, text)
    phrase = f"{first.lower()} {rest}"
    if first.lower() not in ("a", "an", "some", "another"):
        return Topic(phrase, phrase, pronoun=_pronoun(phrase))
    again = f"the {rest.replace(' and a ', ' and the ').replace(' and an ', ' and the ')}"
    return Topic(phrase, again, pronoun=_pronoun(phrase))


def _pronoun(phrase: str) -> str:
    """How a noun phrase is spoken of further on, if it is one living being or near to it; else ""."""
    first, _, rest = phrase.lower().partition(" ")
    head = _HEAD_ENDS.split(rest, maxsplit=1)[0].rpartition(" ")[2]
    is_doer = head not in _LIFELESS and _DOER.fullmatch(head)
    if first in _PLURAL or " and " in rest or not (head in _BEINGS or is_doer):
        return ""
    return "he" if head in _MALE else "she" if head in _FEMALE else "they"


def _one_line(message: str) -> str:
    """The visible characters of a message, with marks that would break a sentence or a prompt replaced."""
    kept = (letter if letter.isprintable() or letter in _JOINERS else " " * letter.isspace() for letter in message)
    return " ".join("".join(kept).translate(_SAFE_MARKS).split())


def _is_noun_phrase(text: str) -> bool:
    """Whether English grammar would take `text` after "about": judged by its letters, its first and its last word."""
    words = text.split()
    if not _PLAIN_WORDS.fullmatch(text[: MAX_LENGTH + 1]) or len(text) > MAX_LENGTH or len(words) > MAX_WORDS:
        return False
    first, last = words[0].lower(), words[-1]
    if first in _QUOTED:
        return False
    if first in _DETERMINERS or all(word[0].isupper() and not word.isupper() for word in words):
        return len(words) > 1
    is_plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return text == text.lower() and (is_plural or last in _MASS)
