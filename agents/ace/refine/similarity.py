"""An index of similar bullets, updated bullet by bullet as a playbook changes.

Four tiers: *exact*; *normalised* (see `wording`); *lexical*: the Jaccard index of two texts' words and pairs of neighbouring
words; *embedding*: the cosine of two vectors, if an embedder is given. Words alone would take `a / b` for `b / a`, pairs
alone count a changed word twice and find little; both together respect order and forgive a word.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, pairwise
from operator import attrgetter
from typing import Literal, NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.playbook import Playbook
from agents.ace.refine.disagreement import Reading
from agents.ace.refine.postings import Features, Numbering, Postings, jaccard, reaches
from agents.ace.refine.vectors import Embed, cosine, unit_vectors
from agents.scope import current_scope

Tier = Literal["exact", "normalised", "lexical", "embedding"]

MOST_KEPT = 4
"""Most indexes that a process keeps, each for a playbook and its later revisions."""


_DRAWN = 100
"""Bullets by which playbooks are compared, in the order of their ids' hashes."""


class Match(NamedTuple):
    """A bullet similar to a text, with the score (0 to 1) and the tier that found it."""

    id: str
    score: float
    tier: Tier


class Pair(NamedTuple):
    """Two similar bullets.

    Attributes:
        a: The id of the older one.
        b: The id of the other.
        score: Similarity, 0 to 1.
        tier: The tier that found them.
        disagreement: Why they may not be merged without the consent of a model or the user; None if they may, or if
            that was not checked.
    """

    a: str
    b: str
    score: float
    tier: Tier
    disagreement: str | None = None


class _Entry(Reading):
    __slots__ = ("features", "id", "number", "text", "vector")

    def __init__(self, id_: str, text: str, number: int) -> None:
        super().__init__(text)
        self.id, self.text, self.number = id_, text, number
        self.features: Features = ()
        self.vector: list[float] | None = None

    def words_and_pairs(self) -> set[str]:
        words = self.words
        return {*words, *[f"{word} {following}" for word, following in pairwise(words)]}


_Found = tuple[_Entry, float, Tier]


