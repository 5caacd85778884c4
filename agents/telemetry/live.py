"""Sends the trace of each run once it has ended, if `PLAYGROUND_OTEL` says so."""

from __future__ import annotations

import logging
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

from agents.config import telemetry_switch
from agents.errors import PlaygroundError
from agents.runs.manager import RunManager
from agents.runs.values import Run

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

CLOSE_SECONDS = 3.0
"""How long the last traces may take when the manager is closed."""
GIVE_UP_SECONDS = 1.0
"""How long the exporter may take to give up after that."""

_SWITCH = {"": None, "off": None, "on": False, "content": True}

_log = logging.getLogger(__name__)


def trace_runs(manager: RunManager) -> None:
    """Lets a manager's runs be traced, if `PLAYGROUND_OTEL` is "on", or "content" for messages, arguments and results, too.

    A run that pauses is sent once it has been resumed and ended. Nothing that goes wrong with this harms a run: it is
    logged once.
    """
    said = telemetry_switch()
    if said not in _SWITCH:
        _log.warning("PLAYGROUND_OTEL is %r, so no traces are sent. Set it to on, content or off.", said)
    elif (content := _SWITCH[said]) is not None:
        manager.listen(TraceSender(manager, content=content))


class TraceSender:
    """Sends runs, one after another, from a thread of its own: a `RunListener`.

    Args:
        manager: Whose runs.
        content: Whether messages, arguments and results are wanted.
    """

    def __init__(self, manager: RunManager, *, content: bool) -> None:
        self._manager = manager
        self._content = content
        self._runs: SimpleQueue[Run | None] = SimpleQueue()
        self._exporter: SpanExporter | None = None
        self._complained = False
        self._sent: set[tuple[str, str]] = set()  # a run that paused may have gone on and ended before it is read
        self._thread = threading.Thread(target=self._work, name="playground-traces", daemon=True)
        self._thread.start()

    def ended(self, run: Run) -> None:
        """See `RunListener`."""
        self._runs.put(run)

    def close(self) -> None:
        """See `RunListener`: sends what is left, for a short time at most."""
        self._runs.put(None)
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive() and self._exporter is not None:
            self._exporter.shutdown()
            self._thread.join(GIVE_UP_SECONDS)

    def _work(self) -> None:
        while (run := self._runs.get()) is not None:
            try:
                self._send(run)
            except Exception as error:  # noqa: BLE001  whatever it is, it concerns no run
                self._complain(run, error)

    def _send(self, run: Run) -> None:
        if (run.session_id, run.invocation_id) in self._sent:
            return
        from agents.telemetry.exporter import open_exporter, send_traces  # here: not when the app starts
        from agents.telemetry.traces import read_traces

        if self._exporter is None:
            self._exporter = open_exporter()
        traces = read_traces(
            self._manager, run.pipeline, run.session_id, content=self._content, invocation_id=run.invocation_id
        )
        if over := [trace for trace in traces if trace.is_over]:
            self._sent.add((run.session_id, run.invocation_id))
            send_traces(over, self._exporter)

    def _complain(self, run: Run, error: Exception) -> None:
        if self._complained:
            return
        self._complained = True
        told = str(error) if isinstance(error, PlaygroundError) else type(error).__name__
        _log.warning(
            "The trace of a run could not be sent: %s Runs go on as before; this is said once. "
            "To send the run later: playground trace %s --send",
            told,
            run.session_id,
        )
