"""The plan of an arm: its parts in order, and their model calls. It follows from the description and the samples' number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from agents.errors import LabError
from agents.lab.description.arms import Arm, Gepa, Offline, Online, Parallel, SkillOpt
from agents.lab.description.lab_description import LabDescription

Phase = Literal["stream", "train", "validation", "test"]
Which = Literal["newest", "best"]
ROUNDS = 3
"""Most reflections on an answer where an arm does not say how many: those of the pipeline `ace`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A run of samples that are treated alike.

    Attributes:
        phase: What they are for. Results are reported of "stream" and "test".
        split: Where they are from.
        start: The place of the first one.
        stop: The place after the last one.
        batch: Samples that are worked on with one revision of the playbook.
        learns: Whether the arm learns from them.
        playbook: The playbook that they are answered with.
        epoch: The pass over the training samples, from 1; 0 where there are none.
    """

    phase: Phase
    split: str
    start: int
    stop: int
    batch: int
    learns: bool
    playbook: Which = "newest"
    epoch: int = 0


def plan(description: LabDescription, arm: Arm, count: Callable[[str], int]) -> list[Part]:
    """The parts of an arm.

    Args:
        description: The run.
        arm: One of its arms.
        count: The number of samples of a split.

    Raises:
        LabError: A split has no samples.
    """
    most = description.limits.samples

    def size(split: str) -> int:
        found = count(split)
        if not found:
            raise LabError(f"The split {split!r} of the data has no samples, and the arm {arm.title!r} needs it.")
        return found if most is None else min(found, most)

    if isinstance(arm, Offline):
        return list(_offline(arm, size, description.workers))
    if isinstance(arm, SkillOpt):
        return list(_skillopt(arm, size, description.workers))
    if isinstance(arm, Gepa):
        return _gepa(arm, size, description.workers)
    split = description.split
    match arm:
        case Online():
            batch, learns = arm.batch, True
        case Parallel():
            batch, learns = arm.workers, True
        case _:
            learns = arm.kind in ("rewriting", "history")
            batch = 1 if learns else description.workers
    return [Part(phase="stream", split=split, start=0, stop=size(split), batch=batch, learns=learns)]


def _offline(arm: Offline, size: Callable[[str], int], workers: int) -> Iterator[Part]:
    train = size(arm.train)
    learn = Part(phase="train", split=arm.train, start=0, stop=train, batch=arm.batch, learns=True)
    measure = Part(phase="test", split=arm.test, start=0, stop=size(arm.test), batch=workers, learns=False, playbook="best")
    validate = replace(measure, phase="validation", split=arm.validation, stop=size(arm.validation), playbook="newest")
    for epoch in range(1, arm.epochs + 1):
        for start in range(0, train, arm.validate_every):
            yield replace(learn, start=start, stop=min(train, start + arm.validate_every), epoch=epoch)
            yield replace(validate, epoch=epoch)
    yield measure


def _skillopt(arm: SkillOpt, size: Callable[[str], int], workers: int) -> Iterator[Part]:
    """A validation of what it begins with, minibatches from the best text with a validation each, then the test."""
    train, batch = size(arm.train), arm.minibatch
    measure = Part(phase="test", split=arm.test, start=0, stop=size(arm.test), batch=workers, learns=False, playbook="best")
    validate = replace(measure, phase="validation", split=arm.validation, stop=size(arm.validation), playbook="newest")
    yield validate
    starts = range(0, train, batch)
    for step in range(arm.steps):
        epoch, place = divmod(step, len(starts))
        start, stop = starts[place], min(train, starts[place] + batch)
        yield replace(
            measure, phase="train", split=arm.train, start=start, stop=stop, batch=batch, learns=True, epoch=epoch + 1
        )
        yield replace(validate, epoch=epoch + 1)
    yield measure


def _gepa(arm: Gepa, size: Callable[[str], int], workers: int) -> list[Part]:
    """Training and validation, whose order is GEPA's, then the test."""
    train = Part(phase="train", split=arm.train, start=0, stop=size(arm.train), batch=workers, learns=True)
    validate = replace(train, phase="validation", split=arm.validation, stop=size(arm.validation))
    test = replace(train, phase="test", split=arm.test, stop=size(arm.test), learns=False, playbook="best")
    if arm.evaluations < (least := 2 * (validate.stop + arm.minibatch)):
        raise LabError(
            f"The arm {arm.title!r} needs at least {least} evaluations, so that one new text is tried: twice the "
            f"{validate.stop} samples of {arm.validation!r} and twice a minibatch. It has {arm.evaluations}. Set "
            "`evaluations`, or limit the samples."
        )
    return [train, validate, test]


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
