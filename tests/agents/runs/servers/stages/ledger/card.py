"""What the clerk says: the next word to post, and in the end what was posted."""

from __future__ import annotations

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipeline import Card


def clerk(request: SimulatedRequest) -> Reply | str:
    """Posts the words of the instruction one by one; then counts them, at length."""
    words = request.instruction.strip().rpartition("\n")[2].split()
    done = request.tool_results()
    if len(done) < len(words):
        return Reply(calls=[("post", {"word": words[len(done)]})])
    return " ".join(f"{number} {result.response}" for number, result in enumerate(done, 1))


card = Card(
    title="Ledger",
    pattern="none",
    summary="",
    lesson="",
    samples=("a b",),
    ends_when="counted",
    message_key="words",
    simulation={"Clerk": clerk},
)
