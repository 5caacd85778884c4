"""The card of the rehearsal."""

from __future__ import annotations

from agents.pipeline import Card

card = Card(
    title="Rehearsal",
    pattern="none",
    summary="Does what its message says.",
    lesson="For tests.",
    samples=("talk 3",),
    ends_when="It has said its lines.",
    message_key="order",
    start_state={"stage": "empty", "lines": []},
)
