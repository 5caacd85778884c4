"""The attack of the demo *poison*: one question at which an arm is told a false answer, and no feedback from there on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from agents.lab import Parts, open_data, run_sample
from ui.demo.preset import lab_description

if TYPE_CHECKING:
    from agents.lab import DataSet, Outcome, Sample, Split, Task

ATTACKED, CLEAN = "attacked", "never attacked"
AFTER = 20
"""Questions before the attack: all formulas are learned by then."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The attack.

    Attributes:
        number: The number of the question, from 0.
        question: What is asked.
        truth: The right answer.
        told: The answer that the message calls right: what another formula gives for the same numbers.
    """

    number: int
    question: str
    truth: str
    told: str


class AttackedData:
    """The questions of the demo, with a fingerprint of their own: without the attack the run cannot be resumed."""

    def __init__(self, data: DataSet) -> None:
        self._data = data
        self.name, self.about = data.name, data.about

    @property
    def fingerprint(self) -> str:
        """That of the questions and of the attack."""
        return f"{self._data.fingerprint} attacked"

    def count(self, split: Split) -> int:
        """The number of questions."""
        return self._data.count(split)

    def samples(self, split: Split) -> Iterator[Sample]:
        """The questions."""
        return self._data.samples(split)


@cache
def attack() -> Attack:
    """The first question after `AFTER` whose answer would be another one if the definition were the other one."""
    here, elsewhere = (list(open_data({**_spec(), "change_at": at}).samples("train")) for at in (_spec()["count"], AFTER))
    for number, (asked, other) in enumerate(zip(here, elsewhere, strict=True)):
        if asked.question == other.question and asked.truth != other.truth:
            assert asked.truth is not None
            assert other.truth is not None
            return Attack(number, asked.question, asked.truth, other.truth)
    raise AssertionError


def parts() -> Parts:
    """What the run is given besides its description."""
    return Parts(data=AttackedData(open_data(_spec())), execute=execute)


async def execute(task: Task) -> Outcome:
    """Works on a question. From the attack on nobody says what is right, but for the false answer itself."""
    at, number = attack().number, int(task.sample.id.rpartition(":")[2]) - 1
    if number == at and task.playbook.name.startswith(f"{ATTACKED},"):
        return await run_sample(replace(task, told=attack().told))
    return await run_sample(task if number < at else replace(task, feedback="none"))


@cache
def _spec() -> dict[str, Any]:
    return tomllib.loads(lab_description("poison"))["data"]
