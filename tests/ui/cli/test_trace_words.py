"""What trace records read as in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.log import trace_kinds
from ui.cli.trace_words import SHOWN

CASES = json.loads((Path(__file__).parents[1] / "trace_cases.json").read_text(encoding="utf-8"))
"""The session view is tested against the same cases, in `tests/ui/js/words/vocabulary.test.mjs`."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_a_record_reads_as_in_the_session_view(case):
    assert SHOWN[case["kind"]](case["body"]) == case["says"]


def test_each_kind_with_words_is_shown_and_has_a_case():
    worded = {kind for kind, entry in trace_kinds().items() if entry.words}
    assert worded == set(SHOWN) == {case["kind"] for case in CASES}
