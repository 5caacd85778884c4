"""How routing by complexity is presented."""

from __future__ import annotations

from pathlib import Path

from agents.pipeline import Break, Card, Control, Highlight
from agents.pipelines.complexity_router.simulation import SIMULATION
from agents.runtime.fault import Fault

card = Card(
    title="Routing by complexity",
    pattern="Routing by a classifier",
    summary="A small model judges how hard your request is; then a quick agent answers, or a thorough one.",
    lesson=Path(__file__).with_name("lesson.md").read_text(encoding="utf-8"),
    samples=(
        "What is (12.5 * 3 + 2 * 1.2) / 4?",
        "What is 17 + 25?",
        "Compare glass and paper",
        "How long is the Suez Canal?",
    ),
    ends_when="The agent that the classifier's word leads to has answered.",
    simulation=SIMULATION,
    controls=(
        Control(
            key="quick_steps",
            label="Steps of the quick agent",
            kind="number",
            default=1,
            minimum=0,
            maximum=5,
            help="Which sums count as simple: the classifier and the quick agent both read it in their instructions.",
        ),
    ),
    breaks=(
        Break(
            title="The classifier is down",
            look_for=(
                "The route leads to the thorough agent, and its reason says that the classifier failed. The sum is simple "
                "and takes longer than it must, but the answer is right."
            ),
            faults=(Fault(kind="fail_before", target="ComplexityRouter"),),
            message="What is 17 + 25?",
        ),
        Break(
            title="The classifier babbles",
            look_for=(
                "Its answer is no key. A router that took it as it is would end the run with an error; this one reads it, "
                "says so in the reason, and goes to the thorough agent."
            ),
            faults=(Fault(kind="malformed_json", target="ComplexityRouter"),),
            message="What is 17 + 25?",
        ),
        Break(
            title="The quick agent is down",
            look_for=(
                "Two decisions: the classifier says simple, the quick agent fails before its first word, and the router is "
                "asked again. The classifier is not: the second decision needs no model."
            ),
            faults=(Fault(kind="fail_before", target="QuickAgent"),),
            message="What is 17 + 25?",
        ),
        Break(
            title="Nothing is simple",
            look_for=(
                "With 0 steps for the quick agent, every sum goes to the thorough one, with tool calls for 17 + 25. This is "
                "what it costs to have no router."
            ),
            settings={"quick_steps": 0},
            message="What is 17 + 25?",
        ),
    ),
    highlights=(
        Highlight(
            text="answer = await ask_model(context, question(context))",
            note="A router may be async and may ask a model; the call is counted and in the trace like any other.",
        ),
        Highlight(text="except ProviderError as error:", note="A classifier that fails must not take the answer with it."),
        Highlight(text="if word in agents:", note="A model's word is checked before it becomes a key."),
        Highlight(
            text='labels={"adk_agent_name": "ComplexityClassifier"},',
            note="Says in the request who asks; by it the simulated model finds its simulation.",
        ),
    ),
)
