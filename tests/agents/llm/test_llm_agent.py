"""The turn: think, act, observe. Output, callbacks, limits, streaming, and the model that answers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest
from google.genai import types
from pydantic import BaseModel, ValidationError

from agents import (
    BaseLlm,
    CallbackContext,
    Event,
    InMemoryRunner,
    LlmAgent,
    LLMRegistry,
    LlmRequest,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    RunConfig,
    SequentialAgent,
    StreamingMode,
)
from agents.errors import EmptyResponseError, LlmCallsLimitExceededError, ModelNotFoundError, ModelTimeoutError
from agents.models import registry
from agents.models.identity import OTHERS_WORDS, quoted
from agents.models.scripted import ScriptedLlm, call
from agents.scope import OUTSIDE
from tests.agents.stage import APP, USER, Actor, instruction_in, other_tasks, play, user

pytestmark = pytest.mark.anyio


def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def reply(text: str, **more: Any) -> LlmResponse:
    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]), **more)


def said(content: types.Content) -> Any:
    """A content as its role and, for each part, text, (name, args) or (name, response)."""
    return content.role, [
        (part.function_call.name, part.function_call.args)
        if part.function_call
        else (part.function_response.name, part.function_response.response)
        if part.function_response
        else part.text
        for part in content.parts or []
    ]


# -- think, act, observe


async def test_one_answer_is_one_event():
    with ScriptedLlm(script=["hello"]) as model:
        played = await play(LlmAgent(name="a", model=model))
    [event] = played.events
    assert (event.author, event.text, event.stop_reason, event.is_final_response()) == ("a", "hello", "end_turn", True)
    assert event.seq is not None


async def test_calls_are_run_and_their_responses_sent_until_the_model_is_done():
    with ScriptedLlm(script=[[call("add", a=1, b=2)], ["more", call("add", a=3, b=4)], "10"]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]), "sum")
    assert [said(content) for content in model.requests[2].contents] == [
        ("user", ["sum"]),
        ("model", [("add", {"a": 1, "b": 2})]),
        ("user", [("add", {"result": 3})]),
        ("model", ["more", ("add", {"a": 3, "b": 4})]),
        ("user", [("add", {"result": 7})]),
    ]
    assert [(event.stop_reason, event.is_final_response()) for event in played.events] == [
        ("tool_use", False),
        (None, False),
        ("tool_use", False),
        (None, False),
        ("end_turn", True),
    ]


async def test_made_up_call_ids_are_in_events_and_not_in_requests():
    with ScriptedLlm(script=[[call("add", a=1, b=2)], "3"]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]))
    [made] = played.events[0].get_function_calls()
    [answer] = played.events[1].get_function_responses()
    assert made.id is not None
    assert made.id.startswith("adk-")
    assert answer.id == made.id
    sent = [part for content in model.requests[1].contents for part in content.parts]
    assert [part.function_call.id for part in sent if part.function_call] == [None]
    assert [part.function_response.id for part in sent if part.function_response] == [None]


class PairsById(ScriptedLlm):
    @property
    def pairs_calls_by_id(self) -> bool:
        return True


async def test_a_provider_that_pairs_by_id_is_sent_made_up_ids():
    model = PairsById(script=[[call("add", a=1, b=2)], "3"])
    played = await play(LlmAgent(name="a", model=model, tools=[add]))
    [made] = played.events[0].get_function_calls()
    sent = [part for content in model.requests[1].contents for part in content.parts]
    assert [part.function_call.id for part in sent if part.function_call] == [made.id]


class Parrot(BaseLlm):
    """Gives the very same response object again and again, then a text."""

    model: str = "parrot"
    times: int
    response: LlmResponse
    count: int = 0

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False):
        self.count += 1
        yield self.response if self.count <= self.times else reply("done")


async def test_one_response_object_given_twice_is_two_calls():
    response = LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=call("add", a=1, b=2))]))
    played = await play(LlmAgent(name="a", model=Parrot(times=2, response=response), tools=[add]))
    ids = [made.id for event in played.events for made in event.get_function_calls()]
    assert len(set(ids)) == 2
    assert response.get_function_calls()[0].id is None


@pytest.mark.parametrize("reason", ["max_tokens", "safety"])
async def test_calls_of_a_cut_answer_are_not_run(reason):
    part = types.Part(function_call=call("add", a=1, b=2))
    answer = LlmResponse(content=types.Content(role="model", parts=[part]), stop_reason=reason)
    with ScriptedLlm(script=[answer]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]))
    assert [(event.stop_reason, len(event.get_function_responses())) for event in played.events] == [(reason, 0)]
    assert played.records("tool_started") == []


async def test_a_call_that_a_callback_adds_is_run():
    def into_call(callback_context, llm_response):
        if llm_response.text == "please add":
            llm_response.content.parts = [types.Part(function_call=call("add", a=1, b=2))]

    with ScriptedLlm(script=["please add", "3"]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add], after_model_callback=into_call))
    assert [len(event.get_function_responses()) for event in played.events] == [0, 1, 0]


async def test_an_error_response_is_an_output_and_ends_the_turn():
    with ScriptedLlm(script=[LlmResponse(error_code="SAFETY", error_message="refused")]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]))
    [event] = played.events
    assert (event.error_code, event.error_message, event.stop_reason) == ("SAFETY", "refused", "error")
    assert played.error is None


async def test_the_request_carries_settings_tools_and_the_agents_name():
    settings = types.GenerateContentConfig(temperature=0.5, labels={"team": "x"})
    with ScriptedLlm(script=["x"], model="m-1") as model:
        await play(LlmAgent(name="a", model=model, instruction="Do.", tools=[add], generate_content_config=settings))
    [request] = model.requests
    assert (request.model, request.config.temperature, instruction_in(request)) == ("m-1", 0.5, "Do.")
    assert request.config.labels == {"team": "x", "adk_agent_name": "a"}
    assert [d.name for tool in request.config.tools for d in tool.function_declarations] == ["add"]
    assert list(request.tools_dict) == ["add"]
    assert settings.model_dump(exclude_none=True) == {"temperature": 0.5, "labels": {"team": "x"}}


async def test_include_contents_none_sends_only_this_turn():
    with ScriptedLlm(script=["1", [call("add", a=1, b=1)], "2"]) as model:
        agent = LlmAgent(name="a", model=model, tools=[add], include_contents="none")
        runner = InMemoryRunner(agent, app_name=APP)
        session = await runner.session_service.create_session(app_name=APP, user_id=USER)
        for text in ("first", "second"):
            async for _ in runner.run_async(user_id=USER, session_id=session.id, new_message=user(text)):
                pass
    assert [[said(content) for content in request.contents] for request in model.requests] == [
        [("user", ["first"])],
        [("user", ["second"])],
        [("user", ["second"]), ("model", [("add", {"a": 1, "b": 1})]), ("user", [("add", {"result": 2})])],
    ]


# -- output_key


async def test_the_final_text_without_thoughts_is_stored_under_output_key():
    thinking = [types.Part(text="hm", thought=True), types.Part(text="the "), types.Part(text="answer")]
    with ScriptedLlm(script=[["let me add", call("add", a=1, b=2)], types.Content(role="model", parts=thinking)]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add], output_key="out"))
    assert [event.actions.state_delta for event in played.events] == [
        {"out": "let me add"},
        {},
        {"out": "let me addthe answer"},
    ]
    assert played.state == {"out": "let me addthe answer"}


async def test_an_empty_final_answer_keeps_what_was_there():
    with ScriptedLlm(script=[[call("add", a=1, b=2)], []]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add], output_key="out"), state={"out": "before"})
    assert played.error is None
    assert played.state == {"out": "before"}


async def test_output_key_feeds_the_next_agents_instruction():
    first, second = ScriptedLlm(script=["a poem"]), ScriptedLlm(script=["x"])
    tree = SequentialAgent(
        name="s",
        sub_agents=[
            LlmAgent(name="a", model=first, output_key="draft"),
            LlmAgent(name="b", model=second, instruction="Review: {draft}"),
        ],
    )
    await play(tree)
    assert instruction_in(second.requests[0]) == "Review: a poem"


async def test_a_before_agent_answer_is_the_output_too():
    agent = LlmAgent(
        name="a",
        model=ScriptedLlm(),
        output_key="out",
        before_agent_callback=lambda callback_context: types.Content(role="model", parts=[types.Part(text="mine")]),
    )
    [event] = (await play(agent)).events
    assert (event.text, event.actions.state_delta) == ("mine", {"out": "mine"})


# -- callbacks


async def test_a_before_model_answer_stands_for_the_models():
    def answer(callback_context: CallbackContext, llm_request: LlmRequest):
        callback_context.state["asked"] = len(llm_request.contents)
        return reply("from the callback")

    with ScriptedLlm() as model:
        played = await play(LlmAgent(name="a", model=model, before_model_callback=answer, output_key="out"))
    [event] = played.events
    assert event.actions.state_delta == {"asked": 1, "out": "from the callback"}
    assert played.records("model_started") == []


async def test_a_callback_can_answer_for_an_agent_without_any_model():
    agent = LlmAgent(name="a", before_model_callback=lambda callback_context, llm_request: reply("mine"))
    assert (await play(agent)).texts == [("a", "mine")]


async def test_a_before_model_callback_may_change_the_request():
    def change(callback_context, llm_request):
        llm_request.config.system_instruction = types.Content(role="system", parts=[types.Part(text="Changed.")])
        llm_request.contents.append(user("added"))

    with ScriptedLlm(script=["x"]) as model:
        played = await play(LlmAgent(name="a", model=model, instruction="Do.", before_model_callback=change))
    [request] = model.requests
    assert request.system_instruction == "Changed."
    assert [said(content) for content in request.contents] == [("user", ["go"]), ("user", ["added"])]
    assert [event.text for event in played.session.events] == ["go", "x"]


async def test_model_callbacks_run_in_order_until_one_answers():
    calls: list[str] = []

    def note(name: str, *, answer: LlmResponse | None = None):
        def sync_callback(callback_context, llm_response):
            calls.append(name)
            return answer

        async def async_callback(callback_context, llm_response):
            await asyncio.sleep(0)
            return sync_callback(callback_context, llm_response)

        return async_callback if name.startswith("async") else sync_callback

    callbacks = [note("sync 1"), note("async 2", answer=reply("changed")), note("sync 3")]
    with ScriptedLlm(script=["original"]) as model:
        played = await play(LlmAgent(name="a", model=model, after_model_callback=callbacks, output_key="out"))
    assert (calls, played.state) == (["sync 1", "async 2"], {"out": "changed"})


async def test_state_set_in_model_callbacks_is_in_the_answers_event():
    def before(callback_context, llm_request):
        callback_context.state["before"] = callback_context.state.get("before", 0) + 1

    def after(callback_context, llm_response):
        callback_context.state["after"] = llm_response.text

    with ScriptedLlm(script=[[call("add", a=1, b=2)], "3"]) as model:
        agent = LlmAgent(
            name="a", model=model, tools=[add], before_model_callback=before, after_model_callback=after, output_key="out"
        )
        played = await play(agent)
    assert [event.actions.state_delta for event in played.events] == [
        {"before": 1, "after": ""},
        {},
        {"before": 2, "after": "3", "out": "3"},
    ]


async def test_on_model_error_may_answer_in_its_place():
    def rescue(callback_context, llm_request, error):
        callback_context.state["failed"] = f"{llm_request.model}: {error}"
        return reply("sorry")

    with ScriptedLlm(script=[ConnectionError("down")], model="m") as model:
        played = await play(LlmAgent(name="a", model=model, on_model_error_callback=[lambda **_: None, rescue]))
    assert [(event.text, event.actions.state_delta) for event in played.events] == [("sorry", {"failed": "m: down"})]
    assert [record.get("error") for record in played.records("model_finished")] == ["ConnectionError: down"]


async def test_an_error_that_no_callback_answers_is_raised():
    with ScriptedLlm(script=[ConnectionError("down")]) as model:
        played = await play(LlmAgent(name="a", model=model, on_model_error_callback=lambda **_: None))
    assert isinstance(played.error, ConnectionError)


# -- limits and faults


async def test_the_call_after_the_last_allowed_one_is_refused():
    with ScriptedLlm(script=[[call("add", a=1, b=1)]] * 3) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]), config=RunConfig(max_llm_calls=3))
    assert isinstance(played.error, LlmCallsLimitExceededError)
    assert "3 model calls" in str(played.error)
    assert (played.events[-1].error_code, len(played.events)) == ("LLM_CALLS_LIMIT_EXCEEDED", 7)


async def test_the_calls_of_all_agents_of_a_run_count():
    agents = [LlmAgent(name=f"a{n}", model=ScriptedLlm(script=["x"] * 5)) for n in range(2)]
    played = await play(LoopAgent(name="l", sub_agents=agents), config=RunConfig(max_llm_calls=3))
    assert len(played.texts) == 3
    assert isinstance(played.error, LlmCallsLimitExceededError)


@pytest.mark.parametrize("limit", [0, -1])
async def test_zero_or_less_is_no_limit(limit):
    with ScriptedLlm(script=[[call("add", a=1, b=1)]] * 20 + ["done"]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]), config=RunConfig(max_llm_calls=limit))
    assert played.error is None


@pytest.mark.parametrize("limit", [sys.maxsize, sys.maxsize + 1, 2**80])
def test_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(ValueError, match=f"max_llm_calls should be less than {sys.maxsize}; use 0 for no limit"):
        RunConfig(max_llm_calls=limit)


@pytest.mark.parametrize("limit", ["many", 1.5, None])
def test_a_limit_is_an_integer(limit):
    with pytest.raises(ValueError, match="max_llm_calls"):
        RunConfig(max_llm_calls=limit)


@pytest.mark.parametrize(("limit", "warned"), [(0, 1), (-1, 1), (1, 0), (sys.maxsize - 1, 0)])
def test_no_limit_is_warned_of(limit, warned, caplog):
    RunConfig(max_llm_calls=limit)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * warned
    assert all("model calls are unlimited" in record.message for record in caplog.records)


class Hanging(BaseLlm):
    """Gives its responses, then never ends."""

    model: str = "hanging"
    responses: list[LlmResponse] = []  # noqa: RUF012  pydantic copies it
    closed: bool = False

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False):
        try:
            for response in self.responses:
                yield response
            await asyncio.Event().wait()
        finally:
            self.closed = True


@pytest.mark.parametrize("pieces", [0, 2])
async def test_a_silent_model_times_out_with_a_cure(pieces):
    model = Hanging(responses=[reply("x", partial=True)] * pieces)
    played = await play(LlmAgent(name="a", model=model), config=RunConfig(model_timeout=0.01))
    assert isinstance(played.error, ModelTimeoutError)
    assert "'hanging' was silent for 0.01 s" in str(played.error)
    assert model.closed
    assert [record["error"].partition(":")[0] for record in played.records("model_finished")] == ["ModelTimeoutError"]


async def test_a_timeout_inside_the_model_is_not_taken_for_ours():
    with ScriptedLlm(script=[TimeoutError("socket")]) as model:
        played = await play(LlmAgent(name="a", model=model))
    assert type(played.error) is TimeoutError


class Gives(BaseLlm):
    """Gives these responses, whatever the contract says."""

    model: str = "odd"
    responses: list[LlmResponse]

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False):
        for response in self.responses:
            yield response


@pytest.mark.parametrize(
    ("responses", "how"),
    [
        ([], "without saying anything"),
        ([LlmResponse()], "without saying anything"),
        ([LlmResponse(content=types.Content(role="model", parts=[]))], "without saying anything"),
        ([reply("")], "without saying anything"),
        ([reply("he", partial=True), reply("llo", partial=True)], "after some pieces, without the whole"),
    ],
)
async def test_a_model_that_says_nothing_is_an_error_that_a_person_can_read(responses, how):
    played = await play(LlmAgent(name="a", model=Gives(responses=responses)))
    assert isinstance(played.error, EmptyResponseError)
    assert str(played.error).startswith(f"The model 'odd' ended its answer to agent 'a' {how}. Run again")
    assert [record["error"] is not None for record in played.records("model_finished")] == [True]


async def test_nothing_left_to_say_after_a_tool_is_no_error():
    with ScriptedLlm(script=[[call("add", a=1, b=2)], LlmResponse()]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add]))
    assert played.error is None


async def test_keys_stay_out_of_the_log(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "sk-very-secret")

    def leak() -> None:
        """Leaks."""
        raise RuntimeError("key sk-very-secret")

    with ScriptedLlm(script=[[call("leak")], ValueError("bad key sk-very-secret")]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[leak]))
    with ScriptedLlm(script=[LlmResponse(error_code="X", error_message="sk-very-secret")]) as model:
        refused = await play(LlmAgent(name="a", model=model))
    for run in (played, refused):
        assert "very-secret" not in repr(run.log)
        assert "[key]" in repr(run.log)


# -- streaming


async def test_pieces_share_the_answers_id_carry_nothing_and_are_not_stored():
    def after(callback_context, llm_response):
        callback_context.state["seen"] = callback_context.state.get("seen", 0) + 1

    with ScriptedLlm(script=[["two words", call("add", a=1, b=2)], "the end"]) as model:
        agent = LlmAgent(name="a", model=model, tools=[add], after_model_callback=after, output_key="out")
        played = await play(agent, config=RunConfig(streaming_mode=StreamingMode.SSE))
    assert [(e.partial, e.text, len(e.get_function_calls()), e.actions.state_delta) for e in played.events] == [
        (True, "two", 0, {}),
        (True, " words", 0, {}),
        (None, "two words", 1, {"seen": 3, "out": "two words"}),
        (None, "", 0, {}),
        (True, "the", 0, {}),
        (True, " end", 0, {}),
        (None, "the end", 0, {"seen": 6, "out": "two wordsthe end"}),
    ]
    first, _, whole, _, third, _, last = [event.id for event in played.events]
    assert (first == whole, third == last, whole != last) == (True, True, True)
    assert [event.text for event in played.session.events] == ["go", "two words", "", "the end"]
    assert [event.seq is None for event in played.events] == [True, True, False, False, True, True, False]
    assert [record["stream"] for record in played.records("model_started")] == [True, True]


async def test_a_call_in_a_piece_is_not_run():
    part = types.Part(function_call=call("add", a=1, b=2))
    piece = LlmResponse(content=types.Content(role="model", parts=[part]), partial=True)
    played = await play(
        LlmAgent(name="a", model=Gives(responses=[piece, reply("no call after all")]), tools=[add]),
        config=RunConfig(streaming_mode=StreamingMode.SSE),
    )
    assert played.records("tool_started") == []
    assert [event.partial for event in played.events] == [True, None]


async def test_a_model_that_gives_two_whole_answers_makes_two_events():
    def after(callback_context, llm_response):
        callback_context.state[llm_response.text] = True

    played = await play(LlmAgent(name="a", model=Gives(responses=[reply("one"), reply("two")]), after_model_callback=after))
    assert len({event.id for event in played.events}) == 2
    assert [event.actions.state_delta for event in played.events] == [{"one": True}, {"two": True}]


async def test_without_streaming_there_are_no_pieces():
    with ScriptedLlm(script=["two words"]) as model:
        assert [e.partial for e in (await play(LlmAgent(name="a", model=model))).events] == [None]


# -- which model


async def test_the_nearest_ancestors_model_answers():
    upper, lower = ScriptedLlm(), ScriptedLlm(script=["x"])
    agent = LlmAgent(name="a")
    nearer = LlmAgent(name="nearer", model=lower, sub_agents=[SequentialAgent(name="s", sub_agents=[agent])])
    LlmAgent(name="root", model=upper, sub_agents=[nearer])
    assert agent.canonical_model is lower
    await play(agent, config=RunConfig(model=ScriptedLlm()))
    assert len(lower.requests) == 1


async def test_the_runs_model_answers_for_agents_that_name_none():
    model = ScriptedLlm(script=["x"], model="chosen")
    own = ScriptedLlm(script=["y"])
    tree = SequentialAgent(name="s", sub_agents=[LlmAgent(name="a"), LlmAgent(name="b", model=own)])
    played = await play(tree, config=RunConfig(model=model))
    assert played.texts == [("a", "x"), ("b", "y")]
    assert [record["model"] for record in played.records("run_started")] == ["chosen"]


async def test_a_model_chosen_for_an_agent_goes_before_all_others():
    own, chosen, run_model = ScriptedLlm(), ScriptedLlm(script=["x"], model="chosen"), ScriptedLlm(script=["y", "z"])
    child = LlmAgent(name="child")
    tree = SequentialAgent(name="s", sub_agents=[LlmAgent(name="a", model=own, sub_agents=[child]), LlmAgent(name="b")])
    played = await play(tree, config=RunConfig(model=run_model, agent_models={"a": chosen, "nobody": own}))
    assert played.texts == [("a", "x"), ("b", "y")]
    [started] = played.records("run_started")
    assert started["agent_models"] == {"a": "chosen", "nobody": "scripted"}


async def test_a_model_chosen_for_an_agent_may_be_a_name():
    config = RunConfig(model=ScriptedLlm(), agent_models={"a": "no-such-model"})
    played = await play(LlmAgent(name="a"), config=config)
    assert isinstance(played.error, ModelNotFoundError)
    assert played.events == []


async def test_a_models_name_is_looked_up(monkeypatch):
    monkeypatch.setitem(OUTSIDE._parts, registry._Registered, registry._Registered())

    class Named(Gives):
        responses: list[LlmResponse] = [reply("named")]  # noqa: RUF012  pydantic copies it

        @classmethod
        def supported_models(cls) -> list[str]:
            return [r"test-llm-agent-.*"]

    LLMRegistry.register(Named)
    agent = LlmAgent(name="a", model="test-llm-agent-1")
    assert agent.canonical_model is agent.canonical_model
    assert isinstance(agent.canonical_model, Named)
    agent.model = "test-llm-agent-2"
    assert agent.canonical_model.model == "test-llm-agent-2"
    by_name = await play(LlmAgent(name="b"), config=RunConfig(model="test-llm-agent-3"))
    assert by_name.texts == [("b", "named")]
    assert [record["model"] for record in by_name.records("model_started")] == ["test-llm-agent-3"]


async def test_an_agent_without_a_model_constructs_and_says_what_to_do_when_run():
    agent = LlmAgent(name="a")
    with pytest.raises(ModelNotFoundError, match="choose one for the run"):
        _ = agent.canonical_model
    played = await play(agent)
    assert isinstance(played.error, ModelNotFoundError)
    assert played.events[-1].error_code == "MODEL_NOT_FOUND"


async def test_an_unknown_model_is_named():
    played = await play(LlmAgent(name="a", model="no-such-model"))
    assert isinstance(played.error, ModelNotFoundError)
    assert "'no-such-model'" in str(played.error)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"tools": [types.Tool(function_declarations=[types.FunctionDeclaration(name="x")])]}, "tools"),
        ({"system_instruction": "x"}, "system_instruction"),
        ({"response_schema": types.Schema(type=types.Type.STRING)}, "response_schema"),
        ({"response_json_schema": {"type": "string"}}, "response_json_schema"),
    ],
)
def test_settings_that_have_a_field_of_their_own_are_refused(settings, word):
    with pytest.raises(ValueError, match=f"generate_content_config must not set {word}"):
        LlmAgent(name="a", generate_content_config=types.GenerateContentConfig(**settings))


# -- the trace


async def test_a_model_call_is_traced_before_its_event_and_by_reference():
    usage = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=7, candidates_token_count=2, thoughts_token_count=1
    )
    with ScriptedLlm(script=[[call("add", a=1, b=2)], reply("3", usage_metadata=usage)]) as model:
        played = await play(LlmAgent(name="a", model=model, tools=[add], instruction="Do."))
    assert [kind for kind, _ in played.log] == [
        "run_started",
        "event",
        "agent_started",
        "model_started",
        "model_finished",
        "event",
        "tool_started",
        "tool_finished",
        "event",
        "model_started",
        "model_finished",
        "event",
        "agent_finished",
        "run_finished",
    ]
    started = played.records("model_started")
    events = [event.seq for event in played.session.events]
    assert [(r["call"], r["model"], r["tools"], r["config"], r["contents"]) for r in started] == [
        (1, "scripted", ["add"], None, {"select": "default", "until": events[0], "count": 1}),
        (2, "scripted", ["add"], None, {"select": "default", "until": events[2], "count": 3}),
    ]
    assert started[0]["instruction"] == started[1]["instruction"]
    finished = played.records("model_finished")
    assert [(r["call"], r["stop_reason"], r["usage"], r.get("error")) for r in finished] == [
        (1, "tool_use", {"input": 0, "output": 0}, None),
        (2, "end_turn", {"input": 7, "output": 2, "thoughts": 1}, None),
    ]
    assert [(r["calls"], r["tokens"]) for r in played.records("run_finished")] == [(2, {"input": 7, "output": 3})]


async def test_what_was_sent_can_be_read_by_hash():
    from agents import InMemorySessionService

    service = InMemorySessionService()
    settings = types.GenerateContentConfig(temperature=0.5)
    with ScriptedLlm(script=["x"]) as model:
        agent = LlmAgent(name="a", model=model, instruction="Do.", generate_content_config=settings)
        played = await play(agent, service=service)
    [record] = played.records("model_started")
    texts = await service.read_texts([record["instruction"], record["config"]])
    told = 'You are an agent. Your internal name is "a".\n\nDo.'
    assert texts == {record["instruction"]: told, record["config"]: '{"temperature":0.5}'}


async def test_the_record_says_what_an_instruction_is_made_of():
    from agents import InMemorySessionService

    service = InMemorySessionService()
    template, state = "{task} in {n} lines, {missing?}.", {"task": "Write 灯台", "n": 3}
    with ScriptedLlm(script=["x"]) as model:
        agent = LlmAgent(name="a", model=model, instruction=template, global_instruction="Be {tone}.")
        played = await play(agent, service=service, state={**state, "tone": "dry"})
    [record] = played.records("model_started")
    text = (await service.read_texts([record["instruction"]]))[record["instruction"]]
    values = {name: text[start:end] for start, end, name in record["filled"]}
    assert values == {"tone": "dry", "task": "Write 灯台", "n": "3"}
    assert {"declarations", "schema"}.isdisjoint(record)


async def test_a_callback_that_changed_the_instruction_leaves_no_places_in_the_record():
    def shout(callback_context, llm_request):
        llm_request.config.system_instruction = llm_request.system_instruction.upper()

    def add_a_rule(callback_context, llm_request):
        llm_request.append_instructions(["One more."])

    for change, is_there in ((shout, False), (add_a_rule, True)):
        with ScriptedLlm(script=["x"]) as model:
            agent = LlmAgent(name="a", model=model, instruction="Do {task}.", before_model_callback=change)
            played = await play(agent, state={"task": "it"})
        assert ("filled" in played.records("model_started")[0]) is is_there


async def test_tool_declarations_and_the_schema_can_be_read_by_hash():
    from agents import InMemorySessionService

    class Sum(BaseModel):
        total: int

    service = InMemorySessionService()
    with ScriptedLlm(script=["3", '{"total": 3}']) as model:
        counts = LlmAgent(name="counts", model=model, tools=[add])
        sums = LlmAgent(name="sums", model=model, output_schema=Sum)
        played = await play(SequentialAgent(name="both", sub_agents=[counts, sums]), service=service)
    first, second = played.records("model_started")
    texts = await service.read_texts([first["declarations"], second["schema"]])
    [tool] = json.loads(texts[first["declarations"]])
    assert [declared["name"] for declared in tool["function_declarations"]] == ["add"]
    assert json.loads(texts[second["schema"]])["properties"]["total"]["type"] == "integer"


async def test_a_declaration_that_was_changed_in_place_is_recorded_as_it_was_sent():
    from agents import InMemorySessionService

    async def add(one: int) -> int:
        return one

    def describe(callback_context, llm_request):
        [tool] = llm_request.config.tools
        tool.function_declarations[0].parameters_json_schema["properties"]["one"]["description"] = "The first."

    service = InMemorySessionService()
    plain = LlmAgent(name="a", model=ScriptedLlm(script=["x"]), tools=[add])
    changed = LlmAgent(name="b", model=ScriptedLlm(script=["x"]), tools=[add], before_model_callback=describe)
    played = await play(SequentialAgent(name="both", sub_agents=[plain, changed]), service=service)
    before, after = [record["declarations"] for record in played.records("model_started")]
    texts = await service.read_texts([before, after])
    assert "The first." not in texts[before]
    assert "The first." in texts[after]


async def test_a_model_call_that_is_stopped_is_finished_in_the_log():
    model = Hanging(responses=[reply("x", partial=True)])
    runner = InMemoryRunner(LlmAgent(name="a", model=model), app_name=APP)
    session = await runner.session_service.create_session(app_name=APP, user_id=USER)
    events = runner.run_async(
        user_id=USER,
        session_id=session.id,
        new_message=user("go"),
        run_config=RunConfig(streaming_mode=StreamingMode.SSE),
    )
    async with aclosing(events):
        assert (await anext(events)).partial
    assert model.closed
    assert other_tasks() == set()
    log = await runner.session_service.read_log(app_name=APP, user_id=USER, session_id=session.id)
    finished = [entry.fields() for entry in log if entry.kind == "model_finished"]
    assert [(record["error"], record["stop_reason"]) for record in finished] == [("cancelled", "error")]


# -- what else code written for ADK does


class Person(BaseModel):
    name: str


async def test_an_own_flow_around_an_llm_agent_can_be_subclassed():
    class Loud(LlmAgent):
        async def _run_async_impl(self, ctx) -> AsyncGenerator[Event, None]:
            async for event in super()._run_async_impl(ctx):
                event.content = user(event.text.upper())
                yield event

    with ScriptedLlm(script=["quiet"]) as model:
        assert (await play(Loud(name="a", model=model))).texts == [("a", "QUIET")]


def test_fields_that_later_use_needs_are_accepted():
    agent = LlmAgent(name="a", input_schema=Person, output_schema=Person, description="d")
    assert (agent.input_schema, agent.output_schema) == (Person, Person)


async def test_an_actor_between_two_llm_agents_is_context_for_the_second():
    second = ScriptedLlm(script=["x"])
    tree = SequentialAgent(name="s", sub_agents=[Actor(name="a", lines=["fact"]), LlmAgent(name="b", model=second)])
    await play(tree)
    assert [said(content) for content in second.requests[0].contents] == [
        ("user", ["go"]),
        ("user", [OTHERS_WORDS, f"[a] said:\n{quoted('fact')}"]),
    ]


@pytest.mark.anyio
async def test_a_character_that_the_model_cut_in_half_does_not_end_the_run():
    agent = LlmAgent(name="a", model=ScriptedLlm(script=["half a smile \ud83d"]), output_key="said")
    played = await play(agent)
    assert played.session.state["said"] == "half a smile ?"


async def test_each_think_of_a_turn_is_numbered():
    async def look() -> str:
        """Looks."""
        return "seen"

    with ScriptedLlm(script=[[call("look")], [call("look")], "done", "done"]) as model:
        agent = LlmAgent(name="a", model=model, tools=[look])
        done = await play(LoopAgent(name="l", max_iterations=2, sub_agents=[agent]))
    assert [(r["call"], r["turn"]) for r in done.records("model_started")] == [(1, 1), (2, 2), (3, 3), (4, 1)]


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({}, "Use the notes."),
        ({"global_instruction": "Be brief about {artifact.notes.txt}."}, "Be brief about the notes.\n\nUse the notes."),
    ],
)
async def test_an_instruction_may_name_artifacts(more, asked):
    async def save(callback_context):
        await callback_context.save_artifact("notes.txt", types.Part(text="the notes"))

    with ScriptedLlm(script=["done"]) as model:
        agent = LlmAgent(name="a", model=model, instruction="Use {artifact.notes.txt}.", before_agent_callback=save, **more)
        runner = InMemoryRunner(agent)
        await runner.session_service.create_session(app_name=runner.app_name, user_id="u", session_id="s")
        events = [event async for event in runner.run_async(user_id="u", session_id="s", new_message=user("go"))]
    assert instruction_in(model.requests[0]) == asked
    assert events[0].actions.artifact_delta == {"notes.txt": 0}


async def test_an_artifact_that_is_missing_ends_the_run_and_is_named():
    done = await play(LlmAgent(name="a", model=ScriptedLlm(), instruction="Use {artifact.notes.txt}."))
    assert isinstance(done.error, KeyError)
    assert "needs the artifact 'notes.txt', but this run keeps no artifacts" in str(done.error)
    optional = ScriptedLlm(script=["done"])
    await play(LlmAgent(name="a", model=optional, instruction="Use {artifact.notes.txt?}."))
    assert instruction_in(optional.requests[0]) == "Use ."


async def test_text_beside_a_call_that_waits_is_written_as_adk_does():
    def ask() -> None:
        """Asks."""

    model = ScriptedLlm(script=[["I am asking", call("ask")]])
    agent = LlmAgent(name="a", model=model, tools=[LongRunningFunctionTool(ask)], output_key="said")
    done = await play(agent)
    assert (done.error, done.state["said"]) == (None, "I am asking")


async def test_a_run_at_its_call_limit_ends_with_an_event_that_says_so():
    def look() -> str:
        """Looks."""
        return "seen"

    model = ScriptedLlm(script=[[call("look")]] * 3)
    done = await play(LlmAgent(name="a", model=model, tools=[look]), config=RunConfig(max_llm_calls=3))
    last = done.events[-1]
    assert (last.author, last.error_code) == ("a", "LLM_CALLS_LIMIT_EXCEEDED")
    assert "This run made 3 model calls, the most that RunConfig.max_llm_calls allows." in last.error_message
    assert done.records("run_finished")[0]["error_code"] == "LLM_CALLS_LIMIT_EXCEEDED"


async def test_a_static_instruction_stays_and_the_instruction_goes_into_the_turn():
    with ScriptedLlm(script=[[call("add", a=1, b=2)], "3"]) as model:
        agent = LlmAgent(
            name="a", model=model, static_instruction="Add {as it is}.", instruction="Unit: {unit}", tools=[add]
        )
        await play(agent, state={"unit": "cm"})
    first, second = model.requests
    assert first.config.system_instruction == second.config.system_instruction
    assert "Add {as it is}." in first.config.system_instruction
    assert "Unit" not in first.config.system_instruction
    before, asked = first.contents
    assert before.parts[0].text.endswith("\n\nUnit: cm")
    assert asked.parts[0].text == "go"
    assert [bool(content.parts[0].function_response) for content in second.contents] == [False, False, True, False]
    assert second.contents[-1].parts[0].text.endswith("\n\nUnit: cm")


def test_a_static_instruction_is_text():
    picture = types.Part.from_bytes(data=b"...", mime_type="image/png")
    texts = types.Content(role="user", parts=[types.Part(text="One."), types.Part(text="Two.")])
    assert LlmAgent(name="a", static_instruction=texts).static_text == "One.\n\nTwo."
    with pytest.raises(ValidationError, match="static_instruction has a part that is no text"):
        LlmAgent(name="a", static_instruction=types.Content(role="user", parts=[picture]))
