"""OpenTelemetry: a session's log as traces, and where they are sent."""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.telemetry.content import Content, text_names
    from agents.telemetry.exporter import open_exporter, send_traces
    from agents.telemetry.live import trace_runs
    from agents.telemetry.otlp import otlp_json
    from agents.telemetry.run_counts import RunCounts
    from agents.telemetry.span import Span, Trace
    from agents.telemetry.traces import read_traces

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
