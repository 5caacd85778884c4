"""Sub-agents that their parent's model calls by their mode, and graphs as tools."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import AgentTool, Event, InMemorySessionService, LlmAgent, Workflow
from agents.models.scripted import ScriptedLlm, call
from agents.workflow import JoinNode
from tests.agents.pausing_stage import answer_to, asker, send, waiting
from tests.agents.workflow.test_tasks import end, finish, questions, sent

pytestmark = pytest.mark.anyio


class Trip(BaseModel):
    town: str
    days: int = 2


def calls(name: str, **args: Any) -> list[types.FunctionCall]:
    return [call(name, **args)]


def responses(events: list[Event]) -> list[tuple[str | None, Any]]:
    return [
        (each.name, each.response) for event in events for each in event.get_function_responses() if event.branch is None
    ]


def desk(model: ScriptedLlm, *below: LlmAgent, **more: Any) -> LlmAgent:
    return LlmAgent(name="desk", model=model, sub_agents=list(below), **more)


def offered(model: ScriptedLlm) -> list[str]:
    return sorted(model.requests[0].tools_dict)


@pytest.fixture
def service() -> InMemorySessionService:
    return InMemorySessionService()


async def test_a_task_talks_with_the_user_and_its_parent_goes_on_with_what_it_gives(service) -> None:
    intake = ScriptedLlm(script=["Your name?", "Your age?", [finish(result="Ann, 7")]])
    model = ScriptedLlm(script=[calls("intake", request="Who is it?"), "Hello Ann."])
    root = desk(model, LlmAgent(name="intake", model=intake, mode="task", description="Asks who it is."))
    first = await send(root, "Hi", service=service)
    assert questions(first.events) == ["Your name?"]
    assert first.log[-1][1]["status"] == "paused"
    second = await send(root, "Ann", service=service)
    assert questions(second.events) == ["Your age?"]
    third = await send(root, "7", service=service)
    assert third.log[-1][1]["status"] == "completed"
    assert responses(third.events) == [("intake", {"result": "Ann, 7"})]
    assert third.events[-1].text == "Hello Ann."
    assert offered(model) == ["intake"]
    assert [event.output for event in third.events if event.output] == [{"result": "Ann, 7"}] * 2
    assert sent(model)[-1] == ["Hi"]
    assert sent(intake)[-1] == ["Who is it?", "Your name?", "Ann", "Your age?", "7"]


async def test_what_a_task_and_its_parent_are_sent_stays_apart(service) -> None:
    intake = ScriptedLlm(script=[[finish(result="first")], "Sure?", [finish(result="second")]])
    script = [calls("intake", request="one"), calls("intake", request="two"), "Both."]
    model = ScriptedLlm(script=script)
    root = desk(model, LlmAgent(name="intake", model=intake, mode="task"))
    await send(root, "Hi", service=service)
    last = await send(root, "yes", service=service)
    assert responses(last.events) == [("intake", {"result": "second"})]
    assert sent(intake) == [["one"], ["two"], ["two", "Sure?", "yes"]]
    assert last.events[-1].text == "Both."


async def test_two_tasks_at_once_are_answered_one_after_the_other(service) -> None:
    first = ScriptedLlm(script=["A?", [finish(result="a")]])
    second = ScriptedLlm(script=["B?", [finish(result="b")]])
    both = [types.Part.from_function_call(name=name, args={"request": name}) for name in ("first", "second")]
    model = ScriptedLlm(script=[both, "Both."])
    root = desk(model, *(LlmAgent(name=n, model=m, mode="task") for n, m in (("first", first), ("second", second))))
    asked = await send(root, "Hi", service=service)
    assert sorted(questions(asked.events)) == ["A?", "B?"]
    half = await send(root, "one", service=service)
    assert half.log[-1][1]["status"] == "paused"
    last = await send(root, "two", service=service)
    assert last.events[-1].text == "Both."
    assert (sent(first)[-1][-1], sent(second)[-1][-1]) in {("one", "two"), ("two", "one")}


async def test_the_arguments_and_the_output_of_a_task_have_its_schemas(service) -> None:
    intake = ScriptedLlm(script=[[finish(town="Rome", days="two")], [finish(town="Rome", days=3)]])
    model = ScriptedLlm(script=[calls("plan", days=1), calls("plan", town="Rome"), "Done."])
    agent = LlmAgent(name="plan", model=intake, mode="task", input_schema=Trip, output_schema=Trip, output_key="trip")
    last = await send(desk(model, agent), "Hi", service=service)
    said = responses(last.events)
    assert "town" in said[0][1]["error"]
    assert said[1] == ("plan", {"town": "Rome", "days": 3})
    assert last.state["trip"] == {"town": "Rome", "days": 3}
    assert "days" in str(intake.requests[1].contents[-1].parts)


async def test_an_output_of_a_task_that_is_no_object_is_named(service) -> None:
    intake = ScriptedLlm(script=[[finish(result=["Rome", "Oslo"])]])
    model = ScriptedLlm(script=[calls("towns", request="Which?"), "Done."])
    agent = LlmAgent(name="towns", model=intake, mode="task", output_schema=list[str])
    last = await send(desk(model, agent), "Hi", service=service)
    assert responses(last.events) == [("towns", {"output": ["Rome", "Oslo"]})]


async def test_a_single_turn_agent_answers_the_request_alone(service) -> None:
    asked = ScriptedLlm(script=["4"])
    model = ScriptedLlm(script=[calls("sums", request="2+2"), "It is 4."])
    root = desk(model, LlmAgent(name="sums", model=asked, mode="single_turn"), LlmAgent(name="other", model=asked))
    last = await send(root, "How much is 2+2?", service=service)
    assert responses(last.events) == [("sums", {"result": "4"})]
    assert (last.events[-1].author, last.events[-1].text) == ("desk", "It is 4.")
    assert sent(asked) == [["2+2"]]
    assert offered(model) == ["sums", "transfer_to_agent"]
    assert "sums" not in str(root.transfer_targets)


async def test_a_called_agent_can_wait_for_a_tool_of_its_own(service) -> None:
    model = ScriptedLlm(script=[calls("helper", request="Ask them."), "Done."])
    root = desk(model, asker("helper", mode="single_turn"))
    first = await send(root, "Hi", service=service)
    assert first.log[-1][1]["status"] == "paused"
    last = await send(root, answer_to(*waiting(first), answer="yes"), service=service)
    assert responses(last.events) == [("helper", {"result": "helper is done"})]
    assert last.events[-1].text == "Done."


async def test_a_parent_in_a_graph_waits_with_the_task_that_it_calls(service) -> None:
    intake = ScriptedLlm(script=["Your name?", [finish(result="Ann")]])
    model = ScriptedLlm(script=[calls("intake", request="Who is it?"), "Hello Ann."])
    root = desk(model, LlmAgent(name="intake", model=intake, mode="task"), mode="single_turn")
    graph = Workflow(name="wf", edges=[("START", root, end)])
    first = await send(graph, "Hi", service=service)
    assert questions(first.events) == ["Your name?"]
    last = await send(graph, "Ann", service=service)
    assert last.events[-1].output == {"got": "Hello Ann."}


async def test_an_agent_tool_cannot_wait_for_the_task_of_its_agent(service) -> None:
    intake = LlmAgent(name="intake", model=ScriptedLlm(script=["Your name?"]), mode="task")
    middle = desk(ScriptedLlm(script=[calls("intake", request="Who?"), "Nobody."]), intake)
    root = LlmAgent(
        name="top", model=ScriptedLlm(script=[calls("desk", request="Who?"), "Nobody."]), tools=[AgentTool(middle)]
    )
    last = await send(root, "Hi", service=service)
    assert (last.log[-1][1]["status"], last.events[-1].text) == ("completed", "Nobody.")


async def test_a_called_agent_asks_the_model_of_its_parent(service) -> None:
    model = ScriptedLlm(script=[calls("sums", request="2+2"), "4", "It is 4."])
    last = await send(desk(model, LlmAgent(name="sums", mode="single_turn")), "Hi", service=service)
    assert last.events[-1].text == "It is 4."


async def test_a_failure_of_a_called_agent_is_told_to_the_model(service) -> None:
    def broken(callback_context: Any) -> None:
        raise ValueError("no paper")

    helper = LlmAgent(name="helper", model=ScriptedLlm(), mode="task", before_agent_callback=broken)
    model = ScriptedLlm(script=[calls("helper", request="Go."), "Sorry."])
    last = await send(desk(model, helper), "Hi", service=service)
    assert "no paper" in responses(last.events)[0][1]["error"]
    assert last.events[-1].text == "Sorry."


async def test_a_graph_is_a_tool(service) -> None:
    def double(node_input: Any) -> dict[str, int]:
        return {"days": node_input["days"] * 2}

    graph = Workflow(name="longer", description="Doubles it.", edges=[("START", double)], input_schema=Trip)
    model = ScriptedLlm(script=[calls("longer", town="Rome", days=4), "8 days."])
    last = await send(LlmAgent(name="desk", model=model, tools=[graph]), "Hi", service=service)
    assert responses(last.events) == [("longer", {"days": 8})]
    assert last.events[-1].text == "8 days."


@pytest.mark.parametrize(
    ("tool", "why"),
    [(LlmAgent(name="helper"), r"AgentTool\(helper\)"), (JoinNode(name="both"), "Put it into a graph")],
)
def test_other_agents_are_no_tools(tool, why) -> None:
    with pytest.raises(ValueError, match=why):
        LlmAgent(name="desk", tools=[tool])
    assert LlmAgent(name="desk", tools=[AgentTool(LlmAgent(name="helper"))]).tools
