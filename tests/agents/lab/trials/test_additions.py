"""The switch *add only*: what is dropped, and that a world that moves is never learned anew without an UPDATE."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.ace import Playbook
from agents.errors import LabError
from agents.lab import Lab, Outcome
from agents.lab.trials.trial import WHY, additions_of

MOVED = """
name = "moved"
data = { generate = "moving_world", seed = 3, count = 35, change_at = 20 }
[[arms]]
kind = "online"
[[arms]]
kind = "online"
name = "add only"
add_only_after = 20
"""


def test_changes_and_removals_are_rejected_with_the_reason():
    add, tag = {"type": "ADD", "section": "s", "content": "c"}, {"type": "TAG", "bullet_id": "s-1", "tag": "helpful"}
    update, merge = (
        {"type": "UPDATE", "bullet_id": "s-1", "content": "d"},
        {"type": "MERGE", "bullet_ids": [], "content": ""},
    )
    before = {"operation": {"type": "REMOVE", "bullet_id": "x"}, "reason": "unknown"}
    outcome = Outcome(
        sample="1",
        batches=(
            {"by": "curator", "operations": [update, add, merge, tag], "rejected": [before]},
            {"by": "reflector", "operations": [tag]},
        ),
    )
    first, second = additions_of(outcome).batches
    assert first["operations"] == [add, tag]
    assert first["rejected"] == [before, {"operation": update, "reason": WHY}, {"operation": merge, "reason": WHY}]
    assert second == {"by": "reflector", "operations": [tag], "rejected": []}


def test_a_whole_playbook_is_refused_since_nothing_of_it_can_be_left_out():
    with pytest.raises(LabError, match="This one writes the whole playbook"):
        additions_of(Outcome(sample="1", batches=(Playbook().to_dict(),)))


@pytest.mark.anyio
async def test_after_the_world_has_moved_only_the_arm_that_updates_recovers(tmp_path: Path):
    with await Lab(tmp_path).begin(MOVED).run() as run:
        found = {}
        for arm in ("online", "add only"):
            results = list(run.results(arm, 0))
            found[arm] = [one.is_right for one in results[20:] if one.labels["changes"]]
            assert all(one.is_right for one in results[16:20]), "before the change both have learned everything"
        assert found["online"][-1]
        assert not any(found["add only"])
        store = run.playbook("add only", 0)
        rejected = [lost["reason"] for record in store.history() for lost in record.rejected]
        assert WHY in rejected
