"""The one place through which a model is called: built-in tools are checked, faults injected, failures tried again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, cast

from agents.errors import ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.faults import with_fault
from agents.models.retry import attempts


def generate(model: BaseLlm, request: LlmRequest, *, stream: bool) -> AsyncGenerator[LlmResponse, None]:
    """Calls a model, with the fault that is due for this call, if there is one.

    Args:
        model: The model to call.
        request: What to send; its `observer` supplies the fault and is told when it happens.
        stream: Whether to yield pieces before the whole.

    Returns:
        The model's responses after retries, see `agents.models.retry`, or what the fault makes of them.
    """
    if cast("Any", request.config).tools and (lacking := model.lacking(request)):
        return _refused(model, request, lacking)
    if (observer := request.observer) is None or (fault := observer.fault_for(model.model)) is None:
        return attempts(model, request, stream=stream)
    return with_fault(fault, observer, model, request, stream=stream)


async def _refused(model: BaseLlm, request: LlmRequest, tools: list[str]) -> AsyncGenerator[LlmResponse, None]:
    agent = (request.config.labels or {}).get("adk_agent_name")
    raise ProviderError(
        f"The model {model.model!r} does not have {' and '.join(tools)}, which Gemini runs itself. Choose a Gemini model"
        f"{f' for the agent {agent!r}' if agent else ''}, or give the agent a function of its own instead.",
        code="TOOL_NOT_SUPPORTED",
    )
    yield LlmResponse()  # makes this an async generator
