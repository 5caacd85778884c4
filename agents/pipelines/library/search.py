"""Finds the articles about a few words: BM25 (Robertson and Zaragoza 2009) over word stems."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache

from agents.pipelines.library.articles import Article, collection, sentences_of
from agents.pipelines.library.words import stems

_TITLE_COUNTS, _SATURATION, _LENGTH_WEIGHT = 3, 1.2, 0.75
_WORTH_SHOWING = 0.35
"""Of the best article's score."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An article that was found, how well it fits, and the sentences in it that fit best."""

    article: Article
    score: float
    snippet: str


def search(query: str, *, most: int = 3) -> list[Hit]:
    """The articles that fit a query, best first; none if no word of it is in any."""
    wanted = {stem: None for stem in stems(query) if stem in _known()}
    scores = {id_: sum(_weight(stem, id_) for stem in wanted) for id_ in collection()}
    best = sorted((id_ for id_ in scores if scores[id_] > 0), key=lambda id_: (-scores[id_], id_))
    shown = [id_ for id_ in best[:most] if scores[id_] >= _WORTH_SHOWING * scores[best[0]]]
    return [Hit(collection()[id_], round(scores[id_], 3), _snippet(collection()[id_], set(wanted))) for id_ in shown]


def _snippet(article: Article, wanted: set[str]) -> str:
    """The one or two sentences with the rarest of the wanted words, as they follow each other."""
    sentences = sentences_of(article.text)
    fit = [sum(sorted(_rarity(stem) for stem in wanted & set(stems(sentence)))) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda place: (-fit[place], place))[:2]
    return " ".join(sentences[place] for place in sorted(best) if fit[place] or place == best[0])


@cache
def _counts() -> dict[str, Counter[str]]:
    return {a.id: Counter(stems(a.title) * _TITLE_COUNTS + stems(a.text)) for a in collection().values()}


@cache
def _known() -> frozenset[str]:
    """Every stem that is in an article."""
    return frozenset[str]().union(*_counts().values())


@cache
def _rarity(stem: str) -> float:
    holding = sum(stem in counts for counts in _counts().values())
    return math.log(1 + (len(_counts()) - holding + 0.5) / (holding + 0.5))


def _weight(stem: str, id_: str) -> float:
    """How much a word says for an article: more if it is rare elsewhere and frequent there, for its length."""
    count = _counts()[id_][stem]
    return _rarity(stem) * count * (_SATURATION + 1) / (count + _slowness(id_)) if count else 0.0


@cache
def _slowness(id_: str) -> float:
    """How many times a word must be there for half of its full weight: more times in a longer article."""
    lengths = {article_id: counts.total() for article_id, counts in _counts().items()}
    usual = sum(lengths.values()) / len(lengths)
    return _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * lengths[id_] / usual)
