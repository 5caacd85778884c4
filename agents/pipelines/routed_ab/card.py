"""How the A/B experiment is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.routed_ab.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** A `RoutedAgent` holds two agents with the same task and different instructions: A writes one short sentence, B
writes points with key words. Before an agent runs, the *router* is asked which. It is a plain function of a few lines: it
reads `variant` from state and answers "A" or "B", with a reason. No model is asked for that.

**When.** You have two prompts, two models or two ways of working, and opinions about which is better. Let the setting
decide, give each a part of the sessions, and compare. The same shape serves feature flags, tenants and languages: whatever
is known *before* the work begins.

**When not.** The right agent depends on what the message means. Then a model has to read it: see *Routing by complexity*,
or a coordinator that hands over.

**What to look for**

- The route is in the stream before the answer, with its candidates and its reason: *The variant is set to A.*
- The agent that was not chosen does not exist for this run: no model call, no tokens.
- Change *Variant* between two messages: the same session, the same router, another agent. While an answer is being written
  the change waits for the next message.
- Both write the same state key, `summary`. Whoever reads it need not know which variant is on.
- Both read the message alone (`include_contents="none"`). Otherwise B would see what A wrote, and you would compare B with
  A-then-B.

**Try**

- *by session*: the session's id decides, so a session keeps its variant and about half of all sessions get each. Run a few
  new sessions and look at the reasons.
- Send a text of your own, short, long, or in another language.
- In the code, let A write 6 words or B 2 points. The simulated model reads the numbers in its instruction, and so would a
  real one. Or add "C" to the setting's choices alone: the error names the variants that there are.

The simulated model chooses sentences and words from your text; it does not write new ones.
"""

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
    lesson=LESSON,
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
