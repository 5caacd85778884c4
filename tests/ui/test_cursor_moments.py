"""Moments and prompts in Python; `log/folds/moment.test.mjs` and `prompt/prompt.test.mjs` find the same in the browser."""

from __future__ import annotations

import json

import pytest

from agents.history import Timeline
from tests.ui.cursor_moments import FILE, NAMES, entries_of, prompts_of, shown, values_of

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


@pytest.mark.parametrize("name", CASES)
def test_prompts_are_those_of_the_cases(name):
    assert prompts_of(entries_of(CASES[name]), CASES[name]["texts"]) == CASES[name]["prompts"]
