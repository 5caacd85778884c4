"""The questions of judged answers, read from the sessions' logs."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from google.genai import types

from agents import InMemorySessionService, RunConfig, Runner
from agents.ace import PlaybookStore
from agents.lab import AsJudged, Sample, asked_question
from agents.models import SimulatedLlm
from agents.pipelines import load_built_in
from agents.pipelines.ace.simulation import SIMULATION

pytestmark = pytest.mark.anyio

QUESTION = "A bakery has current assets of 120,000 € and current liabilities of 80,000 €. What is its current ratio?"
LONG = f"{'ある会社の話です。' * 60}{QUESTION}"


async def test_the_question_is_read_whole_with_its_right_answer():
    service = InMemorySessionService()
    runner = Runner(app_name="ace", agent=load_built_in("ace").root_agent, session_service=service)
    session = await service.create_session(app_name="ace", user_id="u")
    config = RunConfig(model=SimulatedLlm(simulation=SIMULATION, words_per_second=0))
    for text in (f"{LONG}\nAnswer: 1.5", "Tell me about efficient task management"):
        message = types.Content(role="user", parts=[types.Part(text=text)])
        run = runner.run_async(user_id="u", session_id=session.id, new_message=message, run_config=config)
        async with aclosing(run) as events:
            async for _ in events:
                pass
    log = await service.read_log(app_name="ace", user_id="u", session_id=session.id)
    first, second = PlaybookStore(service.tables, "ace").answers()
    assert len(first.question) < len(LONG), "the judgement keeps only the beginning"
    asked = asked_question(log, first)
    assert (asked.sample.question, asked.sample.truth) == (LONG, "1.5")
    assert asked.answer
    unchecked = asked_question(log, second)
    assert (unchecked.sample.question, unchecked.sample.truth) == ("Tell me about efficient task management", None)
    assert asked_question(log, first._replace(seq=10_000)) is None, "another session of that name"
    assert asked_question([], first) is None


@pytest.mark.parametrize(
    ("answer", "right"), [("1.50", True), ("1,5", False), ("€ 1.5", False), ("", False), ("1.5.", True)]
)
async def test_answers_are_scored_as_the_pipeline_judges_them(answer, right):
    score = await AsJudged().score(answer, Sample(id="s", question="?", truth="1.5"))
    assert score.is_right is right
