"""Sending: a real OTLP/HTTP receiver on loopback, the file format, addresses, and what goes wrong."""

from __future__ import annotations

import json
import logging
import socket
import sys

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents.errors import TelemetryError
from agents.runs import RunManager
from agents.telemetry import exporter
from agents.telemetry.exporter import open_exporter, send_traces, traces_url
from agents.telemetry.otlp import otlp_json
from agents.telemetry.span import Span, SpanEvent, Trace
from agents.telemetry.traces import read_traces
from tests.agents.telemetry.stage import run
from tests.standins.collector import CollectorStandIn

STANDARD = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_SERVICE_NAME")


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in STANDARD:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def collector():
    with CollectorStandIn() as collector:
        yield collector


@pytest.fixture(scope="module")
def traces():
    with RunManager(database=None) as manager:
        made = run(manager, "report_writer")
        yield read_traces(manager, "report_writer", made.session_id, content=True)


def small(**more) -> Trace:
    span = Span("1" * 32, "2" * 16, None, "invoke_workflow x", 10, 20, **more)
    span.events.append(SpanEvent("loop_iteration", 15, {"playground.iteration": 2}))
    return Trace("i", "completed", [span])


def value_of(value) -> object:
    kind = value.WhichOneof("value")
    return tuple(item.string_value for item in value.array_value.values) if kind == "array_value" else getattr(value, kind)


def value_in(value: dict) -> object:
    [(kind, held)] = value.items()
    if kind == "arrayValue":
        return tuple(item["stringValue"] for item in held["values"])
    return int(held) if kind == "intValue" else held


def test_a_collector_receives_every_span_as_it_is(collector, traces):
    count = send_traces(traces, open_exporter(collector.url))

    spans = [span for trace in traces for span in trace.spans]
    assert [path for path, _, _ in collector.requests] == ["/v1/traces"]
    assert count == len(collector.spans) == len(spans)
    assert collector.services == {"agent-playground"}
    for sent, span in zip(collector.spans, spans, strict=True):
        assert (sent.trace_id.hex(), sent.span_id.hex()) == (span.trace_id, span.span_id)
        assert sent.parent_span_id.hex() == (span.parent_id or "")
        assert (sent.name, sent.start_time_unix_nano, sent.end_time_unix_nano) == (span.name, span.start, span.end)
        assert {a.key: value_of(a.value) for a in sent.attributes} == span.attributes
        assert [(event.name, event.time_unix_nano) for event in sent.events] == [(e.name, e.at) for e in span.events]


def test_the_file_says_the_same_as_the_protocol(collector, traces):
    send_traces(traces, open_exporter(collector.url))
    [resource] = json.loads(otlp_json(traces))["resourceSpans"]
    [scope] = resource["scopeSpans"]
    for sent, written in zip(collector.spans, scope["spans"], strict=True):
        assert (sent.trace_id.hex(), sent.span_id.hex()) == (written["traceId"], written["spanId"])
        assert (sent.parent_span_id.hex() or None) == written.get("parentSpanId")
        assert (sent.name, sent.kind, sent.status.code) == (
            written["name"],
            written["kind"],
            written["status"].get("code", 0),
        )
        assert str(sent.start_time_unix_nano) == written["startTimeUnixNano"]
        assert {a.key: value_of(a.value) for a in sent.attributes} == {
            a["key"]: value_in(a["value"]) for a in written["attributes"]
        }


def test_a_failure_is_a_status_and_its_words_are_there_only_with_content(collector):
    send_traces([small(failed=True, failure="the oven is cold")], open_exporter(collector.url))
    send_traces([small(failed=True)], open_exporter(collector.url))
    assert [(span.status.code, span.status.message) for span in collector.spans] == [(2, "the oven is cold"), (2, "")]


