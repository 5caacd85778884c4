"""The contract of the stores that keep what learners have done: one row for each step that a learner has begun."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple


class ProgressRow(NamedTuple):
    """What a learner has done in one step.

    Attributes:
        user_id: The learner.
        lesson: The lesson, by its pipeline.
        step: The step's id.
        changed_at: When it last changed, in seconds since the epoch.
        body: A JSON object, see `agents.lessons.StepProgress`.
    """

    user_id: str
    lesson: str
    step: str
    changed_at: float
    body: str


class ProgressStore(ABC):
    """Keeps the progress of learners. For any thread and several processes. Every method may raise `DatabaseError`."""

    @abstractmethod
    def rows(self, *, user_id: str | None = None, lesson: str | None = None) -> list[ProgressRow]:
        """The rows of a learner, of a lesson, or all, by learner, lesson and step."""

    @abstractmethod
    def change(self, user_id: str, lesson: str, step: str, update: Callable[[str | None], str]) -> str:
        """Changes a row; nobody else changes it meanwhile.

        Args:
            user_id: The learner.
            lesson: The lesson.
            step: The step.
            update: Gives the new body for the old one, or for None.

        Returns:
            The new body.
        """

    @abstractmethod
    def clear(self, user_id: str, lesson: str) -> None:
        """Removes what a learner has done in a lesson."""

    def close(self) -> None:
        """Closes the file, if there is one."""
        return
