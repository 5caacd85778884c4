"""ADK's EvalSet: read by the real google-adk, which is installed apart, and read as google-adk wrote it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.cases import (
    AnswerContains,
    AtMost,
    Case,
    Judge,
    NewestPlaybook,
    StateEquals,
    ToolCalled,
    cases_from_eval_set,
    cases_to_eval_set,
)
from agents.errors import CaseError
from tests.agents.cases.test_file import CASES
from tests.benchmarks.processes import WorkerError, python_of

CASE = Case(
    name="天気",
    pipeline="help_desk",
    messages=("Hi", "Weather in Oslo?"),
    state={"unit": "C"},
    playbook=NewestPlaybook(name="ace"),
    model="simulated",
    cited=("a-1",),
    expect=(
        ToolCalled(tool="get_weather", args={"city": "Oslo"}, agent="Weather"),
        AnswerContains(text="5 degrees"),
        StateEquals(key="city", value="Oslo"),
        Judge(rubric="It is polite."),
        AtMost(calls=3),
    ),
)
OTHER = Case(name="other", pipeline="ace", messages=("x",), expect=(AtMost(calls=1),))


@pytest.fixture(scope="module")
def adk():
    """What google-adk says of our EvalSet."""
    script = Path(__file__).with_name("adk_eval_set.py")
    try:
        ran = subprocess.run(
            [*python_of("adk"), str(script)],
            input=cases_to_eval_set([CASE, OTHER], "ours"),
            capture_output=True,
            text=True,
            check=False,
            timeout=170,
        )
    except WorkerError as error:
        problem = str(error)
    else:
        if ran.returncode == 0:
            return json.loads(ran.stdout.splitlines()[-1])
        problem = ran.stderr
    if os.environ.get("CI") or "Traceback" in problem:
        raise AssertionError(problem)
    pytest.skip(f"google-adk cannot be installed here: {problem[-300:]}")


def test_google_adk_loads_what_is_written(adk):
    assert {name: adk[name] for name in adk if name not in ("again", "own")} == {
        "id": "ours",
        "names": ["天気", "other"],
        "asked": ["Hi", "Weather in Oslo?"],
        "answer": "5 degrees",
        "tools": [["get_weather", {"city": "Oslo"}]],
        "state": {"unit": "C"},
        "rubrics": ["It is polite."],
        "final": {"city": "Oslo"},
    }


def test_cases_come_back_from_google_adk_as_they_were(adk):
    for text in adk["again"]:
        found = cases_from_eval_set(json.loads(text))
        assert found.cases == [CASE, OTHER]
        assert found.left_out == []


def test_what_google_adk_wrote_is_read(adk):
    for text in adk["own"]:
        found = cases_from_eval_set(json.loads(text))
        assert found.cases == [
            Case(
                name="weather",
                pipeline="help_desk",
                messages=("Hi", "Weather in Oslo?"),
                state={"unit": "C"},
                expect=(
                    AnswerContains(text="It is 5 degrees."),
                    ToolCalled(tool="get_weather", args={"city": "Oslo"}),
                    Judge(rubric="It names a unit."),
                    StateEquals(key="city", value="Oslo"),
                ),
            )
        ]
        assert found.left_out == [
            "The EvalSet: weather: the answer of turn 1: a case expects something of the last answer alone."
        ]


@given(st.lists(CASES, min_size=1, max_size=3))
def test_any_cases_come_back_as_they_were(cases):
    assert cases_from_eval_set(json.loads(cases_to_eval_set(cases, "x"))).cases == cases


TURN = {"user_content": {"parts": [{"text": "Hi"}]}}
INPUT = {"app_name": "ace", "user_id": "u"}


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({"eval_id": "a", "conversation_scenario": {}}, "a: conversation: a case needs the user's messages"),
        ({"eval_id": "a", "conversation": [TURN], "session_input": INPUT}, "a: it expects nothing"),
        ({"eval_id": "a", "conversation": "x"}, "a: conversation"),
        ({"eval_id": "a", "conversation": [7]}, "'7' stands where an EvalSet has an object"),
        (
            {"eval_id": "", "conversation": [TURN], "session_input": INPUT, "final_session_state": {"a": 1}},
            "a case: name: String should have at least 1 character",
        ),
        (
            {"eval_id": "a", "conversation": [TURN], "final_session_state": {"a": 1}},
            "a: session_input.app_name: it names no pipeline. Name it there, or for all such cases: `playground check",
        ),
        ({"eval_id": "a", "conversation": [TURN], "session_input": INPUT, "playground_case": {"x": 1}}, "a: "),
    ],
)
def test_what_cannot_be_a_case_is_named(case, told):
    with pytest.raises(CaseError) as raised:
        cases_from_eval_set({"eval_set_id": "x", "eval_cases": [case]})
    assert told in str(raised.value)


def test_steps_in_the_newer_form_and_parts_that_are_no_text_are_read():
    call = {"functionCall": {"name": "look", "args": None}}
    turn = {
        "userContent": {"parts": [{"text": "Hi"}, {"inlineData": {}}]},
        "intermediateData": {"invocationEvents": [{"author": "A", "content": {"parts": [call, {"text": "…"}]}}]},
    }
    case = {"evalId": "a", "conversation": [turn], "sessionInput": {"appName": "ace", "userId": "u"}}
    found = cases_from_eval_set({"evalSetId": "x", "evalCases": [case]})
    assert found.cases[0].expect == (ToolCalled(tool="look"),)
    assert found.left_out == ["The EvalSet: a: parts of a message that are not text."]
