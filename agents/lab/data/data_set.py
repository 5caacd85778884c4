"""`DataSet`: the samples of a lab run, by split. A contract; the modules beside it have those that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from agents.errors import DataSetError
from agents.lab.sample import Sample

Split = Literal["train", "validation", "test", "all"]
"""A part of a data set; "all" is every sample in its order."""
SPLITS: tuple[Split, ...] = get_args(Split)
ProblemKind = Literal["malformed", "empty", "duplicate"]
Malformed = Literal["skip", "stop"]
"""What a line does that is no sample: it is listed as a problem, or it is an error."""

MOST_PROBLEMS = 200
"""Problems that a data set lists; all are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line of a file, or a file of a folder, that is no sample.

    Attributes:
        file: Name of the file in the folder that the data set was opened in.
        line: Its number, from 1; 0 for the whole file.
        kind: What is wrong with it.
        why: The reason in a sentence.
        unit: What `line` counts: lines, or the items of a list.
    """

    file: str
    line: int
    kind: ProblemKind
    why: str
    unit: str = "line"

    def __str__(self) -> str:
        """Place, kind and reason, e.g. `train.jsonl, line 12: empty: there is nothing in it`."""
        where = f"{self.file}, {self.unit} {self.line}" if self.line else self.file
        return f"{where}: {self.kind}: {self.why}"


class DataSet(Protocol):
    """Samples by split.

    Attributes:
        name: What it is called.
        about: What it can show and what not, in a sentence or two.
        scorer: The scorer that it is made for, as `make_scorer` takes it.
    """

    name: str
    about: str
    scorer: Mapping[str, object]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of its samples and splits, as hexadecimal digits."""
        ...

    @property
    def problems(self) -> Sequence[Problem]:
        """The first `MOST_PROBLEMS` lines that were skipped, and why."""
        ...

    @property
    def skipped(self) -> Mapping[ProblemKind, int]:
        """The number of lines that were skipped, by kind."""
        ...

    def count(self, split: Split) -> int:
        """The number of samples of a split."""
        ...

    def samples(self, split: Split) -> Iterator[Sample]:
        """The samples of a split, one at a time, always in the same order.

        Raises:
            DataSetError: The data changed since the set was opened.
        """
        ...


def checked_split(split: str) -> Split:
    """A split by its name.

    Raises:
        DataSetError: There is none of that name.
    """
    for one in SPLITS:
        if one == split:
            return one
    raise DataSetError(f"There is no split {split!r}. Choose one of {', '.join(SPLITS)}.")
