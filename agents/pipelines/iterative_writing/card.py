"""How iterative writing is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Highlight
from agents.pipelines.iterative_writing.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** One agent writes a draft. Then two others take turns: a *critic* that only judges and a *refiner* that only
mends. They never talk to each other directly. Each reads what it needs from the session's state, `current_document` and
`criticism`, and writes its answer back under its `output_key`. A `LoopAgent` lets them go round until the refiner calls
`exit_loop`, and at most five times.

**When.** Judging is easier than making, and you can say what "good" means: texts with house rules, code with tests,
plans with constraints. Two narrow prompts are easier to get right than one that must do both.

**When not.** The first answer is good enough, or nobody can say when it is. A critic without clear criteria finds
something forever, and every pass costs two model calls.

**What to look for**

- The loop's number rises each time the critic begins again.
- `current_document` in *State*: one key, written by the writer first and by the refiner after. See what each pass changed.
- The critic names one or two weaknesses, not all of them. So does a good editor.
- The last pass is short: the critic says *No major issues found.*, the refiner calls `exit_loop`, and its event carries
  `escalate`. That is all it takes to end a loop.
- `include_contents="none"`: no agent is sent the conversation, so a tenth pass costs no more than the first.

**Try**

- Another topic: some drafts need two passes, some four, and a few are still not perfect when the five are over.
- A question, one word, another language, nonsense.
- In the code, take a line out of the critic's criteria or raise a number in one, and run the same topic again.

The simulated model is a small grammar, not a language model: it writes a scene around any topic and leaves weaknesses
in it, its critic counts and compares by the criteria in the prompt, and its refiner mends what it is told to.
"""

card = Card(
    title="Iterative writing",
    pattern="Iterative refinement",
    summary="A writer drafts a very short story; a critic and a refiner improve it until nothing is left to mend.",
    lesson=LESSON,
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
