"""Fan-out and gather, callbacks, tools with state, and the synchronous runner, as code for ADK writes them."""

# ruff: noqa: UP006, UP035, UP045  the spelling of the documentation
from __future__ import annotations

import copy
from typing import Any, Dict, Optional

import pytest
from google.genai import types

from agents import (
    Agent,
    BaseTool,
    CallbackContext,
    FunctionTool,
    InMemoryRunner,
    InMemorySessionService,
    LlmAgent,
    LlmRequest,
    LlmResponse,
    ParallelAgent,
    ReadonlyContext,
    Runner,
    SequentialAgent,
    ToolContext,
)
from agents.models.scripted import ScriptedLlm, call
from tests.agents.stage import instruction_in

pytestmark = pytest.mark.anyio


async def ask(agent: Agent | SequentialAgent, text: str = "go", state: dict[str, Any] | None = None):
    service = InMemorySessionService()
    session = await service.create_session(app_name="app", user_id="user1", session_id="s1", state=state)
    runner = Runner(agent=agent, app_name="app", session_service=service)
    message = types.Content(role="user", parts=[types.Part(text=text)])
    events = [e async for e in runner.run_async(user_id=session.user_id, session_id=session.id, new_message=message)]
    stored = await service.get_session(app_name="app", user_id="user1", session_id="s1")
    assert stored is not None
    return events, stored.state


# -- parallel fan-out and gather


async def test_research_in_parallel_and_merge():
    topics = {"energy": "Sun is cheap.", "travel": "Trains are fast.", "food": "Beans are fine."}
    researchers = [
        LlmAgent(
            name=f"{topic}_researcher",
            model=ScriptedLlm(script=[finding]),
            instruction=f"Research {topic} in one sentence.",
            output_key=f"{topic}_result",
        )
        for topic, finding in topics.items()
    ]
    merger_model = ScriptedLlm(script=["Report."])
    merger = LlmAgent(
        name="SynthesisAgent",
        model=merger_model,
        instruction="Only from this: {energy_result} {travel_result} {food_result}",
    )
    pipeline = SequentialAgent(name="Pipeline", sub_agents=[ParallelAgent(name="Research", sub_agents=researchers), merger])
    events, state = await ask(pipeline)
    assert events[-1].is_final_response()
    assert {event.branch for event in events} == {None, *(f"Research.{agent.name}" for agent in researchers)}
    assert instruction_in(merger_model.requests[0]) == "Only from this: " + " ".join(topics.values())
    assert state == {f"{topic}_result": finding for topic, finding in topics.items()}


# -- callbacks


def check_if_agent_should_run(callback_context: CallbackContext) -> Optional[types.Content]:
    if callback_context.state.to_dict().get("skip", False):
        return types.Content(
            parts=[types.Part(text=f"{callback_context.agent_name} skipped in {callback_context.invocation_id[:2]}")],
            role="model",
        )
    return None


