"""Conditions that are data: what they hold for, how a loop ends by them, and how a router chooses by them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agents import Condition, Event, EventActions, LlmAgent, LoopAgent, RoutedAgent, Rule, Rules, SequentialAgent
from agents.errors import ProviderError, RoutingError
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.run_config import RunConfig
from tests.agents.stage import Actor, play, say

pytestmark = pytest.mark.anyio

FITS: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
    ({"equals": "good"}, ["good", " Good\n"], ["very good", "", None, 1, ["bad"], {"good": False}, float("nan")]),
    ({"equals": 3}, [3, 3.0, "3", " 3 "], ["3 apples", "drei", True, None, "4"]),
    ({"equals": True}, [True, "yes", "TRUE"], [1, "yes, but", False, None]),
    ({"equals": False}, [False, "no"], [0, "", None]),
    ({"equals": "yes"}, ["Yes", True], ["no", False]),
    ({"equals": "3"}, ["3", 3], ["three"]),
    ({"contains": "Issue"}, ["no issues left", ["ISSUE", "b"], {"k": "issue"}], ["", None, ["issues"], [{"a": 1}], 5]),
    ({"matches": "answer: *"}, ["Answer: 42", "answer: no"], ["The answer: 42", "answer"]),
    ({"matches": "*done*all*"}, ["we are done with all of it", "done all"], ["all done", "don all"]),
    ({"matches": "a*a"}, ["aa", "aba"], ["a"]),
    ({"matches": "[a]?"}, ["[A]?"], ["a", "ab"]),
    ({"at_least": 8}, [8, "8", 9.5, "1e3"], [7.9, "8/10", "nan", "inf", None, True, [9]]),
    ({"at_least": 1, "at_most": 2}, [1, "2"], [0, 3]),
    ({}, ["x", 1, [0], True], [None, "", 0, [], False, "false", "No"]),
]


@pytest.mark.parametrize(("test", "good", "bad"), FITS)
def test_what_a_test_fits(test, good, bad):
    condition = Condition(state="k", **test)
    assert [value for value in good if not condition.fits(value)] == []
    assert [value for value in bad if condition.fits(value)] == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"equals": "a", "contains": "b"}, "one test"),
        ({"ask": "Good?", "at_least": 1}, "one test"),
        ({"ask": "Good?", "state": "k"}, "about the text"),
        ({"contans": "a"}, "Extra inputs"),
        ({"contains": ""}, "at least 1 character"),
        ({"at_least": float("nan")}, "finite"),
        ({"matches": ["a"]}, "valid string"),
    ],
)
def test_what_is_no_condition(data, why):
    with pytest.raises(ValidationError, match=why):
        Condition(**data)


@given(st.text("ab*", max_size=6), st.text("ab", max_size=8))
def test_a_pattern_means_what_the_same_regular_expression_means(pattern, text):
    expected = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None
    assert Condition.model_construct(matches=pattern).fits(text) is expected


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"state": "verdict", "equals": "good"}, "verdict equals “good”"),
        ({"contains": "done"}, "the text contains “done”"),
        ({"state": "score", "at_least": 8, "at_most": 9.5}, "score is at least “8.0” and is at most “9.5”"),
        ({"error": True}, "an agent failed"),
        ({"ask": "Is it good?"}, "“Is it good?” is answered with yes"),
        ({"state": "plan"}, "plan is set"),
    ],
)
def test_a_condition_in_words(data, words):
    assert str(Condition(**data)) == words


# -- loops


def writes(author: str, **delta: Any) -> Event:
    return Event(author=author, actions=EventActions(state_delta=delta))


def loop(*lines: Any, until: Any, **more: Any) -> LoopAgent:
    return LoopAgent(
        name="loop",
        sub_agents=[Actor(name="first", lines=lines), Actor(name="second", lines=["second"])],
        max_iterations=3,
        until=until,
        **more,
    )


@pytest.mark.parametrize(
    ("until", "line", "ends"),
    [
        ({"contains": "done"}, "all done", True),
        ({"contains": "done"}, "not yet", False),
        ({"agent": "second", "contains": "done"}, "all done", False),
        ({"agent": "first", "contains": "done"}, "all done", True),
        ({"state": "score", "at_least": 8}, writes("first", score="9"), True),
        ({"state": "score", "at_least": 8}, writes("first", score="7"), False),
        ({"state": "review.passed", "equals": True}, writes("first", review={"passed": True}), True),
        ({"state": "review.passed"}, writes("first", review={"passed": False}), False),
        ({"error": True}, Event(author="first", error_code="SAFETY", error_message="refused"), True),
        ({"error": True, "contains": "quota"}, Event(author="first", error_code="SAFETY", error_message="refused"), False),
        ([{"contains": "never"}, {"equals": "stop"}], "Stop", True),
        ({"contains": "done"}, say("first", "all done", partial=True), False),
    ],
)
async def test_a_loop_ends_by_its_condition(until, line, ends):
    played = await play(loop(line, until=until))
    (finished,) = played.records("loop_finished")
    expected = {"reason": "escalated", "by": "first", "iterations": 1} if ends else {"reason": "max_iterations"}
    assert expected.items() <= finished.items()
    assert [event.actions.escalate for event in played.events if event.author == "first"][-1:] == [ends or None]
    assert [event.author for event in played.events].count("second") == (0 if ends else 3)


async def test_what_state_holds_from_an_earlier_run_ends_no_loop():
    played = await play(loop("on", until={"state": "verdict", "equals": "good"}), state={"verdict": "good"})
    assert played.records("loop_finished")[0]["reason"] == "max_iterations"


async def test_a_condition_ends_the_nearest_loop_only():
    inner = loop("done", until={"contains": "done"})
    outer = LoopAgent(name="outer", sub_agents=[inner], max_iterations=2)
    assert [record["reason"] for record in (await play(outer)).records("loop_finished")] == [
        *("escalated", "escalated", "max_iterations")
    ]


def test_a_loop_refuses_a_condition_without_a_test():
    with pytest.raises(ValidationError, match="a loop ends at a test"):
        LoopAgent(name="loop", until=[{"agent": "critic"}])


@pytest.mark.parametrize(
    ("answer", "ends"),
    [('{"answer": "yes"}', True), ("Yes.", True), ("no", False), ("yes, mostly", False), (ProviderError("down"), False)],
)
async def test_a_model_is_asked_whether_the_loop_ends(answer, ends):
    tree = LoopAgent(name="loop", sub_agents=[Actor(name="a", lines=["a draft"])], max_iterations=1, until={"ask": "Good?"})
    with ScriptedLlm(script=[answer]) as model:
        played = await play(tree, config=RunConfig(model=model))
    assert played.records("loop_finished")[0]["reason"] == ("escalated" if ends else "max_iterations")
    (request,) = model.requests
    assert request.system_instruction.startswith("Good?")
    assert request.contents[0].parts[0].text == "a draft"


async def test_a_tool_that_writes_state_ends_the_loop():
    def measure(tool_context: Any) -> str:
        """Measures."""
        tool_context.state["score"] = 10
        return "measured"

    agent = LlmAgent(name="a", instruction="Measure.", tools=[measure])
    tree = LoopAgent(name="loop", sub_agents=[agent], until={"state": "score", "at_least": 10})
    with ScriptedLlm(script=[[call("measure")], "It is ten."]) as model:
        played = await play(tree, config=RunConfig(model=model))
    assert played.texts[-1] == ("a", "It is ten.")


# -- routers


def router(*rules: dict[str, Any], lines: Any = ("a",)) -> RoutedAgent:
    agents = [Actor(name="a", description="Sums.", lines=lines), Actor(name="b", description="Words.", lines=["b"])]
    return RoutedAgent(name="r", agents=agents, router=Rules([Rule(**rule) for rule in rules]))


@pytest.mark.parametrize(
    ("rules", "state", "runs", "reason"),
    [
        ([{"contains": "HELLO", "to": "b"}, {"to": "a"}], {}, "b", "the text contains “HELLO”."),
        ([{"contains": "bye", "to": "b"}, {"to": "a"}], {}, "a", "always."),
        ([{"state": "mode", "equals": "b", "to": "b", "reason": "As set."}, {"to": "a"}], {"mode": "b"}, "b", "As set."),
        ([{"state": "mode.now", "to": "b"}, {"to": "a"}], {"mode": {"now": 1}}, "b", "mode.now is set."),
        ([{"state": "mode", "to": "b"}, {"to": "a"}], {}, "a", "always."),
        ([{"error": True, "to": "b"}, {"to": "a"}], {}, "a", "always."),
    ],
)
async def test_the_first_rule_that_holds_decides(rules, state, runs, reason):
    played = await play(router(*rules), "Well, hello!", state=state)
    assert played.texts == [(runs, runs)]
    (decided,) = played.records("route_decided")
    assert (decided["key"], decided["reason"]) == (runs, reason)


@pytest.mark.parametrize(
    ("rule", "falls_back"),
    [
        ({"error": True, "to": "b"}, True),
        ({"error": True, "contains": "connectionerror: a", "to": "b"}, True),
        ({"error": True, "contains": "quota", "to": "b"}, False),
        ({"error": True, "state": "use", "equals": False, "to": "b"}, False),
        ({"error": True, "to": "a"}, False),
        ({"to": "b"}, False),
    ],
)
async def test_a_rule_for_errors_decides_after_a_failure(rule, falls_back):
    played = await play(router({"to": "a"}, rule, lines=[ConnectionError("a")]), state={"use": True})
    if falls_back:
        assert played.texts == [("b", "b")]
    else:
        assert isinstance(played.error, ConnectionError)


async def test_a_router_whose_rules_do_not_hold_says_so():
    played = await play(router({"contains": "bye", "to": "b"}))
    assert isinstance(played.error, RoutingError)


@pytest.mark.parametrize(
    ("rules", "script", "runs"),
    [
        ([{"ask": "Is it about words?", "to": "b"}, {"to": "a"}], ["yes"], "b"),
        ([{"ask": "Is it about words?", "to": "b"}, {"to": "a"}], ["no"], "a"),
        ([{"ask": "Who answers?"}, {"to": "a"}], ['{"answer": "b"}'], "b"),
        ([{"ask": "Who answers?"}, {"to": "a"}], ["nobody"], "a"),
        ([{"ask": "Who answers?"}, {"to": "a"}], [ProviderError("down")], "a"),
    ],
)
async def test_a_model_is_asked_by_a_rule(rules, script, runs):
    with ScriptedLlm(script=script) as model:
        played = await play(router(*rules), config=RunConfig(model=model))
    assert played.texts == [(runs, runs)]
    if "to" not in rules[0]:
        assert "- b: Words." in model.requests[0].system_instruction


@pytest.mark.parametrize(
    ("rule", "why"), [({"contains": "a"}, "add `to: NAME`"), ({"agent": "a", "to": "b"}, "until of a loop")]
)
def test_what_is_no_rule(rule, why):
    with pytest.raises(ValidationError, match=why):
        Rule(**rule)


async def test_a_router_within_a_sequence_looks_at_state_that_was_just_written():
    tree = SequentialAgent(
        name="s",
        sub_agents=[Actor(name="judge", lines=[writes("judge", kind="words")]), router({"state": "kind", "to": "b"})],
    )
    assert (await play(tree)).texts[-1] == ("b", "b")
