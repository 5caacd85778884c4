"""How the banana painter is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.banana_painter.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Banana painter",
    pattern="Generate and check",
    summary="A painter with an unsteady hand paints bananas; a checker counts them in the picture.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=("a plate with seven bananas", "12", "three bananas, please", "as many bananas as you like"),
    ends_when="The number counted in the picture is the number asked for, or after 6 passes.",
    message_key="request",
    start_state={"seed": 1},
    simulation=SIMULATION,
    controls=(
        Control(
            key="unsteadiness",
            label="Unsteadiness",
            kind="number",
            default=3,
            minimum=0,
            maximum=12,
            help="By how many bananas the painter's hand may slip at its first attempt.",
        ),
    ),
    breaks=(
        Break(
            title="A hand that shakes",
            look_for="The picture is wrong again and again, and six passes may not be enough. The loop ends all the same: "
            "its limit is what keeps a task that cannot be done from going on for ever.",
            settings={"unsteadiness": 12},
        ),
        Break(
            title="The checker talks instead of counting",
            look_for="It has not counted and does not call exit_loop, so the loop goes on and the painter begins again. "
            "Words end nothing here, only the tool does: what a tired checker says cannot pass a wrong picture.",
            faults=(Fault(kind="malformed_json", target="CheckerAgent"),),
        ),
        Break(
            title="The painter calls a tool that is not there",
            look_for="The call is answered with an error that names the tools there are. The painter reads it and calls the "
            "right one: the mistake costs one model call, and no pass.",
            faults=(Fault(kind="unknown_tool", target="PainterAgent"),),
        ),
    ),
    highlights=(
        Highlight(text="    picture = paint_plate(", note="The picture is real: pixels, with the slip of the hand in them."),
        Highlight(
            text='    return {"bananas": count_yellow_patches(',
            note="The count comes from the picture, not from what the painter believes.",
        ),
        Highlight(
            text="    tools=[count_bananas, exit_loop],",
            note="The checker can measure, and it alone decides when it is right.",
        ),
        Highlight(text="    max_iterations=6,", note="A promise about cost, not about success."),
    ),
)
