"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import Case, Check, LoopEnded
from agents.pipelines import Catalog


def test_the_critic_ends_the_loop():
    case = Case(
        name="the_critic_ends_the_loop",
        pipeline="new_package",
        messages=("A lighthouse keeper",),
        expect=(LoopEnded(loop="writing", by="critic", within=4),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
