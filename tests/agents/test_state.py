from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from agents.errors import StateSchemaError, StateValueError
from agents.state import State, check_state_value, is_stored, split_by_scope


def make(value=None):
    value = {} if value is None else value
    delta = {}
    return State(value, delta), value, delta


def test_a_write_is_live_and_in_the_delta():
    state, value, delta = make({"old": 1})
    state["new"] = 2
    assert dict(state) == value == {"old": 1, "new": 2}
    assert delta == {"new": 2}
    assert state.has_delta()


def test_reading_changes_nothing():
    state, _, delta = make({"list": [1], "text": "a"})
    assert (state["list"], state.get("text"), state.get("none", 3)) == ([1], "a", 3)
    assert ("list" in state, "none" in state, len(state), list(state)) == (True, False, 2, ["list", "text"])
    assert not state.has_delta()
    assert delta == {}


def test_a_missing_key_is_a_key_error():
    with pytest.raises(KeyError):
        make()[0]["missing"]


def test_an_edit_in_place_is_a_change():
    state, _, delta = make({"list": [1], "nested": {"a": {"b": []}}, "other": [1]})
    state["list"].append(2)
    state["nested"]["a"]["b"].append(3)
    assert state["other"] == [1]
    assert state.has_delta()
    assert delta == {"list": [1, 2], "nested": {"a": {"b": [3]}}}


def test_an_edit_is_collected_once():
    state, _, delta = make({"list": [1]})
    state["list"].append(2)
    state.collect_edits()
    delta.clear()
    state.collect_edits()
    assert delta == {}
    state["list"].append(3)
    state.collect_edits()
    assert delta == {"list": [1, 2, 3]}


def test_an_edit_that_json_cannot_hold_is_found():
    state, _, _ = make({"list": [1]})
    state["list"].append(object())
    with pytest.raises(StateValueError, match="'list' cannot hold a value of type object"):
        state.collect_edits()


def test_update_and_setdefault_are_changes():
    state, _, delta = make({"a": 1})
    state.update({"b": 2})
    assert state.setdefault("a", 9) == 1
    assert state.setdefault("c", 3) == 3
    assert delta == {"b": 2, "c": 3}


def test_a_key_cannot_be_deleted():
    state, value, _ = make({"a": 1})
    with pytest.raises(StateValueError, match=r"state\['a'\] = None"):
        del state["a"]
    assert value == {"a": 1}


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (object(), "a value of type object"), ({1, 2}, "a value of type set"), (b"x", "a value of type bytes"),
        (math.nan, "the number nan"), (math.inf, "the number inf"), ([[{"a": object()}]], "a value of type object"),
        ({1: 2}, "a dictionary with a key of type int"), ("cut \ud83c", "half a surrogate pair"),
    ],
)  # fmt: skip
def test_a_value_that_json_cannot_hold_is_refused_at_the_write(value, named):
    state, live, delta = make()
    with pytest.raises(StateValueError, match=f"'user:key' cannot hold .*{named}") as caught:
        state["user:key"] = value
    assert isinstance(caught.value, TypeError)
    assert live == delta == {}


def test_a_key_must_be_text():
    with pytest.raises(StateValueError, match="must be a str, not int"):
        make()[0][1] = 2


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
))  # fmt: skip
def test_what_is_accepted_is_what_json_and_utf8_hold(value):
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        with pytest.raises(StateValueError):
            check_state_value("k", value)
    else:
        check_state_value("k", value)


def test_scopes():
    values = {"a": 1, "user:b": 2, "app:c": 3, "temp:d": 4, "user": 5, "other:e": 6}
    assert split_by_scope(values) == ({"a": 1, "user": 5, "other:e": 6}, {"user:b": 2}, {"app:c": 3})
    assert [is_stored(key) for key in values] == [True, True, True, False, True, True]


class Stock(BaseModel):
    left: int = Field(ge=0)
    names: list[str] = []


def test_a_schema_names_keys_and_checks_values():
    live = {}
    state = State(live, {}, schema=Stock)
    state["left"] = 3
    state.update({"names": ["a"], "user:anything": object.__name__})
    assert live == {"left": 3, "names": ["a"], "user:anything": "object"}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("gone", 1, r"'gone' is not declared in state schema 'Stock'. Declared fields: \['left', 'names'\]"),
        ("left", "many", "'left' does not satisfy field 'left' of 'Stock'"),
        ("left", -1, "greater than or equal to 0"),
    ],
)
def test_what_a_schema_does_not_allow_is_refused_before_it_is_live(key, value, why):
    live, delta = {}, {}
    with pytest.raises(StateSchemaError, match=why):
        State(live, delta, schema=Stock)[key] = value
    assert (live, delta) == ({}, {})
