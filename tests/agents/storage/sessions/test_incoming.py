from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.event import Event, EventActions
from agents.log import TraceRecord
from agents.storage.sessions.incoming import as_title, body_of, plain, prepare, storable
from tests.agents.storage.conftest import delta


def test_a_body_has_no_temporary_keys_though_the_event_still_does():
    event = delta(a=1, temp__b=2)
    [incoming] = prepare([event])
    incoming.write_out()
    assert json.loads(incoming.body)["actions"] == {"state_delta": {"a": 1}}
    assert event.actions.state_delta == {"a": 1, "temp:b": 2}


def test_a_delta_is_a_copy():
    value = {"deep": [1]}
    [incoming] = prepare([Event(author="a", actions=EventActions(state_delta={"k": value}))])
    value["deep"].append(2)
    assert incoming.delta == {"k": {"deep": [1]}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_plain_is_what_json_makes_of_a_value(value):
    assert plain(value) == json.loads(json.dumps(value))


@given(st.text())
def test_storable_keeps_what_can_be_stored(text):
    assert storable(text) == text
    assert storable(text + "\ud83c").encode().decode() == text + "\ufffd"


def test_two_halves_make_a_whole():
    assert storable("\ud83c\udf4c") == "🍌"


@pytest.mark.parametrize(
    ("text", "title"),
    [("", ""), (" \n\t\n", ""), ("\r\n  a\t b \r\nc", "a b"), ("x" * 80, "x" * 80), ("x" * 78 + "  y" * 9, "x" * 78 + "…")],
)
def test_titles(text, title):
    assert as_title(text) == title


def test_a_record_that_json_cannot_hold_is_written_readably():
    data = {"n": [float("inf")], "o": {1: {"set"}}, "t": "cut \ud83c"}
    assert json.loads(body_of(TraceRecord("k", timestamp=1.0, data=data))) == {
        "invocation_id": "", "agent": "", "timestamp": 1.0, "n": [None], "o": {"1": "{'set'}"}, "t": "cut \ufffd",
    }  # fmt: skip
