"""A data set in files: read once to check it, and again for its samples. Nothing of it is kept in memory but counts."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agents.errors import DataSetError
from agents.lab.data.content import Fingerprint, Place, SeenSamples
from agents.lab.data.data_set import MOST_PROBLEMS, Malformed, Problem, ProblemKind, Split, checked_split
from agents.lab.data.fractions import split_by_fractions
from agents.lab.data.rows import Found, open_rows
from agents.lab.data.tables.columns import Fields
from agents.lab.sample import Sample


class FileSet:
    """The samples of one file divided by fractions, or of one file a split.

    Attributes:
        name: What it is called.
        about: What it can show and what not.
        scorer: The scorer that it is made for.
        problems: The first lines that were skipped.
        skipped: The number of lines that were skipped, by kind.
        fingerprint: SHA-256 of its samples and splits.
    """

    def __init__(
        self,
        name: str,
        files: Mapping[Split, Path],
        fields: Fields,
        *,
        is_csv: bool,
        fractions: Mapping[Split, float] | None = None,
        seed: int = 0,
        malformed: Malformed = "skip",
    ) -> None:
        """Reads the files.

        Args:
            name: What the set is called.
            files: The files by split; with `fractions` the only one is of the split "all".
            fields: The fields to read.
            is_csv: Whether they are tables; else they are JSON, an object a line or a list of objects.
            fractions: How much of the file each split gets.
            seed: Of the division.
            malformed: "skip" goes on after a line that is no sample, "stop" raises an error.

        Raises:
            DataSetError: A file cannot be read, or has no sample; or a line is no sample, with `malformed="stop"`.
        """
        self.name = name
        self.about = "Samples of your own. What they show of a model depends on whether it has seen them before."
        self.scorer: Mapping[str, object] = {"kind": "folded"}
        self.problems: list[Problem] = []
        self._files, self._sources = files, [open_rows(path, fields, is_csv=is_csv) for path in files.values()]
        if other := [source.path.name for source in self._sources if source.encoding != "utf-8"]:
            self.about += f" {', '.join(other)}: read as Windows-1252. Save it as UTF-8 if letters are wrong."
        self._fractions, self._seed = fractions, seed
        self._stamps = [_stamp(path) for path in files.values()]
        self._duplicates = [array("Q") for _ in files]
        self._counts = [0 for _ in files]
        skipped: Counter[ProblemKind] = Counter()
        fingerprint = Fingerprint(list(files), dict(fractions or {}), seed if fractions else None)
        for number, found in self._survey():
            if found.problem is not None:
                self._skip(found.problem, skipped, stop=malformed == "stop")
            if found.sample is not None:
                self._counts[number] += 1
                fingerprint.add(found.sample)
        if not any(self._counts):
            first = f" {self.problems[0]}" if self.problems else ""
            raise DataSetError(f"{name} has no samples.{first}")
        self.skipped: Mapping[ProblemKind, int] = dict(skipped)
        self.fingerprint = fingerprint.hexdigest()

    def count(self, split: Split) -> int:
        """The number of samples of a split."""
        checked_split(split)
        if split == "all":
            return sum(self._counts)
        if self._fractions is None:
            return sum(count for one, count in zip(self._files, self._counts, strict=True) if one == split)
        return sum(one == split for one in split_by_fractions(self._counts[0], self._fractions, self._seed))

    def samples(self, split: Split) -> Iterator[Sample]:
        """The samples of a split, one at a time, in the order of the files.

        Raises:
            DataSetError: A file was changed since the set was opened.
        """
        checked_split(split)
        for number, one in enumerate(self._files):
            if self._fractions is not None:
                splits = split_by_fractions(self._counts[number], self._fractions, self._seed)
                for sample in self._samples_of(number):
                    if next(splits, "all") == split or split == "all":
                        yield sample
            elif split in ("all", one):
                yield from self._samples_of(number)

    def _samples_of(self, number: int) -> Iterator[Sample]:
        self._check_unchanged(number)
        duplicates: Sequence[int] = self._duplicates[number]
        passed = 0
        for line, sample, _ in self._sources[number].rows():
            if passed < len(duplicates) and duplicates[passed] == line:
                passed += 1
            elif sample is not None:
                yield sample
        self._check_unchanged(number)

    def _survey(self) -> Iterator[tuple[int, Found]]:
        """All rows with the number of their file; a sample that was there before is a problem."""
        seen = SeenSamples()
        for number, source in enumerate(self._sources):
            for found in source.rows():
                first = seen.add(found.sample, Place(number, found.line)) if found.sample is not None else None
                if first is None:
                    yield number, found
                    continue
                self._duplicates[number].append(found.line)
                other = self._sources[first.file]
                why = f"{other.path.name} has the same sample in {other.unit} {first.line}."
                yield number, Found(found.line, None, Problem(source.path.name, found.line, "duplicate", why, source.unit))

    def _skip(self, problem: Problem, skipped: Counter[ProblemKind], *, stop: bool) -> None:
        if stop:
            raise DataSetError(f'{problem} Mend the line, or choose malformed = "skip".')
        skipped[problem.kind] += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def _check_unchanged(self, number: int) -> None:
        path = self._sources[number].path
        if _stamp(path) != self._stamps[number]:
            raise DataSetError(f"{path.name} was changed since it was opened. Start again with the file as it is now.")


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise DataSetError(f"{path.name} cannot be read: {error.strerror}. Check its name and permissions.") from None
    return found.st_size, found.st_mtime_ns
