"""What a run will take, before it begins: the model calls of each arm, and with them tokens and minutes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from agents.lab.description.arms import Arm, Gepa
from agents.lab.description.lab_description import LabDescription
from agents.lab.plan.plan import Part, plan

ROUNDS = 3
"""Most reflections on an answer where an arm does not say how many: those of the pipeline `ace`."""


class Estimate(NamedTuple):
    """What an arm takes with one seed.

    Attributes:
        arm: Its title.
        samples: Samples that it works on, training and validation included.
        least: Fewest model calls.
        most: Most model calls; a limit of calls ends it there.
    """

    arm: str
    samples: int
    least: int
    most: int


def estimate(description: LabDescription, count: Callable[[Any], int]) -> list[Estimate]:
    """What each arm of a run takes with one seed.

    A right answer is reflected on once, a wrong one in all rounds: so the calls of an arm that learns lie in a range.

    Args:
        description: The run.
        count: The number of samples of a split.

    Raises:
        LabError: A split has no samples.
    """
    return [_of(arm, plan(description, arm, count), description.limits.calls) for arm in description.arms]


def _of(arm: Arm, parts: list[Part], limit: int | None) -> Estimate:
    samples = sum(part.stop - part.start for part in parts)
    if isinstance(arm, Gepa):
        tested = parts[-1].stop
        samples = least = arm.evaluations + tested
        most = least + arm.evaluations // arm.minibatch  # a new text for every minibatch at most
    else:
        calls = [(_of_learning(arm) if part.learns else (1, 1), part.stop - part.start) for part in parts]
        least, most = (sum(each[place] * size for each, size in calls) for place in (0, 1))
    if arm.kind == "callable":
        least = most = 0
    return Estimate(arm.title, samples, *(each if limit is None else min(limit, each) for each in (least, most)))


def _of_learning(arm: Arm) -> tuple[int, int]:
    """Fewest and most calls for a sample that is learned from: an answer, the reflections on it, and the curator's."""
    reflects = getattr(arm, "reflector", None)
    if reflects is None:  # one call writes the notes
        return 2, 2
    return (3, 2 + (getattr(arm, "rounds", None) or ROUNDS)) if reflects else (2, 2)
