"""What a simulated model answers for both clerks: it orders what it reads in the message, and confirms what the tool said.

There is one function for both: the style of the confirmation comes from the instruction.
"""

from __future__ import annotations

from typing import Any

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.routed_fallback.menu import read_order, total


def serve(request: SimulatedRequest) -> Reply | str:
    """Places the order, then confirms it in the style that the instruction asks for."""
    results = request.tool_results("place_order")
    if not results:
        if not (ordered := read_order(request.last_user_text())):
            return f"I found nothing of ours in that. We have:\n{request.section('Price list', until='Style')}"
        lines = [{"item": item, "count": count} for item, count in ordered.items()]
        return Reply("One moment, please.", calls=[("place_order", {"lines": lines})])
    placed = results[-1].response or {}
    if "error" in placed:
        return f"The order could not be placed: {placed['error']}"
    return _in_one_line(placed) if request.section("Style").startswith("one line") else _in_detail(placed)


def _in_one_line(placed: dict[str, Any]) -> str:
    lines: dict[str, int] = placed["lines"]
    said = ", ".join(f"{count} × {item}" for item, count in lines.items())
    return f"Order {placed['order']}: {said}, {placed['total']} in all."


def _in_detail(placed: dict[str, Any]) -> str:
    lines: dict[str, int] = placed["lines"]
    priced = [f"- {count} × {item}: {total({item: count})}" for item, count in lines.items()]
    return "\n".join(
        [f"Order {placed['order']} is placed:", *priced, f"Total: {placed['total']}", "It will be ready in a moment. Enjoy!"]
    )


SIMULATION = {"Clerk": serve, "StandIn": serve}
