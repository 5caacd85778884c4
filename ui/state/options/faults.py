"""Faults of the next runs: read from the URL, shown in words, and the agents that they can target."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from agents import FaultError
from agents.pipelines import EVERY_CALL, EVERYBODY, FAULT_KINDS, Fault, all_agents, kind_of

_MODEL_FREE = frozenset({"SequentialAgent", "LoopAgent", "ParallelAgent", "Workflow", "BaseAgent"})


class Faults(NamedTuple):
    """Faults from a URL or a command line, and why the other texts could not be read."""

    readable: tuple[Fault, ...]
    problems: tuple[str, ...]


def read_all(texts: Iterable[str]) -> Faults:
    """Reads faults, each one once; a text that cannot be read becomes a problem."""
    readable: dict[str, Fault] = {}
    problems: list[str] = []
    for text in texts:
        try:
            fault = Fault.parse(text)
        except FaultError as error:
            problems.append(str(error))
        else:
            readable[str(fault)] = fault
    return Faults(tuple(readable.values()), tuple(problems))


def in_words(fault: Fault) -> str:
    """A fault as a sentence without its full stop, e.g. "Critic refuses to answer, at its 2nd model call"."""
    who = "Every agent" if fault.target == EVERYBODY else fault.target
    slow = f" ({fault.seconds:g} s)" if fault.kind == "delay" else ""
    return f"{who} {FAULT_KINDS[fault.kind]}{slow}, {when(fault.call)}"


def when(call: int) -> str:
    """When a fault strikes, e.g. "at its 2nd model call"."""
    if call == EVERY_CALL:
        return "at every model call"
    ending = "th" if call % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(call % 10, "th")
    return f"at its {call}{ending} model call"


def count(number: int) -> str:
    """A number of faults, e.g. "2 faults"."""
    return f"{number} fault{'' if number == 1 else 's'}"


def targets(root_agent: Any) -> dict[str, str]:
    """Targets of faults, name → label: everybody, agents that call models, and models that an agent chooses among."""
    found = {EVERYBODY: "Everybody"}
    for agent in all_agents(root_agent):
        if kind_of(agent) not in _MODEL_FREE:
            found.setdefault(agent.name, agent.name)
        if inner := inner_models(agent):
            for model in (getattr(agent, "model").model, *inner.values()):
                found.setdefault(model, f"model {model}")
    return found


def inner_models(agent: Any) -> dict[str, str]:
    """The models that an agent chooses among, key → name; empty for an agent with one model."""
    routes: Any = getattr(getattr(agent, "model", None), "routes", None)
    if not isinstance(routes, dict):
        return {}
    return {key: str(getattr(model, "model", key)) for key, model in routes.items()}


def choices_of_models(root_agent: Any) -> dict[str, dict[str, str]]:
    """Agent name → its `inner_models`, for agents that have any."""
    return {agent.name: models for agent in all_agents(root_agent) if (models := inner_models(agent))}
