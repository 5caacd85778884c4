"""How the A/B experiment is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.routed_ab.simulation import SIMULATION
from agents.runtime.fault import Fault

BRIDGE = (
    "The bridge will be closed from Monday to Thursday. Trams will run to the river and turn there. Cyclists can take the "
    "ferry, which will cross every ten minutes. The bridge is to be painted, and the painters need dry weather. If it "
    "rains, the bridge will be closed for a week longer."
)
BAKERY = (
    "Our bakery starts at three. First the sourdough is shaped, then the rolls. By six the oven has been full four times. "
    "What is left of the dough is kept for the next day, because old dough gives the bread its taste."
)
BEES = (
    "Bees dance to tell the others where flowers are. The angle of the dance gives the direction and its length the "
    "distance. A longer dance means flowers further away. Other bees follow the dance in the dark of the hive, and fly."
)

card = Card(
    title="A/B by a setting",
    pattern="Routing by a setting",
    summary="A router reads a setting and has your text summarised by variant A, in a sentence, or by variant B, in points.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(BRIDGE, BAKERY, BEES),
    ends_when="The variant that the router named has answered.",
    simulation=SIMULATION,
    controls=(
        Control(
            key="variant",
            label="Variant",
            kind="choice",
            default="A",
            choices=("A", "B", "by session"),
            help="Who answers the next message; by session, the session's id decides.",
        ),
    ),
    breaks=(
        Break(
            title="Variant B for the same text",
            look_for=(
                "The same message goes to the other agent: points in place of a sentence, and more tokens. The reason of "
                "the route says that the setting did it."
            ),
            settings={"variant": "B"},
        ),
        Break(
            title="Variant A is down",
            look_for=(
                "The router is asked again and says A once more, so the error is shown. An experiment that quietly fell "
                "back to B would count B's answers as A's."
            ),
            faults=(Fault(kind="fail_before", target="BriefSummary"),),
            settings={"variant": "A"},
        ),
    ),
    highlights=(
        Highlight(text='agents={"A": brief, "B": detailed}', note="The keys are what the router answers with."),
        Highlight(
            text='variant = context.session.state.get("variant", "A")',
            note="State is read at every message, so changing the setting needs no restart and is an event in the log.",
        ),
        Highlight(
            text="hashlib.sha256(context.session.id.encode())",
            note="A session must keep its variant: its id decides, not a die that is thrown for each message.",
        ),
        Highlight(
            text="return RouteDecision(variant,",
            note="A router may answer with the key alone; with a reason, the log says why.",
        ),
    ),
)
