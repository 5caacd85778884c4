"""How the help desk is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.help_desk.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** A coordinator reads the message and hands the conversation to one of four specialists, by calling the tool
`transfer_to_agent`. It knows them by their descriptions alone. Whoever gets the conversation answers in the coordinator's
place, and *keeps it*: your next message goes straight to the specialist. One that is asked about something else hands back,
and the coordinator decides anew, all before you notice.

**When.** Several trades under one roof, each with its own instruction and its own tools. Ten tools and ten rules in one
prompt make for a poor agent; five agents with one trade each are easier to write, to test and to trust.

**When not.** Every message needs all of them: then gather, with a `ParallelAgent` or with agents as tools, so that one
agent gives one answer. And if code can tell where a message belongs, let code route it: a `RoutedAgent` costs no model
call.

**What to look for**

- The tool's argument is an enumeration: a model that makes a name up is told which names there are.
- The edge in the graph that lights up, and the count on it.
- Follow up with *And when does it come?* and see who answers: no model call of `HelpDesk`.
- Then change the subject: two transfers, back and forth, in one run.
- The specialists may not hand over to each other (`disallow_transfer_to_peers`). So each needs to know only what is *not*
  its own; who else there is, only the coordinator must know.

**Try**

- Only the subject, without a number: the specialist asks, and your answer reaches it.
- Something that is nobody's matter. Two things in one message. The same in Japanese or Chinese.
- In the code, make two descriptions alike and see the coordinator guess.

The simulated coordinator compares the words of a message with the descriptions that it is sent. Orders, bills and
accounts are made up from their numbers; the transfers are real.
"""

card = Card(
    title="Help desk",
    pattern="Coordinator and dispatcher",
    summary="A coordinator hands each conversation to the specialist for it, who keeps it until the subject changes.",
    lesson=LESSON,
    samples=(
        "Where is my order 4712?",
        "My brakes squeak when it rains",
        "I was charged twice on bill 2041",
        "Hello, who can help me?",
    ),
    ends_when="Whoever has the conversation has answered.",
    simulation=SIMULATION,
    breaks=(
        Break(
            title="The coordinator calls a tool that does not exist",
            look_for=(
                "The first answer of HelpDesk calls a made-up tool. The error that comes back names the real ones, and "
                "the second answer hands over as if nothing had happened."
            ),
            faults=(Fault(kind="unknown_tool", target="HelpDesk", call=1),),
        ),
        Break(
            title="Ask for what is nobody's matter",
            look_for=(
                "No description fits, so the coordinator keeps the conversation and says whom there is. Without that rule "
                "in its instruction, a model hands over to somebody anyway."
            ),
            message="Can you recommend a film for tonight?",
        ),
        Break(
            title="The specialist fails",
            look_for=(
                "The transfer is done, then the specialist's model fails, and the run with it: a transfer is no fallback. "
                "To get another agent on failure, route it (*Fallback on error*)."
            ),
            faults=(Fault(kind="fail_before", target="OrderAgent", call=1),),
        ),
    ),
    highlights=(
        Highlight(
            text='description=f"Helps with {matters}.",',
            note="All that the coordinator knows of a specialist: its description is its job advertisement.",
        ),
        Highlight(
            text="disallow_transfer_to_peers=True,",
            note="A specialist can only hand back; who else there is, is the coordinator's business.",
        ),
        Highlight(
            text="If you are asked about something else, hand the conversation back to HelpDesk",
            note="Without this sentence a specialist tries its best with what it knows nothing about.",
        ),
    ),
)
