"""`Sample`: one question of a data set, with its right answer where one is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question of a data set.

    Attributes:
        id: Its name in the data set, not used twice there, e.g. "train.jsonl:12".
        question: What is asked, as the pipeline gets it.
        truth: The right answer; None where none is known.
        labels: Facts about it that results are grouped by, e.g. `{"family": "current_ratio"}`. No pipeline sees them.
    """

    id: str
    question: str
    truth: str | None = None
    labels: Mapping[str, str | int | float | bool] = field(default_factory=dict[str, "str | int | float | bool"])
