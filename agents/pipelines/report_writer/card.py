"""How the report writer is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.report_writer.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** Agents that are used as tools, on three levels. The *report writer* divides a subject into questions and calls the
*research assistant* for each. The assistant calls a *searcher*, which reads a collection of articles, and then a
*summariser*. `AgentTool(agent)` makes an agent look like a function: a request goes in, an answer comes out. This is
*hierarchical decomposition*.

**When.** A task falls into parts that fall into parts. Each agent has a short prompt and sees only its own part, so a long
search does not fill the writer's context. And what is needed in several places is one agent, called from each.

**When not.** The person is to talk with the specialist; then transfer to a sub-agent, as in *Help desk*. Or each level only
passes on what the one above said: every level costs two model calls or more.

**What to look for**

- The writer's calls of `ResearchAssistant` are made in one step and run side by side.
- Open a call: the assistant's own events are inside it, on a branch of its own, and the searcher's inside those.
- What the writer's model is sent: the answers, and not one event of how they came about. The articles that were read stay
  with the searcher.
- `Summariser` has an `input_schema`. Its fields are the tool's parameters, and wrong ones are refused.
- The calls add up: all levels share one budget of model calls, and it is in the run's last record.

**Try**

- One subject, two or three at once, and one that the collection does not have.
- In the code, give the writer `search_library` itself, and compare the tokens that it is sent.

The simulated models divide, search, choose and quote; the collection is real, and so is every call.
"""

card = Card(
    title="Report writer",
    pattern="Hierarchical decomposition",
    summary="A writer has its questions answered by an assistant, which has a searcher and a summariser: agents as tools.",
    lesson=LESSON,
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
