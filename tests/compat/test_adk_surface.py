"""What code written for ADK relies on besides running agents: properties, constructors, keyword names, small guarantees."""

from __future__ import annotations

import asyncio
import base64
import inspect
from collections.abc import AsyncGenerator, Mapping

import pytest
from google.genai import types
from pydantic import BaseModel

from agents import (
    AgentTool,
    BaseLlm,
    BaseTool,
    CallbackContext,
    Event,
    EventActions,
    FunctionTool,
    InMemoryArtifactService,
    InMemoryRunner,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LLMRegistry,
    LlmRequest,
    LlmResponse,
    LongRunningFunctionTool,
    ReadonlyContext,
    RoutedAgent,
    RoutedLlm,
    RunConfig,
    Runner,
    Session,
    SqliteSessionService,
    ToolContext,
)
from agents.models import registry
from agents.models.scripted import ScriptedLlm, call
from agents.scope import OUTSIDE
from tests.agents.stage import Actor, play, user

pytestmark = pytest.mark.anyio


async def context_of(agent: LlmAgent, state: dict | None = None) -> InvocationContext:
    service = InMemorySessionService()
    session = await service.create_session(app_name="app", user_id="u", session_id="s", state=state)
    return InvocationContext(invocation_id="e-1", agent=agent, session=session, session_service=service)


# -- agents


def test_a_tree_is_walked_and_changed_by_adks_names():
    leaf = LlmAgent(name="leaf")
    middle = LlmAgent(name="middle", sub_agents=[leaf])
    root = LlmAgent(name="root")
    assert root.model == ""
    root.sub_agents = [middle]
    root.model = "gemini-2.5-flash"
    assert (leaf.root_agent, leaf.parent_agent, middle.parent_agent) == (root, middle, root)
    assert (root.find_agent("root"), root.find_agent("leaf"), root.find_sub_agent("root")) == (root, leaf, None)
    assert leaf.canonical_model.model == "gemini-2.5-flash"
    leaf.model = model = ScriptedLlm(script=[])
    assert leaf.canonical_model is model


async def test_instructions_are_resolved_with_whether_they_bypass_state_injection():
    async def later(context: ReadonlyContext) -> str:
        return f"For {context.agent_name}: {{k}}"

    agent = LlmAgent(name="a", instruction="Do {k}.", global_instruction=lambda context: "All {k}.")
    view = ReadonlyContext(await context_of(agent))
    assert await agent.canonical_instruction(view) == ("Do {k}.", False)
    assert await agent.canonical_global_instruction(view) == ("All {k}.", True)
    agent.instruction = later
    assert await agent.canonical_instruction(view) == ("For a: {k}", True)


@pytest.mark.parametrize(
    "carried",
    [
        {"tools": [types.Tool(google_search=types.GoogleSearch())]},
        {"system_instruction": "Be brief."},
        {"response_schema": {"type": "OBJECT"}},
    ],
)
def test_a_config_carries_generation_settings_only(carried):
    with pytest.raises(ValueError, match=next(iter(carried))):
        LlmAgent(name="a", generate_content_config=types.GenerateContentConfig(**carried))


async def test_callbacks_have_adks_keyword_names_and_lists_may_mix_sync_and_async():
    seen: list[str] = []

    def note(name: str, *keywords: str, later: bool = False):
        async def called_later(**given):
            seen.append(name)
            assert set(given) == set(keywords)

        def called(**given):
            seen.append(name)
            assert set(given) == set(keywords)

        return called_later if later else called

    def look() -> str:
        """Looks."""
        return "a cat"

    agent = LlmAgent(
        name="a",
        model=ScriptedLlm(script=[[call("look")], "done"]),
        tools=[look],
        before_agent_callback=[note("before agent", "callback_context"), note("later", "callback_context", later=True)],
        after_agent_callback=note("after agent", "callback_context"),
        before_model_callback=[note("before model", "callback_context", "llm_request")],
        after_model_callback=note("after model", "callback_context", "llm_response", later=True),
        before_tool_callback=note("before tool", "tool", "args", "tool_context"),
        after_tool_callback=[note("after tool", "tool", "args", "tool_context", "tool_response", later=True)],
    )
    played = await play(agent)
    assert played.error is None
    model = ["before model", "after model"]
    assert seen == ["before agent", "later", *model, "before tool", "after tool", *model, "after agent"]


