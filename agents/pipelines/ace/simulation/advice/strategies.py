"""The strategies of a playbook: bullets of prose about a topic. They are found for an answer, and new ones are added."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models.simulated.language.detect import answer_language
from agents.pipelines.ace.simulation.bullets import Line, best_first
from agents.pipelines.ace.simulation.reading.topic import Topic

MOST_USED = 12
"""Bullets in one answer, the best first."""
LONGEST = 400
"""Characters of a strategy; what is longer is no single thought."""


def strategies_for(topic: Topic, lines: Sequence[Line]) -> list[Line]:
    """The bullets of prose that are about a topic, in its language, in the playbook's order."""
    about = [line for line in lines if _is_about(line, topic)]
    best = best_first(about)[:MOST_USED]
    return [line for line in about if line in best]


def as_sentence(content: str, topic: Topic) -> str:
    """A strategy as a sentence of an answer."""
    text = " ".join(content.split())
    return text if text[-1:] in ".!?。！？" else text + ("." if topic.phrases.separator else "。")


def new_strategies(approach: str, lines: Sequence[Line]) -> list[str]:
    """The strategies of a reflection that the playbook does not have yet, one a line."""
    there = {" ".join(line.content.split()) for line in lines}
    found = (" ".join(text.split()) for text in approach.splitlines())
    return [text for text in dict.fromkeys(found) if text and len(text) <= LONGEST and text not in there]


def section_for(topic: Topic, lines: Sequence[Line]) -> str:
    """The section that has strategies for a topic already, else the one that is named after it."""
    return next((line.section for line in lines if topic.is_section(line.section)), topic.section)


def _is_about(line: Line, topic: Topic) -> bool:
    """Whether it is; short texts do not tell the languages in Latin letters apart, nor the two ways to write Chinese."""
    is_in_language = answer_language(line.content)[:2] == topic.phrases.language[:2]
    return line.says is None and is_in_language and (topic.is_section(line.section) or topic.is_named_in(line.content))
