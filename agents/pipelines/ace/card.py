"""How ACE is presented."""

from __future__ import annotations

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.ace.simulation import SIMULATION
from agents.runtime.fault import EVERY_CALL, Fault

LESSON = """\
**What.** A *generator* answers with the help of a playbook: small bullets, each with an id. A *reflector* compares the
answer with the feedback and says which bullets helped or harmed. A *curator* turns that into a *delta*: add, update, remove,
merge. The playbook belongs to all sessions. No text is written anew as a whole, so nothing that was learned gets lost on the
way (Agentic Context Engineering, arXiv 2510.04618).

**When.** Questions of one kind come again and again, answers can be checked, and you want to read, edit and undo what the
agents learned.

**When not.** Nobody and nothing can say whether an answer was right. In the paper's finance tests ACE without reliable
feedback fell *below* the model alone, 67.3 against 70.7: it learns its own mistakes. And for a single question it is a
detour.

**What to look for**

- Send the first sample: wrong. Send it once more in a **new session**: right, and the answer cites a bullet. Open it: its
  lineage leads back to the first session.
- Ask for advice in three new sessions. By the reflector's rubric the answer meets 2, 4, then 6 of 6 criteria, as strategies
  come in. That is form: whether the advice is right was not checked.
- *helpful* and *harmful* mean that feedback said so; *neutral* means only used.
- The generator never sees the line `Answer: …`. *State* has the two apart: `user_query` and `ground_truth`.
- *Events*: one delta of the reflector (tags, citations), one of the curator. Each operation is applied, or rejected with a
  reason.

**Try**

- Undo the delta on the Playbook page and ask again: wrong again.
- Edit a bullet into something false: it misleads and is tagged harmful. Where the right answer is known, it is corrected at
  once; where a thumb down is all there is, it is removed after the third.
- Leave the `Answer:` line out and give a thumb, or enter what came of running it: `exit code 1: expected 1.5`.
- Turn *A person decides* on, and edit what the curator proposes.

The simulated model knows no formula but those in the playbook that it is given, and finds new ones by trying expressions
over the numbers of the question. It learns one if every number is used and no other of that size fits; a constant that
nobody gave and a house rule take a second example. For advice it has a few general sentences.
"""

_RATIO = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?"

card = Card(
    title="ACE: a growing playbook",
    pattern="Agentic context engineering",
    summary="Each answer is looked back at, and what it teaches becomes a bullet that the next answers can use.",
    lesson=LESSON,
    samples=(
        f"{_RATIO}\nAnswer: 1.50",
        "A cyclist covers a distance of 150 m in a time of 12 s. What is the speed?\nAnswer: 12.50 m/s",
        "An invoice is dated 3 March 2026 and is due after 30 days. When is it due?\nAnswer: 2026-04-02",
        "Tell me about efficient task management",
    ),
    ends_when="The curator's delta is committed, or empty; before that it may wait for the user to approve it.",
    simulation=SIMULATION,
    controls=(
        Control(
            key="playbook_name",
            label="Playbook",
            kind="playbook",
            default="",
            help="Which one this session uses. A new name begins an empty one.",
        ),
        Control(
            key="feedback_from",
            label="Feedback from",
            kind="choice",
            choices=("ground truth", "person", "execution", "nothing"),
            default="ground truth",
            help="What the reflector is told: the answer line, a thumb, what came of running it, or nothing.",
        ),
        Control(
            key="reflector_rounds",
            label="Reflector rounds",
            kind="number",
            default=3,
            minimum=1,
            maximum=5,
            help="Looks at one answer at most; it stops earlier where another look finds nothing new.",
        ),
        Control(
            key="approval",
            label="A person decides",
            kind="switch",
            default=False,
            help="The curator's delta waits until you approve, edit or reject each operation.",
        ),
        Control(
            key="refinement",
            label="Refinement",
            kind="choice",
            choices=("proactive", "lazy", "off"),
            default="proactive",
            help="Duplicates are merged after each delta, or once the token budget is exceeded, or never.",
        ),
        Control(
            key="pruning",
            label="Pruning",
            kind="switch",
            default=True,
            help="Bullets that harm more than they help are removed.",
        ),
        Control(
            key="top_k",
            label="Bullets in the prompt",
            kind="number",
            default=0,
            minimum=0,
            maximum=200,
            help="The most relevant ones, once the playbook has more; 0 gives all.",
        ),
        Control(
            key="token_budget",
            label="Token budget",
            kind="number",
            default=0,
            minimum=0,
            maximum=100_000,
            help="What the playbook may cost in a prompt; the least useful bullets make room. 0 sets no limit.",
        ),
        Control(
            key="archive_after",
            label="Archive after",
            kind="number",
            default=0,
            minimum=0,
            maximum=1000,
            help="Questions after which a bullet that no answer cited leaves the prompt; it can be restored. 0 is never.",
        ),
    ),
    breaks=(
        Break(
            title="The curator answers broken JSON",
            look_for="It is told what is wrong, and errs again. The answer stands and the run ends well: a lesson is lost, "
            "and the playbook is as it was. What learns must never break what works.",
            faults=(Fault(kind="malformed_json", target="CuratorModel", call=EVERY_CALL),),
        ),
        Break(
            title="The reflector refuses",
            look_for="Without a reflection there is nothing to tag and nothing to curate, and each agent says so. The query "
            "still counts: bullets grow older by it.",
            faults=(Fault(kind="refuse", target="ReflectorModel", call=EVERY_CALL),),
        ),
        Break(
            title="The generator fails",
            look_for="Here the run ends with the error: no answer, so nothing to learn from. Compare with the other two: a "
            "failure costs exactly what depends on it.",
            faults=(Fault(kind="fail_before", target="Generator"),),
        ),
        Break(
            title="Learn without feedback",
            look_for="The answer line is not passed on. The reflector has to guess, and the deltas say that they rest on "
            "nothing. This is where a playbook can make a model worse.",
            settings={"feedback_from": "nothing"},
        ),
        Break(
            title="Teach it something wrong",
            look_for="The answer line is false, and the reflector finds an expression that leads to it all the same. The "
            "bullet misleads until you undo that delta, edit it, or ask with the right answer.",
            message=f"{_RATIO}\nAnswer: 0.67",
        ),
    ),
    highlights=(
        Highlight(
            text="root_agent = ace_agent(",
            note="Four agents in a row: an ordinary SequentialAgent, which can stand in a tree like any other.",
        ),
        Highlight(
            text='feedback_from="ground truth",',
            note="What the reflector may know decides more than any other switch whether learning helps or harms.",
        ),
        Highlight(
            text="reflector_rounds=3,",
            note="Each switch is an argument here and a control in the page, which goes before it.",
        ),
    ),
)
