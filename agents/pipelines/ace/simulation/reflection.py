"""The input and the output of the simulated reflector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.pipelines.ace.simulation.bullets import Line
from agents.pipelines.ace.simulation.sentences.phrases import Sentences

NO_ERROR = "None."

Tags = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reflection:
    """The reflector's answer. Its tags are pairs of a bullet's id and a tag."""

    reasoning: str
    error_identification: str = NO_ERROR
    root_cause_analysis: str = ""
    correct_approach: str = ""
    key_insight: str = ""
    tags: Tags = ()


def reflection_from(
    sentences: Sentences, kind: str, *, approach: str = "", tags: Tags = (), **values: str | int
) -> Reflection:
    """A reflection of a kind that a data file describes.

    Args:
        sentences: Where it is described.
        kind: The name of its table.
        approach: The correct approach: one bullet a line.
        tags: Tags of the cited bullets.
        values: Values for the sentences; `error` and `cause` are used if the table has none.
    """
    parts = {"error": NO_ERROR, "cause": "", "insight": "", **values, **sentences.reflection(kind, **values)}
    error, cause, insight = (str(parts[part]) for part in ("error", "cause", "insight"))
    return Reflection(str(parts["reasoning"]), error, cause, approach, insight, tags)


class Case(NamedTuple):
    """The reflector's prompt, parsed.

    Attributes:
        question: The question.
        lines: The bullets of the playbook.
        final_answer: The generator's answer.
        cited: The ids that it cites.
        feedback: The feedback, as in the prompt.
        previous: The reflection of the previous round, or empty.
        rubric: The prompt's criteria for free answers.
    """

    question: str
    lines: Sequence[Line]
    final_answer: str
    cited: Sequence[str]
    feedback: str
    previous: Mapping[str, str] = {}
    rubric: Sequence[str] = ()

    @property
    def cited_lines(self) -> list[Line]:
        """The bullets that the answer cites."""
        return [line for line in self.lines if line.id in self.cited]

    @property
    def answer_in_short(self) -> str:
        """The answer, as a sentence can quote it."""
        return cut(self.final_answer)

    def tags(self, tag: str, *, harmful: Sequence[str] = ()) -> Tags:
        """One tag for every cited bullet, except harmful ones."""
        return tuple((line.id, "harmful" if line.id in harmful else tag) for line in self.cited_lines)


def cut(text: str, most: int = 200) -> str:
    """A text in one line, as a sentence can quote it."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
