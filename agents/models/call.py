"""Makes the faults happen that somebody asked for: a model that fails, is slow, refuses or answers nonsense on purpose.

Whoever calls a model calls it through `generate`; a model's own failures are tried again inside of that, a fault never.
Knows of a fault what `agents.runtime.fault` says, and of a run nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import assert_never

from google.genai import types

from agents.errors import EmptyResponseError, InjectedFaultError, ProviderError
from agents.model import BaseLlm, CallObserver, LlmRequest, LlmResponse
from agents.models.answer import content_of, piece, words
from agents.models.retry import attempts
from agents.runtime.fault import KINDS, Fault

FAULT_MARK = "injected_fault"
"""The key in `custom_metadata` of a response that a fault made; its value is the kind of the fault."""

_BROKEN_JSON = '{"answer": "this ends before it is'
_NO_TEXT_YET = "…"


def generate(model: BaseLlm, request: LlmRequest, *, stream: bool) -> AsyncGenerator[LlmResponse, None]:
    """Calls a model, with the fault that is due for this call, if there is one.

    Args:
        model: Whom to call.
        request: What to send; its `observer` knows the faults and is told of one that happens.
        stream: Whether to yield pieces before the whole.

    Returns:
        What the model gives in the end, see `agents.models.retry`, or what the fault makes of it.
    """
    if request.config.tools and (lacking := model.lacking(request)):  # pyright: ignore[reportUnknownMemberType]  typed so by the SDK
        return _lacking(model, request, lacking)
    if (observer := request.observer) is None or (fault := observer.fault_for(model.model)) is None:
        return attempts(model, request, stream=stream)
    return _with_fault(fault, observer, model, request, stream=stream)


async def _lacking(model: BaseLlm, request: LlmRequest, tools: list[str]) -> AsyncGenerator[LlmResponse, None]:
    agent = (request.config.labels or {}).get("adk_agent_name")
    raise ProviderError(
        f"The model {model.model!r} does not have {' and '.join(tools)}, which Gemini runs itself. Choose a Gemini model"
        f"{f' for the agent {agent!r}' if agent else ''}, or give the agent a function of its own instead.",
        code="TOOL_NOT_SUPPORTED",
    )
    yield LlmResponse()  # makes this an async generator


async def _with_fault(
    fault: Fault, observer: CallObserver, model: BaseLlm, request: LlmRequest, *, stream: bool
) -> AsyncGenerator[LlmResponse, None]:
    lasting = {"seconds": fault.seconds} if fault.kind == "delay" else {}
    observer.note("fault_injected", fault=fault.kind, target=fault.target, model=model.model, **lasting)
    match fault.kind:
        case "fail_before":
            raise _failure(fault, model, request)
        case "fail_after":
            async with aclosing(attempts(model, request, stream=stream)) as responses:
                async for response in responses:
                    yield response if response.partial else _beginning_of(response, fault)
                    break
            raise _failure(fault, model, request)
        case "delay":
            await asyncio.sleep(fault.seconds)
            async with aclosing(attempts(model, request, stream=stream)) as responses:
                async for response in responses:
                    yield response
        case "malformed_json":
            yield _broken_off(await _whole_of(model, request), fault)
        case "unknown_tool":
            yield _call_of_no_tool(fault, model, request)
        case "refuse":
            yield _refusal(fault, model)
        case _:
            assert_never(fault.kind)


def _failure(fault: Fault, model: BaseLlm, request: LlmRequest) -> InjectedFaultError:
    agent = (request.config.labels or {}).get("adk_agent_name")
    of_whom = f" of the agent {agent!r}" if agent else ""
    return InjectedFaultError(
        f"The model {model.model!r}{of_whom} {KINDS[fault.kind]} because somebody asked for it: {_asked(fault)}. "
        "Run again without this fault to see what happens when nothing fails.",
        retryable=True,
    )


def _asked(fault: Fault) -> str:
    return f"the fault {fault} is injected"


def _mark(fault: Fault) -> dict[str, str]:
    return {FAULT_MARK: fault.kind}


def _beginning_of(whole: LlmResponse, fault: Fault) -> LlmResponse:
    """The first word of an answer that came in one."""
    begun = piece(next(iter(words(whole.text)), _NO_TEXT_YET))
    begun.custom_metadata = _mark(fault)
    return begun


async def _whole_of(model: BaseLlm, request: LlmRequest) -> LlmResponse:
    """The model's answer, without pieces: what they showed would not be what is answered in the end."""
    async with aclosing(attempts(model, request, stream=False)) as responses:
        async for response in responses:
            if not response.partial:
                return response
    raise EmptyResponseError(f"The model {model.model!r} ended its answer without saying anything.", retryable=True)


def _broken_off(whole: LlmResponse, fault: Fault) -> LlmResponse:
    return whole.model_copy(
        update={
            "content": content_of(_no_json(whole.text)),
            "stop_reason": "end_turn",
            "finish_reason": types.FinishReason.STOP,
            "error_code": None,
            "error_message": None,
            "custom_metadata": {**(whole.custom_metadata or {}), **_mark(fault)},
        }
    )


def _no_json(text: str) -> str:
    """`text` without its second half, or a broken text of our own if there is no JSON to break in it."""
    begin = min((place for sign in "{[" if (place := text.find(sign)) >= 0), default=len(text))
    half = text[: begin + max(1, (len(text) - begin) // 2)]
    try:
        json.JSONDecoder().raw_decode(half, begin)
    except json.JSONDecodeError:
        return half if begin < len(text) else _BROKEN_JSON
    return _BROKEN_JSON


def _call_of_no_tool(fault: Fault, model: BaseLlm, request: LlmRequest) -> LlmResponse:
    name = "no_such_tool"
    while name in request.tools_dict:
        name += "_"
    return LlmResponse(
        content=content_of("", [types.FunctionCall(name=name, args={})]),
        stop_reason="tool_use",
        finish_reason=types.FinishReason.STOP,
        model_version=model.model,
        custom_metadata=_mark(fault),
    )


def _refusal(fault: Fault, model: BaseLlm) -> LlmResponse:
    """What Gemini's safety filter leaves of an answer: no content, the reason, and a sentence for the person."""
    reason = types.FinishReason.SAFETY
    return LlmResponse(
        stop_reason="safety",
        finish_reason=reason,
        error_code=reason.value,
        error_message=f"The model {model.model!r} refused to answer ({reason.value}) because somebody asked for it: "
        f"{_asked(fault)}. Run again without this fault for an answer.",
        model_version=model.model,
        custom_metadata=_mark(fault),
    )
