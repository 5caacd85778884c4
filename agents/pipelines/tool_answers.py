"""The results of a simulated model's tool calls in this turn."""

from __future__ import annotations

from typing import Any

from agents.models.simulated.request import SimulatedRequest


def last_answer(request: SimulatedRequest, tool: str) -> dict[str, Any] | None:
    """The last answer of a tool in this turn, None if it was not called."""
    results = request.tool_results(tool)
    return (results[-1].response or {}) if results else None
