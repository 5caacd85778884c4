"""What its payer says."""

from __future__ import annotations

from agents.models.simulated.model import Reply, SimulatedRequest
from agents.pipeline import Card


def payer(request: SimulatedRequest) -> Reply | str:
    """Pays what the message says, then says what came of it."""
    if results := request.tool_results():
        return f"came to {results[-1].response}"
    return Reply(calls=[("pay", {"amount": int(request.last_user_text().partition(" ")[2])})])


card = Card(
    title="Outlaw",
    pattern="none",
    summary="",
    lesson="",
    samples=("pid",),
    ends_when="told",
    simulation={"Payer": payer},
)