def guard(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    """Changes the instruction, and blocks what holds a word."""
    original = llm_request.config.system_instruction or types.Content(role="system", parts=[])
    if not isinstance(original, types.Content):
        original = types.Content(role="system", parts=[types.Part(text=str(original))])
    if not original.parts:
        original.parts.append(types.Part(text=""))
    original.parts[0].text = "[checked] " + (original.parts[0].text or "")
    llm_request.config.system_instruction = original
    last = llm_request.contents[-1].parts[0].text if llm_request.contents else ""
    if "BLOCK" in last.upper():
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Blocked.")]))
    return None


def replace_word(callback_context: CallbackContext, llm_response: LlmResponse) -> Optional[LlmResponse]:
    if llm_response.content and llm_response.content.parts and llm_response.content.parts[0].text:
        parts = [copy.deepcopy(part) for part in llm_response.content.parts]
        parts[0].text = parts[0].text.replace("joke", "tale")
        return LlmResponse(
            content=types.Content(role="model", parts=parts), grounding_metadata=llm_response.grounding_metadata
        )
    return None


@pytest.mark.parametrize(("skip", "text"), [(False, "A tale."), (True, "A1 skipped in e-")])
async def test_callbacks_around_agent_and_model(skip, text):
    model = ScriptedLlm(script=["A joke."])
    agent = LlmAgent(
        name="A1",
        model=model,
        instruction="Be brief.",
        before_agent_callback=check_if_agent_should_run,
        before_model_callback=guard,
        after_model_callback=replace_word,
    )
    events, _ = await ask(agent, state={"skip": skip})
    assert [event.content.parts[0].text for event in events] == [text]
    if not skip:
        assert model.requests[0].system_instruction == '[checked] You are an agent. Your internal name is "A1".\n\nBe brief.'


async def test_a_guardrail_blocks_before_the_model_is_called():
    agent = LlmAgent(name="A1", model=ScriptedLlm(), before_model_callback=guard)
    events, _ = await ask(agent, "please block this")
    assert [event.content.parts[0].text for event in events] == ["Blocked."]


def get_capital_city(country: str) -> str:
    """Gives a country's capital.

    Args:
        country: Its name.
    """
    return {"canada": "Ottawa", "france": "Paris"}.get(country.lower(), f"Unknown: {country}")


def simple_before_tool_modifier(tool: BaseTool, args: Dict[str, Any], tool_context: ToolContext) -> Optional[Dict[str, Any]]:
    if tool.name == "get_capital_city" and args.get("country", "").lower() == "canada":
        args["country"] = "France"
        return None
    if args.get("country", "").upper() == "BLOCK":
        return {"result": "blocked"}
    return None


def simple_after_tool_modifier(
    tool: BaseTool, args: Dict[str, Any], tool_context: ToolContext, tool_response: Any
) -> Optional[Dict[str, Any]]:
    if tool_response == "Paris":
        return {"result": "Paris!", "by": tool_context.agent_name}
    return None


@pytest.mark.parametrize(
    ("country", "response"),
    [
        ("Canada", {"result": "Paris!", "by": "A"}),
        ("BLOCK", {"result": "blocked"}),
        ("Peru", {"result": "Unknown: Peru"}),
    ],
)
async def test_callbacks_around_tools(country, response):
    agent = LlmAgent(
        name="A",
        model=ScriptedLlm(script=[[call("get_capital_city", country=country)], "done"]),
        tools=[FunctionTool(func=get_capital_city)],
        before_tool_callback=simple_before_tool_modifier,
        after_tool_callback=simple_after_tool_modifier,
    )
    events, _ = await ask(agent)
    assert events[1].get_function_responses()[0].response == response


# -- tools and state


def update_user_preference(preference: str, value: str, tool_context: ToolContext):
    """Keeps a preference."""
    key = "user:preferences"
    preferences = tool_context.state.get(key, {})
    preferences[preference] = value
    tool_context.state[key] = preferences
    tool_context.state["temp:last"] = tool_context.function_call_id
    return {"status": "success", "updated_preference": preference}


async def test_a_tool_keeps_state_by_its_context():
    model = ScriptedLlm(script=[[call("update_user_preference", preference="theme", value="dark")], "kept"])
    events, state = await ask(Agent(name="P", model=model, tools=[update_user_preference]))
    assert state == {"user:preferences": {"theme": "dark"}}
    assert events[1].actions.state_delta == {"user:preferences": {"theme": "dark"}}
    declaration = model.requests[0].config.tools[0].function_declarations[0]
    assert list(declaration.parameters_json_schema["properties"]) == ["preference", "value"]


async def test_an_instruction_from_a_function_may_fill_itself():
    async def instruction(context: ReadonlyContext) -> str:
        return f"For {context.state.get('user:name', 'nobody')}: keep {{braces}}."

    model = ScriptedLlm(script=["x"])
    await ask(LlmAgent(name="A", model=model, instruction=instruction), state={"user:name": "Ada"})
    assert instruction_in(model.requests[0]) == "For Ada: keep {braces}."


# -- the contexts, made by hand as tests for ADK do


async def test_contexts_take_an_invocation_context_positionally():
    from agents import InvocationContext

    service = InMemorySessionService()
    session = await service.create_session(app_name="app", user_id="u", state={"k": 1})
    context = InvocationContext(invocation_id="i", agent=LlmAgent(name="A"), session=session, session_service=service)
    readonly, callback, tool = ReadonlyContext(context), CallbackContext(context), ToolContext(context)
    assert (readonly.agent_name, callback.invocation_id, tool.function_call_id) == ("A", "i", None)
    with pytest.raises(TypeError):
        readonly.state["k"] = 2  # type: ignore[index]
    callback.state["k"] = 2
    assert (session.state["k"], callback.actions.state_delta) == (2, {"k": 2})


def sync_answer() -> list[str]:
    import asyncio

    runner = InMemoryRunner(agent=LlmAgent(name="A", model=ScriptedLlm(script=["hello"])), app_name="sync")
    session = asyncio.run(runner.session_service.create_session(app_name="sync", user_id="u"))
    message = types.UserContent(parts=[types.Part(text="hi")])
    return [e.content.parts[0].text for e in runner.run(user_id="u", session_id=session.id, new_message=message)]


async def test_the_sync_runner_works_in_a_thread():
    import asyncio

    assert await asyncio.to_thread(sync_answer) == ["hello"]
