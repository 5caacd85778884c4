"""How a simulated model reads articles: which sentences say most about their subjects, and how they are quoted.

It counts and compares words, as the search does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.words import WORDS, stems

_SAID, _SIGN, _LEANING = 2.0, 1.5, 2.5
"""What a sentence gains by a word of the question and by a sign, and what it loses by leaning on the one before."""

YEARS = "years"
"""Among signs: any year or century."""

_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})s?\b|\bcentury\b")
_LEANS = re.compile(r"(?:It|Its|They|Their|Them|He|She|This|These|That|Those|Then|Before that|After that)\b")
_CITATION = re.compile(r"(?<!\s)\s*+\[([\w-]++)\]")
_LETTERS = re.compile(r"[^\W\d_]+")


class Quote(NamedTuple):
    """A sentence, and the id of the article that it is from."""

    id: str
    sentence: str

    def __str__(self) -> str:
        """The sentence with its source: "Tides are the rise and fall of the sea [tides]."."""
        return f"{self.sentence[:-1]} [{self.id}]{self.sentence[-1]}"


def without_citations(text: str) -> str:
    """A text without the ids in square brackets."""
    return _CITATION.sub("", text)


def citations_in(text: str) -> list[str]:
    """The ids in square brackets, each once, in their order."""
    return list(dict.fromkeys(_CITATION.findall(text)))


def signs_for(question: str) -> list[str]:
    """Words that are in the sentences which answer such a question."""
    asked = set(_LETTERS.findall(question.lower()))
    return [sign for one in WORDS["signs"] if asked & set(one["asked"].split()) for sign in one["said"].split()]


def pick(
    articles: Iterable[Article],
    *,
    most: int,
    signs: Collection[str] = (),
    needs_sign: bool = False,
) -> list[Quote]:
    """The sentences that say most about the subjects of articles, taken from each in turn; in the order in which they stand.

    Args:
        articles: Where to look.
        most: How many sentences at most.
        signs: Words that make a sentence a better answer.
        needs_sign: Whether a sentence without any of them is no answer.
    """
    ranked: list[tuple[int, int, int, Quote]] = []
    for order, article in enumerate(articles):
        subject = set(stems(article.title))
        rated: list[tuple[float, int, Quote]] = []
        for place, sentence in enumerate(sentences_of(article.text)):
            told = _signs_in(sentence, signs)
            fit = (
                1 + _SAID * len(subject & set(stems(sentence))) + _SIGN * told - (_LEANING if _LEANS.match(sentence) else 0)
            )
            if fit > 0 and (told or not needs_sign):
                rated.append((-fit, place, Quote(article.id, sentence)))
        ranked += [(rank, order, place, quote) for rank, (_, place, quote) in enumerate(sorted(rated))]
    return [quote for *_, quote in sorted(sorted(ranked)[:most], key=lambda one: one[1:3])]


def _signs_in(sentence: str, signs: Collection[str]) -> int:
    words = set(_LETTERS.findall(sentence.lower()))
    return len(words & set(signs)) + (YEARS in signs and _YEAR.search(sentence) is not None)
