"""English words by what they do in a sentence, and names made of words. Knows no question."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SHORTEST_PLURAL = 4
"""Letters: "gas" and "yes" are none."""

WORD = r"[^\W\d_²³]+(?:[-'’&][^\W\d_²³]+)*"
_WORD = re.compile(WORD)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("the a an its their his her our my your each every some any")
DETERMINERS = ARTICLES | _words("this that these those")
PRONOUNS = _words("it he she they there which who we you i one that this")
LINKS = _words("""
    of is are was were be being equals equal to about only exactly roughly around amount amounts come comes total
    totals stand stands worth just now currently
""")
"""What may stand between a name and its number."""

HELPING_VERBS = _words("""
    has have had having is am are was were be been being do does did will would can could must should
""")
VERBS = HELPING_VERBS | _words("""
    add adds begin begins borrow borrows bring brings burn burns buy buys carry carries charge charges come comes cost
    costs cover covers deliver delivers draw draws drive drives earn earns end ends expect expects fall falls fell
    flow flows follow follows gave get gets give given gives grow grows hold holds invest invests know knows last
    lasts lend lends lift lifts list lists made make makes move moves need needs own owns pay pays produce produces
    pull pulls push pushes reach reaches record records report reports result results ride rides rise rises rose run
    runs sell sells show shows sold spend spends start starts take takes travel travels use used uses weigh weighs
    work works yields
""")
JOINTS = _words("""
    after also among and as at because before between but by during for from if in into not on only or over per plus minus
    since so than then through under until when where while with without
""")
STOPS = DETERMINERS | PRONOUNS | VERBS | JOINTS
"""What ends a name, seen from its last word."""

_EMPTY = (
    DETERMINERS
    | PRONOUNS
    | HELPING_VERBS
    | JOINTS
    | _words("""
    of to how please tell say know give answer question asked work worked about
""")
)
_CONTENT = re.compile(r"\w+(?:[.,]\d+)?")


def words_of(text: str) -> list[str]:
    """The words of a text, case kept."""
    return _WORD.findall(text)


def content_words(text: str) -> frozenset[str]:
    """The words and numbers of a text that say what it is about, as they are compared."""
    words = {_singular(word.casefold()) for word in _CONTENT.findall(text)}
    return frozenset(word for word in words if word not in _EMPTY)


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
