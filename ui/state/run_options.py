"""Run options: model, faults, initial state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.pipelines import Fault


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run.

    Attributes:
        model: The model of agents that name none.
        faults: Faults to inject.
        state: Initial state of a new session, as set by its controls.
        agent_models: Models of single agents, by agent name.
    """

    model: str
    faults: tuple[Fault, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict[str, Any])
    agent_models: Mapping[str, str] = field(default_factory=dict[str, str])
