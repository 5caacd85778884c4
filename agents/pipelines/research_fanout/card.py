"""How the research is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.research_fanout.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** A `ParallelAgent` runs three researchers at the same time. They have the same topic and the same two tools, but
each has one viewpoint: how it came about, how it works, what people do with it. Each writes its notes under a state key
of its own. When all three are done, a `SequentialAgent` goes on to the synthesiser, which reads the three keys and writes
one answer. This is *fan-out and gather*.

**When.** The parts of a task do not need each other: several viewpoints, several sources, several candidates to choose from.
The wait is then as long as the slowest part, not as long as all of them. And a narrow task is easier to do well.

**When not.** One part needs what another finds out; then run them in order. Or the parts would all do the same: three times
the tokens for one answer.

**What to look for**

- The lanes in the stream: the researchers' events arrive as they come, in no fixed order.
- No researcher reads what another one says. Each works on a branch of its own, such as `Researchers.Historian`; look at what
  its model was sent.
- In *State*, three keys, written by three agents. If two of them wrote to one key, the last would win.
- The synthesiser has no tools and never sees an article. It can only be as good as the notes.
- A sentence that two researchers noted is in the answer once.

**Try**

- Two topics at once, a question instead of a topic, and something the collection knows nothing about.
- In the code, give two researchers the same `output_key`.
- With `on_model_error_callback`, let a researcher that fails answer "Nothing". When is that better than stopping all?

The search works over the articles that come with the playground; the simulated researchers quote, they do not write.
"""

card = Card(
    title="Research from three sides",
    pattern="Parallel fan-out and gather",
    summary="Three researchers look at a topic at the same time, each from its own side; a fourth agent joins their notes.",
    lesson=LESSON,
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
