"""Traces as the JSON of OTLP, the file format that collectors read. It needs no extra."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.telemetry.exporter import SERVICE
from agents.telemetry.span import Span, SpanEvent, Trace, Value, safe_text

_KINDS = {"internal": 1, "client": 3}
_ERROR = 2


def otlp_json(traces: Sequence[Trace]) -> str:
    """The traces as one `ExportTraceServiceRequest`, on one line."""
    spans = [_span(span) for trace in traces for span in trace.spans]
    scope = {"scope": {"name": SERVICE}, "spans": spans}
    resource = {"attributes": _attributes({"service.name": SERVICE})}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}, ensure_ascii=False)


def _span(span: Span) -> dict[str, Any]:
    return {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        **({"parentSpanId": span.parent_id} if span.parent_id else {}),
        "name": span.name,
        "kind": _KINDS[span.kind],
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": _attributes(span.attributes),
        "events": [_event(event) for event in span.events],
        "status": {"code": _ERROR, "message": safe_text(span.failure)} if span.failed else {},
    }


def _event(event: SpanEvent) -> dict[str, Any]:
    return {"name": event.name, "timeUnixNano": str(event.at), "attributes": _attributes(event.attributes)}


def _attributes(values: Mapping[str, Value]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in values.items()]


def _value(value: Value) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return {"arrayValue": {"values": [{"stringValue": item} for item in value]}}
