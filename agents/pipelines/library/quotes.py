"""How a simulated model reads articles: what a question is about, which sentences answer it, which words are missing.

It counts and compares words, as the search does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from agents.models.simulated.language.characters import shortened
from agents.pipelines.library.articles import Article, sentences_of
from agents.pipelines.library.words import WORDS, stems

_ENOUGH = 0.5
"""The share of a question's words that an article has whose title the question names."""
_SAID, _SIGN, _LEANING = 2.0, 1.5, 2.5
"""What a sentence gains by a word of the question and by a sign, and what it loses by leaning on the one before."""

MOST_SHOWN = 90
"""Characters of a question that are quoted."""

YEARS = "years"
"""Among signs: any year or century."""

_ASKS = frozenset(stems(WORDS["asks"]))
_SAYS_LITTLE = frozenset(stems(WORDS["says_little"]))
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})s?\b|\bcentury\b")
_LEANS = re.compile(r"(?:It|Its|They|Their|Them|He|She|This|These|That|Those|Then|Before that|After that)\b")
_CITATION = re.compile(r"(?<!\s)\s*+\[([\w-]++)\]")
_WORDS = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


class Quote(NamedTuple):
    """A sentence, and the id of the article that it is from."""

    id: str
    sentence: str

    def __str__(self) -> str:
        """The sentence with its source: "Tides are the rise and fall of the sea [tides]."."""
        return f"{self.sentence[:-1]} [{self.id}]{self.sentence[-1]}"


def shown(question: str) -> str:
    """A question as an answer quotes it: its first sentence, short."""
    return shortened(next(iter(sentences_of(question)), ""), MOST_SHOWN)


def without_citations(text: str) -> str:
    """A text without the ids in square brackets."""
    return _CITATION.sub("", text)


def citations_in(text: str) -> list[str]:
    """The ids in square brackets, each once, in their order."""
    return list(dict.fromkeys(_CITATION.findall(text)))


def subject_of(question: str) -> set[str]:
    """The stems of what a question is about: "How did the compass begin?" → compass."""
    return set(stems(question)) - _ASKS


def is_about(article: Article, question: str) -> bool:
    """Whether an article is about what a question is about, not only has words of it.

    It is if the question names its title and it has half of the question's words; or if one sentence has them all, and
    they are several. A name that the article does not have makes it another matter: the Suez Canal is not the Panama Canal.
    """
    subject, title = subject_of(question) - _SAYS_LITTLE, set(stems(article.title))
    there = title | set(stems(article.text))
    if not subject or _names_in(question) - there:
        return False
    if title <= subject or subject <= title:
        return len(subject & there) >= _ENOUGH * len(subject)
    return len(subject) > 1 and any(
        subject <= title | set(stems(sentence)) for sentence in sentences_of(article.text) if subject & set(stems(sentence))
    )


def words_missing(question: str, articles: Iterable[Article]) -> list[str]:
    """The words of what is asked about that none of the articles has, as they were written."""
    there = {stem for article in articles for stem in stems(f"{article.title} {article.text}")}
    missing = subject_of(question) - there
    return [word for word in dict.fromkeys(_WORDS.findall(question)) if set(stems(word)) & missing]


def signs_for(question: str) -> list[str]:
    """Words that are in the sentences which answer such a question."""
    asked = set(_LETTERS.findall(question.lower()))
    return [sign for one in WORDS["signs"] if asked & set(one["asked"].split()) for sign in one["said"].split()]


def pick(
    articles: Iterable[Article],
    *,
    most: int,
    words: Collection[str] = (),
    signs: Collection[str] = (),
    needs_sign: bool = False,
) -> list[Quote]:
    """The sentences that say most about the subjects of articles, taken from each in turn; in the order in which they stand.

    Args:
        articles: Where to look.
        most: How many sentences at most.
        words: The stems of what is asked about the subjects.
        signs: Words that make a sentence a better answer.
        needs_sign: Whether a sentence without any of them is no answer.
    """
    ranked: list[tuple[int, int, int, Quote]] = []
    for order, article in enumerate(articles):
        subject = {*words, *stems(article.title)}
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


def _names_in(question: str) -> set[str]:
    """Stems of the words with a capital letter where grammar asks for none."""
    words = question.split()[1:]
    if not any(word.islower() for word in words):
        return set()
    return set(stems(" ".join(word for word in words if word[0].isupper()))) - _ASKS


def _signs_in(sentence: str, signs: Collection[str]) -> int:
    words = set(_LETTERS.findall(sentence.lower()))
    return len(words & set(signs)) + (YEARS in signs and _YEAR.search(sentence) is not None)
