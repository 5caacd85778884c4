"""How the report writer is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.report_writer.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Report writer",
    pattern="Hierarchical decomposition",
    summary="A writer has its questions answered by an assistant, which has a searcher and a summariser: agents as tools.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "a report about lighthouses and the compass",
        "the telescope",
        "bread, coffee and soap",
        "the history of dragons",
    ),
    ends_when="The writer has the answers to all of its questions and has written the report.",
    simulation=SIMULATION,
    breaks=(
        Break(
            title="A search fails, deep down",
            look_for="The searcher's failure ends its own call only. The assistant reads it as the tool's error and says "
            "so, and the writer reports on the rest. A call is a wall: nothing above it is torn down.",
            faults=(Fault(kind="fail_before", target="Searcher"),),
        ),
        Break(
            title="The assistant calls a tool that it does not have",
            look_for="The call is answered with an error that names the tools there are, and the assistant goes on as if "
            "nothing had been. It costs one model call.",
            faults=(Fault(kind="unknown_tool", target="ResearchAssistant"),),
        ),
        Break(
            title="The writer fails when all the work is done",
            look_for="The research is in the log, but nobody has put it together. Running again does all of it once more: "
            "results that are dear belong into state, where a second attempt can find them.",
            faults=(Fault(kind="fail_before", target="ReportWriter", call=2),),
        ),
    ),
    highlights=(
        Highlight(
            text="    tools=[AgentTool(assistant)],", note="An agent as a tool: to the writer's model it is a function."
        ),
        Highlight(
            text="    tools=[AgentTool(searcher), AgentTool(summariser)],", note="The same again, a level further down."
        ),
        Highlight(
            text="    input_schema=SummaryRequest,", note="Fields instead of one text: they become the tool's parameters."
        ),
    ),
)
