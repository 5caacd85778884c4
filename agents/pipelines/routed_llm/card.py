"""How routing of models is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.routed_llm.simulation import QUICK_SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Routing of models",
    pattern="Model routing with failover",
    summary="One agent rolls dice: a quick model decides what to roll, a careful one explains, and each can stand in.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
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
