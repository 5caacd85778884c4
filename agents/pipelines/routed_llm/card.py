"""How routing of models is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.routed_llm.simulation import QUICK_SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** One agent with one tool. Its `model` is a `RoutedLlm`: two models behind a router. The agent does not know. The
router is asked before **every model call**, sees the request, and names a model: the quick one to decide what to do, the
careful one when a tool's result is to be explained. If a model fails before its first word, the router is asked again and
names the other.

**When.** The agent stays the same and only the model should differ: by the size of the request, by the step of the turn, by
price, or because a provider is down. Every agent that is given such a model has the failover, without a line of its own.

**When not.** The *instruction* or the *tools* must differ too; then route between agents, as in *Fallback on error*. And
models that take turns cannot use each other's cache: a long conversation is cheaper with one of them.

**What to look for**

- Two decisions in one turn, each with its reason. A `RoutedAgent` decides once, and then its agent works to the end.
- Each answer says which model gave it. The agent's name stays the same.
- After a failover the request is sent again, whole, to the other model. The tool is *not* run again: its result is in the
  request.
- A model that fails after its first word is not replaced, for the same reason as an agent: somebody has read it.

**Try**

- *Run it*, then break the careful model: the same dice, a shorter report.
- *3d6*, *a twenty-sided die*, *four dice*, *30 dice*. The seed is in state; the same rolls come again in a new session.
- *Choose a real model* for the run: it becomes the careful one. Then take it away, by a wrong key or by stopping its
  server: it is tried again a few times, and then the quick one answers.

The quick model is simulated, **whatever model you choose for the run**, and so is the careful one until you choose a real
model. They read the message and the tool's results; the dice and the chances are worked out.
"""

card = Card(
    title="Routing of models",
    pattern="Model routing with failover",
    summary="One agent rolls dice: a quick model decides what to roll, a careful one explains, and each can stand in.",
    lesson=LESSON,
    samples=("Roll 3d6", "two ten-sided dice", "a twenty-sided die, please", "roll 30 dice"),
    ends_when="The model that the router named for the last call has answered in words.",
    start_state={"seed": 1},
    simulation=QUICK_SIMULATION,
    breaks=(
        Break(
            title="The careful model is down",
            look_for=(
                "The second call is decided twice: careful fails, quick is named. The tool is not run again, and the report "
                "is a short one."
            ),
            faults=(Fault(kind="fail_before", target="careful", call=0),),
        ),
        Break(
            title="The quick model is down",
            look_for=(
                "The careful model does all of it: it calls the tool with a thought of its own and explains the result. The "
                "first call has two decisions, the second one."
            ),
            faults=(Fault(kind="fail_before", target="simulated-quick", call=0),),
        ),
        Break(
            title="The careful model fails after its first word",
            look_for=(
                "The dice are rolled and a first word is shown; then the error. The router is not asked again, because a "
                "second answer under the first word would be read as one."
            ),
            faults=(Fault(kind="fail_after", target="careful"),),
        ),
        Break(
            title="Both are down",
            look_for=(
                "Three decisions for the first call; the last names nobody. The run ends with the last model's error, "
                "and no dice are rolled."
            ),
            faults=(
                Fault(kind="fail_before", target="simulated-quick"),
                Fault(kind="fail_before", target="careful"),
            ),
        ),
    ),
    highlights=(
        Highlight(text="    model=model,", note="For the agent it is a model like any other."),
        Highlight(
            text="if any(part.function_response for part in last):",
            note="The router sees the request as the model would: this is the only thing it goes by.",
        ),
        Highlight(
            text="left = [name for name in order if name not in failed]",
            note="One line is all the failover there is: the best that has not failed.",
        ),
        Highlight(
            text="ChosenModel(model=CAREFUL, default=SimulatedLlm(simulation=CAREFUL_SIMULATION)),",
            note="Stands for the model that is chosen for the run. Any model can be put here: Gemini(model=…).",
        ),
    ),
)
