"""Sends traces to a collector through the OpenTelemetry SDK, by OTLP over HTTP. The SDK is the extra `otel`.

The SDK reads its own variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_SERVICE_NAME`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from agents.errors import TelemetryError
from agents.telemetry.span import Span, Trace, safe_text

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

SERVICE = "agent-playground"
"""The `service.name`, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` has another."""
INSTALL_OTEL = "uv run --extra otel playground"
"""The command that starts the playground with the extra that sends traces."""

_TRACES_PATH = "/v1/traces"
_SPANS_A_REQUEST = 200
_CHARACTERS_A_REQUEST = 4_000_000
"""Collectors refuse requests that are too large; a single span may be."""
_REASON_LENGTH = 300
_STATUSES = range(100, 600)
_STATUS = re.compile(r"code: ([1-5]\d\d),")
_TRANSIENT = re.compile(r"Transient error (.{1,1000}?) encountered while", re.DOTALL)
_OF_SYSTEM = re.compile(r"\[Errno -?\d{1,9}\] ([\w ,'-]{1,100})|(timed out)")


def open_exporter(endpoint: str | None = None) -> SpanExporter:
    """The exporter of spans by OTLP over HTTP.

    Args:
        endpoint: URL of the collector; None for the one in the environment, else this machine's.

    Raises:
        TelemetryError: The extra is missing, or this is no URL.
    """
    url = None if endpoint is None else traces_url(endpoint)
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise TelemetryError(
            f"Traces are sent by an extra that is not installed. Start the playground with it: `{INSTALL_OTEL}`."
        ) from None
    return OTLPSpanExporter(endpoint=url)


def traces_url(endpoint: str) -> str:
    """Where a collector takes traces: its URL as it is given, or with the standard path if it has none.

    Raises:
        TelemetryError: This is no URL.
    """
    try:
        parts = urlsplit(endpoint.strip())
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_url = False
        parts = urlsplit("")
    if not is_url:
        raise TelemetryError(
            f"{safe_text(endpoint)[:_REASON_LENGTH]!r} is no address of a collector. Write e.g. http://localhost:4318."
        )
    return urlunsplit(parts) if parts.path.strip("/") else urlunsplit(parts._replace(path=_TRACES_PATH))


def send_traces(traces: Sequence[Trace], exporter: SpanExporter) -> int:
    """Sends traces; returns how many spans were sent. The same run has the same ids each time.

    Args:
        traces: What to send.
        exporter: Where to.

    Raises:
        TelemetryError: They were not taken.
    """
    from opentelemetry.sdk.trace.export import SpanExportResult

    spans = readable([span for trace in traces for span in trace.spans])
    with _reasons() as reasons:
        for some in _requests(spans):
            if exporter.export(some) is not SpanExportResult.SUCCESS:
                raise TelemetryError(
                    f"The collector did not take the traces: {reasons[0] if reasons else 'it gave no reason'}. Check that "
                    "it runs and takes OTLP over HTTP, and its address: --endpoint, or OTEL_EXPORTER_OTLP_ENDPOINT."
                )
    return len(spans)


def readable(spans: Sequence[Span]) -> list[ReadableSpan]:
    """The spans as the SDK has them. A parent comes before its parts."""
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.id_generator import IdGenerator

    ended: list[ReadableSpan] = []
    now: list[Span] = []

    class KnownIds(IdGenerator):
        """Gives the ids that the log gave."""

        def generate_trace_id(self) -> int:
            return int(now[-1].trace_id, 16)

        def generate_span_id(self) -> int:
            return int(now[-1].span_id, 16)

    class Ended(SpanProcessor):
        """Keeps the spans that ended."""

        def on_end(self, span: ReadableSpan) -> None:
            ended.append(span)

    resource = Resource.create()
    if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: SERVICE}))
    provider = TracerProvider(resource=resource, id_generator=KnownIds(), shutdown_on_exit=False)
    provider.add_span_processor(Ended())
    tracer = provider.get_tracer(SERVICE)
    contexts: dict[str | None, Context] = {}
    for span in spans:
        now.append(span)
        contexts[span.span_id] = _play(span, tracer, contexts.get(span.parent_id))
    return ended


def _requests(spans: Sequence[ReadableSpan]) -> Iterator[list[ReadableSpan]]:
    some: list[ReadableSpan] = []
    length = 0
    for span in spans:
        own = sum(len(value) for value in (span.attributes or {}).values() if isinstance(value, str))
        if some and (len(some) == _SPANS_A_REQUEST or length + own > _CHARACTERS_A_REQUEST):
            yield some
            some, length = [], 0
        some.append(span)
        length += own
    if some:
        yield some


def _play(span: Span, tracer: Tracer, parent: Context | None) -> Context:
    """Begins and ends a span at its times; returns the context for its parts."""
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

    kind = SpanKind.CLIENT if span.kind == "client" else SpanKind.INTERNAL
    begun = tracer.start_span(
        span.name,
        context=Context() if parent is None else parent,  # not this thread's: the run is a trace of its own
        kind=kind,
        attributes=span.attributes,
        start_time=span.start,
    )
    for event in span.events:
        begun.add_event(event.name, event.attributes, timestamp=event.at)
    if span.failed:
        begun.set_status(Status(StatusCode.ERROR, safe_text(span.failure) or None))
    begun.end(end_time=span.end)
    return set_span_in_context(begun, Context())


@contextmanager
def _reasons() -> Generator[list[str]]:
    """Why the exporter failed, in place of its log: the error that is raised says it once."""
    from opentelemetry.exporter.otlp.proto.http import trace_exporter

    reasons: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            reasons.append(_reason(record))

    logger, handler = logging.getLogger(trace_exporter.__name__), Kept()
    propagated, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield reasons
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated


def _reason(record: logging.LogRecord) -> str:
    """A record of the exporter in a few words: the status of an answer, or what came in its place."""
    told = record.args if isinstance(record.args, tuple) else ()
    for part in told:
        if isinstance(part, int) and part in _STATUSES:
            return f"it answered with status {part}"
        if isinstance(part, OSError):
            return f"it cannot be reached ({type(part).__name__})"
    text = safe_text(record.getMessage())  # all that is left of a record that was made safe to print
    if status := _STATUS.search(text):
        return f"it answered with status {status[1]}"
    if found := _TRANSIENT.match(text):
        why = _OF_SYSTEM.search(found[1])
        return f"it cannot be reached ({why[1] or why[2]})" if why else f"it answered: {found[1][:_REASON_LENGTH]}"
    return text[:_REASON_LENGTH].rstrip(".")
