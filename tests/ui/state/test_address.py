"""What an address says of models, and what of it goes along to another pipeline."""

from __future__ import annotations

import pytest

from tests.ui.stage import page, query, sound
from ui.state.address import Address


def test_models_of_agents_are_written_once_each():
    there = Address(pipeline="p", model="m", agent_models=("A:x", "B:"), faults=("A:refuse",))
    assert there.parameters() == {"pipeline": ["p"], "model": ["m"], "agent_model": ["A:x", "B:"], "fault": ["A:refuse"]}


@pytest.mark.parametrize(
    ("model", "kept"),
    [("gemini-pro-latest", "gemini-pro-latest"), ("replay/iterative_writing/x", None), ("simulated", "simulated")],
)
def test_a_model_goes_along_to_another_pipeline_and_a_record_of_this_one_does_not(manager, model, kept):
    at = sound(page(pipeline="iterative_writing", model=model))
    at.selectbox(key="pipeline_choice").set_value("status_poller").run()
    assert query(sound(at)).get("model") == kept
