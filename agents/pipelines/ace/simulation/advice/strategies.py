"""The strategies of a playbook: bullets of prose about a topic. They are found for an answer, and new ones are added."""

from __future__ import annotations

from collections.abc import Sequence

from agents.pipelines.ace.simulation.advice.topics import Topic, topic_of_section
from agents.pipelines.ace.simulation.bullets import Line, best_first

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


def _is_about(line: Line, topic: Topic) -> bool:
    """Whether its section is the topic's; outside the sections of topics, whether it names it or is a strategy of it."""
    if line.says is not None:
        return False
    if of_section := topic_of_section(line.section):
        return of_section is topic
    return line.content in topic.strategies or topic.name.casefold() in line.content.casefold()
