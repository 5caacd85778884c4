"""How the curator writes down the strategies that a reflection on a free answer names."""

from __future__ import annotations

from collections.abc import Sequence

from agents.pipelines.ace.simulation.bullets import Line
from agents.pipelines.ace.simulation.reading.topic import Topic

LONGEST = 400
"""Characters of a strategy; what is longer is no single thought."""


def new_strategies(approach: str, lines: Sequence[Line]) -> list[str]:
    """The strategies of a reflection that the playbook does not have yet, one a line."""
    there = {" ".join(line.content.split()) for line in lines}
    found = (" ".join(text.split()) for text in approach.splitlines())
    return [text for text in dict.fromkeys(found) if text and len(text) <= LONGEST and text not in there]


def section_for(topic: Topic, lines: Sequence[Line]) -> str:
    """The section that has strategies for a topic already, else the one that is named after it."""
    return next((line.section for line in lines if topic.is_section(line.section)), topic.section)
