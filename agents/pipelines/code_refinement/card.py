"""How code refinement is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.code_refinement.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Code refinement",
    pattern="Iterative refinement with a real checker",
    summary="A writer writes a function; a checker that never runs it and a refiner take turns until nothing is found.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "Write a function for the mean of a list of numbers",
        "A function clamp(value, low, high)",
        "Count how often each word is in a text",
        "Is a number prime?",
    ),
    ends_when="The checker finds nothing, or after 5 passes; then a last check says what is left.",
    message_key="request",
    simulation=SIMULATION,
    controls=(
        Control(
            key="most_branches",
            label="Branches in a function",
            kind="number",
            default=8,
            minimum=1,
            maximum=20,
            help="The checker finds fault with a function that has more conditions, loops and the like.",
        ),
    ),
    breaks=(
        Break(
            title="A rule that cannot be met",
            look_for=(
                "One branch at most, and the function needs two. The refiner mends everything else and then nothing, until "
                "the five passes are over; the last check names what is left. A criterion nobody can meet costs the limit."
            ),
            message="Is a number prime?",
            settings={"most_branches": 1},
        ),
        Break(
            title="The refiner's first answer is broken",
            look_for=(
                "Half an answer lands in the state. The checker sees it at once, since it does not compile, and the next "
                "pass mends it. Nobody had to foresee this: a check after every step covers what went wrong in it."
            ),
            faults=(Fault(kind="malformed_json", target="CodeRefiner", call=1),),
        ),
        Break(
            title="The writer refuses",
            look_for=(
                "There is no code, and that is a finding like any other: the refiner writes it. The loop does not ask who "
                "wrote what, only whether it passes."
            ),
            faults=(Fault(kind="refuse", target="CodeWriter", call=1),),
        ),
        Break(
            title="Ask for what it cannot write",
            look_for=(
                "The outline compiles and says honestly that it does nothing, and the checker says so, too. Five passes "
                "later it still does: a loop cannot make a model know more."
            ),
            message="Write a function fold_protein(sequence)",
        ),
    ),
    highlights=(
        Highlight(
            text="findings = check(",
            note="The whole check: it parses, compiles and looks. Nothing that a model wrote is ever run.",
        ),
        Highlight(
            text="actions=EventActions(escalate=not findings,",
            note="No finding ends the loop; the findings go into state, where the refiner reads them.",
        ),
        Highlight(
            text="sub_agents=[CodeChecker(), refiner],",
            note="The checker comes first: a version that is good at once is not touched.",
        ),
        Highlight(
            text='sub_agents=[writer, refinement_loop, CodeChecker(name="LastCheck"',
            note="The same class once more, because the refiner's last version has not been checked in the loop.",
        ),
    ),
)
