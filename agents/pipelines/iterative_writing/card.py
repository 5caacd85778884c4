"""How iterative writing is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.iterative_writing.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Iterative writing",
    pattern="Iterative refinement",
    summary="A writer drafts a very short story; a critic and a refiner improve it until nothing is left to mend.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "a lighthouse keeper",
        "the last train home",
        "a robot who learns to paint",
        "Why do cats purr?",
    ),
    ends_when="The critic finds no major issues and the refiner calls exit_loop, or after 5 passes.",
    message_key="initial_topic",
    start_state={},
    simulation=SIMULATION,
    breaks=(
        Break(
            title="The critic refuses in the second pass",
            look_for="A refusal writes nothing, so the criticism of the first pass is still in State and the refiner mends "
            "by it a second time. Agents that share state also share what is out of date in it.",
            faults=(Fault(kind="refuse", target="CriticAgent", call=2),),
        ),
        Break(
            title="The refiner answers nonsense",
            look_for="Its output_key takes whatever comes: the story is gone, and for the rest of the run the loop polishes "
            "a piece of broken JSON. A loop trusts what it has written; check it before it is written.",
            faults=(Fault(kind="malformed_json", target="RefinerAgent"),),
        ),
        Break(
            title="The refiner fails in the second pass",
            look_for="The run ends, but the document of the first pass is in State. A loop that stores its result in each "
            "pass loses one pass at most.",
            faults=(Fault(kind="fail_before", target="RefinerAgent", call=2),),
        ),
    ),
    highlights=(
        Highlight(
            text='COMPLETION_PHRASE = "No major issues found."',
            note="What the critic must say word for word, so that the refiner can tell the end from a criticism.",
        ),
        Highlight(text="    tool_context.actions.escalate = True", note="This ends the loop: an event that escalates."),
        Highlight(text='    output_key="criticism",', note="How the critic speaks to the refiner: by a key in state."),
        Highlight(
            text="    max_iterations=5,", note="A loop needs a second way out, for the day on which nothing is good enough."
        ),
    ),
)
