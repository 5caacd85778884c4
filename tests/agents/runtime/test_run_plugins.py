"""Callbacks: their arguments by name, and by position where names differ."""

from __future__ import annotations

import functools

import pytest

from agents.runtime.run_plugins import call_with, first_answer

pytestmark = pytest.mark.anyio

GIVEN = {"callback_context": 1, "llm_request": 2}


class Callbacks:
    def method(self, ctx, request):
        return ctx, request

    def __call__(self, ctx, /, llm_request):
        return ctx, llm_request


def wrapped(ctx, request):
    return ctx, request


@functools.wraps(wrapped)
def wrapper(*args, **kwargs):
    return wrapped(*args, **kwargs)


@functools.wraps(lambda callback_context, llm_request: None)
def reads_names(**kwargs):
    return kwargs["callback_context"], kwargs["llm_request"]


@pytest.mark.parametrize(
    "callback",
    [
        lambda callback_context, llm_request: (callback_context, llm_request),
        lambda llm_request, callback_context: (callback_context, llm_request),
        lambda ctx, request: (ctx, request),
        lambda ctx, llm_request: (ctx, llm_request),
        lambda llm_request, ctx: (ctx, llm_request),
        lambda *args: args,
        lambda ctx, *rest: (ctx, *rest),
        lambda **named: tuple(named.values()),
        lambda ctx, **named: (ctx, named["llm_request"]),
        lambda ctx, request, more=3: (ctx, request),
        lambda callback_context, more=3, **named: (callback_context, named["llm_request"]),
        functools.partial(lambda first, ctx, request: (ctx, request), "first"),
        Callbacks().method,
        Callbacks(),
        wrapper,
        reads_names,
    ],
)
def test_arguments_are_bound_by_name_and_else_by_position(callback):
    assert call_with(callback, GIVEN) == (1, 2)


@pytest.mark.parametrize("callback", [lambda: None, lambda ctx: None, lambda a, b, c: None])
def test_another_number_of_arguments_is_an_error(callback):
    with pytest.raises(TypeError):
        call_with(callback, GIVEN)


async def test_an_async_callback_is_awaited():
    async def later(ctx, request):
        return ctx, request

    assert await first_answer([lambda *_: None, later], **GIVEN) == (1, 2)
