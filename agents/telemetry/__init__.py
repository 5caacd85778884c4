"""OpenTelemetry: a session's log as traces, and where they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.telemetry.exporter import open_exporter as open_exporter
    from agents.telemetry.exporter import send_traces as send_traces
    from agents.telemetry.live import trace_runs as trace_runs
    from agents.telemetry.otlp import otlp_json as otlp_json
    from agents.telemetry.span import Span as Span
    from agents.telemetry.span import Trace as Trace
    from agents.telemetry.traces import read_traces as read_traces

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
