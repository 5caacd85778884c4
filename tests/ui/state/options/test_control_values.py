"""Values of controls, in state and in the address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pipeline import Card, Control
from ui.state.options import control_values

PLANNING = Control(key="planning", label="Planning mode", kind="switch", default=False)
VARIANT = Control(key="app:variant", label="Variant", kind="choice", default="A", choices=("A", "B", "a=b"))
LIMIT = Control(key="limit", label="Limit", kind="number", default=100, minimum=0, maximum=500)
PLAYBOOK = Control(key="playbook_name", label="Playbook", kind="playbook", default="")
CARD = Card(
    title="",
    pattern="",
    summary="",
    lesson="",
    samples=(),
    ends_when="",
    controls=(PLANNING, VARIANT, LIMIT, PLAYBOOK),
)

VALUES = st.fixed_dictionaries(
    {},
    optional={
        "planning": st.booleans(),
        "app:variant": st.sampled_from(VARIANT.choices),
        "playbook_name": st.sampled_from(["", "first", "two words", "é/ü"]),
        "limit": st.one_of(st.integers(0, 500), st.floats(0, 500)),
    },
)


@given(VALUES)
def test_what_is_written_is_read_back(values):
    assert control_values.read(CARD, control_values.write(values)) == values


@pytest.mark.parametrize(
    "text",
    [
        "planning=1",
        "planning",
        "limit=501",
        "limit=-1",
        "limit=true",
        "limit=NaN",
        'app:variant="C"',
        "other=1",
        "limit={",
        'playbook_name=" "',
        "playbook_name=3",
    ],
)
def test_what_no_control_can_have_is_left_out(text):
    assert control_values.read(CARD, [text]) == {}


@pytest.mark.parametrize(
    ("control", "stored", "shown"),
    [
        (PLANNING, True, True),
        (PLANNING, "yes", False),
        (VARIANT, "B", "B"),
        (VARIANT, "set by somebody", "set by somebody"),
        (VARIANT, 3, "A"),
        (PLAYBOOK, "mine", "mine"),
        (PLAYBOOK, None, ""),
        (PLAYBOOK, "x" * 81, ""),
        (LIMIT, 7, 7),
        (LIMIT, 900, 500),
        (LIMIT, -900, 0),
        (LIMIT, "many", 100),
        (LIMIT, 2**60, 100),
        (LIMIT, float("nan"), 100),
    ],
)
def test_a_control_shows_what_is_in_state_as_far_as_it_can(control, stored, shown):
    assert control_values.value_of(control, {control.key: stored}) == shown


def test_without_a_value_in_state_a_control_shows_its_default():
    assert [control_values.value_of(control, {}) for control in CARD.controls] == [False, "A", 100, ""]


def test_values_read_as_words():
    assert control_values.in_words(CARD, {"planning": True, "app:variant": "B", "limit": 1}) == (
        "Planning mode on, Variant B, Limit 1"
    )
