"""How the fact check is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.fact_check.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Fact check",
    pattern="Generator and critic",
    summary="A writer answers a question, a critic looks up every claim, an editor mends what has no support.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
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
