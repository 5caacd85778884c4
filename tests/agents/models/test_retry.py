"""Trying again: what is worth it, how long is waited, what is told of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, SecretStr

from agents import LlmAgent
from agents.errors import (
    ApiKeyError,
    EmptyResponseError,
    InjectedFaultError,
    ModelTimeoutError,
    PlaygroundError,
    ProviderError,
)
from agents.flows.routing import RoutedLlm
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models import retry
from agents.models.answer import content_of, piece
from agents.models.gemini.model import Gemini
from agents.models.retry import Policy, attempts
from tests.agents.models.providers import take
from tests.agents.stage import play
from tests.standins.gemini import bad_key, drips, over_quota, overloaded, says

pytestmark = pytest.mark.anyio

STEADY = types.HttpRetryOptions(jitter=0)
ANSWER = LlmResponse(content=content_of("It works."), stop_reason="end_turn")


def busy(**more: Any) -> ProviderError:
    return ProviderError("Too busy.", **{"code": "503", "retryable": True, **more})


class Asked(BaseLlm):
    """A model that asks a server, so to speak: each call gets the next of `turns`, the last one from then on."""

    model: str = "m"
    retry_options: types.HttpRetryOptions | None = STEADY
    turns: list[Any] = Field(default_factory=list)
    calls: list[bool] = Field(default_factory=list)
    open: set[int] = Field(default_factory=set)

    async def generate_content_async(self, llm_request, stream=False):
        turn = self.turns[min(len(self.calls), len(self.turns) - 1)]
        self.calls.append(stream)
        self.open.add(number := len(self.calls))
        try:
            for one in turn if isinstance(turn, list) else [turn]:
                if isinstance(one, BaseException):
                    raise one
                yield one
        finally:
            self.open.discard(number)


class Watcher:
    """Follows a call; `events` are its notes and the waits, in order."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def fault_for(self, model: str) -> None:
        return None

    def note(self, kind: str, **data: Any) -> None:
        self.events.append((kind, data))

    @property
    def waits(self) -> list[float]:
        return [event for event in self.events if isinstance(event, float)]


@pytest.fixture
def watcher(monkeypatch):
    """Whoever waits between attempts has waited at once."""
    watcher = Watcher()

    async def sleep(seconds: float) -> None:
        watcher.events.append(float(seconds))

    monkeypatch.setattr(retry, "sleep", sleep)
    return watcher


async def run(model: BaseLlm, watcher: Watcher, *, stream: bool = False, **config: Any) -> list[LlmResponse]:
    asked = LlmRequest(observer=watcher, config=types.GenerateContentConfig(**config))
    return await take([], attempts(model, asked, stream=stream))


async def failure_of(model: BaseLlm, watcher: Watcher, *, stream: bool = False) -> PlaygroundError:
    with pytest.raises(PlaygroundError) as raised:
        await run(model, watcher, stream=stream)
    return raised.value


# -- when


@pytest.mark.parametrize("stream", [False, True])
async def test_it_is_tried_until_it_works(watcher, stream):
    model = Asked(turns=[busy(), busy(), [piece("It "), piece("works."), ANSWER]])

    responses = await run(model, watcher, stream=stream)

    assert responses == [piece("It "), piece("works."), ANSWER]
    assert (model.calls, watcher.waits) == ([stream] * 3, [1.0, 2.0])


@pytest.mark.parametrize(
    "error",
    [
        busy(),
        busy(code="429", retry_after=3.0),
        ModelTimeoutError("The server ran out of time.", code="504", retryable=True),
        ProviderError("Cut.", code="CONNECTION_CUT", retryable=True),
        EmptyResponseError("Nothing.", code="EMPTY_RESPONSE", retryable=True),
    ],
    ids=lambda error: error.code,
)
async def test_a_failure_that_may_pass_is_tried_again(watcher, error):
    model = Asked(turns=[error, ANSWER])

    assert await run(model, watcher) == [ANSWER]
    assert len(model.calls) == 2


