"""The cursor in Python: the moments that `cursor/moment.test.mjs` finds in the browser's code, too."""

from __future__ import annotations

import json

import pytest

from agents.experiments import Timeline
from tests.ui.cursor_moments import FILE, NAMES, entries_of, shown, values_of

CASES = {case["pipeline"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))}


def test_every_pipeline_has_a_case():
    assert sorted(CASES) == NAMES


@pytest.mark.parametrize("name", CASES)
def test_moments_are_those_of_the_cases(name):
    timeline = Timeline(entries_of(CASES[name]))
    for expected in CASES[name]["moments"]:
        moment = timeline.at(expected["seq"])
        assert shown(moment) == expected
        assert values_of(moment).items() <= CASES[name]["values"].items()
