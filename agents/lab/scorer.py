"""`Scorer`: says what an answer to a sample is worth. A contract; the package `scorers` has those that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agents.lab.sample import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What an answer is worth.

    Attributes:
        value: From 0 to 1.
        is_right: Whether it counts as right.
        right: Parts that are right, e.g. entities of a list, or criteria of a rubric.
        of: All parts; 1 where an answer has no parts.
        why: The reason in a sentence, or "".
    """

    value: float
    is_right: bool
    right: int = 0
    of: int = 1
    why: str = ""


class Scorer(Protocol):
    """Scores answers."""

    async def score(self, answer: str, sample: Sample) -> Score:
        """Scores an answer.

        Args:
            answer: The pipeline's final answer; "" if it gave none.
            sample: The question that it answers.

        Raises:
            Exception: It cannot be scored. The harness counts the sample as failed, with the reason; it is not dropped.
        """
        ...
