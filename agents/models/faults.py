"""What an injected fault does to a model call, on a user's request: it fails, is slow, refuses or answers nonsense."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import assert_never

from google.genai import types

from agents.errors import EmptyResponseError, InjectedFaultError, ProviderError
from agents.model import BaseLlm, CallObserver, InjectedFault, LlmRequest, LlmResponse
from agents.models.answer import content_of, piece, words
from agents.models.retry import attempts
from agents.runtime.fault import FAULT_KINDS

FAULT_MARK = "injected_fault"
"""The key in `custom_metadata` of a response made by a fault; its value is the kind of the fault."""

_BROKEN_JSON = '{"answer": "this ends before it is'
_NO_TEXT_YET = "…"


async def with_fault(
    fault: InjectedFault, observer: CallObserver, model: BaseLlm, request: LlmRequest, *, stream: bool
) -> AsyncGenerator[LlmResponse, None]:
    """Calls a model with a fault. The fault itself is never retried; failures of the model are, see `attempts`.

    Args:
        fault: What goes wrong.
        observer: Told of the fault.
        model: The model to call.
        request: What to send.
        stream: Whether to yield pieces before the whole.

    Yields:
        What the fault leaves of the model's answer, or puts in its place, marked with `FAULT_MARK`.

    Raises:
        InjectedFaultError: The fault is a failure; of a hidden one, a `ProviderError` as of any other failure.
        ProviderError: The model failed, too.
    """
    lasting = {"seconds": fault.seconds} if fault.kind == "delay" else {}
    if not fault.hidden:
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


def _failure(fault: InjectedFault, model: BaseLlm, request: LlmRequest) -> ProviderError:
    agent = (request.config.labels or {}).get("adk_agent_name")
    what = f"The model {model.model!r}{f' of the agent {agent!r}' if agent else ''} {FAULT_KINDS[fault.kind]}"
    if fault.hidden:
        return ProviderError(f"{what}. Run again, or choose another model.", code="UNAVAILABLE", retryable=True)
    return InjectedFaultError(
        f"{what} because the user asked for it: {_asked(fault)}. "
        "Run again without this fault to see what happens when nothing fails.",
        retryable=True,
    )


def _asked(fault: InjectedFault) -> str:
    return f"the fault {fault} is injected"


def _mark(fault: InjectedFault) -> dict[str, str]:
    return {} if fault.hidden else {FAULT_MARK: fault.kind}


def _beginning_of(whole: LlmResponse, fault: InjectedFault) -> LlmResponse:
    """The first word of an answer that came in one piece."""
    begun = piece(next(iter(words(whole.text)), _NO_TEXT_YET))
    begun.custom_metadata = _mark(fault)
    return begun


async def _whole_of(model: BaseLlm, request: LlmRequest) -> LlmResponse:
    """The model's answer, without pieces: they would differ from the changed answer."""
    async with aclosing(attempts(model, request, stream=False)) as responses:
        async for response in responses:
            if not response.partial:
                return response
    raise EmptyResponseError(f"The model {model.model!r} ended its answer without saying anything.", retryable=True)


def _broken_off(whole: LlmResponse, fault: InjectedFault) -> LlmResponse:
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
    """`text` without its second half, or a broken JSON text of our own if it has no JSON."""
    begin = min((place for sign in "{[" if (place := text.find(sign)) >= 0), default=len(text))
    half = text[: begin + max(1, (len(text) - begin) // 2)]
    try:
        json.JSONDecoder().raw_decode(half, begin)
    except json.JSONDecodeError:
        return half if begin < len(text) else _BROKEN_JSON
    return _BROKEN_JSON


def _call_of_no_tool(fault: InjectedFault, model: BaseLlm, request: LlmRequest) -> LlmResponse:
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


def _refusal(fault: InjectedFault, model: BaseLlm) -> LlmResponse:
    """A response as after Gemini's safety filter: no content, the reason, and a sentence for the user."""
    reason = types.FinishReason.SAFETY
    why = f" because the user asked for it: {_asked(fault)}. Run again without this fault for an answer."
    return LlmResponse(
        stop_reason="safety",
        finish_reason=reason,
        error_code=reason.value,
        error_message=f"The model {model.model!r} refused to answer ({reason.value})" + ("." if fault.hidden else why),
        model_version=model.model,
        custom_metadata=_mark(fault),
    )
