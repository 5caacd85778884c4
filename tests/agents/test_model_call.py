"""How long a model may be silent: `SilenceLimit`, where time is what is tested."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.errors import ModelTimeoutError
from agents.model import LlmResponse
from agents.model_call import SilenceLimit

PIECE = LlmResponse(partial=True)


async def pieces(count, then=None):
    for _ in range(count):
        yield PIECE
    if then is not None:
        await then()


async def for_ever():
    await asyncio.Event().wait()


async def in_time(responses, seconds, model):
    with SilenceLimit(seconds, model) as limit:
        while (response := await limit.next_of(responses)) is not None:
            yield response


async def take(into, responses):
    async for response in responses:
        into.append(response)


@pytest.mark.anyio
@pytest.mark.parametrize("said", [0, 1, 3])
async def test_a_silence_ends_the_call_however_much_was_said_before(said):
    got: list[LlmResponse] = []
    with pytest.raises(ModelTimeoutError, match=r"'m' was silent for 0.01 s"):
        await take(got, in_time(pieces(said, for_ever), 0.01, "m"))
    assert len(got) == said


@pytest.mark.anyio
async def test_whoever_takes_the_pieces_may_be_slow():
    got = []
    async for piece in in_time(pieces(3), 0.01, "m"):
        await asyncio.sleep(0.03)  # three times the silence that a model may keep
        got.append(piece)
    assert len(got) == 3


@pytest.mark.anyio
async def test_without_a_limit_a_model_may_wait():
    released = asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, released.set)
    assert [piece async for piece in in_time(pieces(1, released.wait), None, "m")] == [PIECE]


@pytest.mark.anyio
async def test_a_cancellation_from_outside_is_not_taken_for_a_silence():
    begun = asyncio.Event()

    async def listen():
        async with aclosing(in_time(pieces(1, for_ever), 60, "m")) as responses:
            async for _ in responses:
                begun.set()

    task = asyncio.create_task(listen())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.anyio
async def test_the_task_can_go_on_after_a_silence():
    with pytest.raises(ModelTimeoutError):
        await take([], in_time(pieces(0, for_ever), 0.01, "m"))
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


@pytest.mark.anyio
async def test_a_models_own_timeout_stays_what_it_is():
    async def late():
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        await take([], in_time(pieces(1, late), 60, "m"))
