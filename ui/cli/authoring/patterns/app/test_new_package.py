"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import AgentsInOrder, Case, Check
from agents.pipelines import Catalog


def test_the_assistant_answers():
    case = Case(
        name="the_assistant_answers",
        pipeline="new_package",
        messages=("Which day is tomorrow?",),
        expect=(AgentsInOrder(agents=("assistant",)),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
