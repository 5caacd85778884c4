"""On what terms a message is run. A plain value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.pipelines import Fault


@dataclass(frozen=True, slots=True)
class Terms:
    """How a message is run.

    Attributes:
        model: Answers for agents that name no model.
        faults: What is to go wrong.
        state: What controls were set to, for a new session.
        agent_models: Agents that have a model of their own, by name.
    """

    model: str
    faults: tuple[Fault, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    agent_models: Mapping[str, str] = field(default_factory=dict[str, str])
