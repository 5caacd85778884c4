"""A thumb on an answer, as the page takes it: a run of the pipeline that has the verdict."""

from __future__ import annotations

import pytest
import streamlit as st

from tests.ui.stage import finish, page, sound
from ui.playground import actions
from ui.session_view import Feedback
from ui.state import address
from ui.state.address import Address
from ui.state.notices import NOTICE

PIPELINE = "iterative_writing"


@pytest.fixture
def session(manager, monkeypatch):
    """One that has been run."""
    monkeypatch.setattr(st, "session_state", {})
    session = manager.start(PIPELINE, "a lighthouse keeper").session_id
    finish(manager, PIPELINE, session)
    return session


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Feedback(event=9, right=True, answer=None), "👍"),
        (Feedback(event=9, right=False, answer=None), "👎"),
        (Feedback(event=9, right=False, answer="1.50"), "👎 The right answer: 1.50"),
        (Feedback(event=9, right=None, answer=None, outcome="exit code 0"), "Outcome: exit code 0"),
    ],
)
def test_a_verdict_is_a_message_with_the_verdict_in_state(manager, session, monkeypatch, given, message):
    started: list[tuple[object, ...]] = []
    start = manager.start
    monkeypatch.setattr(
        manager, "start", lambda *args, **more: (started.append((*args, more["model"])), start(*args, **more))[1]
    )
    actions.judge(PIPELINE, session, given)
    finish(manager, PIPELINE, session)
    assert started == [(PIPELINE, message, "simulated")]
    verdict = {"right": given.right, "answer": given.answer, "event": 9}
    if given.outcome:
        verdict = {"outcome": given.outcome, "event": 9}
    assert manager.sessions.state(PIPELINE, session)["verdict"] == verdict
    assert [found.id for found in manager.sessions.summaries(PIPELINE)] == [session], "no new session"


def test_a_verdict_that_cannot_be_taken_is_told(manager, session, monkeypatch):
    monkeypatch.setattr(address, "of_playground", lambda: Address(pipeline=PIPELINE, session=session, model="no-such-model"))
    actions.judge(PIPELINE, session, Feedback(event=9, right=True, answer=None))
    assert "no-such-model" in st.session_state[NOTICE].text


def test_the_page_offers_thumbs_in_a_session_and_not_before_there_is_one(manager, monkeypatch):
    seen: list[bool] = []
    from ui.playground import conversation

    monkeypatch.setattr(conversation, "session_view", lambda **given: seen.append(given["on_feedback"] is not None))
    manager.sessions.create(PIPELINE, session_id="mine")
    sound(page(pipeline=PIPELINE))
    sound(page(pipeline=PIPELINE, session="mine"))
    assert seen == [False, True]
