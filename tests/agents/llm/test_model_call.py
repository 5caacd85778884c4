"""One call of a model as the log records it, and `ask_model`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.genai import types

from agents import RunConfig
from agents.errors import (
    EmptyResponseError,
    InjectedFaultError,
    LlmCallsLimitExceededError,
    ModelNotFoundError,
    ModelTimeoutError,
)
from agents.flows.routing import RoutedLlm
from agents.llm.model_call import ModelCall, ask_model
from agents.model import LlmRequest, LlmResponse
from agents.models.scripted import ScriptedLlm
from agents.models.simulated.model import SimulatedLlm
from agents.runtime.fault import Fault
from tests.agents.stage import Actor, Play, play, user


async def for_ever():
    await asyncio.Event().wait()


# -- asking a model


def question(text: str = "which?", **config: Any) -> LlmRequest:
    return LlmRequest(contents=[user(text)], config=types.GenerateContentConfig(**config))


async def asking(request: LlmRequest, model: Any = None, **config: Any) -> Play:
    """An agent that asks a model and says what it answered."""

    async def ask(ctx):
        return (await ask_model(ctx, request, model)).text

    return await play(Actor(name="asker", lines=[ask]), config=RunConfig(**config))


@pytest.mark.anyio
async def test_a_model_is_asked_in_the_log_and_counted():
    usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=3, candidates_token_count=1)
    content = types.Content(role="model", parts=[types.Part(text="that")])
    model = ScriptedLlm(script=[LlmResponse(content=content, usage_metadata=usage)], model="small")
    played = await asking(question(system_instruction="Choose."), model)
    assert played.texts == [("asker", "that")]
    [started] = played.records("model_started")
    assert (started["call"], started["turn"], started["model"], started["agent"]) == (1, 1, "small", "asker")
    assert (started["stream"], started["tools"], started["contents"]["count"]) == (False, [], 1)
    assert started["instruction"]
    [finished] = played.records("model_finished")
    assert (finished["stop_reason"], finished["usage"]) == ("end_turn", {"input": 3, "output": 1})
    [ended] = played.records("run_finished")
    assert (ended["calls"], ended["tokens"]) == (1, {"input": 3, "output": 1})


@pytest.mark.anyio
async def test_limits_of_the_answer_that_a_model_adds_are_in_the_log():
    class Limited(ScriptedLlm):
        async def generate_content_async(self, llm_request, stream=False):
            llm_request.observer.limit_answer({"items": 50})
            async for response in super().generate_content_async(llm_request, stream):
                yield response

    played = await asking(question(), Limited(script=["that"], model="small"))
    assert played.records("model_finished")[0]["limits"] == {"items": 50}
    assert "limits" not in (await asking(question(), ScriptedLlm(script=["that"]))).records("model_finished")[0]


@pytest.mark.anyio
async def test_thoughts_and_cached_tokens_are_counted_and_who_answered_is_told():
    usage = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=30, cached_content_token_count=20, candidates_token_count=4, thoughts_token_count=6
    )
    content = types.Content(role="model", parts=[types.Part(text="that")])
    answer = LlmResponse(content=content, usage_metadata=usage, model_version="small-001")
    played = await asking(question(), ScriptedLlm(script=[answer], model="small"))
    [finished] = played.records("model_finished")
    assert finished["usage"] == {"input": 30, "output": 4, "thoughts": 6, "cached": 20}
    assert finished["answered_by"] == "small-001"
    [ended] = played.records("run_finished")
    assert ended["tokens"] == {"input": 30, "output": 10}


@pytest.mark.anyio
async def test_a_request_to_ask_is_not_changed():
    model = ScriptedLlm(script=["x"], model="small")
    request = question(labels={"team": "red"})
    await asking(request, model)
    [sent] = model.requests
    assert (sent.model, sent.config.labels) == ("small", {"team": "red", "adk_agent_name": "asker"})
    assert (request.model, request.observer, request.config.labels) == (None, None, {"team": "red"})


@pytest.mark.anyio
async def test_the_runs_model_is_asked_by_default_and_another_by_name():
    assert (await asking(question(), model=ScriptedLlm(script=["x"], model="m"))).texts == [("asker", "x")]
    simulated = await asking(question("Is it so?"), "simulated")
    assert "> Is it so?" in simulated.texts[0][1]
    chosen = ScriptedLlm(script=["of the run"])
    played = await play_with_run_model(chosen)
    assert played.texts == [("asker", "of the run")]


async def play_with_run_model(model: Any) -> Play:
    async def ask(ctx):
        return (await ask_model(ctx, question())).text

    return await play(Actor(name="asker", lines=[ask]), config=RunConfig(model=model))


@pytest.mark.anyio
@pytest.mark.parametrize(("label", "said"), [({}, "I am asker"), ({"adk_agent_name": "Classifier"}, "I am Classifier")])
async def test_a_simulation_is_found_by_the_label(label, said):
    simulation = {name: lambda request: f"I am {request.agent_name}" for name in ("asker", "Classifier")}
    model = SimulatedLlm(simulation=simulation, words_per_second=0)
    assert (await asking(question(labels=label), model)).texts == [("asker", said)]


@pytest.mark.anyio
async def test_without_any_model_the_error_says_where_to_name_one():
    played = await asking(question())
    assert type(played.error) is ModelNotFoundError
    assert "'asker'" in str(played.error)
    assert "RunConfig(model=…)" in str(played.error)
    assert played.records("model_started") == []


@pytest.mark.anyio
async def test_an_asked_model_that_fails_is_in_the_log():
    played = await asking(question(), ScriptedLlm(script=[ConnectionError("down")]))
    assert type(played.error) is ConnectionError
    assert played.records("model_finished")[0]["error"] == "ConnectionError: down"


@pytest.mark.anyio
@pytest.mark.parametrize("script", [[LlmResponse(partial=True)], ""])
async def test_an_asked_model_that_says_nothing_is_an_error(script):
    assert type((await asking(question(), ScriptedLlm(script=[script]))).error) is EmptyResponseError


@pytest.mark.anyio
async def test_an_asked_model_that_hangs_is_given_up():
    async def hang(request):
        await for_ever()

    played = await asking(question(), ScriptedLlm(script=[hang]), model_timeout=0.01)
    assert type(played.error) is ModelTimeoutError


@pytest.mark.anyio
async def test_an_asked_model_that_is_cancelled_is_in_the_log():
    asked = asyncio.Event()

    async def hang(request):
        asked.set()
        await for_ever()

    seen: list[str] = []

    async def ask(ctx):
        try:
            await ask_model(ctx, question(), ScriptedLlm(script=[hang]))
        finally:
            seen.extend(record.data["error"] for record in ctx._invocation.log.records if record.kind == "model_finished")

    task = asyncio.create_task(play(Actor(name="asker", lines=[ask])))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


@pytest.mark.anyio
async def test_calls_past_the_limit_are_not_made():
    model = ScriptedLlm(script=["x", "never"])

    async def ask(ctx):
        return (await ask_model(ctx, question(), model)).text

    played = await play(Actor(name="asker", lines=[ask, ask]), config=RunConfig(max_llm_calls=1))
    assert type(played.error) is LlmCallsLimitExceededError
    assert len(model.requests) == 1


@pytest.mark.anyio
async def test_a_fault_hits_an_asked_model():
    fault = Fault(kind="fail_after", target="asker")
    played = await asking(question(), ScriptedLlm(script=["one two"], model="small"), faults=(fault,))
    assert type(played.error) is InjectedFaultError
    assert played.records("fault_injected") == [
        {
            "kind": "fault_injected",
            "agent": "asker",
            "call": 1,
            "fault": "fail_after",
            "target": "asker",
            "model": "small",
        }
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(("target", "error"), [("asker", InjectedFaultError), ("*", InjectedFaultError), ("inner", None)])
async def test_a_fault_of_an_agent_counts_the_calls_that_the_agent_makes(target, error):
    """Not those that a model inside of its model is left with."""
    model = RoutedLlm(models=[ScriptedLlm(script=["1", "2"], model="inner")], router=lambda models, request: "inner")

    async def ask(ctx):
        return (await ask_model(ctx, question(), model)).text

    faults = (Fault(kind="fail_before", target=target, call=2 if error else 3),)
    played = await play(Actor(name="asker", lines=[ask, ask]), config=RunConfig(faults=faults))
    assert type(played.error) is (error or type(None))
    assert next(text for author, text in played.texts if author == "asker") == "1"
    assert len(played.records("fault_injected")) == (1 if error else 0)


@pytest.mark.anyio
async def test_a_call_says_which_of_the_turn_it_is():
    async def think(ctx):
        request = question()
        with ModelCall(ctx, request, stream=False, select=None, turn=3) as call:
            call.finish(stop_reason="end_turn")

    played = await play(Actor(name="asker", lines=[think]))
    assert [record["turn"] for record in played.records("model_started")] == [3]
