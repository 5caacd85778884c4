"""What a message begins: whose turn it is, and how much of the history there is. `test_pausing.py` has the runs."""

from __future__ import annotations

import pytest
from google.genai import types

from agents import Event, EventActions, GetSessionConfig, InMemorySessionService, LlmAgent, SequentialAgent, Session
from agents.flows.resume import invocation_for, kept_for, whose_turn
from tests.agents.pausing_stage import answer_to, asker, send, status, waiting
from tests.agents.stage import Actor, say, user


def tree() -> LlmAgent:
    a = LlmAgent(name="a", sub_agents=[LlmAgent(name="a1"), Actor(name="plain")])
    return LlmAgent(name="root", sub_agents=[a, LlmAgent(name="b", disallow_transfer_to_parent=True)])


def handed_over(author: str, to: str) -> Event:
    return Event(author=author, actions=EventActions(transfer_to_agent=to))


@pytest.mark.parametrize(
    ("events", "name"),
    [
        ([], "root"),
        ([say("root", "x"), say("user", "y")], "root"),
        ([say("root", "x"), say("a1", "y"), say("user", "z")], "a1"),
        ([say("a", "x"), say("root", "y")], "root"),
        ([say("a", "x"), say("plain", "y")], "a"),
        ([say("a", "x"), say("b", "y")], "a"),
        ([say("a", "x"), say("stranger", "y")], "a"),
        ([say("a", "x"), say("a1", "inside", branch="a1:123abc")], "a"),
        ([say("a", "x"), Event(author="a1", error_code="503")], "a"),
        ([say("a", "x"), say("a1", "but", error_code="503")], "a1"),
        ([say("root", "x"), handed_over("root", "a")], "a"),
        ([say("root", "x"), handed_over("a", "b")], "a"),
    ],
)
def test_the_last_to_speak_who_could_hand_it_back_has_the_turn(events, name):
    assert whose_turn(tree(), events).name == name


def test_a_root_without_transfer_always_begins():
    root = SequentialAgent(name="root", sub_agents=[LlmAgent(name="a")])
    assert whose_turn(root, [say("a", "x")]) is root


def test_an_answer_belongs_to_the_invocation_of_its_call_and_else_to_none():
    asked = types.FunctionCall(id="c-1", name="ask", args={})
    asks = types.Content(role="model", parts=[types.Part(function_call=asked)])
    session = Session(id="s", app_name="app", user_id="u", events=[Event(invocation_id="e-1", content=asks), Event()])
    assert invocation_for(answer_to(asked, result=1), session) == "e-1"
    for message in (user("hi"), answer_to(types.FunctionCall(id="c-2", name="ask"), result=1), None):
        assert invocation_for(message, session) not in ("e-1", invocation_for(message, session))


@pytest.mark.parametrize(
    ("config", "kept"),
    [
        (None, "abcde"),
        (GetSessionConfig(num_recent_events=1), "cde"),
        (GetSessionConfig(num_recent_events=4), "bcde"),
        (GetSessionConfig(num_recent_events=9), "abcde"),
        (GetSessionConfig(after_timestamp=4), "cde"),
        (GetSessionConfig(after_timestamp=2), "bcde"),
    ],
)
def test_what_is_left_out_of_the_history_is_nothing_of_the_invocation_that_goes_on(config, kept):
    events = [
        say("a", text, invocation_id="on" if text in "ce" else "old", timestamp=time) for time, text in enumerate("abcde", 1)
    ]
    session = Session(id="s", app_name="app", user_id="u", events=events)
    kept_for(session, "on", config)
    assert "".join(event.text for event in session.events) == kept


@pytest.mark.anyio
async def test_a_long_invocation_is_found_in_the_log_too():
    agents = [
        *(Actor(name=f"a{number}", lines=["x"]) for number in range(120)),
        asker("b"),
        Actor(name="end", lines=["end"]),
    ]
    root, service = SequentialAgent(name="all", sub_agents=agents), InMemorySessionService()
    await send(asker("other", "before"), "go", service=service)
    paused = await send(root, "go", service=service)
    assert len(paused.log) > 300
    done = await send(root, answer_to(*waiting(paused), result=1), service=service)
    assert (done.error, done.texts, status(done)) == (None, [("b", "b is done"), ("end", "end")], "completed")
