"""The cycle: StateInitializer → Generator → Reflector → Curator, as ordinary agents in a sequence (arXiv 2510.04618)."""

from __future__ import annotations

from agents.ace.roles.agents import (
    curator_model,
    generator,
    generator_again,
    nothing_to_curate,
    nothing_to_reflect_on,
    reflector_model,
)
from agents.ace.roles.settings import AceSettings
from agents.ace.roles.state_initializer import StateInitializer
from agents.ace.roles.steps.apply_delta import ApplyDelta
from agents.ace.roles.steps.ask_again import AskAgain
from agents.ace.roles.steps.rounds import ReflectionRounds, RoundCheck
from agents.ace.roles.steps.tag_bullets import TagBullets
from agents.flows.workflow import SequentialAgent
from agents.model import BaseLlm


def ace_agent(name: str = "AceCycle", settings: AceSettings | None = None, *, model: str | BaseLlm = "") -> SequentialAgent:
    """A cycle that answers a question and learns from the outcome.

    Each call makes new agents, so a tree may have several cycles.

    Args:
        name: Name of the whole agent.
        settings: The settings; a session's state overrides them by name.
        model: The model of all three roles; by default the run's.
    """
    settings = settings or AceSettings()
    rounds = ReflectionRounds(
        settings=settings,
        max_iterations=settings.reflector_rounds,
        sub_agents=[reflector_model(settings, model), RoundCheck(settings=settings)],
    )
    reflector = SequentialAgent(
        name="Reflector",
        description="Finds out what can be learned from the answer, and which bullets helped.",
        sub_agents=[rounds, TagBullets()],
        before_agent_callback=nothing_to_reflect_on(settings),
    )
    curator = SequentialAgent(
        name="Curator",
        description="Writes down what was learned, as small changes of the playbook.",
        sub_agents=[
            curator_model(settings, model),
            AskAgain(settings=settings, sub_agents=[generator_again(settings, model)]),
            ApplyDelta(settings=settings),
        ],
        before_agent_callback=nothing_to_curate,
    )
    return SequentialAgent(
        name=name,
        description="Answers a question with a playbook, and grows the playbook by what the answer teaches.",
        sub_agents=[StateInitializer(settings=settings), generator(settings, model), reflector, curator],
    )
