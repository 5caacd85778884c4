"""The user as a model: where a run pauses for them, what they are shown, and how the run goes on."""

from __future__ import annotations

import pytest
from google.genai import types
from pydantic import BaseModel

from agents.agent import BaseAgent
from agents.errors import AnswerError, ProviderError
from agents.event import REQUEST_ANSWER, Event
from agents.flows.routing import RoutedAgent, RoutedLlm
from agents.flows.workflow import LoopAgent, ParallelAgent, SequentialAgent
from agents.llm.llm_agent import LlmAgent
from agents.llm.model_call import ask_model
from agents.model import LlmRequest
from agents.models.scripted import ScriptedLlm, call
from agents.models.you.model import YouLlm
from agents.runner import InMemoryRunner
from agents.tools.agent_tool import AgentTool
from agents.tools.loop_exit import exit_loop

pytestmark = pytest.mark.anyio
NAME = {"app_name": "InMemoryRunner", "user_id": "u", "session_id": "s"}


class Number(BaseModel):
    """An output."""

    n: int


class Stage:
    """A session in which the user is a model."""

    def __init__(self, root: BaseAgent) -> None:
        self.runner = InMemoryRunner(root)

    async def send(self, message: str | dict[str, dict]) -> list[Event]:
        """Sends a message, or answers by the asking agent; returns the session's new events."""
        before = len(await self.events())
        if isinstance(message, str):
            parts = [types.Part(text=message)]
        else:
            asked = {agent: id_ for id_, agent, _ in await self.waiting()}
            parts = [
                types.Part(function_response=types.FunctionResponse(id=asked[agent], name=REQUEST_ANSWER, response=given))
                for agent, given in message.items()
            ]
        content = types.Content(role="user", parts=parts)
        async for _ in self.runner.run_async(user_id="u", session_id="s", new_message=content):
            pass
        return (await self.events())[before:]

    async def events(self) -> list[Event]:
        found = await self.runner.session_service.get_session(**NAME)
        if found is None:
            await self.runner.session_service.create_session(**NAME)
        return [] if found is None else found.events

    async def waiting(self) -> list[tuple[str, str, dict]]:
        """The questions without an answer: id, agent, what is asked."""
        events = await self.events()
        done = {response.id for event in events for response in event.get_function_responses()}
        calls = [(event, made) for event in events for made in event.get_function_calls() if made.name == REQUEST_ANSWER]
        return [(made.id or "", event.author, made.args or {}) for event, made in calls if made.id not in done]

    async def records(self, kind: str) -> list[dict]:
        log = await self.runner.session_service.read_log(**NAME)
        return [entry.fields() for entry in log if entry.kind == kind]


def said(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.author, event.text) for event in events if event.text]


def agent(name: str, *script, **options) -> LlmAgent:
    """An agent whose model is the user; the script is the usual model's."""
    model = YouLlm(usual=ScriptedLlm(script=script) if script else None)
    return LlmAgent(name=name, instruction=f"You are {name}.", model=model, **options)


def machine(name: str, *script, **options) -> LlmAgent:
    return LlmAgent(name=name, model=ScriptedLlm(script=script), **options)


async def test_a_critic_in_a_loop_is_asked_in_each_pass_and_ends_it_with_a_tool():
    critic = LlmAgent(name="Critic", instruction="Judge: {draft}", model=YouLlm(), tools=[exit_loop])
    stage = Stage(LoopAgent(name="Loop", sub_agents=[machine("Writer", "one", "two", output_key="draft"), critic]))
    await stage.send("write")
    [(_, who, asked)] = await stage.waiting()
    assert who == "Critic"
    assert asked["instruction"].endswith("Judge: one")
    assert [tool["name"] for tool in asked["tools"]] == ["exit_loop"]
    assert asked["filled"][0][2] == "draft"
    assert said(await stage.send({"Critic": {"text": "Again."}})) == [("Critic", "Again."), ("Writer", "two")]
    events = await stage.send({"Critic": {"text": "Good.", "calls": [{"name": "exit_loop", "args": {}}]}})
    assert [event.actions.escalate for event in events if event.get_function_responses()][-1]
    assert await stage.waiting() == []
    assert [end["status"] for end in await stage.records("run_finished")] == ["paused", "paused", "completed"]


async def test_a_call_is_recorded_once_when_it_is_answered_and_counts_once():
    stage = Stage(SequentialAgent(name="Both", sub_agents=[agent("A"), machine("B", "done")]))
    await stage.send("go")
    assert await stage.records("model_started") == []
    events = await stage.send({"A": {"text": "mine"}})
    calls = [(each["agent"], each["call"], each["model"]) for each in await stage.records("model_started")]
    assert calls == [("A", 1, "you"), ("B", 2, "scripted")]
    assert [event.custom_metadata for event in events if event.text == "mine"] == [{"typed_by_person": True}]


async def test_no_other_model_is_sent_the_question_or_the_answer():
    other = machine("B", "done")
    stage = Stage(SequentialAgent(name="Both", sub_agents=[agent("A"), other]))
    await stage.send("go")
    await stage.send({"A": {"text": "mine"}})
    [request] = other.model.requests
    assert REQUEST_ANSWER not in str(request.contents)
    assert "mine" in str(request.contents)


