"""The pipeline contract: an agent tree that can be run, and the card that explains it.

A pipeline is a package with `agent.py` exposing `root_agent`, and optionally `card.py` exposing `card`.
Knows no model and no user interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from agents.agent import BaseAgent


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a person reads before they run a pipeline, and what makes it runnable with one click.

    Attributes:
        title: A few words, e.g. "Iterative writing".
        pattern: The agent pattern that it teaches, e.g. "Iterative refinement".
        summary: One sentence: what happens when it is run.
        lesson: What, when, when not, what to look for; Markdown, two minutes to read.
        samples: Messages to run it with; the first is the one-click one.
        ends_when: One sentence.
        message_key: State key that the message is also written to at the start of a run, if any.
        start_state: State that a new session begins with.
        simulation: For the `simulated` model: agent name → function from a `SimulatedRequest` to a reply.
    """

    title: str
    pattern: str
    summary: str
    lesson: str
    samples: tuple[str, ...]
    ends_when: str
    message_key: str | None = None
    start_state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    simulation: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A runnable agent tree.

    Attributes:
        name: The package's name; also the `app_name` of its sessions.
        root_agent: The tree.
        card: How it is presented.
        folder: Where its source is.
    """

    name: str
    root_agent: BaseAgent
    card: Card
    folder: Path


def describe_tree(agent: BaseAgent) -> dict[str, Any]:
    """An agent tree as JSON: name, type, description, children, tools' names, and a loop's `max_iterations`."""
    tree: dict[str, Any] = {
        "name": agent.name,
        "type": type(agent).__name__,
        "kind": next((c.__name__ for c in type(agent).__mro__ if _is_the_runtimes(c)), "BaseAgent"),
        "description": agent.description,
        "tools": [_name_of(tool) for tool in getattr(agent, "tools", [])],
        "children": [describe_tree(child) for child in agent.sub_agents],
    }
    if "max_iterations" in type(agent).model_fields:
        tree["max_iterations"] = getattr(agent, "max_iterations")
    return tree


def _is_the_runtimes(agent_class: type) -> bool:
    module = agent_class.__module__
    return module.startswith("agents.") and not module.startswith("agents.pipelines.")


def _name_of(tool: Any) -> str:
    """What a model calls a tool by; of a partial, the function's name, and of any other object, its class's."""
    while isinstance(tool, partial):
        tool = cast("partial[Any]", tool).func
    return getattr(tool, "name", None) or getattr(tool, "__name__", None) or type(tool).__name__
