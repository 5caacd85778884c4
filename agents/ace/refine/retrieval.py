"""Retrieval: chooses the most relevant bullets for a query, if a playbook is too large for the prompt.

BM25 (Robertson and Zaragoza, "The probabilistic relevance framework", 2009) over the stems of a bullet's words and of its
section's name: a word counts more if few bullets have it, if it is there often, and if the bullet is short.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from agents.ace.bullet import StoredBullet, section_key
from agents.ace.operations import MAX_PLAYBOOK_BULLETS
from agents.ace.playbook import Playbook
from agents.ace.refine.similarity import Index
from agents.ace.refine.vectors import Embed
from agents.ace.refine.wording import STOP_WORDS, plain, stem, words_of

_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75
_EVEN = 60
"""How much the first few places of two rankings are made alike when they are fused (Cormack et al., 2009)."""
_HOUSE_RULES = "rule"
_ASKS = frozenset(stem(word) for word in ("what", "how", "if", "when", "where", "and", "or", "to", "for", "with", "by"))


def choose(playbook: Playbook, query: str, k: int, embed: Embed | None = None) -> list[str]:
    """Ids of the most relevant active bullets for a query.

    House rules, those of a section with "rule" in its name, come first, whatever is asked. Then the most relevant come;
    where nothing more is relevant, the most helpful.

    Args:
        playbook: The playbook.
        query: The query.
        k: Most bullets, with house rules. All come in the playbook's order if k is 0 or the playbook has no more than k.
        embed: Embedder, to find bullets in other words; None compares words alone.
    """
    active = playbook.active
    if not k or len(active) <= k:
        return [bullet.id for bullet in active]
    scores = _relevance(active, _asked(query))
    if embed is not None:
        scores = _fused(scores, playbook, query, embed)
    chosen = _best(filter(_is_rule, active), scores, k)
    relevant = [bullet for id_ in scores if (bullet := playbook.get(id_)) is not None and not _is_rule(bullet)]
    chosen += _best(relevant, scores, k - len(chosen))
    if len(chosen) < k:
        rest = (bullet for bullet in active if bullet.id not in scores and not _is_rule(bullet))
        chosen += _best(rest, scores, k - len(chosen))
    return [bullet.id for bullet in chosen]


def _best(bullets: Iterable[StoredBullet], scores: dict[str, float], k: int) -> list[StoredBullet]:
    def worth(bullet: StoredBullet) -> tuple[float, int, int]:
        return -scores.get(bullet.id, 0.0), bullet.harmful - bullet.helpful, bullet.place

    return heapq.nsmallest(k, bullets, key=worth)


def _relevance(bullets: Sequence[StoredBullet], asked: Iterable[str]) -> dict[str, float]:
    """The scores of the bullets that have any of the words."""
    counted = [(bullet.id, *_stems(bullet.content, bullet.section)) for bullet in bullets]
    usual = sum(length for _, _, length in counted) / len(counted)
    scores: dict[str, float] = defaultdict(float)
    for word in asked:
        holding = [(id_, counts[word], length) for id_, counts, length in counted if word in counts]
        rarity = math.log(1 + (len(counted) - len(holding) + 0.5) / (len(holding) + 0.5))
        for id_, count, length in holding:
            slowness = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length / usual)
            scores[id_] += rarity * count * (_SATURATION + 1) / (count + slowness)
    return scores


def _fused(scores: dict[str, float], playbook: Playbook, query: str, embed: Embed) -> dict[str, float]:
    """The fusion of the rankings by words and by sense: their scores cannot be compared, their places can."""
    with Index.of(playbook, embed) as index:
        by_sense = index.cosines(query)
    active = {bullet.id: bullet.place for bullet in playbook.active}
    fused: dict[str, float] = defaultdict(float)
    for ranking in (scores, {id_: by_sense[id_] for id_ in active}):
        for place, id_ in enumerate(sorted(ranking, key=lambda id_: (-ranking[id_], active[id_])), start=1):
            fused[id_] += 1 / (_EVEN + place)
    return fused


def _asked(query: str) -> list[str]:
    """The words of a query, without numbers and without words that every query has."""
    words = dict.fromkeys(stem(word) for word in words_of(plain(query)) if word not in STOP_WORDS and not word[:1].isdigit())
    return [word for word in words if word not in _ASKS]


@lru_cache(maxsize=2 * MAX_PLAYBOOK_BULLETS)
def _stems(content: str, section: str) -> tuple[Counter[str], int]:
    """The stems of a bullet, each with its count, and how many there are in all."""
    words = chain(words_of(plain(content)), words_of(section_key(section)))
    counts = Counter(stem(word) for word in words if word not in STOP_WORDS)
    return counts, counts.total()


def _is_rule(bullet: StoredBullet) -> bool:
    return _HOUSE_RULES in section_key(bullet.section)
