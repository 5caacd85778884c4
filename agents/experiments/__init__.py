"""Experiments on sessions: the cursor over a log, counterfactual runs, and traces for OpenTelemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.experiments.changes import AnswerChange as AnswerChange
    from agents.experiments.changes import Change as Change
    from agents.experiments.changes import FaultChange as FaultChange
    from agents.experiments.changes import InstructionChange as InstructionChange
    from agents.experiments.changes import MessageChange as MessageChange
    from agents.experiments.changes import ModelChange as ModelChange
    from agents.experiments.changes import PlaybookChange as PlaybookChange
    from agents.experiments.changes import StateChange as StateChange
    from agents.experiments.changes import ToolResultChange as ToolResultChange
    from agents.experiments.cursor import Moment as Moment
    from agents.experiments.cursor import Timeline as Timeline
    from agents.experiments.cursor import at as at
    from agents.experiments.fork import Fork as Fork
    from agents.experiments.fork import Forks as Forks
    from agents.experiments.telemetry.exporter import open_exporter as open_exporter
    from agents.experiments.telemetry.exporter import send_traces as send_traces
    from agents.experiments.telemetry.live import trace_runs as trace_runs
    from agents.experiments.telemetry.otlp_json import otlp_json as otlp_json
    from agents.experiments.telemetry.span import Span as Span
    from agents.experiments.telemetry.span import Trace as Trace
    from agents.experiments.telemetry.traces import read_traces as read_traces

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.experiments.changes": (
            "AnswerChange",
            "Change",
            "FaultChange",
            "InstructionChange",
            "MessageChange",
            "ModelChange",
            "PlaybookChange",
            "StateChange",
            "ToolResultChange",
        ),
        "agents.experiments.cursor": ("Moment", "Timeline", "at"),
        "agents.experiments.fork": ("Fork", "Forks"),
        "agents.experiments.telemetry.exporter": ("open_exporter", "send_traces"),
        "agents.experiments.telemetry.live": ("trace_runs",),
        "agents.experiments.telemetry.otlp_json": ("otlp_json",),
        "agents.experiments.telemetry.span": ("Span", "Trace"),
        "agents.experiments.telemetry.traces": ("read_traces",),
    },
)
