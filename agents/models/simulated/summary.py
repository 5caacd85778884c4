"""The simulated model's summary of a conversation: each line by its beginning, and what was left out by its count."""

from __future__ import annotations

import re

from agents.models.simulated.language.characters import shortened
from agents.models.simulated.request import SimulatedRequest

SUMMARIZER = "events_summarizer"
"""The label of a request for the summary of a session's events."""

MOST_LINES = 40
_MOST_CHARACTERS = 120
_SAID = re.compile(r"(\w[\w -]{0,80}: |\w{1,80} \(thought\): |\w{1,80} called tool: |Tool response from \S{1,80}: )")


def summary(request: SimulatedRequest) -> str:
    """The beginning of what each said, called and was given; it understands nothing, and says so."""
    _, _, conversation = request.last_user_text().partition("\n\n")
    said = [line for line in conversation.splitlines() if _SAID.match(line) and " (thought): " not in line]
    lines = [f"- {shortened(line, _MOST_CHARACTERS)}" for line in said[-MOST_LINES:]]
    if left := len(said) - len(lines):
        lines.insert(0, f"- {left} earlier lines are not repeated.")
    return "\n".join(["[simulated summary] No model was asked: the beginning of each line is repeated.", *lines])
