"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import Case, Check, ToolCalled
from agents.pipelines import Catalog


def test_a_refund_is_asked_for():
    case = Case(
        name="a_refund_is_asked_for",
        pipeline="new_package",
        messages=("Pay back 20 euros for order 4711.",),
        expect=(ToolCalled(tool="refund"),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
