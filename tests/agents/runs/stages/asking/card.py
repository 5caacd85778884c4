"""How the stage is presented, and what its agents say: they do what the message tells them."""

from __future__ import annotations

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipeline import Card, Control


def clerk(request: SimulatedRequest) -> Reply | str:
    """Calls a tool named in the message, then says what came of it."""
    order, _, value = request.last_user_text().partition(" ")
    results = request.tool_results()
    if results:
        return f"came to {results[-1].response}"
    if order == "offer":
        return Reply(calls=[("get_user_choice", {"options": value.split()})])
    return Reply(calls=[("pay", {"amount": int(value)})] if order == "pay" else [("ask_the_bank", {"question": value})])


card = Card(
    title="Asking",
    pattern="none",
    summary="",
    lesson="",
    samples=("pay 500",),
    ends_when="told",
    controls=(Control(key="limit", label="Limit", kind="number", default=100),),
    simulation={"Clerk": clerk, "Filing": lambda request: "filed"},
    max_llm_calls=20,
)