async def test_parallel_branches_are_asked_at_once_and_answered_in_any_order():
    block = ParallelAgent(name="Block", sub_agents=[agent("A"), agent("B")])
    stage = Stage(SequentialAgent(name="All", sub_agents=[block, machine("Last", "joined")]))
    await stage.send("go")
    assert [who for _, who, _ in await stage.waiting()] == ["A", "B"]
    assert said(await stage.send({"B": {"text": "b"}})) == [("B", "b")]
    assert [who for _, who, _ in await stage.waiting()] == ["A"]
    assert said(await stage.send({"A": {"text": "a"}})) == [("A", "a"), ("Last", "joined")]


async def test_an_agent_that_is_called_as_a_tool_by_another_waits_with_its_callers():
    inner, beside = agent("Inner"), agent("Beside")
    middle = machine("Middle", [call("Inner", request="deep")], "middle is done", tools=[AgentTool(inner)])
    first = [call("Middle", request="x"), call("Beside", request="y")]
    stage = Stage(machine("Top", first, "all done", tools=[AgentTool(middle), AgentTool(beside)]))
    await stage.send("go")
    assert [who for _, who, _ in await stage.waiting()] == ["Inner", "Beside"]
    events = await stage.send({"Inner": {"text": "found"}})
    assert ("Middle", "middle is done") in said(events)
    assert ("Top", "all done") not in said(events)
    assert said(await stage.send({"Beside": {"text": "too"}})) == [("Beside", "too"), ("Top", "all done")]
    results = [response.response for event in await stage.events() for response in event.get_function_responses()]
    assert {"result": "middle is done"} in results


async def test_a_router_that_asks_the_user_keeps_its_answers_when_it_runs_again():
    async def route(agents, context):
        answers = [(await ask_model(context, question, YouLlm())).text for question in (QUESTION, QUESTION)]
        return answers[-1]

    stage = Stage(RoutedAgent(name="Router", agents=[machine("A", "a"), machine("B", "b")], router=route))
    await stage.send("go")
    await stage.send({"Router": {"text": "A"}})
    assert said(await stage.send({"Router": {"text": "B"}})) == [("B", "b")]
    assert [each["key"] for each in await stage.records("route_decided")] == ["B"]


QUESTION = LlmRequest(contents=[types.Content(role="user", parts=[types.Part(text="Which?")])])


async def test_a_routed_model_asks_the_user_too():
    model = RoutedLlm(models={"you": YouLlm()}, router=lambda models, request: "you")
    stage = Stage(LlmAgent(name="A", model=model))
    await stage.send("go")
    assert said(await stage.send({"A": {"text": "routed"}})) == [("A", "routed")]


async def test_a_passed_call_is_the_usual_models_and_a_refused_one_ends_with_its_error():
    stage = Stage(SequentialAgent(name="Both", sub_agents=[agent("A", "from the usual"), agent("B")]))
    await stage.send("go")
    events = await stage.send({"A": {"pass": True}})
    assert [(event.text, event.model_version, event.custom_metadata) for event in events if event.text] == [
        ("from the usual", "scripted", None)
    ]
    [refusal] = [event for event in await stage.send({"B": {"refuse": "no"}}) if event.error_code]
    assert (refusal.error_code, refusal.stop_reason) == ("SAFETY", "safety")


async def test_an_output_schema_is_in_the_question_beside_tools_too_and_its_answer_is_state():
    stage = Stage(agent("A", output_schema=Number, output_key="out", tools=[exit_loop]))
    await stage.send("go")
    [(_, _, asked)] = await stage.waiting()
    assert asked["schema"] == Number.model_json_schema()
    with pytest.raises(AnswerError, match="n has to be a whole number"):
        await stage.send({"A": {"text": '{"n": "two"}'}})
    events = await stage.send({"A": {"text": '{"n": 2}'}})
    assert [event.actions.state_delta for event in events if event.text] == [{"out": {"n": 2}}]


async def test_the_turn_goes_on_after_tools_and_asks_again():
    stage = Stage(agent("A", tools=[double]))
    await stage.send("go")
    events = await stage.send({"A": {"calls": [{"name": "double", "args": {"n": 4}}]}})
    assert [response.response for event in events for response in event.get_function_responses()][-1] == {"result": 8}
    assert said(await stage.send({"A": {"text": "eight"}})) == [("A", "eight")]


def double(n: int) -> int:
    """Twice a number."""
    return 2 * n


async def test_a_question_that_was_answered_is_not_answered_again():
    stage = Stage(SequentialAgent(name="Both", sub_agents=[agent("A"), agent("B")]))
    await stage.send("go")
    [(first, _, _)] = await stage.waiting()
    await stage.send({"A": {"text": "a"}})
    run = (await stage.events())[-1].invocation_id
    answer = types.FunctionResponse(id=first, name=REQUEST_ANSWER, response={"text": "b"})
    content = types.Content(role="user", parts=[types.Part(function_response=answer)])
    before = len(await stage.events())
    with pytest.raises(AnswerError, match="to the model of A was answered already"):
        await anext(stage.runner.run_async(user_id="u", session_id="s", new_message=content, invocation_id=run))
    assert len(await stage.events()) == before


async def test_outside_of_a_session_nobody_can_be_asked():
    with pytest.raises(ProviderError, match="you can be asked only in a session"):
        await anext(YouLlm().generate_content_async(QUESTION))
