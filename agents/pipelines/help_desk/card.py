"""How the help desk is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.help_desk.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Help desk",
    pattern="Coordinator and dispatcher",
    summary="A coordinator hands each conversation to the specialist for it, who keeps it until the subject changes.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "Where is my order 4712?",
        "My brakes squeak when it rains",
        "I was charged twice on bill 2041",
        "Hello, who can help me?",
    ),
    ends_when="Whoever has the conversation has answered.",
    simulation=SIMULATION,
    breaks=(
        Break(
            title="The coordinator calls a tool that does not exist",
            look_for=(
                "The first answer of HelpDesk calls a made-up tool. The error that comes back names the real ones, and "
                "the second answer hands over as if nothing had happened."
            ),
            faults=(Fault(kind="unknown_tool", target="HelpDesk", call=1),),
        ),
        Break(
            title="Ask for what is nobody's matter",
            look_for=(
                "No description fits, so the coordinator keeps the conversation and says whom there is. Without that rule "
                "in its instruction, a model hands over to somebody anyway."
            ),
            message="Can you recommend a film for tonight?",
        ),
        Break(
            title="The specialist fails",
            look_for=(
                "The transfer is done, then the specialist's model fails, and the run with it: a transfer is no fallback. "
                "To get another agent on failure, route it (*Fallback on error*)."
            ),
            faults=(Fault(kind="fail_before", target="OrderAgent", call=1),),
        ),
    ),
    highlights=(
        Highlight(
            text='description=f"Helps with {matters}.",',
            note="All that the coordinator knows of a specialist: its description is its job advertisement.",
        ),
        Highlight(
            text="disallow_transfer_to_peers=True,",
            note="A specialist can only hand back; who else there is, is the coordinator's business.",
        ),
        Highlight(
            text="If you are asked about something else, hand the conversation back to HelpDesk",
            note="Without this sentence a specialist tries its best with what it knows nothing about.",
        ),
    ),
)
