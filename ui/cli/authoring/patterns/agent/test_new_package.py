"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import Case, Check, ToolCalled
from agents.pipelines import Catalog


def test_words_are_counted():
    case = Case(
        name="words_are_counted",
        pipeline="new_package",
        messages=("How many words has this sentence?",),
        expect=(ToolCalled(tool="count_words"),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
