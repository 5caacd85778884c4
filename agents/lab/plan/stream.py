"""The samples of a run in the order of a seed, streamed: all arms of one seed get the same ones in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Protocol

from agents.errors import LabError
from agents.lab.sample import Sample

WINDOW = 1000
"""Samples that are in memory to be shuffled; a data set of that size is shuffled as a whole."""


class Samples(Protocol):
    """A data set as a run reads it, see `agents.lab.data.DataSet`."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its content."""
        ...

    def count(self, split: Any) -> int:
        """The number of samples of a split."""
        ...

    def samples(self, split: Any) -> Iterator[Sample]:
        """The samples of a split, always in the same order."""
        ...


class Stream:
    """Reads the samples of a data set for one arm and seed, forwards; going back begins anew.

    Attributes:
        before: The sample before those that were taken last; None if they were the first ones.

    Args:
        data: The data set.
        seed: The order; 0 is the data's own.
    """

    def __init__(self, data: Samples, seed: int) -> None:
        self.before: Sample | None = None
        self._data, self._seed = data, seed
        self._split, self._place = "", 0
        self._samples: Iterator[Sample] = iter(())
        self._last: Sample | None = None

    def take(self, split: str, place: int, count: int) -> list[Sample]:
        """Samples of a split, from a place on.

        Raises:
            LabError: There are fewer.
        """
        if split != self._split or place < self._place:
            self._samples, self._split, self._place, self._last = self._opened(split), split, 0, None
        for sample in islice(self._samples, place - self._place):
            self._last = sample
        self.before = self._last
        found = list(islice(self._samples, count))
        self._place, self._last = place + len(found), found[-1] if found else self._last
        if len(found) < count:
            raise LabError(f"The data set {self._data.name} ended before sample {place + count} of {split!r}.")
        return found

    def shuffled_truths(self, split: str, count: int) -> list[str | None]:
        """The right answers of the first samples of a split, permuted by the seed; where none is known, there is none.

        The permutation is one cycle (Sattolo, Information Processing Letters 22, 1986, 315-317): no question keeps its own.
        """
        samples = self._opened(split)
        truths = [one.truth for one in islice(samples, count)]
        known, rng = [place for place, one in enumerate(truths) if one is not None], Random(f"{self._seed}:{split}:truths")  # noqa: S311  no secret
        for last in range(len(known) - 1, 0, -1):
            place, other = known[last], known[rng.randrange(last)]
            truths[place], truths[other] = truths[other], truths[place]
        return truths

    def _opened(self, split: str) -> Iterator[Sample]:
        samples = self._data.samples(split)
        return samples if self._seed == 0 else _shuffled(samples, Random(f"{self._seed}:{split}"))  # noqa: S311  no secret


def _shuffled(samples: Iterator[Sample], rng: Random) -> Iterator[Sample]:
    window = list(islice(samples, WINDOW))
    for sample in samples:
        place = rng.randrange(WINDOW)
        yield window[place]
        window[place] = sample
    rng.shuffle(window)
    yield from window
