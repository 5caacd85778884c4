"""A draft comes to what values of each step would, and leaves what it began as."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents.ace import Playbook
from agents.ace.bullet import StoredBullet
from agents.ace.changes import apply_all
from agents.ace.draft import Draft
from tests.agents.ace.bullets import unhurried
from tests.agents.ace.deltas import batches, do, start


@unhurried
@given(st.lists(batches, min_size=1, max_size=4))
def test_changes_of_a_draft_come_to_those_of_values(log):
    before = start()
    text, playbook, draft = before.to_json(), before, Draft(before)
    for plain in log:
        playbook, applied, _ = do(playbook, plain)
        assert apply_all(draft, applied, by="curator", at=5.0) is draft
    finished = draft.finished(revision=len(log), tokens=playbook.tokens)
    assert finished.to_json() == playbook.replace(revision=len(log)).to_json()
    assert finished.totals == playbook.totals
    assert [finished.get(bullet.id) for bullet in playbook.bullets] == list(playbook.bullets)
    assert type(finished) is Playbook
    assert before.to_json() == text


def test_a_draft_shares_the_runs_that_nothing_changed_in():
    before = Playbook(StoredBullet(f"a-{number:05d}", "a", f"{number}") for number in range(1, 1001))
    draft = Draft(before)
    for _ in range(3):
        apply_all(draft, [{"type": "TAG", "bullet_id": "a-00500", "tag": "helpful"}], by="curator", at=5.0)
    after = draft.finished(revision=1, tokens=before.tokens)
    new = [chunk for chunk in after.chunks() if all(chunk is not old for old in before.chunks())]
    assert len(new) == 1
    assert after.get("a-00500").helpful == 3
