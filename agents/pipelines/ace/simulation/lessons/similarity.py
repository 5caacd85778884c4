"""How alike two questions are: the rare words that they share, and what may not differ if both ask for the same."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from agents.models.simulated.language.characters import is_cjk, plain
from agents.models.simulated.language.words import words_beside

MOST_READ = 2000
_DATA = words_beside(__file__, "words.toml")
_COMMON = frozenset(_DATA["common"].split())
_NEGATIONS = frozenset(_DATA["negations"].split())
_NOUNS_HAVE_CAPITALS = frozenset(_DATA["nouns_have_capitals"].split())
_ASKS = {word: kind for kind, words in _DATA["asks"].items() for word in words.split()}
_WORD = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_SHORT_HYPHEN = re.compile(r"\b([^\W\d_]{1,2})-(?=[^\W\d_])")
_MUCH_OF = re.compile(
    r"\bhow much (?!(?:is|are|was|were|does|do|did|for|will|would|to|it|your|the|an?)\b)(?=[a-z])", re.IGNORECASE
)
"""Asks for a quantity, not for a price: how much holiday."""
_NAME = re.compile(r"(?<=[^\s.!?:。？！「“\"'(])\s+([^\W\d_]\w*)")
_RUN = re.compile(r"[\u3040-\u309f]+|[\u30a0-\u30ff\u3400-\u9fff々〇]+|[^\u3040-\u30ff\u3400-\u9fff々〇]+")
_GRAMMAR = [word for word in (*_DATA["between"].split(), *_ASKS, *_NEGATIONS) if is_cjk(word[0])]
_BETWEEN = re.compile("|".join(map(re.escape, sorted(_GRAMMAR, key=len, reverse=True))))
_ALIKE = 0.5
_SHORTEST_ALIKE = 4
"""Letters of a word that may be another form of one: shorter ones are other words."""


class Meaning(NamedTuple):
    """What a question says, as it is compared.

    Attributes:
        words: The words that say what it is about; Chinese characters and kana in pairs.
        numbers: Its numbers, each as often as it comes.
        names: Those of the words that have a capital letter within a sentence.
        asks: What it asks for, such as a time; empty if it does not say.
        is_negated: Whether it says "not".
        all_words: Its words in order.
    """

    words: frozenset[str]
    numbers: Counter[str]
    names: frozenset[str]
    asks: frozenset[str]
    is_negated: bool
    all_words: tuple[str, ...]


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Meaning:
    """What a question says."""
    shown = _SHORT_HYPHEN.sub(r"\1", plain(text[:MOST_READ]))  # "Wi-Fi" and "wifi" are one word
    asked = _MUCH_OF.sub("how many ", shown.casefold().replace("’", "'"))
    pieces = [piece for word in _WORD.findall(asked) for piece in _pieces(word)]
    told = frozenset(word for word in pieces if word not in _COMMON and word not in _NEGATIONS and word not in _ASKS)
    capitals = _NAME.findall(shown) if _NOUNS_HAVE_CAPITALS.isdisjoint(pieces) else []
    names = {found.casefold() for found in capitals if found[0].isupper()}
    return Meaning(
        words=frozenset(pair for word in told if not word[0].isdigit() and not _is_grammar(word) for pair in _pairs(word)),
        numbers=Counter(word for word in pieces if word[0].isdigit()),
        names=frozenset(names & told),
        asks=frozenset(_ASKS[word] for word in pieces if word in _ASKS),
        is_negated=not _NEGATIONS.isdisjoint(pieces),
        all_words=tuple(pieces),
    )


def plain_answer(text: str) -> str:
    """An answer on one line, without a full stop at its end."""
    return " ".join(text.split()).rstrip(".。")


def is_same_answer(one: str, other: str) -> bool:
    """Whether two answers are the same, letter case, white space and a full stop aside."""
    return plain_answer(one).casefold() == plain_answer(other).casefold()


def said_in(text: str) -> frozenset[str]:
    """The words of a text that say something: what it is about, and what it asks for."""
    meaning = meaning_of(text)
    return meaning.words | _ASKS.keys() & meaning.all_words


def is_question(text: str) -> bool:
    """Whether a text asks for something."""
    return bool(meaning_of(text).asks) or text.rstrip().endswith(("?", "？"))


def rarity(texts: Iterable[Sequence[str]]) -> Mapping[str, float]:
    """Inverse document frequency: word → its weight.

    Args:
        texts: Groups of questions that ask for the same; a word counts once in each.
    """
    groups = [{word for text in group for word in meaning_of(text).words} for group in texts]
    often = Counter(word for group in groups for word in group)
    return {word: math.log(1 + len(groups) / count) for word, count in often.items()}


def is_same_question(one: str, other: str) -> bool:
    """Whether two questions have the same words, besides those that say nothing."""
    mine, its = meaning_of(one), meaning_of(other)
    if not mine.words or not its.words:
        return bool(mine.all_words) and mine.all_words == its.all_words
    words_match = not unmatched(mine.words, its.words) and not unmatched(its.words, mine.words)
    return words_match and mine.asks == its.asks and not _differ(mine, its)


def likeness(one: str, other: str, weights: Mapping[str, float]) -> float:
    """How alike two questions are, 0 to 1.

    It is 0 where a number, a name, a negation or what is asked for differs, and where each has a word that the other lacks.

    Args:
        one: A question.
        other: Another one.
        weights: The weight of each known word, see `rarity`; any other word is as rare as the rarest.
    """
    if is_same_question(one, other):
        return 1.0
    mine, its = meaning_of(one), meaning_of(other)
    if _differ(mine, its):
        return 0.0
    missing, added = unmatched(its.words, mine.words), unmatched(mine.words, its.words)
    if (missing and added) or _has_modifier_in(missing, its) or _has_modifier_in(added, mine):
        return 0.0
    rarest = max(weights.values(), default=1.0)

    def weight(words: Iterable[str]) -> float:
        return sum(weights.get(word, rarest) for word in words)

    of = weight(mine.words) + weight(its.words)
    return 1 - weight(missing | added) / of if of else 0.0


def could_be_same(one: str, other: str) -> bool:
    """Whether two questions with the same answer may ask for the same.

    They share a word, and are not one sentence with something else in one place.
    """
    mine, its = meaning_of(one), meaning_of(other)
    share_a_word = len(unmatched(mine.words, its.words)) < len(mine.words)
    return is_same_question(one, other) or (share_a_word and not _differ(mine, its) and not _differ_in_one_place(mine, its))


def unmatched(words: Iterable[str], others: Iterable[str]) -> frozenset[str]:
    """The words without one like it among others."""
    known = tuple(others)
    return frozenset(word for word in words if not any(is_form_of(word, other) for other in known))


@lru_cache(maxsize=65536)
def is_form_of(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike, and share half of their groups of three letters."""
    if one == other:
        return True
    if min(len(one), len(other)) < _SHORTEST_ALIKE or one[:3] != other[:3]:
        return False
    grams, others = _grams(one), _grams(other)
    return 2 * len(grams & others) >= _ALIKE * (len(grams) + len(others))