class Index:
    """An index of similar texts by id. Not for two threads at once; `Index.of` gives each its own.

    Args:
        embed: Embedder, to find similar texts in other words; None compares words alone.
    """

    def __init__(self, embed: Embed | None = None) -> None:
        self.embed = embed
        self.name = ""
        self._entries: dict[str, _Entry] = {}
        self._by_number: dict[int, _Entry] = {}
        self._added = 0
        self._numbering = Numbering()
        self._postings: Postings | None = None
        self._followed: Mapping[str, StoredBullet] = {}
        self._mark: object = None

    @classmethod
    @contextmanager
    def of(cls, playbook: Playbook, embed: Embed | None = None) -> Generator[Index]:
        """The index of all bullets of a playbook, archived ones too, to be used within `with`.

        It is kept afterwards, and brought up to date when it is asked for again: for a playbook that shares most of its
        bullets with the last one that takes as long as what is different.
        """
        pool = current_scope().part(_Pool)
        index = pool.take(playbook, embed)
        index._follow(playbook)
        yield index
        pool.give_back(index)  # not after an error: it may be half done

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, bullet_id: object) -> bool:
        return bullet_id in self._entries

    def add(self, bullet_id: str, content: str) -> None:
        """Adds a text; it replaces the one of that id."""
        self.add_all([(bullet_id, content)])

    def add_all(self, texts: Iterable[tuple[str, str]]) -> None:
        """Adds texts by id."""
        entries = [_Entry(id_, content, number) for number, (id_, content) in enumerate(texts, start=self._added)]
        self._added += len(entries)
        for entry in entries:
            self.remove(entry.id)
            self._entries[entry.id] = self._by_number[entry.number] = entry
        if self._numbering.is_outgrown(len(self._entries)):
            self._numbering.count(entry.words_and_pairs() for entry in self._entries.values())
            self._postings, entries = None, list(self._entries.values())
        for entry in entries:
            entry.features = self._numbering.of(entry.words_and_pairs())
            if self._postings is not None and entry.number in self._by_number:
                self._postings.add(entry.number, entry.features)

    def remove(self, bullet_id: str) -> None:
        """Removes a text, if it is there."""
        entry = self._entries.pop(bullet_id, None)
        if entry is None:
            return
        del self._by_number[entry.number]
        if self._postings is not None and entry.features:
            self._postings.remove(entry.number, entry.features)

    def nearest(self, content: str, threshold: float, *, agreeing: bool = False) -> list[Match]:
        """Texts similar to a text, the most similar first.

        Args:
            content: The text; it finds itself, if the index has it.
            threshold: Least similarity, above 0 up to 1.
            agreeing: Only texts that may be merged with it; see `disagrees`.
        """
        own = _Entry("", content, self._added)
        own.features = self._numbering.of_passing(own.words_and_pairs())
        found = sorted(self._alike(own, threshold, agreeing=agreeing), key=_best_first)
        return [Match(entry.id, score, tier) for entry, score, tier in found]

    def pairs(self, threshold: float, *, agreeing: bool = False) -> Iterator[Pair]:
        """All similar pairs, in no particular order.

        Args:
            threshold: Least similarity, above 0 up to 1.
            agreeing: Only pairs that may be merged; see `disagrees`. Without an embedder this is fast at any size.
        """
        if agreeing and self.embed is None:
            yield from self._agreeing_pairs(threshold)
            return
        for own in self._entries.values():
            for entry, score, tier in self._alike(own, threshold, agreeing=agreeing):
                yield _pair(entry, own, score, tier)

    def cosines(self, content: str) -> dict[str, float]:
        """Cosine of each text with another, by id; empty without an embedder."""
        if self.embed is None:
            return {}
        self._embed_missing(self.embed)
        (vector,) = unit_vectors(self.embed, [content])
        return {entry.id: cosine(vector, entry.vector or ()) for entry in self._entries.values()}

    def _alike(self, own: _Entry, threshold: float, *, agreeing: bool) -> Iterator[_Found]:
        """Similar entries among those added before an entry."""
        groups = self._postings_for(threshold).groups(own.features, threshold)
        features, seen = frozenset(own.features), {own.number}
        for number in set[int]().union(*groups):
            entry = self._by_number[number]
            if number < own.number and reaches(score := jaccard(features, entry.features), threshold):
                if agreeing and not own.agrees(entry):  # asked of few: what a text claims takes longer to read than this
                    continue
                seen.add(number)
                yield entry, score, _tier(own, entry)
        if self.embed is not None:
            yield from self._alike_in_sense(own, threshold, self.embed, agreeing=agreeing, seen=seen)

    def _postings_for(self, threshold: float) -> Postings:
        """The postings for a threshold, or for a lower one."""
        if self._postings is None or threshold < self._postings.threshold:
            self._postings = Postings(threshold)
            for entry in self._entries.values():
                self._postings.add(entry.number, entry.features)
        return self._postings

    def _alike_in_sense(
        self, own: _Entry, threshold: float, embed: Embed, *, agreeing: bool, seen: set[int]
    ) -> Iterator[_Found]:
        """Compares with each entry: exact, but linear in their number."""
        self._embed_missing(embed)
        if own.vector is None:
            (own.vector,) = unit_vectors(embed, [own.text])
        for entry in self._entries.values():
            if entry.number >= own.number or entry.number in seen:
                continue
            score = cosine(own.vector, entry.vector or ())
            if reaches(score, threshold) and not (agreeing and not own.agrees(entry, by_sense=True)):
                yield entry, score, "embedding"

    def _agreeing_pairs(self, threshold: float) -> Iterator[Pair]:
        """Pairs of which one says all that the other says; so it also has the rarest word of the shorter one.

        Where very many are alike, few have that word and the same claims; elsewhere the postings lead to fewer.
        """
        postings, entries = self._postings_for(threshold), list(self._entries.values())
        counts = Counter(word for entry in entries for word in entry.content)
        blocks: dict[tuple[object, ...], dict[str, list[_Entry]]] = {}
        for entry in entries:
            rarest = min(entry.content, key=lambda word: (counts[word], word))
            blocks.setdefault(entry.claims, {}).setdefault(rarest, []).append(entry)
        for own in entries:
            block, groups = blocks[own.claims], postings.groups(own.features, threshold)
            near = [block[word] for word in set(own.content) if word in block]
            if sum(map(len, groups)) < sum(map(len, near)):
                near = [[self._by_number[number] for group in groups for number in group]]
            features, length = frozenset(own.features), (len(own.content), own.number)
            for entry in dict.fromkeys(entry for those in near for entry in those):
                if (len(entry.content), entry.number) < length and own.agrees(entry):
                    score = jaccard(features, entry.features)
                    if reaches(score, threshold):
                        yield _pair(entry, own, score, _tier(own, entry))

    def _embed_missing(self, embed: Embed) -> None:
        missing = [entry for entry in self._entries.values() if entry.vector is None]
        if missing:
            for entry, vector in zip(missing, unit_vectors(embed, [entry.text for entry in missing]), strict=True):
                entry.vector = vector

    def _follow(self, playbook: Playbook) -> None:
        """Makes the texts those of a playbook; reads only bullets that it does not share with the last one."""
        old, new = self._followed, playbook.by_id
        touched = playbook.changed_since(self._mark)
        if touched is None:
            touched = [id_ for id_, bullet in new.items() if old.get(id_) is not bullet]
            if len(old) + sum(id_ not in old for id_ in touched) > len(new):
                touched += [id_ for id_ in old if id_ not in new]
        for id_ in touched:
            if id_ not in new:
                self.remove(id_)
        changed = [bullet for id_ in touched if (bullet := new.get(id_)) is not None]
        fresh = [bullet for bullet in changed if bullet.id not in old or old[bullet.id].content != bullet.content]
        self.add_all((bullet.id, bullet.content) for bullet in sorted(fresh, key=attrgetter("place")))
        self._followed, self._mark, self.name = new, playbook.recent[-1][0] if playbook.recent else None, playbook.name

    def likeness_to(self, playbook: Playbook) -> tuple[int, bool]:
        """The number of bullets shared with a playbook, of some that were drawn, and whether the name is the same."""
        some = islice(playbook.by_id.items(), _DRAWN)
        return sum(self._followed.get(id_) is bullet for id_, bullet in some), self.name == playbook.name


class _Pool:
    """Indexes of a workspace that are not in use."""

    def __init__(self) -> None:
        self._free: list[Index] = []
        self._lock = threading.Lock()

    def take(self, playbook: Playbook, embed: Embed | None) -> Index:
        """The index that shares most with a playbook, else a new one."""
        with self._lock:
            fit = [(index.likeness_to(playbook), index) for index in self._free if index.embed == embed]
            likeness, index = max(fit, key=lambda one: one[0], default=((0, False), Index(embed)))
            if not any(likeness):
                return Index(embed)
            self._free.remove(index)
            return index

    def give_back(self, index: Index) -> None:
        """Keeps an index; drops the least recently used one."""
        with self._lock:
            self._free = [*self._free, index][-MOST_KEPT:]


def _best_first(found: _Found) -> tuple[float, int]:
    entry, score, _ = found
    return -score, entry.number


def _pair(entry: _Entry, other: _Entry, score: float, tier: Tier) -> Pair:
    first, second = (entry, other) if entry.number < other.number else (other, entry)
    return Pair(first.id, second.id, score, tier)


def _tier(a: _Entry, b: _Entry) -> Tier:
    if a.text == b.text:
        return "exact"
    return "normalised" if a.words == b.words else "lexical"
