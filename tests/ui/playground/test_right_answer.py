"""The right answer beside a message: the state key that it fills, and what becomes of the field."""

from __future__ import annotations

import pytest

from agents import Event
from agents.ace import TRUTH_KEY
from tests.ui.stage import finish, page, query, said, sound
from ui.playground import actions

QUESTION = "A shop has current assets of 120 and current liabilities of 80. What is the current ratio?"


def field(at):
    """The field with the right answer; None if there is none."""
    return next((found for found in at.text_input if found.key.startswith("right_answer_")), None)


def sent(at, manager, message, truth):
    """The page after a message and its right answer were sent, and the run's first event."""
    field(at).set_value(truth)
    at.chat_input[0].set_value(message)
    sound(at.run())
    session = query(at)["session"]
    finish(manager, "ace", session)
    return sound(at.run()), asked(manager, session)[-1]


def asked(manager, session) -> list[Event]:
    events = (entry.event() for entry in manager.sessions.log("ace", session) if entry.kind == "event")
    return [event for event in events if event.author == "user" and event.content is not None]


def test_it_is_beside_the_message_where_a_pipeline_takes_one(manager):
    assert field(sound(page(pipeline="ace"))) is not None
    assert field(sound(page(pipeline="iterative_writing"))) is None
    session = manager.start("ace", QUESTION).session_id
    finish(manager, "ace", session)
    assert field(sound(page(pipeline="ace", model=f"replay/ace/{session}"))) is None


@pytest.mark.parametrize("truth", ["1.50", "  返品は30日以内です  ", "يُعاد خلال ثلاثين يوما", "x" * actions.MOST_TRUTH])
def test_it_fills_the_state_key_of_the_pipeline_and_is_empty_after_it_was_sent(manager, truth):
    at, first = sent(sound(page(pipeline="ace")), manager, QUESTION, truth)
    assert (first.text, first.actions.state_delta[TRUTH_KEY]) == (QUESTION, truth.strip())
    at, second = sent(at, manager, f"{QUESTION} Again.", truth)
    assert second.actions.state_delta[TRUTH_KEY] == truth.strip()
    assert field(at).value == ""
    assert manager.sessions.state("ace", query(at)["session"])[TRUTH_KEY] == truth.strip()


def test_it_holds_for_one_message(manager):
    at, _ = sent(sound(page(pipeline="ace")), manager, QUESTION, "1.50")
    _, second = sent(at, manager, "Tell me about efficient task management", "")
    assert TRUTH_KEY not in second.actions.state_delta
    assert manager.sessions.state("ace", query(at)["session"])[TRUTH_KEY] is None


def test_what_was_typed_for_one_session_is_not_sent_to_another(manager):
    manager.sessions.create("ace", session_id="other")
    at = sound(page(pipeline="ace"))
    field(at).set_value("1.50")
    at.query_params["session"] = "other"
    assert field(sound(at.run())).value == ""


@pytest.mark.parametrize(
    ("message", "truth", "why"), [("x" * 90_000, "1.50", "KiB"), (QUESTION, "x" * 20_001, "20,001 characters")]
)
def test_with_a_message_that_cannot_be_sent_it_stays(manager, message, truth, why):
    at = sound(page(pipeline="ace"))
    field(at).set_value(truth)
    at.chat_input[0].set_value(message)
    sound(at.run())
    assert field(at).value == truth
    assert why in said(at)
    assert manager.sessions.summaries("ace") == []


def test_a_visitor_may_say_it_in_a_session_of_their_own(manager, visit):
    visit()
    at = sound(page(pipeline="ace"))
    field(at).set_value("1.50")
    at.chat_input[0].set_value(QUESTION)
    sound(at.run())
    finish(manager, "ace", query(at)["session"])
    assert [event.actions.state_delta[TRUTH_KEY] for event in asked(manager, query(at)["session"])] == ["1.50"]
