"""Eval files in the older forms of ADK, and what lies beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.cases import read_cases
from agents.cases.expectations import AnswerContains, StateEquals, ToolCalled

TURNS = [
    {"query": "Hi", "expected_tool_use": [], "reference": ""},
    {"query": "Off", "expected_tool_use": [{"tool_name": "switch", "tool_input": {"on": False}}], "reference": "It is off."},
]
EXPECTED = [ToolCalled(tool="switch", args={"on": False}), AnswerContains(text="It is off.")]


def read(folder: Path, value: object, name: str = "lamp.test.json", pipeline: str = "ace"):
    (folder / name).write_text(json.dumps(value), encoding="utf-8-sig")
    return read_cases(folder, pipeline=pipeline)


@pytest.mark.parametrize(
    ("value", "name", "pipeline", "state"),
    [
        (TURNS, "lamp", "ace", {}),
        (
            [{"name": "own", "data": TURNS, "initial_session": {"state": {"a": 1}, "app_name": "home"}}],
            "own",
            "home",
            {"a": 1},
        ),
        ({"name": "own", "data": TURNS, "initial_session": {}}, "own", "ace", {}),
        ([{"name": "own", "data": TURNS, "initial_state": {"session": {"a": 1}}}], "own", "ace", {"a": 1}),
    ],
)
def test_the_older_forms_are_read(tmp_path, value, name, pipeline, state):
    found = read(tmp_path, value)
    assert (found.problems, found.left_out) == ([], [])
    case = found.cases[0].case
    assert (case.name, case.pipeline, list(case.messages), case.state) == (name, pipeline, ["Hi", "Off"], state)
    assert sorted(case.expect, key=str) == sorted(EXPECTED, key=str)


def test_an_eval_set_without_a_session_takes_the_pipeline_that_is_given(tmp_path):
    turn = {"user_content": {"parts": [{"text": "Hi"}]}}
    case = {"eval_id": "a", "conversation": [turn], "final_session_state": {"a": 1}}
    empty = {"eval_id": "b", "conversation": [turn], "session_input": {"app_name": ""}}
    named = {**case, "eval_id": "c", "session_input": {"app_name": "home"}}
    found = read(tmp_path, {"eval_set_id": "x", "eval_cases": [case, empty, named]})
    assert [(one.case.name, one.case.pipeline) for one in found.cases] == [("a", "ace"), ("c", "home")]
    assert found.cases[0].case.expect == (StateEquals(key="a", value=1),)
    assert [str(said) for said in found.left_out] == [
        "lamp.test.json: b: it expects nothing. Give it a final response, tool uses, a final state or a rubric."
    ]
    problem = read(tmp_path, TURNS, pipeline="").problems[0]
    assert "it names no pipeline" in str(problem)
    assert "playground check --pipeline NAME" in str(problem)


def test_what_a_case_cannot_say_is_said(tmp_path):
    turn = {**TURNS[1], "expected_intermediate_agent_responses": [{"author": "a", "text": "b"}], "tries": 3}
    assert list(read(tmp_path, [turn]).left_out) == [
        "lamp.test.json: lamp: what other agents answer meanwhile: a case expects something of the last answer alone.",
        "lamp.test.json: lamp: tries: a case has nothing of that kind.",
    ]
    assert "ADK's criteria" in read(tmp_path, {"criteria": {"x": 1}}, "test_config.json").left_out[-1]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([{"query": ""}], "lamp: query: a turn"),
        ([{"query": "a"}, 7], "'7' stands where"),
        ([7], "is no case"),
        ([], "is no case"),
    ],
)
def test_what_is_none_is_named(tmp_path, value, why):
    assert why in str(read(tmp_path, value).problems[0])
