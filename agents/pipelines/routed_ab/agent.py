"""The agents of the A/B experiment: one task, two instructions, and a router that reads a setting."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from agents import BaseAgent, InvocationContext, LlmAgent, RoutedAgent, RouteDecision

BRIEF_INSTRUCTION = """\
You summarise what a user sends you.

Write one sentence of at most 15 words. Say only what the text says.
Answer in the language of the text.
"""

DETAILED_INSTRUCTION = """\
You summarise what a user sends you.

Write at most 3 points, each on a line that begins with "- ". End with the 4 key words of the text, on one line.
Say only what the text says.
Answer in the language of the text.
"""


def by_variant(agents: Mapping[str, BaseAgent], context: InvocationContext) -> RouteDecision:
    """Reads the setting at every message. Asked again after a failure, it gives the same answer."""
    variant = context.session.state.get("variant", "A")
    if variant == "by session":
        drawn = list(agents)[hashlib.sha256(context.session.id.encode()).digest()[0] % len(agents)]
        return RouteDecision(drawn, f"Sessions are divided by their id, and this one falls to {drawn}.")
    return RouteDecision(variant, f"The variant is set to {variant}.")


brief = LlmAgent(
    name="BriefSummary",
    description="Summarises in one short sentence.",
    include_contents="none",
    instruction=BRIEF_INSTRUCTION,
    output_key="summary",
)
detailed = LlmAgent(
    name="DetailedSummary",
    description="Summarises in points, with key words.",
    include_contents="none",
    instruction=DETAILED_INSTRUCTION,
    output_key="summary",
)
root_agent = RoutedAgent(
    name="SummaryExperiment",
    description="Has each message answered by variant A or variant B.",
    agents={"A": brief, "B": detailed},
    router=by_variant,
)
