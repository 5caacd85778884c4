"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import AgentsInOrder, Case, Check
from agents.pipelines import Catalog


def test_it_is_planned_before_it_is_written():
    case = Case(
        name="it_is_planned_before_it_is_written",
        pipeline="new_package",
        messages=("A weekend in Kyoto",),
        expect=(AgentsInOrder(agents=("planner", "author")),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
