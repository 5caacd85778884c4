"""`GeneratedSet`: a data set that is drawn by seed. The package `generated` has a module for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from random import Random
from typing import NamedTuple

from agents.lab.data.content import Fingerprint, SeenSamples
from agents.lab.data.data_set import Problem, ProblemKind, Split, checked_split
from agents.lab.sample import Sample

HELD_OUT = 4
"""Validation and test have each 1/4 of the number of training samples."""
MOST_TRIES = 20
"""Samples drawn for each that is held out, at most: those that are in training too are left out."""


class Kind(NamedTuple):
    """A kind of generated data set.

    Attributes:
        about: What it can show and what not.
        scorer: The scorer that it is made for.
        draw: Draws samples of a split: `draw(split, seed, count)`; their ids are given later.
    """

    about: str
    scorer: Mapping[str, object]
    draw: Callable[[Split, int, int], Iterator[Sample]]


class GeneratedSet:
    """The samples of a generator. "train" has as many as asked for, the others a quarter each, and none of another split.

    Attributes:
        name: What it is called.
        about: What it can show and what not.
        scorer: The scorer that it is made for.
        problems: None: nothing is read.
        skipped: None either.
    """

    problems: tuple[Problem, ...] = ()

    def __init__(self, name: str, kind: Kind, *, seed: int, count: int) -> None:
        self.name, self.about, self.scorer = name, kind.about, kind.scorer
        self.skipped: Mapping[ProblemKind, int] = {}
        self._kind, self._seed, self._count = kind, seed, count

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its samples and splits."""
        return self._fingerprint

    def count(self, split: Split) -> int:
        """The number of samples of a split."""
        checked_split(split)
        held_out = sum(self._held_out) if split == "all" else self._held_out[split == "test"]
        return {"train": self._count, "all": self._count + held_out}.get(split, held_out)

    def samples(self, split: Split) -> Iterator[Sample]:
        """The samples of a split, one at a time; "all" has training, validation and test in this order."""
        checked_split(split)
        if split in ("train", "all"):
            yield from self._numbered("train", self._kind.draw("train", self._seed, self._count))
        if split != "train":
            yield from self._held_out_samples(split)

    @cached_property
    def _fingerprint(self) -> str:
        found = Fingerprint()
        for sample in self.samples("all"):
            found.add(sample)
        return found.hexdigest()

    @cached_property
    def _held_out(self) -> tuple[int, int]:
        """The number of samples for validation and for test. There may be too few that are not in training."""
        ids = [sample.id.split(":")[1] for sample in self._held_out_samples("all")]
        return ids.count("validation"), ids.count("test")

    def _held_out_samples(self, wanted: Split) -> Iterator[Sample]:
        seen = SeenSamples()
        for sample in self._kind.draw("train", self._seed, self._count):
            seen.add(sample)
        splits: tuple[Split, ...] = ("validation", "test")
        for split in splits:
            size = max(1, self._count // HELD_OUT)
            seed = Random(f"{self._seed}:{split}").getrandbits(32)  # noqa: S311  nothing is secret here
            drawn = self._kind.draw(split, seed, MOST_TRIES * size)
            new = islice((sample for sample in drawn if seen.add(sample) is None), size)
            if wanted in ("all", split):
                yield from self._numbered(split, new)
            else:
                list(new)

    def _numbered(self, split: str, samples: Iterator[Sample]) -> Iterator[Sample]:
        for number, one in enumerate(samples, 1):
            id_ = f"{self.name}:{split}:{number}"
            yield Sample(id=id_, question=one.question, truth=one.truth, labels=one.labels)
