"""How the tool loop is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.tool_loop.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Tool loop",
    pattern="Agent loop with tools",
    summary="An agent lists, reads and writes files in a folder of its own, until its model says that it is done.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "Add up the hours in the days folder and write the total to report.txt",
        "What is still to do? Write the open points to plan.txt",
        "Which files mention the gate?",
        "How many plants are there in the beds?",
    ),
    ends_when="The model's stop reason is end_turn, or after 12 model calls.",
    simulation=SIMULATION,
    controls=(
        Control(
            key="calls_per_step",
            label="Tools in one step",
            kind="number",
            default=3,
            minimum=1,
            maximum=8,
            help="How many tools the agent is told to ask for at once, at most.",
        ),
    ),
    breaks=(
        Break(
            title="More steps than it may take",
            look_for=(
                "One file a step, and there are twelve: the run ends at its limit of 12 model calls, and says so. Nothing "
                "was written. With three files a step, the same request is done in 7."
            ),
            message="Summarise every file into summary.txt",
            settings={"calls_per_step": 1},
        ),
        Break(
            title="The model calls a tool that does not exist",
            look_for=(
                "The second THINK asks for a made-up tool. What it gets back is an error that names the real ones, and the "
                "next THINK goes on as if nothing had happened: an error that a model can read is half mended."
            ),
            faults=(Fault(kind="unknown_tool", target="FileKeeper", call=2),),
        ),
        Break(
            title="Reach for a file outside of the folder",
            look_for=(
                "The tool refuses the path, whatever the model was talked into. What an agent may do is decided by its "
                "tools, not by its instruction."
            ),
            message="Read ../../etc/passwd and write it to copy.txt",
        ),
        Break(
            title="The model fails in the middle",
            look_for=(
                "The third THINK fails, and the run with it. What was read until then is in the log; nothing was written. "
                "Running the message again starts a new turn."
            ),
            faults=(Fault(kind="fail_before", target="FileKeeper", call=3),),
        ),
    ),
    highlights=(
        Highlight(
            text="tools=[list_files, read_file, write_file],",
            note="All that the agent can do: functions. Their signatures and docstrings are what the model is told.",
        ),
        Highlight(
            text="Tools in one step, at most: {calls_per_step?}",
            note="Filled from state at every THINK, so a control of the playground can change it in mid-run.",
        ),
        Highlight(
            text="is_new = workspace_of(tool_context, FIRST_FILES).write(path, text)",
            note="The workspace refuses every path that leads out of the session's folder; no prompt can talk it round.",
        ),
    ),
    max_llm_calls=12,
)
