"""Teaches the simulated roles without sessions: answer, reflection and curation, over a list of bullets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents.pipelines.ace.simulation.bullets import Line
from agents.pipelines.ace.simulation.curator import curate
from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.reflection import Case
from agents.pipelines.ace.simulation.reflector import reflect


class Pupil:
    """The simulated roles and the playbook's lines; counters stay as they are."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._made = 0

    @property
    def bullets(self) -> list[str]:
        """The texts of the bullets."""
        return [line.content for line in self.lines]

    def answer(self, question: str) -> str:
        """The answer from the bullets."""
        return answer(question, self.lines).final_answer

    def is_right(self, question: str, truth: str) -> bool:
        """Whether the answer is the right one."""
        return self.answer(question).rstrip(".") == truth.rstrip(".")

    def teach(self, question: str, truth: str) -> None:
        """One cycle: the question is answered, the right answer is told, and the curator's operations are applied."""
        given = answer(question, self.lines)
        feedback = f"The right answer is: {truth}"
        cited = [line for line in self.lines if line.id in given.bullet_ids]
        reflection = reflect(Case(question, cited, given.final_answer, given.bullet_ids, feedback))
        assert reflection is not None
        harmful = {id_ for id_, tag in reflection.tags if tag == "harmful"}
        found = curate(
            reflection.correct_approach,
            error=reflection.error_identification,
            harmful=harmful,
            lines=self.lines,
            limits="",
            question=question,
        )
        for operation in found.operations:
            self._apply(operation)

    def _apply(self, operation: dict[str, Any]) -> None:
        if operation["type"] == "ADD":
            self._made += 1
            line = Line(f"n-{self._made:05}", operation["section"], 0, 0, operation["content"], len(self.lines))
            self.lines.append(line)
            return
        at = next(place for place, line in enumerate(self.lines) if line.id == operation["bullet_id"])
        if operation["type"] == "REMOVE":
            del self.lines[at]
        else:
            self.lines[at] = self.lines[at]._replace(content=operation["content"])


def taught(rows: Iterable[tuple[str, str]]) -> Pupil:
    """A pupil that was told the right answers to questions: pairs of a question and its answer."""
    pupil = Pupil()
    for question, truth in rows:
        pupil.teach(question, truth)
    return pupil


def count_right(pupil: Pupil, rows: Iterable[tuple[str, str]]) -> int:
    """How many questions are answered rightly."""
    return sum(pupil.is_right(question, truth) for question, truth in rows)
