"""Models that agents name: whether they can be asked."""

from __future__ import annotations

from collections.abc import Iterator

from agents.errors import ModelNotFoundError
from agents.models.connections import lacks_key
from agents.models.registry import LLMRegistry
from agents.review.finding import Fix, Place, Rule
from agents.review.team_view import TeamView


def _named(team: TeamView) -> Iterator[tuple[str, str, Fix]]:
    """The agents that name a model, with the model and the fix that takes it away."""
    for agent in team.llm_agents:
        if isinstance(agent.model, str) and agent.model:
            yield agent.name, agent.model, Fix("Use the model that is chosen for the run", agent.name, "model", None)


def _unknown(team: TeamView) -> Iterator[Place]:
    for agent, model, fix in _named(team):
        try:
            LLMRegistry.resolve(model)
        except ModelNotFoundError:
            text = f"No provider has a model called {model!r}. Choose another, or none for the run's model."
            yield Place(agent, "model", text, fix)


def _without_key(team: TeamView) -> Iterator[Place]:
    for agent, model, fix in _named(team):
        if lacks_key(model):
            text = f"{model} needs a key, and there is none. Add one on the Settings page, or name no model."
            yield Place(agent, "model", text, fix)


RULES = (
    Rule("unknown-model", "error", "A model is found by its name; with one that no provider has, the run ends.", _unknown),
    Rule(
        "model-not-connected", "warning", "An agent that names a model asks that one, whatever the run's is.", _without_key
    ),
)
