"""Reviews a team: all rules, over its agents as they are; nothing of it is run."""

from __future__ import annotations

from collections.abc import Collection

from agents.agent import BaseAgent
from agents.pipeline import Pipeline
from agents.review.finding import Finding, Rule
from agents.review.rules import agents, conditions, graphs, loops, models, state, tools, transfers
from agents.review.team_view import TeamView

RULES: tuple[Rule, ...] = (
    *loops.RULES,
    *graphs.RULES,
    *conditions.RULES,
    *state.RULES,
    *tools.RULES,
    *agents.RULES,
    *transfers.RULES,
    *models.RULES,
)
"""All rules, in the order of their findings."""


def review(root: BaseAgent, *, given: Collection[str] = ()) -> list[Finding]:
    """What is wrong with a team of agents, errors first.

    Args:
        root: The top agent.
        given: State keys that are set before a run.
    """
    team = TeamView(root, given)
    found = [Finding(rule, *place) for rule in RULES for place in rule.find(team)]
    return sorted(found, key=lambda finding: finding.rule.level != "error")


def review_pipeline(pipeline: Pipeline) -> list[Finding]:
    """The same for a pipeline, whose card says what is set before a run."""
    card = pipeline.card
    return review(pipeline.root_agent, given={*card.first_state, *filter(None, [card.message_key])})
