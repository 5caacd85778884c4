"""Faults on purpose, kind by kind: what comes of a model's answer, and what is told of it."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import EmptyResponseError, InjectedFaultError, ProviderError
from agents.model import LlmRequest, LlmResponse
from agents.models.call import generate
from agents.models.faults import FAULT_MARK
from agents.models.scripted import ScriptedLlm, call
from agents.runtime.fault import FAULT_KINDS, Fault

pytestmark = pytest.mark.anyio


class Watcher:
    """Follows a model call and has one fault for it."""

    def __init__(self, fault: Fault | None) -> None:
        self.fault = fault
        self.asked: list[str] = []
        self.notes: list[tuple[str, dict[str, Any]]] = []

    def fault_for(self, model: str) -> Fault | None:
        self.asked.append(model)
        return self.fault

    def note(self, kind: str, **data: Any) -> None:
        self.notes.append((kind, data))


class Stage:
    """A scripted model with a fault, and what it gave."""

    def __init__(self, kind: str, *script: Any, seconds: float = 3.0, agent: str | None = "Writer") -> None:
        self.model = ScriptedLlm(script=script, model="m")
        self.watcher = Watcher(Fault.model_validate({"kind": kind, "target": "Writer", "seconds": seconds}))
        self.request = LlmRequest(observer=self.watcher)
        if agent:
            self.request.config.labels = {"adk_agent_name": agent}
        self.given: list[LlmResponse] = []

    async def run(self, *, stream: bool = False) -> Exception | None:
        try:
            await take(self.given, generate(self.model, self.request, stream=stream))
        except Exception as error:
            return error
        return None

    @property
    def texts(self) -> list[tuple[str, bool]]:
        """Each response's text and whether it is a piece."""
        return [(response.text, bool(response.partial)) for response in self.given]

    @property
    def marks(self) -> list[Any]:
        return [(response.custom_metadata or {}).get(FAULT_MARK) for response in self.given]


async def take(into, responses):
    async for response in responses:
        into.append(response)


class Own(ScriptedLlm):
    """A model that is known by what it gives."""

    def generate_content_async(self, llm_request, stream=False):
        return (self, llm_request, stream)


@pytest.mark.parametrize("observer", [None, Watcher(None)])
@pytest.mark.parametrize("stream", [True, False])
def test_without_a_fault_it_is_the_models_own_generator(observer, stream):
    model, request = Own(model="m"), LlmRequest(observer=observer)
    assert generate(model, request, stream=stream) == (model, request, stream)


async def test_a_fault_is_asked_for_once_by_the_name_of_the_model():
    stage = Stage("delay", "x", seconds=0)
    await stage.run()
    assert stage.watcher.asked == ["m"]


@pytest.mark.parametrize("kind", FAULT_KINDS)
async def test_each_kind_is_noted_before_anything_comes(kind):
    stage = Stage(kind, '{"a": 1}', seconds=0)
    more = {"seconds": 0} if kind == "delay" else {}
    expected = [("fault_injected", {"fault": kind, "target": "Writer", "model": "m", **more})]
    responses = generate(stage.model, stage.request, stream=True)
    with suppress(InjectedFaultError):
        await anext(responses)
    assert stage.watcher.notes == expected
    await responses.aclose()
    assert stage.watcher.notes == expected


async def test_fail_before_calls_no_model_and_says_that_it_was_asked_for():
    stage = Stage("fail_before")
    error = await stage.run()
    assert type(error) is InjectedFaultError
    assert (error.code, error.retryable, stage.given, stage.model.requests) == ("INJECTED_FAULT", True, [], [])
    assert str(error) == (
        "The model 'm' of the agent 'Writer' fails before its first word because the user asked for it: "
        "the fault Writer:fail_before:1 is injected. Run again without this fault to see what happens when nothing fails."
    )


async def test_a_request_without_a_label_names_the_model_alone():
    assert str(await Stage("fail_before", agent=None).run()).startswith("The model 'm' fails before its first word")


async def test_fail_after_shows_the_models_own_first_piece():
    stage = Stage("fail_after", "one two three")
    error = await stage.run(stream=True)
    assert type(error) is InjectedFaultError
    assert "fails after its first word" in str(error)
    assert (stage.texts, stage.marks) == ([("one", True)], [None])


async def test_fail_after_cuts_a_first_piece_from_an_answer_that_comes_in_one():
    stage = Stage("fail_after", "one two three")
    assert type(await stage.run()) is InjectedFaultError
    assert (stage.texts, stage.marks) == ([("one", True)], ["fail_after"])


@pytest.mark.parametrize("stream", [True, False])
async def test_fail_after_begins_even_an_answer_without_words(stream):
    stage = Stage("fail_after", [call("f")])
    assert type(await stage.run(stream=stream)) is InjectedFaultError
    assert (stage.texts, stage.given[0].get_function_calls()) == ([("…", True)], [])


async def test_fail_after_leaves_a_real_failure_as_it_is():
    down = ConnectionError("down")
    assert await Stage("fail_after", down).run() is down


