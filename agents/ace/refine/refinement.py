"""Refinement of a playbook: merges duplicates, prunes harmful bullets, archives unused ones, keeps to the token budget.

`refine` returns its decisions as changes for the log; applying them decides nothing more. The same playbook gives the same
changes in every process, and refining the result gives none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply
from agents.ace.operations import Change, RefinePolicy
from agents.ace.playbook import Playbook
from agents.ace.refine.disagreement import Reading, disagrees
from agents.ace.refine.similarity import Index, Pair
from agents.ace.refine.vectors import Embed
from agents.ace.resolution import merge, remove

BY = "refinement"
MAX_DUPLICATE_PAIRS = 200
"""Most pairs of `duplicates`."""


def refine(
    playbook: Playbook, policy: RefinePolicy, *, fresh: Collection[str] | None = None, embed: Embed | None = None
) -> list[Change]:
    """The changes that refine a playbook, each with its `reason`, to be applied in this order.

    Args:
        playbook: The playbook; not changed.
        policy: The policy. In the mode "off" only the token budget is kept.
        fresh: Ids of the bullets whose texts are new: in the mode "proactive" only they are compared, with all. None to
            compare all with all.
        embed: Embedder, to find duplicates in other words.
    """
    work = _Work(playbook)
    budget = policy.token_budget
    if policy.mode == "proactive":
        work.merge_duplicates(policy.similarity, fresh, embed)
    elif policy.mode == "lazy" and budget is not None and playbook.tokens > budget:
        work.merge_duplicates(policy.similarity, None, embed)
    if policy.mode != "off" and policy.prune:
        work.prune(policy.min_uses)
    if policy.mode != "off" and policy.archive_after is not None:
        work.archive(policy.archive_after)
    if budget is not None:
        work.keep_to(budget)
    return work.changes


def duplicates(
    playbook: Playbook, threshold: float, *, most: int = MAX_DUPLICATE_PAIRS, embed: Embed | None = None
) -> list[Pair]:
    """Similar bullets, the most similar first, each pair with the reason against merging it.

    Args:
        playbook: The playbook, with its archived bullets.
        threshold: Least similarity, above 0 up to 1.
        most: Most pairs.
        embed: Embedder, to find duplicates in other words.
    """
    found: list[Pair] = []
    with Index.of(playbook, embed) as index:
        for bullet in playbook.bullets:
            found += [pair for pair in _pairs_of(bullet, playbook, index, threshold) if pair.b == bullet.id]
            if len(found) >= most:
                break
    told = [pair._replace(disagreement=_disagreement(playbook, pair)) for pair in found[:most]]
    return sorted(told, key=lambda pair: -pair.score)


class _Work:
    """A playbook during its refinement, and the changes so far."""

    def __init__(self, playbook: Playbook) -> None:
        self.playbook = playbook
        self.changes: list[Change] = []

    def merge_duplicates(self, threshold: float, fresh: Collection[str] | None, embed: Embed | None) -> None:
        """Merges duplicates; the text kept says all that the others say."""
        if fresh is not None and not fresh:
            return
        with Index.of(self.playbook, embed) as index:
            if fresh is None:
                pairs = {_older_first(self.playbook, pair) for pair in index.pairs(threshold, agreeing=True)}
            else:
                new = [bullet for id_ in fresh if (bullet := self.playbook.get(id_)) is not None]
                pairs = {pair for b in new for pair in _pairs_of(b, self.playbook, index, threshold, agreeing=True)}
        for group in _groups(self.playbook, pairs):
            ids = sorted([group.kept, *group.merged], key=self._place)
            bullet = self.playbook.get(group.kept)
            assert bullet is not None
            self._do(merge(self.playbook, ids, bullet.content), group.reason)

    def prune(self, min_uses: int) -> None:
        """Removes bullets that harmed more than they helped."""
        for bullet in _in_order(self.playbook.by_id[id_] for id_ in self.playbook.totals.harmed):
            helpful, harmful = bullet.tagged
            if harmful > helpful and helpful + harmful >= min_uses:
                since = "" if bullet.tagged == (bullet.helpful, bullet.harmful) else " since its text was changed"
                reason = f"It harmed more than it helped: tagged harmful {harmful}×, helpful {helpful}×{since}."
                self._do(remove(self.playbook, bullet.id), reason)

    def archive(self, after: int) -> None:
        """Archives bullets that were not cited for so many queries; a citation or a restore resets the count."""
        queries = self.playbook.queries
        bullets = self.playbook.by_id.values()
        for bullet in _in_order(b for b in bullets if queries - b.last_cited >= after and not b.archived):
            reason = f"Not cited for {queries - bullet.last_cited} queries."
            self._do({"type": "ARCHIVE", "bullet_id": bullet.id}, reason)

    def keep_to(self, budget: int) -> None:
        """Removes the least useful bullets until the rest is within the budget."""
        if self.playbook.tokens <= budget:
            return
        queries = self.playbook.queries
        for bullet in sorted(self.playbook.active, key=_usefulness):
            if self.playbook.tokens <= budget:
                return
            reason = (
                f"The token budget of {budget:,} is exceeded and this is the least useful bullet: tagged helpful "
                f"{bullet.helpful}×, harmful {bullet.harmful}×, not cited for {queries - bullet.last_cited} queries."
            )
            self._do(remove(self.playbook, bullet.id), reason)

    def _do(self, change: Change, reason: str) -> None:
        done = {**change, "by": BY, "reason": reason}
        self.playbook = apply(self.playbook, done, by=BY, at=0.0)
        self.changes.append(done)

    def _place(self, bullet_id: str) -> int:
        return _place_in(self.playbook, bullet_id)


class _Group(NamedTuple):
    """Bullets to be merged.

    Attributes:
        kept: The id of the bullet whose text is kept.
        merged: The ids of the others.
        reason: How they are similar.
    """

    kept: str
    merged: list[str]
    reason: str


def _groups(playbook: Playbook, pairs: Iterable[Pair]) -> list[_Group]:
    """Groups of duplicates from pairs, the most similar first: of each pair one is merged into the other, with its group."""
    groups: dict[str, _Group] = {}
    gone: set[str] = set()
    for pair in sorted(pairs, key=lambda p: (-p.score, _place_in(playbook, p.a), _place_in(playbook, p.b))):
        if pair.a in gone or pair.b in gone:
            continue
        kept, lost = _fuller_first(playbook, pair)
        gone.add(lost)
        mine, others = groups.pop(kept, _Group(kept, [], "")), groups.pop(lost, _Group(lost, [], ""))
        groups[kept] = _Group(kept, [*mine.merged, lost, *others.merged], mine.reason or _reason(pair))
    return sorted(groups.values(), key=lambda group: _place_in(playbook, group.kept))


def _fuller_first(playbook: Playbook, pair: Pair) -> tuple[str, str]:
    """The bullet whose text stays, and the other: the older, unless only the younger says all that both say."""
    if pair.tier == "lexical" and _length(playbook, pair.b) > _length(playbook, pair.a):
        return pair.b, pair.a
    return pair.a, pair.b


def _reason(pair: Pair) -> str:
    match pair.tier:
        case "exact":
            return "They say the same, word for word."
        case "normalised":
            return "They say the same but for case, spacing and punctuation."
        case "lexical":
            return f"They are {pair.score:.0%} alike, and the text that stays says all that the others say."
        case "embedding":
            return f"They mean the same: {pair.score:.0%} alike in sense."


def _pairs_of(
    bullet: StoredBullet, playbook: Playbook, index: Index, threshold: float, *, agreeing: bool = False
) -> list[Pair]:
    """Pairs of a bullet and similar ones, the most similar first; `a` is the older."""
    found = index.nearest(bullet.content, threshold, agreeing=agreeing)
    pairs = (Pair(match.id, bullet.id, match.score, match.tier) for match in found if match.id != bullet.id)
    return [_older_first(playbook, pair) for pair in pairs]


def _older_first(playbook: Playbook, pair: Pair) -> Pair:
    if _place_in(playbook, pair.a) < _place_in(playbook, pair.b):
        return pair
    return pair._replace(a=pair.b, b=pair.a)


def _disagreement(playbook: Playbook, pair: Pair) -> str | None:
    a, b = playbook.get(pair.a), playbook.get(pair.b)
    assert a is not None
    assert b is not None
    return disagrees(a.content, b.content, by_sense=pair.tier == "embedding")


def _place_in(playbook: Playbook, bullet_id: str) -> int:
    bullet = playbook.get(bullet_id)
    assert bullet is not None
    return bullet.place


def _length(playbook: Playbook, bullet_id: str) -> int:
    bullet = playbook.get(bullet_id)
    assert bullet is not None
    return len(Reading(bullet.content).content)


def _in_order(bullets: Iterable[StoredBullet]) -> list[StoredBullet]:
    """Some bullets, in order. Only these are sorted: mostly there are few."""
    return sorted(bullets, key=attrgetter("place"))


def _usefulness(bullet: StoredBullet) -> tuple[int, int, int]:
    """The least useful first: by tags, then by when it was cited last, then by age."""
    helpful, harmful = bullet.tagged
    return helpful - harmful, bullet.last_cited, bullet.place
