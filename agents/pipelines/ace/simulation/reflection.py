"""What a reflector is given, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.pipelines.ace.simulation.bullets import Line

NO_ERROR = "None."
DOUBTFUL = "This is doubtful"


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the reflector says."""

    reasoning: str
    error_identification: str = NO_ERROR
    root_cause_analysis: str = ""
    correct_approach: str = ""
    key_insight: str = ""
    tags: tuple[tuple[str, str], ...] = ()


class Case(NamedTuple):
    """What the reflector is given.

    Attributes:
        question: As it was asked.
        lines: The bullets of the playbook.
        final_answer: The generator's answer.
        cited: The ids that it cites.
        feedback: What is known of the answer, as the prompt says it.
        round: Counted from 1.
        previous: The reflection of the round before; empty if there was none.
        rubric: The criteria that the prompt names for free answers.
    """

    question: str
    lines: Sequence[Line]
    final_answer: str
    cited: Sequence[str]
    feedback: str
    round: int = 1
    previous: Mapping[str, str] = {}
    rubric: Sequence[str] = ()

    @property
    def cited_lines(self) -> list[Line]:
        """The bullets that the answer cites, those that there are."""
        return [line for line in self.lines if line.id in self.cited]

    def tags(self, tag: str) -> tuple[tuple[str, str], ...]:
        """The same tag for every bullet that the answer cites."""
        return tuple((line.id, tag) for line in self.cited_lines)