def test_the_standard_variables_are_the_sdks(collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=kitchen")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "my-playground")
    send_traces([small()], open_exporter())
    [(path, headers, _)] = collector.requests
    assert (path, headers["x-team"], collector.services) == ("/v1/traces", "kitchen", {"my-playground"})


def test_the_sdk_can_be_switched_off(collector, monkeypatch):
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert send_traces([small()], open_exporter(collector.url)) == 0
    assert collector.requests == []


def test_many_spans_are_sent_in_several_requests(collector):
    spans = [Span("1" * 32, f"{number:016x}", None, "chat m", 10, 20) for number in range(1, 1001)]
    assert send_traces([Trace("i", "completed", spans)], open_exporter(collector.url)) == 1000
    assert len(collector.requests) == 5
    assert len({span.span_id for span in collector.spans}) == 1000


def test_long_texts_are_sent_in_several_requests(collector):
    long = {"gen_ai.input.messages": "海" * 1_500_000}
    spans = [Span("1" * 32, f"{number:016x}", None, "chat m", 10, 20, attributes=dict(long)) for number in range(1, 6)]
    assert send_traces([Trace("i", "completed", spans)], open_exporter(collector.url)) == 5
    assert len(collector.requests) == 3


def test_a_trace_around_the_code_that_sends_is_not_continued(collector):
    from opentelemetry.sdk.trace import TracerProvider

    with TracerProvider(shutdown_on_exit=False).get_tracer("mine").start_as_current_span("mine"):
        send_traces([small()], open_exporter(collector.url))
    [span] = collector.spans
    assert (span.trace_id.hex(), span.parent_span_id) == ("1" * 32, b"")


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_a_collector_that_refuses_is_told_with_its_status(status, caplog):
    with (
        CollectorStandIn(status) as collector,
        caplog.at_level(logging.DEBUG),
        pytest.raises(TelemetryError, match=f"it answered with status {status}"),
    ):
        send_traces([small()], open_exporter(collector.url))
    assert [record for record in caplog.records if record.name.startswith("opentelemetry")] == []


def test_a_collector_that_is_not_there_is_told_with_the_cure(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "2")  # time for one more try, whose beginning tells the reason
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        with pytest.raises(TelemetryError, match=r"it cannot be reached \(ConnectionError\).*OTEL_EXPORTER_OTLP_ENDPOINT"):
            send_traces([small()], open_exporter(f"http://127.0.0.1:{taken.getsockname()[1]}"))


@pytest.mark.parametrize(
    ("logged", "told"),
    [
        (
            (
                "Transient error HTTPConnectionPool(host='c', port=9): Max retries exceeded with url: /v1/traces (Caused by "
                "NewConnectionError(\"HTTPConnection(host='c', port=9): Failed to establish a new connection: [Errno 111] "
                'Connection refused")) encountered while exporting spans batch, retrying in 0.84s.'
            ),
            "it cannot be reached (Connection refused)",
        ),
        (
            (
                "Transient error HTTPConnectionPool(host='c', port=9): Read timed out. (read timeout=10) encountered while "
                "exporting spans batch, retrying in 0.84s."
            ),
            "it cannot be reached (timed out)",
        ),
        (
            "Transient error Service Unavailable encountered while exporting spans batch, retrying in 1.00s.",
            "it answered: Service Unavailable",
        ),
        ("Failed to export spans batch code: 403, reason: Forbidden", "it answered with status 403"),
        ("Something else. " + "x" * 1000, "Something else. " + "x" * 284),
    ],
)
def test_a_record_that_was_made_safe_to_print_tells_the_same(logged, told):
    """`playground` prints all records without their arguments."""
    assert exporter._reason(logging.LogRecord("otel", logging.WARNING, "", 1, logged, None, None)) == told


def test_without_the_extra_the_command_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(TelemetryError, match="`uv run --extra otel playground`"):
        open_exporter()


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("http://localhost:4318", "http://localhost:4318/v1/traces"),
        (" https://otel.example.com/ ", "https://otel.example.com/v1/traces"),
        ("http://[::1]:4318", "http://[::1]:4318/v1/traces"),
        ("https://example.com/otlp/v1/traces", "https://example.com/otlp/v1/traces"),
    ],
)
def test_an_address_without_a_path_gets_the_standard_one(endpoint, url):
    assert traces_url(endpoint) == url


@pytest.mark.parametrize(
    "endpoint", ["", "localhost:4318", "ftp://x", "http://", "http://x:port", "http://[", "日本", "x" * 9999]
)
def test_what_is_no_address_is_refused_with_an_example(endpoint):
    with pytest.raises(TelemetryError, match="http://localhost:4318") as refused:
        traces_url(endpoint)
    assert len(str(refused.value)) < 500


def test_nothing_is_sent_for_no_traces():
    assert send_traces([], InMemorySpanExporter()) == 0
