"""The answer that the Lab page shows, by its place in a run."""

from __future__ import annotations

from typing import NamedTuple, Self


class Shown(NamedTuple):
    """The answer that is shown, as `Address.sample` has it: `ARM:SEED:QUESTION`.

    Attributes:
        arm: The arm. Its name has no colon.
        seed: The seed.
        question: The number of the question in the arm, from 1.
    """

    arm: str
    seed: int
    question: int

    @classmethod
    def read(cls, text: str | None) -> Self | None:
        """Reads it from an address; None if it names no answer."""
        arm, _, numbers = (text or "").partition(":")
        seed, _, question = numbers.partition(":")
        if not all(part.isascii() and part.isdecimal() and len(part) < 12 for part in (seed, question)):  # noqa: PLR2004
            return None
        return cls(arm, int(seed), int(question)) if arm and int(question) else None

    def __str__(self) -> str:
        return f"{self.arm}:{self.seed}:{self.question}"
