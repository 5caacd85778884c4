"""How the research is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.research_fanout.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Research from three sides",
    pattern="Parallel fan-out and gather",
    summary="Three researchers look at a topic at the same time, each from its own side; a fourth agent joins their notes.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=("the printing press", "coffee", "glass and the telescope", "dragons"),
    ends_when="All three researchers are done and the synthesiser has written its answer.",
    message_key="topic",
    simulation=SIMULATION,
    breaks=(
        Break(
            title="One researcher fails",
            look_for="The first exception cancels the other two branches, and the synthesiser never begins: an answer from "
            "half of the notes would look whole. Notes that were finished before are still in State.",
            faults=(Fault(kind="fail_before", target="Scientist", call=2),),
        ),
        Break(
            title="One researcher is slow",
            look_for="The other lanes finish, and everybody waits: gathering takes as long as the slowest branch. A limit "
            "for the wait belongs to the branch, not to the one who gathers.",
            faults=(Fault(kind="delay", target="Observer", seconds=3.0),),
        ),
        Break(
            title="One researcher refuses",
            look_for="A refusal is no exception, so the others go on and the answer is written without those notes. It says "
            "which side is missing, since the key was emptied when the run began.",
            faults=(Fault(kind="refuse", target="Historian"),),
        ),
    ),
    highlights=(
        Highlight(text="researchers = ParallelAgent(", note="Fan-out: these run side by side, each on its own branch."),
        Highlight(
            text="        output_key=output_key,", note="A key for each: parallel agents share state and may overwrite."
        ),
        Highlight(text="{history_notes}", note="Gather: the notes come from state, not from a conversation."),
        Highlight(
            text="    sub_agents=[researchers, synthesiser],",
            note="In order: the second begins when all of the first are done.",
        ),
    ),
)
