from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agents.ace.operations import RefinePolicy
from agents.ace.roles.settings import AceSettings

CONTROLS = [
    ("reflector_rounds", 5),
    ("refinement", "lazy"),
    ("pruning", False),
    ("min_uses", 7),
    ("archive_after", 20),
    ("token_budget", 800),
    ("top_k", 4),
    ("approval", True),
    ("ask_again", True),
    ("feedback_from", "nothing"),
    ("similarity", 0.5),
]
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.lists(st.integers(), max_size=2)


@pytest.mark.parametrize(("name", "value"), CONTROLS)
def test_a_sessions_control_goes_before_what_an_agent_was_made_with(name, value):
    defaults = AceSettings()

    found = AceSettings.from_state({name: value, "other": 1}, defaults)

    assert found == defaults.model_copy(update={name: value})
    assert found != defaults


def test_every_switch_can_be_a_control():
    assert {name for name, _ in CONTROLS} == set(AceSettings.model_fields)


def test_without_controls_it_is_what_the_agent_was_made_with():
    defaults = AceSettings(top_k=3)

    assert AceSettings.from_state({"user_query": "?"}, defaults) is defaults


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reflector_rounds", 0),
        ("reflector_rounds", 11),
        ("reflector_rounds", True),
        ("reflector_rounds", "3"),
        ("reflector_rounds", 2.5),
        ("refinement", "always"),
        ("pruning", "yes"),
        ("archive_after", -1),
        ("similarity", 0),
        ("feedback_from", ["person"]),
        ("top_k", None),
    ],
)
def test_what_cannot_be_used_changes_nothing(name, value):
    defaults = AceSettings(reflector_rounds=4, refinement="off", archive_after=9)

    assert AceSettings.from_state({name: value}, defaults) == defaults


def test_a_number_that_a_control_wrote_with_a_point_is_whole():
    assert AceSettings.from_state({"reflector_rounds": 2.0}, AceSettings()).reflector_rounds == 2


@given(st.dictionaries(st.sampled_from(sorted(AceSettings.model_fields)), VALUES))
def test_whatever_stands_in_state_the_settings_are_valid(state):
    found = AceSettings.from_state(state, AceSettings())

    assert AceSettings.model_validate(found.model_dump()) == found
    assert isinstance(found.refine_policy(), RefinePolicy)


def test_settings_are_frozen_and_checked():
    with pytest.raises(ValidationError):
        AceSettings(reflector_rounds=11)
    with pytest.raises(ValidationError):
        AceSettings().top_k = 3


def test_zero_means_no_limit():
    assert AceSettings(pruning=False).refine_policy() == RefinePolicy(prune=False)
    assert AceSettings(token_budget=500, archive_after=3, refinement="lazy", min_uses=2, similarity=0.9).refine_policy() == (
        RefinePolicy(mode="lazy", token_budget=500, archive_after=3, min_uses=2, similarity=0.9)
    )
