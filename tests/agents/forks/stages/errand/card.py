"""How the errand is presented, and what its agents say: they do what their instruction says."""

from __future__ import annotations

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipeline import Card


def sender(request: SimulatedRequest) -> Reply | str:
    """Sends each word, together, then says what came of it."""
    results = request.tool_results()
    if results:
        return f"came to {[result.response for result in results]}"
    order, _, words = request.instruction.strip().rpartition("\n")[2].partition(" ")
    return (
        Reply(calls=[("send", {"word": word}) for word in words.split()])
        if order == "send" and words != "nothing"
        else "done"
    )


def reporter(request: SimulatedRequest) -> str:
    """Says its instruction."""
    return request.instruction.strip().rpartition("\n")[2]


card = Card(
    title="Errand",
    pattern="none",
    summary="",
    lesson="",
    samples=("a b",),
    ends_when="reported",
    message_key="words",
    simulation={"Sender": sender, "Reporter": reporter},
)
