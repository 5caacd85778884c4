"""Runs the agents with the simulated model, which needs no key."""

import asyncio
from pathlib import Path

from agents.cases import AnswerContains, Case, Check
from agents.pipelines import Catalog


def test_a_text_gets_a_title_and_a_summary():
    case = Case(
        name="a_text_gets_a_title_and_a_summary",
        pipeline="new_package",
        messages=("The ferry was late, so we missed the last train.",),
        expect=(AnswerContains(text="ferry"),),
    )
    result = asyncio.run(Check(Catalog(Path(__file__).parent)).run(case))
    assert result.outcome == "held", result.runs[0].differences
