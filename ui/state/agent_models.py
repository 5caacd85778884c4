"""Models of single agents: those that an address names, those that a person prefers, and what comes of both.

Pure functions; draws nothing and asks no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from agents.pipelines import kind_of
from ui.state.faults import agents_of, inner_models

RUNS_MODEL = ""
"""In place of a model's name: the agent has the run's."""
LONGEST = 60
"""Characters of what cannot be read that are repeated."""


class AgentModels(NamedTuple):
    """What an address asks for, by agent, `RUNS_MODEL` where one goes back to the run's; and what could not be read."""

    readable: dict[str, str]
    problems: tuple[str, ...]


def llm_agents(root_agent: Any) -> dict[str, str]:
    """Agents that ask a model: name → what they bring along themselves, in words; "" for those that have the run's model."""
    return {agent.name: _own(agent) for agent in agents_of(root_agent) if kind_of(agent) == "LlmAgent"}


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
    """The same as the address has it."""
    return tuple(f"{agent}:{model}" for agent, model in chosen.items())


def in_force(preferred: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Agents that have a model of their own in the next run: what the person prefers, overlaid with what the page says."""
    return {agent: model for agent, model in {**preferred, **chosen}.items() if model != RUNS_MODEL}


def count(number: int) -> str:
    """How many there are, e.g. "2 agents"."""
    return f"{number} agent{'' if number == 1 else 's'}"


def _own(agent: Any) -> str:
    """What an agent says of its model itself."""
    if among := inner_models(agent):
        return f"one of {', '.join(among.values())}"
    own = getattr(agent, "model", "")
    return own if isinstance(own, str) else str(getattr(own, "model", ""))