async def test_error_callbacks_have_adks_keyword_names():
    def broken() -> str:
        """Breaks."""
        raise ValueError("no")

    def on_tool_error(tool, args, tool_context, error):
        return {"mended": type(error).__name__}

    def on_model_error(callback_context, llm_request, error):
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=f"no model: {error}")]))

    model = ScriptedLlm(script=[[call("broken")], ConnectionError("gone")])
    callbacks = {"on_tool_error_callback": on_tool_error, "on_model_error_callback": on_model_error}
    played = await play(LlmAgent(name="a", model=model, tools=[broken], **callbacks))
    assert played.events[1].get_function_responses()[0].response == {"mended": "ValueError"}
    assert played.events[-1].text == "no model: gone"


# -- contexts


async def test_contexts_take_the_invocation_positionally_and_have_adks_names():
    context = await context_of(LlmAgent(name="a"), {"k": 1})
    context.artifact_service = InMemoryArtifactService()
    readonly, callback, tool = ReadonlyContext(context), CallbackContext(context), ToolContext(context, function_call_id="c")
    assert isinstance(readonly.state, Mapping)
    with pytest.raises(TypeError):
        readonly.state["k"] = 2
    callback.state["k"] = 2
    assert (callback.agent_name, readonly.invocation_id, dict(readonly.state)) == ("a", "e-1", {"k": 2})
    assert (tool.function_call_id, tool.agent_name, tool.state["k"], tool.actions) == ("c", "a", 2, EventActions())
    assert await tool.save_artifact("notes.txt", types.Part(text="hi")) == 0
    assert (await tool.load_artifact("notes.txt")).text == "hi"
    assert tool.actions.artifact_delta == {"notes.txt": 0}


# -- models


class Echo(BaseLlm):
    """A model as ADK's documentation writes one."""

    @classmethod
    def supported_models(cls) -> list[str]:
        return [r"surface-echo-.*"]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        text = llm_request.contents[-1].parts[0].text
        if stream:
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text[:1])]), partial=True)
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


class LaterEcho(Echo):
    @classmethod
    def supported_models(cls) -> list[str]:
        return [r"surface-echo-2.*"]


@pytest.fixture
def registry_as_it_was():
    registered = OUTSIDE.part(registry._Registered)
    before = dict(registered)
    yield
    registered.clear()
    registered.update(before)


@pytest.mark.usefixtures("registry_as_it_was")
async def test_a_registered_model_is_found_by_name_and_the_latest_registration_wins():
    LLMRegistry.register(Echo)
    LLMRegistry.register(LaterEcho)
    assert (type(LLMRegistry.new_llm("surface-echo-1")), LLMRegistry.resolve("surface-echo-2b")) == (Echo, LaterEcho)
    assert (await play(LlmAgent(name="a", model="surface-echo-2b"), "hello")).texts == [("a", "hello")]


def test_a_provider_is_made_without_credentials(monkeypatch):
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert LLMRegistry.new_llm("gemini-2.5-flash").model == "gemini-2.5-flash"


async def test_a_request_says_who_asks_and_holds_its_tools():
    def look() -> str:
        """Looks."""
        return "a cat"

    model = ScriptedLlm(script=["x"])
    await play(LlmAgent(name="a", model=model, tools=[look]))
    (request,) = model.requests
    assert request.config.labels == {"adk_agent_name": "a"}
    assert isinstance(request.tools_dict["look"], FunctionTool)
    request.append_instructions(["Be brief."])
    request.append_tools([LongRunningFunctionTool(Echo.supported_models)])
    assert request.config.system_instruction.endswith("\n\nBe brief.")
    assert [one.name for one in request.config.tools[0].function_declarations] == ["look", "supported_models"]


def test_an_error_may_be_all_that_a_response_says():
    assert LlmResponse(error_code="X", error_message="no").content is None


