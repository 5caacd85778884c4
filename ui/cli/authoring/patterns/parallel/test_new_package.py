"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import AgentsInOrder, Case, Check
from agents.pipelines import Catalog


def test_the_adviser_has_the_last_word():
    case = Case(
        name="the_adviser_has_the_last_word",
        pipeline="new_package",
        messages=("We want to open the shop on Sundays.",),
        expect=(AgentsInOrder(agents=("supporter", "doubter", "adviser")),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
