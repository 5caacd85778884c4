"""`PLAYGROUND_OTEL`: each run is sent when it ends, and a collector that is away harms no run."""

from __future__ import annotations

import logging
import socket
import sys

import pytest

from agents.runs import RunManager
from agents.telemetry import live
from agents.telemetry.live import trace_runs
from tests.agents.telemetry.stage import log_of, run
from tests.standins.collector import CollectorStandIn


@pytest.fixture
def collector(monkeypatch):
    with CollectorStandIn() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        yield collector


@pytest.fixture
def manager():
    with RunManager(database=None) as manager:
        yield manager


def attributes(span) -> dict[str, str]:
    return {attribute.key: attribute.value.string_value for attribute in span.attributes}


@pytest.mark.parametrize("switch", [None, "", "off", " OFF "])
def test_nothing_is_sent_unless_it_is_switched_on(switch, collector, monkeypatch, manager):
    if switch is None:
        monkeypatch.delenv("PLAYGROUND_OTEL", raising=False)
    else:
        monkeypatch.setenv("PLAYGROUND_OTEL", switch)
    trace_runs(manager)
    run(manager, "iterative_writing")
    manager.close()
    assert collector.requests == []


@pytest.mark.parametrize(("switch", "content"), [("on", False), ("content", True)])
def test_a_run_is_sent_when_it_ends(switch, content, collector, monkeypatch, manager):
    monkeypatch.setenv("PLAYGROUND_OTEL", switch)
    trace_runs(manager)
    made = run(manager, "iterative_writing", "a lighthouse keeper")
    assert collector.arrived.wait(20)
    manager.close()
    [root] = [span for span in collector.spans if not span.parent_span_id]
    assert attributes(root)["playground.invocation.id"] == made.invocation_id
    assert ("a lighthouse keeper" in str(collector.spans)) is content


def test_closing_sends_what_is_left(collector, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    with RunManager(database=None) as manager:
        trace_runs(manager)
        for _ in range(3):
            run(manager, "iterative_writing")
    assert len([span for span in collector.spans if not span.parent_span_id]) == 3


def test_a_run_that_is_stopped_by_closing_is_sent(collector, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    with RunManager(database=None) as manager:
        trace_runs(manager)
        manager.start("iterative_writing", "slowly", simulated_speed=1)
    [root] = [span for span in collector.spans if not span.parent_span_id]
    assert attributes(root)["playground.run.status"] == "stopped"


def test_a_run_that_waits_is_sent_once_it_has_ended(collector, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    with RunManager(database=None) as manager:
        trace_runs(manager)
        made = manager.start("approval", manager.catalog.get("approval").card.samples[0], simulated_speed=0)
        log_of(manager, made)
        [waiting] = manager.pending("approval")
        log_of(manager, manager.answer("approval", made.session_id, waiting.call_id, {"confirmed": True}))
    assert len([span for span in collector.spans if not span.parent_span_id]) == 1
    assert [span.name for span in collector.spans if span.name == "wait"] == ["wait"]


def test_a_collector_that_is_away_harms_no_run_and_is_told_once(monkeypatch, caplog):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    with socket.socket() as taken, caplog.at_level(logging.WARNING):
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}")
        with RunManager(database=None) as manager:
            trace_runs(manager)
            made = [run(manager, "iterative_writing") for _ in range(3)]
            assert {found.status for found in manager.sessions.summaries()} == {"completed"}
    [record] = caplog.records
    assert "The collector did not take the traces" in record.getMessage()
    assert f"playground trace {made[0].session_id} --send" in record.getMessage()


def test_without_the_extra_runs_go_on_and_the_command_is_told(monkeypatch, caplog):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with RunManager(database=None) as manager:
        trace_runs(manager)
        run(manager, "iterative_writing")
        assert [found.status for found in manager.sessions.summaries()] == ["completed"]
    [record] = caplog.records
    assert "`uv run --extra otel playground`" in record.getMessage()


def test_a_switch_that_is_none_is_told(monkeypatch, caplog, collector, manager):
    monkeypatch.setenv("PLAYGROUND_OTEL", "はい")
    trace_runs(manager)
    run(manager, "iterative_writing")
    manager.close()
    [record] = caplog.records
    assert "Set it to on, content or off." in record.getMessage()
    assert collector.requests == []


def test_a_session_that_was_deleted_meanwhile_is_told_and_no_more(monkeypatch, caplog, collector):
    monkeypatch.setenv("PLAYGROUND_OTEL", "on")
    with RunManager(database=None) as manager:
        sender = live.TraceSender(manager, content=False)
        made = run(manager, "iterative_writing")
        manager.sessions.delete("iterative_writing", made.session_id)
        sender.ended(made)
        sender.close()
    [record] = caplog.records
    assert "could not be sent: There is no session" in record.getMessage()
    assert collector.requests == []