@pytest.mark.parametrize(
    "error",
    [
        ProviderError("No such model.", code="404"),
        ApiKeyError("Wrong key.", code="API_KEY_INVALID"),
        InjectedFaultError("Somebody asked for it.", retryable=True),
        ModelTimeoutError("Silent for 180 seconds.", code="TIMEOUT", retryable=True),
        LookupError("a bug"),
        asyncio.CancelledError(),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_is_not_worth_it_is_raised_as_it_is(watcher, error):
    model = Asked(turns=[error, ANSWER])

    with pytest.raises(type(error)) as raised:
        await run(model, watcher)

    assert raised.value is error
    assert "tried" not in str(error)
    assert (len(model.calls), watcher.events) == (1, [])


async def test_nothing_is_asked_twice_that_was_answered_in_part(watcher):
    model = Asked(turns=[[piece("It "), busy()], ANSWER])
    given = []

    with pytest.raises(ProviderError) as raised:
        await take(given, attempts(model, LlmRequest(observer=watcher), stream=True))

    assert given == [piece("It ")]
    assert str(raised.value) == "Too busy."
    assert (len(model.calls), watcher.events) == (1, [])


async def test_a_model_that_gives_nothing_is_left_to_who_asked(watcher):
    model = Asked(turns=[[]])

    assert await run(model, watcher) == []
    assert len(model.calls) == 1


# -- how often, and how long


async def test_usually_it_is_tried_four_times_and_the_error_says_so(watcher):
    error = await failure_of(Asked(turns=[busy()], retry_options=None), watcher)

    assert (type(error), error.code, error.retryable) == (ProviderError, "503", True)
    assert str(error) == "Too busy. It was tried 4 times."
    first, second, third = watcher.waits
    assert 1 <= first <= 2 <= second <= 3
    assert 4 <= third <= 5


async def test_the_last_error_counts_whichever_it_is(watcher):
    model = Asked(turns=[busy(), ProviderError("No such model.", code="404")])

    error = await failure_of(model, watcher)

    assert (str(error), error.code, error.retryable) == ("No such model. It was tried 2 times.", "404", False)


@pytest.mark.parametrize("most", [0, 1])
async def test_one_attempt_is_no_retry(watcher, most):
    model = Asked(turns=[busy()], retry_options=types.HttpRetryOptions(attempts=most))

    assert str(await failure_of(model, watcher)) == "Too busy."
    assert (len(model.calls), watcher.events) == (1, [])


async def test_a_requests_own_options_win(watcher):
    model = Asked(turns=[busy(), busy(), ANSWER], retry_options=types.HttpRetryOptions(attempts=1))
    own = types.HttpRetryOptions(attempts=3, initial_delay=0.5, exp_base=3, jitter=0)

    assert await run(model, watcher, http_options=types.HttpOptions(retry_options=own)) == [ANSWER]
    assert watcher.waits == [0.5, 1.5]


@pytest.mark.parametrize(
    ("listed", "code", "retryable", "again"),
    [
        (None, "503", True, True),
        ([500], "503", True, False),
        ([500, 503], "503", True, True),
        ([404], "404", False, True),
        ([404], "CONNECTION_CUT", True, True),
        ([404], "API_KEY_INVALID", False, False),
    ],
)
def test_a_list_of_statuses_decides_on_errors_that_have_one(listed, code, retryable, again):
    policy = Policy.of(types.HttpRetryOptions(http_status_codes=listed))
    assert policy.wants(ProviderError("x", code=code, retryable=retryable)) == again


@given(
    initial=st.floats(0, 100),
    most=st.floats(0, 100),
    base=st.floats(1, 10),
    jitter=st.floats(0, 10),
    asked=st.none() | st.floats(0, 100),
)
def test_delays_grow_with_jitter_but_never_beyond_the_longest_and_never_before_the_server_wants(
    initial, most, base, jitter, asked
):
    options = types.HttpRetryOptions(attempts=6, initial_delay=initial, max_delay=most, exp_base=base, jitter=jitter)
    model = Asked(turns=[busy(retry_after=asked)], retry_options=options)
    watcher = Watcher()
    with pytest.MonkeyPatch.context() as patch:

        async def sleep(seconds: float) -> None:
            watcher.events.append(float(seconds))

        patch.setattr(retry, "sleep", sleep)
        asyncio.run(failure_of(model, watcher))

    if asked is not None and asked > most:
        assert watcher.waits == []
        return
    assert len(watcher.waits) == 5
    for number, wait in enumerate(watcher.waits):
        least = min(max(initial * base**number, asked or 0), most)
        assert least - 1e-9 <= wait <= min(max(initial * base**number, asked or 0) + jitter, most) + 1e-9


@pytest.mark.parametrize(("asked", "waits"), [(0.2, [1.0]), (37.0, [37.0]), (60.0, [60.0])])
async def test_a_server_is_waited_for_as_long_as_it_asks(watcher, asked, waits):
    assert await run(Asked(turns=[busy(retry_after=asked), ANSWER]), watcher) == [ANSWER]
    assert watcher.waits == waits


async def test_a_server_that_asks_for_too_long_is_not_waited_for(watcher):
    model = Asked(turns=[busy(), busy(code="429", retry_after=3600.0), ANSWER])

    error = await failure_of(model, watcher)

    assert (error.code, error.retryable, error.retry_after) == ("429", True, 3600.0)
    assert str(error) == (
        "Too busy. A wait of 3600 seconds is longer than the 60 that are waited at most before another attempt "
        "(retry_options.max_delay). It was tried 2 times."
    )
    assert watcher.waits == [1.0]


# -- what is told, and who stays in charge


async def test_each_failure_is_told_before_the_wait(watcher):
    await run(Asked(turns=[busy(), busy(code="429", retry_after=4.0), ANSWER]), watcher)

    told = {"model": "m", "error": "Too busy."}
    assert watcher.events == [
        ("model_retry", {**told, "attempt": 1, "delay": 1.0, "code": "503"}),
        1.0,
        ("model_retry", {**told, "attempt": 2, "delay": 4.0, "code": "429"}),
        4.0,
    ]


async def test_no_key_is_told(watcher, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-a-key-that-nobody-sees")
    echo = ProviderError("AIza-a-key-that-nobody-sees is busy.", code="503", retryable=True)
    await run(Asked(turns=[echo, ANSWER]), watcher)
    assert watcher.events[0][1]["error"] == "[key] is busy."


async def test_nobody_needs_to_follow(watcher):
    responses = await take([], attempts(Asked(turns=[busy(), ANSWER]), LlmRequest(), stream=False))
    assert (responses, watcher.events) == ([ANSWER], [1.0])


async def test_cancelling_ends_a_wait_at_once():
    model = Asked(turns=[busy(retry_after=3600)], retry_options=types.HttpRetryOptions(max_delay=3600))
    noted = asyncio.Event()
    watcher = Watcher()
    watcher.note = lambda *_, **__: noted.set()  # and the wait begins before anybody else is heard
    task = asyncio.create_task(run(model, watcher))
    await asyncio.wait_for(noted.wait(), 10)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert (len(model.calls), model.open) == (1, set())


async def test_what_answers_is_closed_with_what_is_asked(watcher):
    model = Asked(turns=[busy(), [piece("It "), ANSWER]])
    async with aclosing(attempts(model, LlmRequest(observer=watcher), stream=True)) as responses:
        assert await anext(responses) == piece("It ")
        assert model.open == {2}
    assert model.open == set()


class Plain(BaseLlm):
    """A model that asks no server, and is known by what it gives."""

    def generate_content_async(self, llm_request, stream=False):
        return (self, llm_request, stream)


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_without_such_options_is_asked_by_nobody_but_itself(stream):
    model, request = Plain(model="m"), LlmRequest()
    assert attempts(model, request, stream=stream) == (model, request, stream)


# -- in a run


@pytest.fixture
async def gemini(gemini_server):
    model = Gemini(api_key=SecretStr("key-of-a-test"), base_url=gemini_server.url, retry_options=STEADY)
    yield model
    await model.aclose()


async def test_a_run_goes_on_when_its_model_is_there_again(gemini, gemini_server, watcher):
    gemini_server.will(overloaded(), says("It works."))

    played = await play(LlmAgent(name="agent", model=gemini))

    assert (played.error, played.texts) == (None, [("agent", "It works.")])
    (retry,) = played.records("model_retry")
    assert (retry["agent"], retry["call"], retry["model"], retry["attempt"], retry["delay"], retry["code"]) == (
        "agent",
        1,
        "gemini-flash-latest",
        1,
        1.0,
        "503",
    )
    assert "overloaded" in retry["error"]
    kinds = [kind for kind, _ in played.log if kind.startswith("model_")]
    assert kinds == ["model_started", "model_retry", "model_finished"]
    assert watcher.events == [1.0]


async def test_a_routed_model_tries_each_of_its_models_before_the_next(gemini, gemini_server, watcher):
    other = gemini.model_copy(update={"model": "gemini-other"})
    routed = RoutedLlm(
        models={"first": gemini, "second": other}, router=lambda models, request, error=None: "second" if error else "first"
    )
    gemini_server.always(lambda received: says("I can.") if "gemini-other" in received.path else overloaded())

    played = await play(LlmAgent(name="agent", model=routed))

    assert (played.error, played.texts) == (None, [("agent", "I can.")])
    assert [(retry["model"], retry["attempt"]) for retry in played.records("model_retry")] == [
        ("gemini-flash-latest", attempt) for attempt in (1, 2, 3)
    ]
    first, second = played.records("route_decided")
    assert (first["key"], second["key"], second["failed"]) == ("first", "second", ["first"])
    assert "It was tried 4 times." in second["error"]
    assert len(gemini_server.received) == 5


async def test_a_server_says_how_long_to_wait(gemini, gemini_server, watcher):
    gemini_server.will(over_quota("2.5s"), overloaded(retry_after="7"), says("It works."))

    assert (await run(gemini, watcher))[-1].text == "It works."
    assert watcher.waits == [2.5, 7.0]


async def test_a_wrong_key_is_not_tried_again(gemini, gemini_server, watcher):
    gemini_server.always(bad_key())

    played = await play(LlmAgent(name="agent", model=gemini))

    assert isinstance(played.error, ApiKeyError)
    assert (len(gemini_server.received), watcher.events) == (1, [])


async def test_stopping_a_run_that_waits_to_try_again_ends_it_at_once(gemini, gemini_server, monkeypatch):
    waits = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(retry, "sleep", sleep)
    gemini_server.always(over_quota())
    task = asyncio.create_task(play(LlmAgent(name="agent", model=gemini)))
    await asyncio.wait_for(waits.wait(), 10)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(gemini_server.received) == 1


async def test_a_slow_stream_is_no_failure(gemini, gemini_server, watcher):
    gemini_server.will(drips("one ", "two"))
    asked = attempts(gemini, LlmRequest(observer=watcher), stream=True)
    async with aclosing(asked) as responses:
        for word in ("one ", "two"):
            gemini_server.release(1)
            assert (await anext(responses)).text == word
        gemini_server.release(1)
        assert (await anext(responses)).text == "one two"
    assert watcher.events == []
