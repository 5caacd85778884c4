"""How the order counter is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.routed_fallback.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Fallback on error",
    pattern="Routing with a fallback",
    summary="A clerk takes your order; if its model fails before it said anything, a stand-in takes over.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "Two croissants and a coffee, please",
        "a dozen rolls, 3 pretzels and a loaf of rye",
        "four teas and four cinnamon buns",
        "What do you have?",
    ),
    ends_when="The clerk has answered, or failed after it began, or the stand-in has answered in its place.",
    simulation=SIMULATION,
    controls=(
        Control(
            key="use_fallback",
            label="Fall back",
            kind="switch",
            default=True,
            help="Whether the stand-in takes over when the clerk fails before its first word.",
        ),
    ),
    breaks=(
        Break(
            title="The primary fails before its first word",
            look_for=(
                "The router is asked twice. The second time it is told that the primary failed, names the fallback, and "
                "the order is taken all the same, in one line."
            ),
            faults=(Fault(kind="fail_before", target="Clerk"),),
        ),
        Break(
            title="The primary fails after placing the order",
            look_for=(
                "The first model call led to an order; the second fails. The error is shown and nobody takes over: state "
                "holds one order, and a fallback would have made it two."
            ),
            faults=(Fault(kind="fail_before", target="Clerk", call=2),),
        ),
        Break(
            title="The primary fails in the middle of a word",
            look_for=(
                "One piece of text was shown, then the model fails. What a person has seen cannot be taken back, so the "
                "error is shown, and not a second answer."
            ),
            faults=(Fault(kind="fail_after", target="Clerk"),),
        ),
        Break(
            title="Both fail",
            look_for=(
                "Three decisions: primary, fallback, none. A router that has nothing left says so, and the last "
                "error is shown as it was."
            ),
            faults=(Fault(kind="fail_before", target="Clerk"), Fault(kind="fail_before", target="StandIn")),
        ),
        Break(
            title="The primary refuses",
            look_for=(
                "A refusal has an error code and is an answer all the same: the route is not asked for again. Shopping "
                "around until some model agrees is not what a fallback is for."
            ),
            faults=(Fault(kind="refuse", target="Clerk"),),
        ),
    ),
    highlights=(
        Highlight(text="if error_context is None:", note="The first question of a run; later ones tell what failed."),
        Highlight(
            text="untried = [key for key in agents",
            note="Only what was not tried is of use: an answer that was tried already raises the error.",
        ),
        Highlight(
            text='return RouteDecision(None, "All have failed.")',
            note="No key means: I give up. The person then sees the error itself, not one about routing.",
        ),
        Highlight(
            text='orders = tool_context.state["orders"] =',
            note="The side effect that must not happen twice, and the reason why nothing is retried after an event.",
        ),
    ),
)
