"""`ListedSet`: a data set of few samples, in memory. `cases` and `sessions` read such sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from agents.errors import DataSetError
from agents.lab.data.content import Fingerprint, Place, SeenSamples
from agents.lab.data.data_set import Malformed, Problem, ProblemKind, Split, checked_split
from agents.lab.data.fractions import split_by_fractions
from agents.lab.sample import Sample


class ListedSet:
    """Samples in memory, divided by fractions.

    Attributes:
        name: What it is called.
        about: What it can show and what not.
        scorer: The scorer that it is made for.
        problems: Files that were skipped.
        skipped: The number of files that were skipped, by kind.
        fingerprint: SHA-256 of its samples and splits.
    """

    def __init__(
        self,
        name: str,
        found: Iterable[Sample | Problem],
        *,
        about: str,
        scorer: Mapping[str, object],
        fractions: Mapping[Split, float],
        seed: int,
        malformed: Malformed,
    ) -> None:
        """Takes samples, and the problems of what is none.

        Args:
            name: What the set is called.
            found: Samples and problems, in order.
            about: What the set can show and what not.
            scorer: The scorer that it is made for.
            fractions: How much of the samples each split gets.
            seed: Of the division.
            malformed: "skip" goes on after a problem, "stop" raises an error.

        Raises:
            DataSetError: There is no sample; or a problem, with `malformed="stop"`.
        """
        self.name, self.about, self.scorer = name, about, scorer
        self._samples: list[Sample] = []
        self.problems: list[Problem] = []
        for one in _without_duplicates(found):
            if isinstance(one, Sample):
                self._samples.append(one)
            elif malformed == "stop":
                raise DataSetError(f'{one} Mend it, or choose malformed = "skip".')
            else:
                self.problems.append(one)
        if not self._samples:
            raise DataSetError(f"{name} has no samples.{f' {self.problems[0]}' if self.problems else ''}")
        self.skipped: Mapping[ProblemKind, int] = Counter(one.kind for one in self.problems)
        self._splits = list(split_by_fractions(len(self._samples), fractions, seed))
        fingerprint = Fingerprint(["all"], dict(fractions), seed)
        for sample in self._samples:
            fingerprint.add(sample)
        self.fingerprint = fingerprint.hexdigest()

    def count(self, split: Split) -> int:
        """The number of samples of a split."""
        checked_split(split)
        return len(self._samples) if split == "all" else self._splits.count(split)

    def samples(self, split: Split) -> Iterator[Sample]:
        """The samples of a split, in order."""
        checked_split(split)
        pairs = zip(self._samples, self._splits, strict=True)
        yield from (sample for sample, one in pairs if split in ("all", one))


def _without_duplicates(found: Iterable[Sample | Problem]) -> Iterator[Sample | Problem]:
    seen, samples = SeenSamples(), list[Sample]()
    for one in found:
        if isinstance(one, Problem):
            yield one
        elif (first := seen.add(one, Place(0, len(samples)))) is not None:
            yield Problem(one.id, 0, "duplicate", f"{samples[first.line].id} is the same sample.")
        else:
            samples.append(one)
            yield one
