"""Exported spans judged by OpenTelemetry's GenAI conventions: by `pytest-genai-semconv`, and by what that leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import StatusCode
from pytest_genai_semconv import GenAISpanComplianceError, assert_genai_span_compliant
from pytest_genai_semconv.spec import ATTRIBUTE_TYPES

from agents.telemetry.exporter import readable
from agents.telemetry.span import Trace

OPEN = {
    "gen_ai.operation.name": ({"invoke_node"}, "invoke_workflow"),
    "gen_ai.provider.name": ({"custom", "llama", "local", "ollama", "replay", "simulated", "you"}, "openai"),
}
"""Values of our own, and what the package is shown instead: it refuses some that the conventions allow."""

OF_GOOGLE_ADK = {"gen_ai.workflow.nested"}
"""Attributes that the conventions do not have."""

NAMED_AFTER = {
    "chat": "gen_ai.request.model",
    "execute_tool": "gen_ai.tool.name",
    "invoke_agent": "gen_ai.agent.name",
    "invoke_node": "gen_ai.agent.name",
    "invoke_workflow": "gen_ai.workflow.name",
}
"""The attribute that the name of a span ends with."""

FINISH_REASONS = {"stop", "length", "content_filter", "tool_call", "error"}


def misfits(traces: Sequence[Trace]) -> list[str]:
    """What the spans of some traces have against the conventions, each with the span's name."""
    spans = readable([span for trace in traces for span in trace.spans])
    return [f"{span.name}: {fault}" for span in spans for fault in _faults(span)]


def _faults(span: ReadableSpan) -> Iterator[str]:
    told = dict(span.attributes or {})
    if (span.status.status_code is StatusCode.ERROR) != ("error.type" in told):
        yield "error.type belongs to failed spans, and to no others"
    yield from (name for name in told if name.startswith("gen_ai.") and name not in ATTRIBUTE_TYPES.keys() | OF_GOOGLE_ADK)
    if span.name == "wait":
        return  # no operation of the conventions
    operation = told.get("gen_ai.operation.name")
    if span.name != f"{operation} {told.get(NAMED_AFTER.get(operation, ''), '')}".strip():
        yield "its name is not made of its operation and target"
    yield from (
        f"finish reason {why}" for why in told.get("gen_ai.response.finish_reasons", ()) if why not in FINISH_REASONS
    )
    for name, (own, shown) in OPEN.items():
        if told.get(name) in own:
            told[name] = shown
    try:
        assert_genai_span_compliant(SimpleNamespace(name=span.name, kind=span.kind, attributes=told))
    except GenAISpanComplianceError as error:
        yield from error.violations
