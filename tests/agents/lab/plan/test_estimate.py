"""What a run will take: the calls of each arm, before it begins, are those that it makes."""

from __future__ import annotations

import pytest

from agents.lab import Lab, LabDescription, estimate, open_data

DESCRIPTION = """
name = "all"
data = { generate = "formulas", count = 12 }
[[arms]]
kind = "none"
[[arms]]
kind = "online"
[[arms]]
kind = "online"
name = "one look"
rounds = 1
[[arms]]
kind = "online"
name = "no reflector"
reflector = false
[[arms]]
kind = "offline"
epochs = 1
[[arms]]
kind = "rewriting"
[[arms]]
kind = "parallel"
[limits]
calls = 50
"""


@pytest.mark.anyio
async def test_the_calls_of_a_run_lie_in_the_range_that_was_estimated(tmp_path):
    description = LabDescription.from_toml(DESCRIPTION)
    assert isinstance(description.data, dict)
    found = {one.arm: one for one in estimate(description, open_data(description.data).count)}
    assert found["none"][1:] == (12, 12, 12)
    assert found["online"][1:] == (12, 36, 50)
    assert found["one look"][1:] == (12, 36, 36)
    with await Lab(tmp_path).begin(DESCRIPTION).run() as run:
        for arm in run.summaries():
            assert found[arm.arm].least <= arm.calls <= found[arm.arm].most, arm
