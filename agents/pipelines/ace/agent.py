"""The ACE cycle as a pipeline. The agents themselves are in `agents.ace`: `cycle.py` puts them together."""

from __future__ import annotations

from agents.ace import AceSettings, ace_agent

root_agent = ace_agent(
    settings=AceSettings(
        feedback_from="ground truth",  # a last line "Answer: …", which the generator never sees
        reflector_rounds=3,
        refinement="proactive",
        pruning=True,
        approval=False,
    ),
)