async def test_ids_that_were_made_up_are_in_events_and_not_in_what_a_model_sees():
    model = ScriptedLlm(script=[[call("exit_now")], "x"])

    def exit_now() -> str:
        """Exits."""
        return "ok"

    played = await play(LlmAgent(name="a", model=model, tools=[exit_now]))
    asked, answered = played.events[0].get_function_calls()[0], played.events[1].get_function_responses()[0]
    assert asked.id.startswith("adk-")
    assert answered.id == asked.id
    parts = [part for content in model.requests[1].contents for part in content.parts]
    assert [(part.function_call or part.function_response).id for part in parts if not part.text] == [None, None]


# -- tools


class Adder:
    """A callable object."""

    def __init__(self) -> None:
        self.__name__ = "add"

    def __call__(self, a: int, b: int = 1) -> int:
        """Adds."""
        return a + b


class Measure(BaseTool):
    """A tool as ADK's documentation writes one."""

    def __init__(self) -> None:
        super().__init__(name="measure", description="Measures.")

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description=self.description)

    async def run_async(self, *, args: dict, tool_context: ToolContext) -> dict:
        return {"by": tool_context.agent_name}

    async def process_llm_request(self, *, tool_context: ToolContext, llm_request: LlmRequest) -> None:
        await super().process_llm_request(tool_context=tool_context, llm_request=llm_request)
        llm_request.append_instructions(["Measure first."])


async def test_callable_objects_and_tools_of_ones_own_are_called():
    model = ScriptedLlm(script=[[call("add", a=1), call("measure")], "x"])
    played = await play(LlmAgent(name="a", model=model, tools=[Adder(), Measure()]))
    assert [one.response for one in played.events[1].get_function_responses()] == [{"result": 2}, {"by": "a"}]
    assert "Measure first." in model.requests[0].system_instruction


async def test_the_response_of_a_transfer_is_a_result_of_none():
    child = LlmAgent(name="child", model=ScriptedLlm(script=["here"]))
    model = ScriptedLlm(script=[[call("transfer_to_agent", agent_name="child")]])
    played = await play(LlmAgent(name="root", model=model, sub_agents=[child]))
    assert [one.response for one in played.events[1].get_function_responses()] == [{"result": None}]


def test_an_agent_tool_takes_the_agent_first():
    assert AgentTool(LlmAgent(name="a", description="Adds.")).description == "Adds."
    assert "agent" in inspect.signature(AgentTool).parameters


# -- sessions


async def test_sqlite_takes_a_path_and_keeps_bytes_and_grounding(tmp_path):
    service = SqliteSessionService(str(tmp_path / "sessions.db"))
    session = await service.create_session(app_name="app", user_id="u", session_id="s")
    image = types.Part(inline_data=types.Blob(data=b"\xff\x00", mime_type="image/png"))
    signed = types.Part(text="x", thought_signature=b"\x01\xfe")
    grounding = types.GroundingMetadata(web_search_queries=["cats"])
    content = types.Content(role="model", parts=[image, signed])
    await service.append_event(session, Event(author="a", content=content, grounding_metadata=grounding))
    read = await service.get_session(app_name="app", user_id="u", session_id="s")
    assert (read.events[0].content, read.events[0].grounding_metadata) == (content, grounding)
    assert read == session
    assert base64.b64encode(read.events[0].content.parts[0].inline_data.data) == b"/wA="
    assert [one.id for one in (await service.list_sessions(app_name="app", user_id="u")).sessions] == ["s"]
    await service.delete_session(app_name="app", user_id="u", session_id="s")
    assert await service.get_session(app_name="app", user_id="u", session_id="s") is None
    await service.close()


def test_sessions_compare_by_value():
    one, other = (Session(id="s", app_name="app", user_id="u", state={"k": 1}) for _ in range(2))
    assert one == other
    other.state["k"] = 2
    assert one != other


# -- runners


async def test_runners_take_adks_arguments():
    runner = InMemoryRunner(LlmAgent(name="a", model=ScriptedLlm(script=["x"])))
    assert runner.app_name == "InMemoryRunner"
    assert isinstance(runner.session_service, InMemorySessionService)
    parameters = inspect.signature(Runner).parameters
    assert [(name, parameters[name].default) for name in ("artifact_service", "memory_service")] == [
        ("artifact_service", None),
        ("memory_service", None),
    ]


