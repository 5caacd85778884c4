"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import AgentsInOrder, Case, Check
from agents.pipelines import Catalog


def test_a_question_reaches_who_knows():
    case = Case(
        name="a_question_reaches_who_knows",
        pipeline="new_package",
        messages=("Where is the delivery of my orders?",),
        expect=(AgentsInOrder(agents=("front_desk", "orders")),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
