"""Finds the sets that could be similar to a given one, so that only those need be compared.

Similarity is the Jaccard index: the size of the intersection over that of the union. With the rare features first, two
similar sets share one of their first few, at places that leave enough to come (Xiao et al., "Efficient similarity joins
for near-duplicate detection", 2011); this loses no pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

_SLACK = 1e-9
_FEW = 64
"""Sets below which the rarity of features does not matter."""

Features = tuple[int, ...]
"""A set's features by their numbers, the rare ones first."""


class Numbering:
    """Numbers features so that a rarer one has a smaller number; one seen for the first time counts as the rarest."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counted_at = _FEW

    def is_outgrown(self, sets: int) -> bool:
        """Whether the sets have become so many that features should be counted again."""
        return sets > self._counted_at

    def count(self, sets: Iterable[Collection[str]]) -> None:
        """Numbers anew by how many sets have each feature; all sets must then be numbered again."""
        counts, many = Counter[str](), 0
        for many, features in enumerate(sets, start=1):  # noqa: B007  used after the loop
            counts.update(features)
        self._numbers = {feature: number for number, (feature, _) in enumerate(reversed(counts.most_common()))}
        self._counted_at = max(_FEW, 2 * many)

    def of(self, features: Iterable[str]) -> Features:
        """The numbers of features; new features get one."""
        numbers = self._numbers
        return tuple(sorted([numbers.setdefault(feature, -len(numbers)) for feature in features]))

    def of_passing(self, features: Iterable[str]) -> Features:
        """The same for a set that is not added: new features are not stored."""
        known, first = self._numbers, -2 * len(self._numbers) - 1
        return tuple(sorted([known.get(feature, first - new) for new, feature in enumerate(features)]))


class Postings:
    """An index of sets by their first few features.

    Args:
        threshold: The lowest Jaccard index of later queries, above 0 up to 1.
    """

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        # feature → (size of the set, place of the feature in it) → keys of sets
        self._found: dict[int, dict[tuple[int, int], list[int]]] = {}

    def add(self, who: int, features: Features) -> None:
        """Adds a set under a unique number."""
        for feature, key in _first_few(features, self.threshold):
            self._found.setdefault(feature, {}).setdefault(key, []).append(who)

    def remove(self, who: int, features: Features) -> None:
        """Removes a set that was added with these features."""
        for feature, key in _first_few(features, self.threshold):
            groups = self._found[feature]
            groups[key].remove(who)
            if not groups[key]:
                del groups[key]
            if not groups:
                del self._found[feature]

    def groups(self, features: Features, threshold: float) -> list[list[int]]:
        """All sets whose Jaccard index with a set may reach a threshold, and few others; some twice. Do not change them."""
        size, needed = len(features), threshold / (1 + threshold)
        return [
            those
            for feature, (_, place) in _first_few(features, threshold)
            for (other_size, other_place), those in self._found.get(feature, {}).items()
            if min(size - place, other_size - other_place) >= needed * (size + other_size) - _SLACK
        ]


def jaccard(mine: frozenset[int], others: Features) -> float:
    """The Jaccard index of two sets."""
    common = len(mine.intersection(others))
    return common / (len(mine) + len(others) - common)


def reaches(score: float, threshold: float) -> bool:
    """Whether a score reaches a threshold, up to rounding."""
    return score >= threshold - _SLACK


def _first_few(features: Features, threshold: float) -> Iterator[tuple[int, tuple[int, int]]]:
    size = len(features)
    for place in range(size - math.ceil(threshold * size - _SLACK) + 1):
        yield features[place], (size, place)