def _differ(mine: Meaning, its: Meaning) -> bool:
    """Whether two questions ask for something else, whatever words they share."""
    if mine.numbers != its.numbers or mine.is_negated != its.is_negated:
        return True
    if mine.asks and its.asks and mine.asks.isdisjoint(its.asks):
        return True
    return bool(unmatched(mine.names, its.words) or unmatched(its.names, mine.words))


def _has_modifier_in(words: frozenset[str], meaning: Meaning) -> bool:
    """Whether one of these words tells kinds of a thing apart: a replacement badge is not any badge."""
    things = meaning.words - words
    return any(one in words and other in things for one, other in pairwise(meaning.all_words))


def _differ_in_one_place(mine: Meaning, its: Meaning) -> bool:
    """Whether two sentences are the same except for one or two words in a place: they ask about two things."""
    one, other = list(mine.all_words), list(its.all_words)
    for end in (-1, 0):
        while one and other and one[end] == other[end]:
            del one[end], other[end]
    return bool(one and other) and max(len(one), len(other)) <= 2 < len(mine.all_words)  # noqa: PLR2004  words of a place


def _grams(word: str) -> set[str]:
    marked = f" {word} "
    return {marked[at : at + 3] for at in range(len(marked) - 2)}


def _pieces(word: str) -> list[str]:
    """A word; Chinese characters and kana divided at the words of grammar, which are kept."""
    if not any(map(is_cjk, word)):
        return [word.removesuffix("'s")]
    pieces: list[str] = []
    at = 0
    for found in _BETWEEN.finditer(word):
        pieces += [*_runs(word[at : found.start()]), found[0]]
        at = found.end()
    return [*pieces, *_runs(word[at:])]


def _runs(text: str) -> list[str]:
    return _RUN.findall(text)


def _is_grammar(word: str) -> bool:
    return _BETWEEN.fullmatch(word) is not None


def _pairs(word: str) -> list[str]:
    """Pairs of letters of a run of Chinese characters; any other word is itself."""
    is_divided = len(word) > 2 and is_cjk(word[0]) and not "\u3040" <= word[0] <= "\u30ff"  # noqa: PLR2004
    return [word[at : at + 2] for at in range(len(word) - 1)] if is_divided else [word]
