"""The agents of the order counter: a first clerk, a stand-in, and a router that calls the stand-in when the first fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from agents import (
    BaseAgent,
    FunctionTool,
    InvocationContext,
    LlmAgent,
    RoutedAgent,
    RouteDecision,
    RoutingErrorContext,
    ToolContext,
)
from agents.pipelines.routed_fallback.menu import PRICES, price_list, total

TASK = f"""\
You take orders at the counter of a bakery. Call place_order once, with everything that is ordered; then confirm it.
Leave out what is not on the list. If nothing on the list is wanted, show the list.
Answer in the language of the order; the names in the call are those of the list.

Price list:
{price_list()}
"""
CLERK_INSTRUCTION = f"{TASK}\nStyle: a line for each item with its price, then the total, then a friendly word."
STAND_IN_INSTRUCTION = f"{TASK}\nStyle: one line in all. You stand in for a colleague, and people are waiting."


class Line(BaseModel):
    """One line of an order."""

    item: str
    count: int = Field(ge=1, le=99)


def place_order(lines: list[Line], tool_context: ToolContext) -> dict[str, Any]:
    """Sends an order to the bakery. It is baked and paid for from then on: call it once.

    Args:
        lines: What is ordered, by its name on the price list.
        tool_context: The orders of this session.
    """
    if unknown := [line.item for line in lines if line.item not in PRICES]:
        return {"error": f"Not on the price list: {', '.join(unknown)}. There are: {', '.join(PRICES)}."}
    ordered = {item: sum(line.count for line in lines if line.item == item) for item in PRICES}
    ordered = {item: count for item, count in ordered.items() if count}
    orders = tool_context.state["orders"] = [*tool_context.state.get("orders", []), ordered]
    return {"order": len(orders), "lines": ordered, "total": total(ordered)}


order_tool = FunctionTool(place_order, read_only_hint=False)


def first_that_works(
    agents: Mapping[str, BaseAgent], context: InvocationContext, error_context: RoutingErrorContext | None = None
) -> RouteDecision:
    """The first clerk; after a failure the next one, if there is one and the setting allows it."""
    if error_context is None:
        return RouteDecision("primary", "The primary always comes first.")
    if not context.session.state.get("use_fallback", True):
        return RouteDecision(None, "The fallback is switched off.")
    untried = [key for key in agents if key not in error_context.failed_keys]
    if not untried:
        return RouteDecision(None, "All have failed.")
    return RouteDecision(untried[0], "Nothing was said or done yet, so the next one may begin.")


clerk = LlmAgent(
    name="Clerk",
    description="Takes the order and confirms it in detail.",
    include_contents="none",
    instruction=CLERK_INSTRUCTION,
    tools=[order_tool],
)
stand_in = LlmAgent(
    name="StandIn",
    description="Takes the order when the clerk cannot, and confirms it in one line.",
    include_contents="none",
    instruction=STAND_IN_INSTRUCTION,
    tools=[order_tool],
)
root_agent = RoutedAgent(
    name="OrderCounter",
    description="Has an order taken by the clerk, or by a stand-in if the clerk fails at once.",
    agents={"primary": clerk, "fallback": stand_in},
    router=first_that_works,
)
