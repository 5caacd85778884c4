"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import Case, Check, ToolCalled
from agents.pipelines import Catalog


def test_facts_are_found_and_checked():
    case = Case(
        name="facts_are_found_and_checked",
        pipeline="new_package",
        messages=("How do tides work?",),
        expect=(ToolCalled(tool="checker"),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
