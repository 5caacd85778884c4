"""Reads what a person typed as a topic: the phrase itself, and how it can stand in an English sentence.

Knows no scene and no sentence that it is put into.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from agents.pipelines.iterative_writing import nouns

MAX_WORDS = 8
MAX_TITLE_WORDS = 12
MAX_TITLE_LENGTH = 72

_ASKED_FOR = re.compile(
    r"^(?:please\s+)?(?:can you\s+|could you\s+)?(?:write|tell|compose|draft|create|make|give|show|describe|explain)\b"
    r"(?:\s+(?:me|us))?(?:(?:\s+(?:a|an|some|the|one|short|little|brief|nice|few|small|sentences?))*"
    r"\s+(?:story|stories|poem|text|piece|essay|paragraph|document|tale|words|lines|sentences))?(?:\s+(?:about|on|of|for))?\s+",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^(?:a|an|the|some)?\s*(?:short\s+|little\s+|brief\s+)*"
    r"(?:story|poem|text|piece|essay|paragraph|document|tale)\s+(?:about|on)\s+",
    re.IGNORECASE,
)


_HEAD_ENDS = re.compile(
    r" (?:of|who|that|which|in|on|at|with|without|from|for|to|by|under|over|near|after|before|and|or|named|called|during) .*"
)
_AND_ONE = re.compile(r" and an? ")
_PLAIN_WORDS = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*(?: [A-Za-z]+(?:['’-][A-Za-z]+)*)*")
_DOER = re.compile(r"[a-z]{3,}(?:er|or|ist|ian)")
_DIRECTIONS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as sentences need it.

    Attributes:
        phrase: At its first mention: a noun phrase such as "a lighthouse keeper", or a title such as “why not?”.
        again: At later mentions, e.g. "the lighthouse keeper".
        is_title: Whether it stands in quotation marks because its grammar is not known.
        pronoun: "she", "he" or, either being right, "they", for a topic that can be the hero of a story; else None.
    """

    phrase: str
    again: str
    is_title: bool
    pronoun: str | None = None


def read_topic(message: str) -> Topic:
    """What a message asks to write about; anything at all gives a usable topic."""
    text = _clean(message)
    for wrapping in (_ASKED_FOR, _NAMED):
        text = wrapping.sub("", text, count=1) if wrapping.sub("", text, count=1).strip() else text
    text = text.strip().rstrip(".,;:").strip()
    if not any(not unicodedata.category(letter).startswith(("P", "Z")) for letter in text):
        return Topic("a blank page", "the blank page", is_title=False)
    if not _is_noun_phrase(text):
        title = f"“{_shorten(text)}”"
        return Topic(title, title, is_title=True)
    first, _, rest = text.partition(" ")
    if first.lower() not in nouns.DETERMINERS:
        return Topic(text, text, is_title=False)
    phrase = f"{first.lower()} {rest}"
    known = first.lower() not in ("a", "an", "some", "another")
    again = phrase if known else f"the {_AND_ONE.sub(' and the ', rest)}"
    return Topic(phrase, again, is_title=False, pronoun=_pronoun(phrase))


def _clean(message: str) -> str:
    """One line without control characters, and with marks that would break a sentence or a prompt replaced."""
    kept = "".join(
        " " if letter.isspace() else letter for letter in message if letter.isspace() or not _is_invisible(letter)
    )
    table = str.maketrans({"“": "‘", "”": "’", '"': "’", "<": "‹", ">": "›", "`": "’"})
    return " ".join(kept.translate(table).split())


def _is_invisible(letter: str) -> bool:
    """Whether a character is a control, has no meaning, or turns the direction of writing round."""
    return unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn") or unicodedata.bidirectional(letter) in _DIRECTIONS


def _is_noun_phrase(text: str) -> bool:
    """Whether English grammar would take `text` after "about": judged by its letters, its first and its last word."""
    words = text.split()
    if len(words) > MAX_WORDS or len(text) > MAX_TITLE_LENGTH or not _PLAIN_WORDS.fullmatch(text):
        return False
    first = words[0].lower()
    if first in nouns.FOREIGN or first in nouns.NOT_A_NOUN_PHRASE:
        return False
    if first in nouns.DETERMINERS:
        return len(words) > 1
    if all(word[0].isupper() and not word.isupper() for word in words):
        return len(words) > 1
    if text != text.lower():
        return False
    last = words[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return plural or last in nouns.MASS or (first.endswith("ing") and len(first) > len("string"))


def _pronoun(phrase: str) -> str | None:
    """How a noun phrase is spoken of further on, if it is one living being or near to it."""
    first, _, rest = phrase.lower().partition(" ")
    head = _HEAD_ENDS.sub("", rest).rpartition(" ")[2]
    if first in nouns.PLURAL or " and " in rest or not (head in nouns.BEINGS or _is_doer(head)):
        return None
    return "he" if head in nouns.MALE else "she" if head in nouns.FEMALE else "they"


def _is_doer(noun: str) -> bool:
    """Whether a noun looks like somebody who does something: keeper, sailor, cyclist, musician."""
    return noun not in nouns.LIFELESS and _DOER.fullmatch(noun) is not None


def _shorten(text: str) -> str:
    words = text.split()
    short = " ".join(words[:MAX_TITLE_WORDS])
    if len(short) > MAX_TITLE_LENGTH:
        short = short[:MAX_TITLE_LENGTH].rsplit(" ", 1)[0] if " " in short[:MAX_TITLE_LENGTH] else short[:MAX_TITLE_LENGTH]
    return short if short == text else short.rstrip(".,;:!? ") + "…"
