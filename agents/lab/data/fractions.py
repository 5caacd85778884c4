"""Splits by fractions: which split each sample of a stream belongs to, decided by seed and place alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from agents.errors import DataSetError
from agents.lab.data.data_set import Split

BLOCK = 100
"""Samples that are divided at a time: within each block the fractions are kept as well as whole numbers can."""

_NEAR = 1e-9


def check_fractions(fractions: Mapping[Split, float]) -> None:
    """Checks that fractions are positive and add up to 1.

    Raises:
        DataSetError: They do not.
    """
    if any(part < 0 for part in fractions.values()) or abs(sum(fractions.values()) - 1) > _NEAR:
        raise DataSetError(f"The fractions of a split have to add up to 1, and {dict(fractions)} do not.")


def split_by_fractions(count: int, fractions: Mapping[Split, float], seed: int) -> Iterator[Split]:
    """The split of each sample, in order.

    Args:
        count: Number of samples.
        fractions: How much of them each split gets; they add up to 1.
        seed: The same seed divides in the same way.
    """
    for block, begin in enumerate(range(0, count, BLOCK)):
        size = min(BLOCK, count - begin)
        ranks = Random(f"{seed}:{block}").sample(range(size), size)  # noqa: S311  nothing is secret here
        for rank in ranks:
            yield _split_at((rank + 0.5) / size, fractions)


def _split_at(share: float, fractions: Mapping[Split, float]) -> Split:
    """The split at a place from 0 to 1, of splits laid end to end."""
    end = 0.0
    last: Split = next(iter(fractions))
    for split, part in fractions.items():
        end += part
        if part:
            last = split
        if share < end:
            return split
    return last
