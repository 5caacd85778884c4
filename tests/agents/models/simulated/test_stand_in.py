"""Teams that no simulation was written for: they move by their structure, say so, and come to an end."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, Literal

import pytest
from google.genai import types
from pydantic import BaseModel, Field

from agents import (
    AgentTool,
    BaseAgent,
    FunctionTool,
    InMemorySessionService,
    LlmAgent,
    LoopAgent,
    ParallelAgent,
    RunConfig,
    SequentialAgent,
    exit_loop,
    get_user_choice,
)
from agents.models.simulated.model import SimulatedLlm
from agents.models.simulated.request import SimulatedRequest
from agents.models.simulated.stand_in import MOST_CALLS, StandIn
from tests.agents.models.providers import ask, request
from tests.agents.stage import Play, play

pytestmark = pytest.mark.anyio


class Verdict(BaseModel):
    grade: Literal["fail", "pass"]
    note: str
    score: int = Field(ge=1, le=5)


def roll(sides: int) -> int:
    """Rolls a die."""
    return sides


def weather(city: str, days: int = 1) -> dict:
    """The weather in a city."""
    return {"city": city, "sky": "clear"}


async def run(agent: BaseAgent, message: str = "Write about a lighthouse.", **more: Any) -> Play:
    done = await play(agent, message, config=RunConfig(model=SimulatedLlm(words_per_second=0)), **more)
    assert done.error is None
    return done


def calls(done: Play) -> list[tuple[str, str, dict]]:
    return [(event.author, call.name, call.args) for event in done.events for call in event.get_function_calls()]


def writer() -> LlmAgent:
    return LlmAgent(name="Writer", instruction="Write a draft.", output_key="draft")


def critic(**more: Any) -> LlmAgent:
    return LlmAgent(name="Critic", instruction="Judge {draft}", include_contents="none", output_key="verdict", **more)


def refiner(**more: Any) -> LlmAgent:
    told = "Mend {draft} by {verdict}"
    return LlmAgent(name="Refiner", instruction=told, include_contents="none", output_key="draft", **more)


async def test_a_critic_and_a_refiner_end_their_loop_in_the_third_pass_of_every_message():
    loop = LoopAgent(name="Loop", max_iterations=9, sub_agents=[critic(), refiner(tools=[exit_loop])])
    team, service = SequentialAgent(name="Team", sub_agents=[writer(), loop]), InMemorySessionService()
    for message in (1, 2):
        done = await run(team, service=service)
        assert [text.partition("]")[0] for _, text in done.texts] == [
            f"[stand-in: Writer {message}.1",
            f"[stand-in: Critic {message}.1, after Writer {message}.1",
            f"[stand-in: Refiner {message}.1, after Writer {message}.1, Critic {message}.1",
            f"[stand-in: Critic {message}.2, after Refiner {message}.1, Writer {message}.1",
            f"[stand-in: Refiner {message}.2, after Writer {message}.1, Critic {message}.2",
            f"[stand-in: Critic {message}.3, after Refiner {message}.2, Writer {message}.1",
        ]
        assert calls(done) == [("Refiner", "exit_loop", {})]


@pytest.mark.parametrize("contents", ["default", "none"])
async def test_an_agent_alone_in_a_loop_ends_it_too(contents):
    agent = LlmAgent(name="Critic", instruction="Go on.", include_contents=contents, tools=[exit_loop])
    done = await run(LoopAgent(name="Loop", max_iterations=9, sub_agents=[agent]))
    assert (len(done.texts), calls(done)) == (2, [("Critic", "exit_loop", {})])


async def test_a_schema_is_filled_with_marked_values_and_the_last_choice_comes_in_the_third_pass():
    loop = LoopAgent(name="Loop", max_iterations=3, sub_agents=[LlmAgent(name="Judge", output_schema=Verdict)])
    done = await run(loop, "Is it good?")
    answers = [
        json.loads(event.text.partition("{")[1] + event.text.partition("{")[2]) for event in done.events if event.text
    ]
    assert [(Verdict.model_validate(one).grade, one["score"]) for one in answers] == [("fail", 1), ("fail", 1), ("pass", 5)]
    assert answers[0]["note"] == "[stand-in: Judge 1.1] Note: Is it good?"


async def test_tools_are_called_once_each_with_what_the_message_has_and_then_answered_from():
    agent = LlmAgent(name="Guide", instruction="Help.", tools=[roll, weather])
    done = await run(agent, "Roll a die with 20 sides, and how is it in Paris?")
    assert calls(done) == [("Guide", "roll", {"sides": 20}), ("Guide", "weather", {"city": "Paris"})]
    answer = done.texts[-1][1]
    assert answer.startswith("[stand-in: Guide 1.1] No model was asked, and nothing was understood.\n")
    assert 'The tool weather returned: {"city": "Paris", "sky": "clear"}' in answer
    assert all("stand-in" in event.content.parts[0].text for event in done.events if event.get_function_calls())


async def test_a_schema_beside_tools_is_filled_after_the_calls():
    done = await run(LlmAgent(name="Judge", tools=[roll], output_schema=Verdict, output_key="verdict"), "Roll 6")
    assert calls(done) == [("Judge", "roll", {"sides": 6})]
    assert done.state["verdict"]["grade"] == "fail"


async def test_an_agent_that_is_a_tool_gets_the_whole_message():
    called = LlmAgent(name="Searcher", description="Searches.", instruction="Search.")
    done = await run(LlmAgent(name="Writer", tools=[AgentTool(called)]), 'Who wrote "Emma"?')
    assert calls(done) == [("Writer", "Searcher", {"request": 'Who wrote "Emma"?'})]


async def test_branches_move_side_by_side():
    done = await run(ParallelAgent(name="Both", sub_agents=[LlmAgent(name="A"), LlmAgent(name="B")]))
    assert sorted(author for author, _ in done.texts) == ["A", "B"]


def question(text: str, told: str, *options: str) -> Any:
    schema = {"type": "object", "properties": {"answer": {"enum": list(options)}}, "required": ["answer"]}
    asked = SimulatedRequest("Router", told, (types.Content(role="user", parts=[types.Part(text=text)]),), (), schema)
    return json.loads(StandIn()(asked).text)["answer"]


async def test_a_choice_goes_by_shared_words_and_a_question_about_a_stand_in_is_agreed_to_at_last():
    listed = "Who answers?\n\nAnswer with one of these names:\n- a: Bills and refunds.\n- b: Where a parcel is."
    assert [question(text, listed, "a", "b") for text in ("My parcel?", "A refund!", "Hello")] == ["b", "a", "a"]
    about = "Is it about a repair?\n\nAnswer with yes or no."
    assert [question(text, about, "yes", "no") for text in ("It needs repairs", "Hello")] == ["yes", "no"]
    marks = [f"[stand-in: Critic 1.{number}, after Writer 1.1] No model was asked.\n> A repair" for number in (1, 2, 3)]
    assert [question(mark, about, "yes", "no") for mark in marks] == ["no", "no", "yes"]


DESK = {
    "Bills": "Invoices, refunds and payments. 請求書と返金、支払い。发票、退款和付款。",
    "Orders": "Where a parcel is, and changes of an order. 注文と配達の状況。订单和快递。",
    "Repairs": "Broken devices and their manuals. 修理と故障。维修和故障。",
}


def desk() -> LlmAgent:
    below = [LlmAgent(name=name, description=text, instruction="Help.") for name, text in DESK.items()]
    return LlmAgent(name="Desk", instruction="Send everybody on.", sub_agents=below)


@pytest.mark.parametrize(
    ("message", "to"),
    [
        ("I want my payment refunded", "Bills"),
        ("Where are my parcels?", "Orders"),
        ("the device is broken", "Repairs"),
        ("荷物の配達はいつですか", "Orders"),
        ("返金してください", "Bills"),
        ("我要退款", "Bills"),
        ("机器有故障", "Repairs"),
        ("Hello!", None),
        ("", None),
    ],
)
async def test_a_message_goes_to_the_agent_whose_description_shares_most_words(message, to):
    done = await run(desk(), message or " ")
    assert [call[2].get("agent_name") for call in calls(done)] == [to] * (to is not None)
    assert done.texts[-1][0] == (to or "Desk")


async def test_an_agent_keeps_what_fits_it_and_hands_on_what_fits_another():
    team, service = desk(), InMemorySessionService()
    for message, author in [
        ("a refund", "Bills"),
        ("another refund", "Bills"),
        ("my parcel", "Orders"),
        ("thanks", "Orders"),
    ]:
        assert (await run(team, message, service=service)).texts[-1][0] == author


async def test_equal_descriptions_are_no_reason_to_hand_on_for_ever():
    twins = [LlmAgent(name=name, description="Refunds.") for name in ("One", "Two")]
    done = await run(LlmAgent(name="Desk", description="Refunds.", sub_agents=twins), "A refund")
    assert calls(done) == []


async def test_a_confirmation_is_asked_and_a_rejection_is_taken():
    paid: list[int] = []

    def pay(amount: int) -> str:
        """Pays."""
        paid.append(amount)
        return "paid"

    agent = LlmAgent(name="Payer", tools=[FunctionTool(pay, require_confirmation=True)])
    service = InMemorySessionService()
    done = await run(agent, "Pay 50 euros", service=service)
    assert [call[1] for call in calls(done)] == ["pay", "adk_request_confirmation"]
    asked = done.events[-1].get_function_calls() or done.events[-2].get_function_calls()
    answer = types.FunctionResponse(id=asked[-1].id, name=asked[-1].name, response={"confirmed": False})
    done = await answered(agent, service, answer)
    assert (paid, calls(done)) == ([], [])
    assert "The call of pay was rejected" in done.texts[-1][1]


async def answered(agent: BaseAgent, service: Any, answer: types.FunctionResponse) -> Play:
    from agents import Runner

    done = Play()
    runner = Runner(app_name="play", agent=agent, session_service=service)
    content = types.Content(role="user", parts=[types.Part(function_response=answer)])
    config = RunConfig(model=SimulatedLlm(words_per_second=0))
    async for event in runner.run_async(user_id="person", session_id="s", new_message=content, run_config=config):
        done.events.append(event)
    return done


async def test_a_choice_of_the_user_is_offered_once():
    done = await run(LlmAgent(name="Asker", tools=[get_user_choice]), 'Offer "tea" or "coffee"')
    assert calls(done) == [("Asker", "get_user_choice", {"options": ["tea", "coffee"]})]
    assert done.texts == []


async def test_it_is_the_same_for_the_same_request_and_says_which_pipelines_simulation_it_stands_in_for():
    asked = SimulatedRequest("Critic", "Judge it.", (types.Content(role="user", parts=[types.Part(text="A text")]),))
    assert StandIn()(asked) == StandIn()(asked)
    said = StandIn(copy_of="iterative_writing")(asked).text.splitlines()
    assert said[0].startswith("[stand-in: Critic 1.1]")
    assert said[1] == "The simulation of iterative_writing was made for another instruction of this agent."


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("灯台の話を書いて", "代役"),
        ("写一个关于灯塔的故事", "替身"),
        ("寫一個關於燈塔的故事", "替身"),
        ("Ein Turm", "No model was asked"),
    ],
)
async def test_it_answers_in_the_language_that_it_is_asked_in(message, said):
    assert said in (await ask(SimulatedLlm(words_per_second=0), request(message)))[-1].text


@pytest.mark.parametrize("text", ["[stand-in: a 1.1] ", '"Paris 注文 [', "a@b." * 3, "https://x ", "9 ", "\n> "])
async def test_a_message_of_100_kb_is_answered_in_bounds(text):
    long = (text * 100_000)[:100_000]
    agent = LlmAgent(
        name="Judge", description="Refunds.", instruction="Judge {draft}", tools=[weather], output_schema=Verdict
    )
    done = await run(agent, long, state={"draft": long})
    assert len(calls(done)) == 1
    assert len(done.texts[-1][1]) < 2_000


async def test_no_more_than_some_tools_are_called():
    def tool(number: int) -> FunctionTool:
        def look() -> str:
            """Looks."""
            return "seen"

        look.__name__ = f"look_{number}"
        return FunctionTool(look)

    done = await run(LlmAgent(name="Keeper", tools=[tool(number) for number in range(MOST_CALLS + 5)]))
    names = [name for _, name, _ in calls(done)]
    assert names == sorted(set(names), key=names.index)
    assert len(names) == MOST_CALLS
    assert all(first != second for first, second in pairwise(names))
