"""Models of single agents: those in the URL, those in the preferences, and the two combined."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from agents.models import provider_of
from agents.pipelines import all_agents, kind_of
from ui.state.options.faults import inner_models

RUNS_MODEL = ""
"""Stands for a model's name: the agent uses the run's model."""
LONGEST = 60
"""Characters of an unreadable text that a message quotes."""


class AgentModels(NamedTuple):
    """The models that a URL sets, by agent name (`RUNS_MODEL` for the run's model), and the texts that could not be read."""

    readable: dict[str, str]
    problems: tuple[str, ...]


def llm_agents(root_agent: Any) -> dict[str, str]:
    """Agents that call a model: name → their own model, in words; "" for those that use the run's model."""
    return {agent.name: _own(agent) for agent in all_agents(root_agent) if kind_of(agent) == "LlmAgent"}


def own_models(root_agent: Any, chosen: Container[str]) -> dict[str, str]:
    """Agents that ask a model of a provider whatever model is chosen for the run: name → that model, in words.

    Args:
        root_agent: The top of the tree.
        chosen: Names of agents for which the user chose a model.
    """
    return {
        agent.name: own
        for agent in all_agents(root_agent)
        if kind_of(agent) == "LlmAgent" and agent.name not in chosen and (own := _own(agent)) and _is_of_provider(agent)
    }


def _is_of_provider(agent: Any) -> bool:
    """Whether a model that it names is one of a provider, and not a simulation's or a test's."""
    names = inner_models(agent).values() or [_own(agent)]
    found = [provider_of(name) for name in names]
    return any(provider is not None and provider.access not in ("simulation", "recordings", "person") for provider in found)


def read_all(texts: Iterable[str], names: Iterable[str]) -> AgentModels:
    """Reads AGENT:MODEL texts for agents of these names; the last one for an agent counts."""
    there = set(names)
    readable: dict[str, str] = {}
    problems: list[str] = []
    for text in texts:
        agent, colon, model = text.partition(":")
        if not colon:
            problems.append(f"“{text[:LONGEST]}” says no model. Write AGENT:MODEL.")
        elif agent not in there:
            problems.append(f"No agent here that asks a model is called “{agent[:LONGEST]}”.")
        else:
            readable[agent] = model.strip()
    return AgentModels(readable, tuple(problems))


def write(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """The models as AGENT:MODEL texts for the URL."""
    return tuple(f"{agent}:{model}" for agent, model in chosen.items())


def in_force(preferred: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Models of single agents in the next run: the user's preferences, overridden by the URL."""
    return {agent: model for agent, model in {**preferred, **chosen}.items() if model != RUNS_MODEL}


def count(number: int) -> str:
    """A number of agents, e.g. "2 agents"."""
    return f"{number} agent{'' if number == 1 else 's'}"


def _own(agent: Any) -> str:
    """An agent's own model, in words."""
    if among := inner_models(agent):
        return f"one of {', '.join(among.values())}"
    own = getattr(agent, "model", "")
    return own if isinstance(own, str) else str(getattr(own, "model", ""))
