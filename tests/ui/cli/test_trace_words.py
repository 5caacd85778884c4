"""Trace records as text for a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.log import trace_kinds
from ui.cli import trace_words
from ui.cli.trace_words import SHOWN, heading

CASES = json.loads((Path(__file__).parents[1] / "trace_cases.json").read_text(encoding="utf-8"))
"""The session view is tested against the same cases, in `tests/ui/js/words/vocabulary.test.mjs`."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_a_record_reads_as_in_the_session_view(case):
    assert SHOWN[case["kind"]](case["body"]) == case["says"]


def test_each_kind_with_words_is_shown_and_has_a_case():
    worded = {kind for kind, entry in trace_kinds().items() if entry.words}
    assert worded == set(SHOWN) == {case["kind"] for case in CASES}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def fields_of(kind):
    return {
        "agent",
        *trace_words._MORE.get(kind, ()),
        *(field for case in CASES if case["kind"] == kind for field in case["body"]),
    }


@pytest.mark.parametrize("kind", sorted(SHOWN))
def test_any_json_in_a_record_becomes_a_line(kind):
    @given(st.fixed_dictionaries({}, optional=dict.fromkeys(fields_of(kind), JSON)))
    def read(record):
        assert heading(kind, record)

    read()


@pytest.mark.parametrize(
    ("progress", "says"),
    [
        ("{:x}", "Loading the model m …"),
        ([1], "Loading the model m …"),
        (float("nan"), "Loading the model m …"),
        (float("inf"), "Loading the model m …"),
        (-1, "Loading the model m …"),
        (10**400, "Loading the model m …"),
        (0.5, "Loading the model m (50 %) …"),
    ],
    ids=lambda value: str(value)[:9],
)
def test_a_progress_that_is_no_number_is_not_shown(progress, says):
    assert SHOWN["model_loading"]({"model": "m", "progress": progress}) == says
