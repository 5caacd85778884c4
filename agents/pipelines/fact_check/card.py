"""How the fact check is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.fact_check.simulation import SIMULATION
from agents.runtime.fault import Fault

LESSON = """\
**What.** Three agents in a row. A *writer* answers a question: it quotes a small collection of articles with their ids, and
adds what it believes to remember. A *critic* looks every single claim up in the same collection and says which are
supported, by which article. An *editor* mends or drops the rest, once. If there is nothing to mend, it is not asked at all.

**When.** An answer will be relied on, and there is something to check it against: a manual, a contract, a set of articles.
Writing and doubting are different jobs; a model that is asked to do both at once seldom doubts.

**When not.** There is no source. A critic without one only asks the same kind of memory a second time. And where one
revision is seldom enough, put critic and editor into a loop, as in *Iterative writing*.

**What to look for**

- The writer's sentences with an id in brackets, and the one without.
- The critic's calls of `search_library`: one for each claim, all made in one step, answered in one event.
- `review` in *State*: the critic has an `output_schema`, so its verdict is data and not prose. Code can read it: the
  callback in front of the editor does.
- A wrong number. The critic finds the sentence that the claim comes from and quotes it; the editor puts it in.
- Something that may well be true but is not in the collection goes too. "Unsupported" does not mean "false".

**Try**

- *Remembered sentences* at 0: the editor is skipped. At 3: one of them is right, and stays.
- A question on which the collection has nothing: *When did the Second World War end?* A word or two in common with an
  article does not make it an answer.
- Delete *with the same numbers* from the critic's instruction. With a real model, watch what then passes.

The searches and comparisons are real. The simulated writer misremembers on purpose. The articles are in English, and so are
the questions that it answers from them.
"""

card = Card(
    title="Fact check",
    pattern="Generator and critic",
    summary="A writer answers a question, a critic looks up every claim, an editor mends what has no support.",
    lesson=LESSON,
    samples=(
        "When was the bicycle invented?",
        "Why is the sky blue?",
        "How do honeybees tell each other where flowers are?",
        "Why do cats purr?",
    ),
    ends_when="The editor has revised the draft once, or the critic found nothing to mend.",
    message_key="question",
    simulation=SIMULATION,
    controls=(
        Control(
            key="from_memory",
            label="Remembered sentences",
            kind="number",
            default=1,
            minimum=0,
            maximum=3,
            help="How many sentences the writer adds without looking them up.",
        ),
    ),
    breaks=(
        Break(
            title="A writer that relies on its memory",
            look_for="Three sentences have no source. The critic looks them up like all others: a wrong number is put "
            "right, hearsay goes, and what happens to be right may stay.",
            settings={"from_memory": 3},
        ),
        Break(
            title="The verdict is broken JSON",
            look_for="The critic's answer does not fit its schema. It stays in the log, the critic is told what is wrong "
            "with it and answers again; the editor never sees the broken one.",
            faults=(Fault(kind="malformed_json", target="FactCritic", call=2),),
        ),
        Break(
            title="The critic refuses",
            look_for="A refusal is an answer, so the run goes on. The callback in front of the editor finds no review and "
            "lets nothing pass: an answer that nobody has checked must not look like one that somebody has.",
            faults=(Fault(kind="refuse", target="FactCritic"),),
        ),
    ),
    highlights=(
        Highlight(
            text="class Review(BaseModel):", note="The verdict is data: state, callbacks and other agents can use it."
        ),
        Highlight(
            text="    tools=[search_library],", note="The critic may search but not read on: it judges each claim alone."
        ),
        Highlight(
            text="    before_agent_callback=skip_if_nothing_is_to_mend,",
            note="A decision that code can make costs no model call: without findings the editor is skipped.",
        ),
    ),
)
