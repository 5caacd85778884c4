"""A person decides on a delta, run without a browser; the pipeline is the real one."""

from __future__ import annotations

import pytest

from tests.ui.playbook.stage import html, notice, playbook_page
from tests.ui.stage import finish, labels, links, said, sound

QUESTION = "A car drives a distance of 100 in a time of 4. What is the average speed?\nAnswer: 25"


@pytest.fixture
def asked(manager):
    """A run whose curator waits."""
    run = manager.start("ace", QUESTION, state={"approval": True})
    finish(manager, "ace", run.session_id)
    [call] = manager.pending()
    assert len(call.args["operations"]) >= 1
    return call


def approving(call):
    return sound(playbook_page(playbook="ace", tab="approve"))


def decide(manager, at, call):
    sound(at.button(key=f"send_{call.call_id}").click().run())
    finish(manager, "ace", call.session_id)


def test_what_waits_is_counted_described_and_linked(manager, asked):
    at = approving(asked)
    shown = html(at)
    assert "+ a new bullet in <b>FORMULAS</b>" in shown
    assert "average speed" in at.text_area(key=f"content_{asked.call_id}_0").value
    assert links(at)["→ Its session"] == f"pipeline=ace&session={asked.session_id}"
    assert any("Approve (1)" in option for option in at.segmented_control(key="playbook_view").options)


def test_a_right_answer_that_contradicts_a_bullet_is_shown_with_both(manager):
    for days in (30, 60):
        run = manager.start("ace", f"What is the return period for lamps?\nAnswer: {days} days", simulated_speed=0)
        finish(manager, "ace", run.session_id)
    [call] = manager.pending()
    at = approving(call)
    warned = " ".join(warning.value for warning in at.warning)
    assert "Two right answers contradict each other" in warned
    assert "30 days" in warned
    assert "“60 days”" in warned


def test_what_is_approved_is_applied(manager, asked):
    at = approving(asked)
    decide(manager, at, asked)
    assert "The run goes on" in notice(at)
    assert asked.args["operations"][0]["content"] in [b.content for b in manager.playbooks("ace").playbook().bullets]
    assert manager.pending() == []


@pytest.mark.parametrize("drawn_again", [True, False])
def test_what_is_edited_is_applied_as_it_was_edited(manager, asked, drawn_again):
    """A click can reach the server in the same request as the text that was typed before it."""
    at = approving(asked)
    edited = at.text_area(key=f"content_{asked.call_id}_0").set_value("average speed = distance / time")
    if drawn_again:
        edited.run()
    decide(manager, at, asked)
    assert "average speed = distance / time" in [b.content for b in manager.playbooks("ace").playbook().bullets]


def test_what_is_rejected_is_recorded_with_the_reason(manager, asked):
    at = approving(asked)
    for number in range(len(asked.args["operations"])):
        at.segmented_control(key=f"verdict_{asked.call_id}_{number}").set_value("reject").run()
    reason = at.text_input(key=f"reason_{asked.call_id}_0").set_value("Too special.")
    assert any("0 approved" in label for label in labels(at))
    assert reason.value == "Too special."
    decide(manager, at, asked)
    store = manager.playbooks("ace")
    assert len(store.playbook()) == 0
    reasons = [rejection["reason"] for record in store.history() for rejection in record.rejected]
    assert any("Too special." in reason for reason in reasons)


def test_a_delta_that_was_decided_elsewhere_is_explained(manager, asked):
    at = approving(asked)
    manager.answer("ace", asked.session_id, asked.call_id, {"decisions": [{"verdict": "reject"}]})
    finish(manager, "ace", asked.session_id)
    sound(at.button(key=f"send_{asked.call_id}").click().run())
    assert "waits for an answer" in said(at)


def test_a_frozen_playbook_cannot_be_approved_into(manager, asked):
    manager.playbooks("ace").freeze()
    assert approving(asked).button(key=f"send_{asked.call_id}").disabled


def test_what_waits_for_another_playbook_is_one_click_away(manager, asked):
    manager.playbooks("other").create("another")
    at = sound(playbook_page(playbook="another", tab="approve"))
    assert "Nothing waits for you here" in said(at)
    sound(at.button(key="elsewhere_ace").click().run())
    assert f"send_{asked.call_id}" in [button.key for button in at.button]