async def test_delay_waits_and_then_gives_the_real_answer(monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    stage = Stage("delay", "one two", seconds=7.5)
    assert await stage.run(stream=True) is None
    assert waited == [7.5]
    assert (stage.texts, stage.marks) == ([("one", True), (" two", True), ("one two", False)], [None] * 3)


async def test_a_delay_can_be_cancelled():
    stage = Stage("delay", "x", seconds=3600)
    task = asyncio.create_task(stage.run())
    while not stage.watcher.notes:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stage.model.requests == []


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        ('{"city": "Oslo", "days": 3}', '{"city": "Osl'),
        ("[1, 2, 3]", "[1, "),
        ('```json\n{"city": "Oslo"}\n```', '```json\n{"city": "'),
        ("{}", "{"),
        ("plain words", '{"answer": "this ends before it is'),
        ("", '{"answer": "this ends before it is'),
        ("as in [1] and more of it, much more", '{"answer": "this ends before it is'),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
async def test_malformed_json_is_the_real_answer_cut_in_two(answer, broken, stream):
    usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=3)
    real = LlmResponse(content=types.Content(role="model", parts=[types.Part(text=answer)]), usage_metadata=usage)
    stage = Stage("malformed_json", real)
    assert await stage.run(stream=stream) is None
    [response] = stage.given
    assert (response.text, response.stop_reason, response.error_code) == (broken, "end_turn", None)
    assert (response.usage_metadata, stage.marks) == (usage, ["malformed_json"])


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_no_cut_json_can_be_read(value):
    stage = Stage("malformed_json", json.dumps(value))
    assert asyncio.run(stage.run()) is None
    with pytest.raises(json.JSONDecodeError):
        json.loads(stage.given[0].text)


async def test_malformed_json_takes_the_place_of_calls_and_errors_too():
    for real in ([call("f")], LlmResponse(error_code="SAFETY", error_message="no")):
        stage = Stage("malformed_json", real)
        assert await stage.run() is None
        [response] = stage.given
        assert (response.get_function_calls(), response.error_code, response.error_message) == ([], None, None)
        assert response.stop_reason == "end_turn"


async def test_malformed_json_of_a_model_that_says_nothing_is_an_error_of_the_model():
    stage = Stage("malformed_json", [LlmResponse(partial=True)])
    assert type(await stage.run()) is EmptyResponseError


async def test_unknown_tool_is_one_that_was_not_offered():
    stage = Stage("unknown_tool")
    stage.request.tools_dict = {"no_such_tool": object(), "f": object()}
    assert await stage.run() is None
    [response] = stage.given
    [made] = response.get_function_calls()
    assert made.name not in stage.request.tools_dict
    assert (made.args, response.stop_reason, response.model_version) == ({}, "tool_use", "m")
    assert (stage.marks, stage.model.requests) == (["unknown_tool"], [])


async def test_a_refusal_is_like_one_of_geminis_safety_filter():
    stage = Stage("refuse")
    assert await stage.run() is None
    [response] = stage.given
    assert (response.content, response.stop_reason, response.finish_reason, response.error_code) == (
        None,
        "safety",
        types.FinishReason.SAFETY,
        "SAFETY",
    )
    assert "the user asked for it: the fault Writer:refuse:1" in (response.error_message or "")
    assert (stage.marks, stage.model.requests) == (["refuse"], [])


class Asked(ScriptedLlm):
    """A model that asks a server, so to speak: it may be tried again."""

    retry_options: types.HttpRetryOptions | None = types.HttpRetryOptions(initial_delay=0, jitter=0)


BUSY = ProviderError("Too busy.", code="503", retryable=True)


@pytest.mark.parametrize("kind", ["fail_before", "fail_after"])
async def test_a_failure_on_purpose_is_not_tried_again(kind):
    stage = Stage(kind)
    stage.model = Asked(script=["x", "y"], model="m")
    assert type(await stage.run()) is InjectedFaultError
    assert len(stage.model.requests) == (kind == "fail_after")
    assert [name for name, _ in stage.watcher.notes] == ["fault_injected"]


@pytest.mark.parametrize("kind", [None, "fail_after", "delay", "malformed_json"])
async def test_a_fault_is_asked_for_once_however_often_the_model_is_tried(kind):
    stage = Stage(kind or "delay", seconds=0)
    stage.model = Asked(script=[BUSY, BUSY, "one two"], model="m")
    if kind is None:
        stage.watcher.fault = None
    await stage.run()
    assert (stage.watcher.asked, len(stage.model.requests)) == (["m"], 3)
    told = [name for name, _ in stage.watcher.notes]
    assert told == [*(["fault_injected"] if kind else []), "model_retry", "model_retry"]


@pytest.mark.parametrize("kind", ["fail_after", "delay", "malformed_json"])
async def test_the_real_model_is_closed(kind):
    closed = []

    class Closing(ScriptedLlm):
        async def generate_content_async(self, llm_request, stream=False):
            try:
                yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="x")]), stop_reason="end_turn")
                yield LlmResponse(partial=True)
            finally:
                closed.append(asyncio.current_task())

    stage = Stage(kind, seconds=0)
    stage.model = Closing(model="m")
    await stage.run()
    assert closed == [asyncio.current_task()]


@pytest.mark.parametrize("kind", FAULT_KINDS)
async def test_nothing_says_of_a_hidden_fault_that_somebody_asked_for_it(kind):
    stage = Stage(kind, '{"a": 1}', seconds=0)
    stage.watcher.fault = stage.watcher.fault.model_copy(update={"hidden": True})
    error = await stage.run()
    assert stage.watcher.notes == []
    told = " ".join([str(error), getattr(error, "code", ""), *(one.model_dump_json() for one in stage.given)]).lower()
    assert not [word for word in ("inject", "fault", "asked for") if word in told.replace('"default"', "")]
