"""The display of a run: text for reading, or lines of JSON."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TextIO

from agents import EVENT_KIND, LogEntry, RunStarted
from agents.runs import Partial, PendingCall, Run
from ui.cli.terminal import Terminal, wants_colour
from ui.text.answered_by import replayed_session
from ui.text.visible_text import json_line, safe_json


class Display(Protocol):
    """Shows a run."""

    def show_entry(self, entry: LogEntry, number: int) -> None:
        """Shows a stored entry. `number` is an event's number in its session."""

    def show_partial(self, partial: Partial) -> None:
        """Shows a piece of an event that is being streamed."""

    def finish(self, run: Run, result: Mapping[str, Any], *, options: str = "", waiting: Sequence[PendingCall] = ()) -> None:
        """Shows how the run ended and what it waits for; `result` is the body of its `run_finished` record."""


class JsonLines:
    """Shows a run as one JSON object per line: the stored events, then a summary.

    Args:
        stream: The output.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._start: Mapping[str, Any] = {}

    def show_entry(self, entry: LogEntry, number: int) -> None:
        """Writes an event's number and the event as it is stored, which says whether it is simulated or replayed."""
        if entry.kind == EVENT_KIND:
            self._stream.write(f'{{"number":{number},{safe_json(entry.body).removeprefix("{")}\n')
            self._stream.flush()
        elif entry.kind == RunStarted.kind:
            self._start = entry.fields()

    def show_partial(self, partial: Partial) -> None:
        """Writes nothing: pieces are not stored."""

    def finish(self, run: Run, result: Mapping[str, Any], *, options: str = "", waiting: Sequence[PendingCall] = ()) -> None:
        """Writes the summary."""
        summary = {
            "session_id": run.session_id,
            "status": result.get("status"),
            "calls": result.get("calls", 0),
            "tokens": result.get("tokens", {}),
            "model": run.model,
            "simulated": bool(self._start.get("simulated")),
        }
        if self._start.get("agent_models"):
            summary["agent_models"] = self._start["agent_models"]
        if (session := replayed_session(self._start)) is not None:
            summary["replayed"] = session
        self._stream.write(json_line(summary) + "\n")
        self._stream.flush()


def open_display(*, as_json: bool) -> Display:
    """The display on standard output, which replaces characters that it cannot encode.

    Args:
        as_json: Whether to show lines of JSON, instead of text for reading.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8" if as_json else None, errors="replace")
    if as_json:
        return JsonLines(sys.stdout)
    return Terminal(sys.stdout, live=sys.stdout.isatty(), colour=wants_colour(sys.stdout))
