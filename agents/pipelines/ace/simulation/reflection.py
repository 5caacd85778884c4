"""The input and the output of the simulated reflector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.pipelines.ace.simulation.bullets import Line
from agents.pipelines.ace.simulation.sentences.phrases import Sentences

NO_ERROR = "None."
DOUBTFUL = "This is doubtful"

Tags = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the reflector says. Its tags are pairs of a bullet's id and a tag."""

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
        approach: What should have been done: one bullet a line.
        tags: Of the cited bullets.
        values: What fills the sentences; `error` and `cause` count as such where the table has none of its own.
    """
    parts = {"error": NO_ERROR, "cause": "", "insight": "", **values, **sentences.reflection(kind, **values)}
    error, cause, insight = (str(parts[part]) for part in ("error", "cause", "insight"))
    return Reflection(str(parts["reasoning"]), error, cause, approach, insight, tags)


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

    @property
    def answer_in_short(self) -> str:
        """The answer, as a sentence can quote it."""
        return cut(self.final_answer)

    def tags(self, tag: str, *, harmful: Sequence[str] = ()) -> Tags:
        """The same tag for every bullet that the answer cites, besides those that are harmful."""
        return tuple((line.id, "harmful" if line.id in harmful else tag) for line in self.cited_lines)


def cut(text: str, most: int = 200) -> str:
    """A text in one line, as a sentence can quote it."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