def test_a_run_without_an_event_loop_is_a_generator():
    runner = InMemoryRunner(agent=LlmAgent(name="a", model=ScriptedLlm(script=["x"])), app_name="app")
    asyncio.run(runner.session_service.create_session(app_name="app", user_id="u", session_id="s"))
    events = runner.run(user_id="u", session_id="s", new_message=user("go"), run_config=RunConfig())
    assert inspect.isgenerator(events)
    assert [event.text for event in events] == ["x"]


async def test_a_function_response_resumes_the_agent_that_called():
    def ask() -> None:
        """Asks a person."""

    child = LlmAgent(name="child", model=ScriptedLlm(script=[[call("ask")], "thanks"]), tools=[LongRunningFunctionTool(ask)])
    root = LlmAgent(name="root", model=ScriptedLlm(script=[[call("transfer_to_agent", agent_name="child")]]))
    root.sub_agents = [child]
    runner = InMemoryRunner(root, app_name="app")
    await runner.session_service.create_session(app_name="app", user_id="u", session_id="s")
    names = {"user_id": "u", "session_id": "s"}
    asked = [event async for event in runner.run_async(**names, new_message=user("go"))][-1].get_function_calls()[0]
    response = types.FunctionResponse(id=asked.id, name="ask", response={"result": "yes"})
    answer = types.Content(role="user", parts=[types.Part(function_response=response)])
    events = [event async for event in runner.run_async(**names, new_message=answer)]
    assert [(event.author, event.text) for event in events] == [("child", "thanks")]


# -- routing


@pytest.mark.parametrize("answer", [None, ""])
async def test_no_first_answer_is_an_error(answer):
    played = await play(RoutedAgent(name="r", agents=[Actor(name="a")], router=lambda: answer))
    assert "Initial routing failed, no item selected." in str(played.error)


async def test_failed_keys_start_empty_on_each_run():
    failed: list[frozenset[str]] = []

    def router(agents, context, error_context=None):
        failed.append(error_context.failed_keys if error_context else frozenset())
        return "b" if error_context else "a"

    agents = [Actor(name="a", lines=[ValueError("no")]), Actor(name="b", lines=["b"])]
    routed, service = RoutedAgent(name="r", agents=agents, router=router), InMemorySessionService()
    for _ in range(2):
        assert (await play(routed, service=service)).texts == [("b", "b")]
    assert failed == [frozenset(), frozenset("a")] * 2


async def test_an_event_without_content_and_an_answer_of_a_callback_are_outputs():
    silent = Actor(name="a", lines=[Event(author="a", actions=EventActions(state_delta={"k": 1})), ValueError("late")])
    answered = Actor(
        name="a",
        lines=[ValueError("never")],
        before_agent_callback=lambda callback_context: types.Content(role="model", parts=[types.Part(text="instead")]),
    )
    asked: list[object] = []

    def router(agents, context, error_context=None):
        asked.append(error_context)
        return "a"

    late = await play(RoutedAgent(name="r", agents=[silent], router=router))
    assert str(late.error) == "late"
    assert (await play(RoutedAgent(name="r", agents=[answered], router=router))).texts == [("a", "instead")]
    assert asked == [None, None]


def test_one_agent_under_two_keys_is_refused_and_one_model_is_fine():
    agent, model = Actor(name="a"), ScriptedLlm(script=[])
    with pytest.raises(ValueError, match="under two keys"):
        RoutedAgent(name="r", agents={"x": agent, "y": agent}, router=lambda: "x")
    assert len(RoutedLlm(models={"x": model, "y": model}, router=lambda: "x").routes) == 2


class Request(BaseModel):
    """What an agent expects as a tool."""

    city: str


def test_an_input_schema_gives_the_parameters_of_the_tool():
    declaration = AgentTool(LlmAgent(name="a", input_schema=Request))._get_declaration()
    assert list(declaration.parameters_json_schema["properties"]) == ["city"]
