"""Model calls as spans `chat`, with the attributes of OpenTelemetry's GenAI conventions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, cast

from agents.history.nodes import ModelCall
from agents.models.faults import FAULT_MARK
from agents.models.provider import Provider
from agents.models.providers import all_providers, provider_of
from agents.models.simulated.model import SIMULATED_MARK
from agents.models.simulated.spec import SIMULATED
from agents.models.you.spec import TYPED_MARK
from agents.records import ModelFinished, ModelStarted
from agents.telemetry.content import Content, message, to_json
from agents.telemetry.span import short
from agents.telemetry.span_tree import CANCELLED, SpanTree, error_name

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
_OUTPUT_TYPES = {"application/json": "json", "text/plain": "text"}


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

    def started(self, call: ModelCall) -> None:
        """Takes in the start of a call."""
        record = call.started
        model, provider = short(record.model), provider_for(short(record.model))
        here = provider is not None and provider.endpoint is None
        kind = "internal" if here else "client"
        span = self._tree.begin(call.seq, "chat", model, below=self._tree.parent(record.branch), kind=kind)
        self._tree.of[call] = span
        span.set(_sent(record, self._texts.get(record.config or "")))
        span.set(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": provider_name(provider),
                "gen_ai.request.model": model,
                "gen_ai.agent.name": short(record.agent),
            }
        )
        if self._content is not None:
            span.set(self._content.sent(record))

    def finished(self, call: ModelCall, record: ModelFinished) -> None:
        """Takes in the end of a call."""
        span, error = self._tree.of[call], record.error or ""
        span.set(_received(record))
        if "gen_ai.request.stream" in span.attributes:
            span.set({"gen_ai.response.time_to_first_chunk": record.first_token})
        if record.answered_by and span.attributes["gen_ai.provider.name"] == OTHER_PROVIDER:
            span.set({"gen_ai.provider.name": provider_name(provider_for(record.answered_by))})
        if self._content is not None:
            span.set({"gen_ai.output.messages": self._content.kept_answer(record)})
        if error == CANCELLED:
            span.set({"playground.outcome": CANCELLED})
        elif error:
            name = short(record.error_code) or error_name(error)
            self._tree.fail(span, name, error if self._content is not None else "")
        self._tree.end(span)

    def answered(self, call: ModelCall, body: dict[str, Any]) -> None:
        """Takes in the event that a call's answer became."""
        if call.finished is None or not call.finished.becomes_event:
            return
        span = self._tree.of[call]
        marks = cast("dict[str, Any]", body.get("custom_metadata") or {})
        if marks.get(SIMULATED_MARK) and span.attributes["gen_ai.provider.name"] == OTHER_PROVIDER:
            span.set({"gen_ai.provider.name": SIMULATED})
        span.set({"playground.fault": marks.get(FAULT_MARK), "playground.typed_by_person": marks.get(TYPED_MARK)})
        if self._content is not None and body.get("content"):
            span.set({"gen_ai.output.messages": to_json([message(body["content"])])})


@lru_cache(maxsize=256)
def provider_for(model: str) -> Provider | None:
    """The provider of a model, also of one that a pipeline calls after its provider, such as simulated ones."""
    return provider_of(model) or next(
        (found for found in all_providers() for name in found.free if fnmatchcase(model, name)), None
    )


def provider_name(provider: Provider | None) -> str:
    """`gen_ai.provider.name`."""
    return OTHER_PROVIDER if provider is None else provider.telemetry_name or provider.name


def _sent(record: ModelStarted, settings: str | None) -> dict[str, Any]:
    given: dict[str, Any] = json.loads(settings) if settings else {}
    if isinstance(given.get("top_k"), float):
        given["top_k"] = int(given["top_k"])
    named = {f"gen_ai.request.{told}": given.get(name) for name, told in _SETTINGS.items()}
    return {
        **named,
        "gen_ai.request.choice.count": None if given.get("candidate_count") == 1 else given.get("candidate_count"),
        "gen_ai.request.stream": True if record.stream else None,
        "gen_ai.output.type": _OUTPUT_TYPES.get(str(given.get("response_mime_type"))),
    }


def _received(record: ModelFinished) -> dict[str, Any]:
    used, reason = record.usage, record.stop_reason
    return {
        "gen_ai.usage.input_tokens": used.get("input"),
        "gen_ai.usage.cache_read.input_tokens": used.get("cached"),
        "gen_ai.usage.output_tokens": record.received if "output" in used else None,
        "gen_ai.usage.reasoning.output_tokens": used.get("thoughts"),
        "gen_ai.response.model": short(record.answered_by or record.model) if used else None,
        "gen_ai.response.finish_reasons": [_FINISH_REASONS.get(reason, short(reason))] if reason else None,
    }
