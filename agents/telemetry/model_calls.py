"""Model calls as spans `chat`, with the attributes of OpenTelemetry's GenAI conventions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, cast

from agents.models.faults import FAULT_MARK
from agents.models.provider import Provider
from agents.models.providers import all_providers, provider_of
from agents.models.simulated.model import SIMULATED_MARK
from agents.models.simulated.spec import SIMULATED
from agents.telemetry.content import Content, message, to_json
from agents.telemetry.span import Span, short
from agents.telemetry.span_tree import CANCELLED, SpanTree, branch_of, error_name

OTHER_PROVIDER = "custom"
"""The provider of a model that code of the user's own brings along."""

_FINISH_REASONS = {"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_call", "safety": "content_filter"}
_SETTINGS = {
    "max_output_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "seed": "seed",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
}


class ModelCalls:
    """The model calls of a run.

    Args:
        tree: The run's spans.
        texts: The texts that its records name, by hash.
        content: What models were sent and said; None to leave it out.
    """

    def __init__(self, tree: SpanTree, texts: Mapping[str, str], content: Content | None) -> None:
        self._tree = tree
        self._texts = texts
        self._content = content
        self._open: dict[tuple[str, str], Span] = {}
        self._unsaid: dict[tuple[str, str], Span] = {}
        """Calls whose answer is to come as an event, by branch and agent."""

    def started(self, seq: int, body: dict[str, Any]) -> None:
        """Takes in a `model_started` record."""
        model, agent = short(body.get("model")), str(body.get("agent") or "")
        provider = provider_for(model)
        here = provider is not None and provider.endpoint is None
        kind = "internal" if here else "client"
        span = self._tree.begin(seq, "chat", model, below=self._tree.parent(branch_of(body)), kind=kind)
        span.set(_sent(body, self._texts.get(body.get("config") or "")))
        span.set(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": provider_name(provider),
                "gen_ai.request.model": model,
                "gen_ai.agent.name": short(agent),
            }
        )
        if self._content is not None:
            span.set(self._content.sent(body))
        self._open[_key(body)] = span

    def finished(self, _seq: int, body: dict[str, Any]) -> None:
        """Takes in a `model_finished` record."""
        agent, error = str(body.get("agent") or ""), str(body.get("error") or "")
        span = self._open.pop(_key(body), None)
        if span is None:
            return
        span.set(_received(body))
        if "gen_ai.request.stream" in span.attributes:
            span.set({"gen_ai.response.time_to_first_chunk": body.get("first_token")})
        if (answered_by := body.get("answered_by")) and span.attributes["gen_ai.provider.name"] == OTHER_PROVIDER:
            span.set({"gen_ai.provider.name": provider_name(provider_for(str(answered_by)))})
        if self._content is not None:
            span.set({"gen_ai.output.messages": self._content.kept_answer(body)})
        if error == CANCELLED:
            span.set({"playground.outcome": CANCELLED})
        elif error:
            name = short(body.get("error_code")) or error_name(error)
            self._tree.fail(span, name, error if self._content is not None else "")
        if body.get("usage") and not body.get("answer"):
            self._unsaid[branch_of(body), agent] = span
        self._tree.end(span)

    def answered(self, body: dict[str, Any]) -> None:
        """Takes in an event of an agent: the answer of its last call, if that is still to come."""
        span = self._unsaid.pop((branch_of(body), str(body.get("author") or "")), None)
        if span is None:
            return
        marks = cast("dict[str, Any]", body.get("custom_metadata") or {})
        if marks.get(SIMULATED_MARK) and span.attributes["gen_ai.provider.name"] == OTHER_PROVIDER:
            span.set({"gen_ai.provider.name": SIMULATED})
        span.set({"playground.fault": marks.get(FAULT_MARK)})
        if self._content is not None and body.get("content"):
            span.set({"gen_ai.output.messages": to_json([message(body["content"])])})

    def of(self, body: dict[str, Any]) -> Span | None:
        """The call under way that a record belongs to."""
        return self._open.get(_key(body))

    def clear(self) -> None:
        """Forgets all calls: the run ended or paused."""
        self._open.clear()
        self._unsaid.clear()


@lru_cache(maxsize=256)
def provider_for(model: str) -> Provider | None:
    """The provider of a model, also of one that a pipeline calls after its provider, such as simulated ones."""
    return provider_of(model) or next(
        (found for found in all_providers() for name in found.free if fnmatchcase(model, name)), None
    )


def provider_name(provider: Provider | None) -> str:
    """`gen_ai.provider.name`."""
    return OTHER_PROVIDER if provider is None else provider.telemetry_name or provider.name


def _key(body: Mapping[str, Any]) -> tuple[str, str]:
    return str(body.get("agent") or ""), str(body.get("call"))


def _sent(body: Mapping[str, Any], settings: str | None) -> dict[str, Any]:
    given: dict[str, Any] = json.loads(settings) if settings else {}
    if isinstance(given.get("top_k"), float):
        given["top_k"] = int(given["top_k"])
    named = {f"gen_ai.request.{told}": given.get(name) for name, told in _SETTINGS.items()}
    return {**named, "gen_ai.request.stream": True if body.get("stream") else None}


def _received(body: Mapping[str, Any]) -> dict[str, Any]:
    used, reason = cast("dict[str, Any]", body.get("usage") or {}), body.get("stop_reason")
    thoughts, told = used.get("thoughts"), used.get("output")
    return {
        "gen_ai.usage.input_tokens": used.get("input"),
        "gen_ai.usage.cache_read.input_tokens": used.get("cached"),
        "gen_ai.usage.output_tokens": None if told is None else told + (thoughts or 0),
        "gen_ai.usage.reasoning.output_tokens": thoughts,
        "gen_ai.response.model": short(body.get("answered_by") or body.get("model")) if used else None,
        "gen_ai.response.finish_reasons": [_FINISH_REASONS.get(str(reason), short(reason))] if reason else None,
    }
