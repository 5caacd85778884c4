"""What a simulation answers with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.models.simulated.request import SimulatedRequest


@dataclass(frozen=True, slots=True)
class Reply:
    """A simulation's answer.

    Attributes:
        text: The text.
        calls: Tools to call, as (name, arguments), in order.
        thought: The thought before it, shown apart from the text.
        examples: For an answer that refuses: messages that can be sent instead.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    thought: str = ""
    examples: Sequence[str] = ()


Simulation = Callable[[SimulatedRequest], Reply | str]
"""Computes an agent's answer from its model's input.

One with an attribute `stands_in_for`, names of tools that Gemini runs itself, answers for an agent that has those.
"""
