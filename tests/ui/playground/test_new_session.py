"""A new session with an id and a start state of the user's choice."""

from __future__ import annotations

import json

import pytest

from agents import StateInputError
from tests.ui.stage import page, query, said
from ui.playground.session_list import read_state

WRITING = "iterative_writing"


def created(at, session_id="", state="{}"):
    at.text_input(key="new_session_id").set_value(session_id)
    at.text_area(key=f"new_session_state_{WRITING}").set_value(state)
    [button] = [found for found in at.button if found.label == "Create it"]
    return button.click().run()


def test_a_session_is_created_with_the_id_and_the_state_of_each_scope(manager):
    state = {"initial_topic": "灯台", "user:name": "Ana", "app:limit": 3}
    at = created(page(pipeline=WRITING), "my story", json.dumps(state))
    assert query(at)["session"] == "my story"
    assert manager.sessions.state(WRITING, "my story").items() >= state.items()


def test_without_an_id_it_gets_one(manager):
    at = created(page(pipeline=WRITING))
    assert [found.id for found in manager.sessions.summaries(WRITING)] == [query(at)["session"]]


def test_the_state_is_prefilled_with_the_start_state_of_the_pipeline(manager):
    for name in manager.catalog.names():
        [area] = [area for area in page(pipeline=name).text_area if area.key == f"new_session_state_{name}"]
        assert json.loads(area.value) == manager.catalog.get(name).card.first_state


def test_an_id_that_is_taken_is_refused_and_what_was_typed_stays(manager):
    manager.sessions.create(WRITING, session_id="taken")
    at = created(page(pipeline=WRITING), "taken", '{"a": 1}')
    assert "taken" in said(at)
    assert at.text_input(key="new_session_id").value == "taken"
    assert len(manager.sessions.summaries(WRITING)) == 1


def test_an_id_that_cannot_be_one_is_refused(manager):
    at = created(page(pipeline=WRITING), "a\u202eb")
    assert "cannot be a session id" in said(at)
    assert manager.sessions.summaries(WRITING) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "must be a JSON object"),
        ("{", "is not JSON"),
        ("x" * 100_000, "is not JSON"),
        ("[" * 100_000, "nested too deep"),
        ('{"a": NaN}', "no number in JSON"),
        ('{"temp:a": 1}', "not stored"),
        ('{"app:playbook": {}}', "is a playbook"),
        ('{"scope:a": 1}', "no scope that there is"),
        ('{"user:": 1}', "no scope that there is"),
    ],
)
def test_a_state_that_no_session_can_begin_with_is_refused(text, why):
    with pytest.raises(StateInputError, match=why):
        read_state(text)


def test_an_empty_state_is_one():
    assert read_state("") == read_state("{}") == {}
