"""What the clerk says: a call for each word, and in the end how many there were."""

from __future__ import annotations

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipeline import Card


def clerk(request: SimulatedRequest) -> Reply | str:
    """Posts the words that begin with "p" and looks at the others."""
    words = request.instruction.strip().rpartition("\n")[2].split()
    done = len(request.tool_results())
    if done < len(words):
        return Reply(calls=[("post" if words[done].startswith("p") else "look", {"word": words[done]})])
    return f"{done} words"


card = Card(
    title="Counter",
    pattern="none",
    summary="",
    lesson="",
    samples=("p1 l2",),
    ends_when="counted",
    message_key="words",
    simulation={"Clerk": clerk},
)
