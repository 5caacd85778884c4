"""`RunCounts`: how many runs of this process ended how, and what they asked of models, counted when each has ended."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from queue import SimpleQueue

from agents.errors import PlaygroundError
from agents.log import LogEntry
from agents.models.providers import provider_of
from agents.records import ModelFinished, RunFinished
from agents.runs.manager import RunManager
from agents.runs.services import Services
from agents.runs.values import Run

CLOSE_SECONDS = 3.0
"""How long the last runs may take to be counted when the manager is closed."""
_OTHER = "other"

_log = logging.getLogger(__name__)


class RunCounts:
    """A `RunListener` that reads what each run has stored, in a thread of its own.

    Attributes:
        outcomes: Runs by how they ended: "completed", "failed", "stopped", "interrupted" or "paused"; "lost" without an end.
        calls: Model calls by provider, and whether they came to an answer: "ok" or "error".
        tokens: Tokens by provider and direction: "input", or "output" with thoughts among them.
        entries: Entries that were appended.
        over: Runs that have ended, those included that are still to be counted.

    Args:
        manager: Whose runs.
    """

    def __init__(self, manager: RunManager) -> None:
        self.outcomes: Counter[str] = Counter()
        self.calls: Counter[tuple[str, str]] = Counter()
        self.tokens: Counter[tuple[str, str]] = Counter()
        self.entries = 0
        self.over = 0
        self._manager = manager
        self._runs: SimpleQueue[Run | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="playground-counts", daemon=True)
        self._thread.start()
        manager.listen(self)

    def ended(self, run: Run) -> None:
        """See `RunListener`."""
        self.over += 1
        self._runs.put(run)

    def close(self) -> None:
        """See `RunListener`."""
        self._runs.put(None)
        self._thread.join(CLOSE_SECONDS)

    def _work(self) -> None:
        while (run := self._runs.get()) is not None:
            try:
                self._count(run)
            except Exception as error:  # noqa: BLE001  whatever it is, it concerns no run
                _log.warning("A run could not be counted: %s", type(error).__name__)

    def _count(self, run: Run) -> None:
        async def read(services: Services) -> list[LogEntry]:
            return await services.sessions.read_log(**run.key.name, after=run.after)

        try:
            entries = self._manager.in_store(read)
        except PlaygroundError:  # it was deleted, or the database is gone
            entries = []
        outcome = "lost"
        for entry in entries:
            if (end := entry.of(RunFinished)) is not None:
                outcome = end.status
            elif (call := entry.of(ModelFinished)) is not None:
                self._count_call(call)
        self.entries += len(entries)
        self.outcomes[outcome] += 1

    def _count_call(self, call: ModelFinished) -> None:
        found = provider_of(call.answered_by or call.model)
        provider = _OTHER if found is None else found.name
        self.calls[provider, "error" if call.error else "ok"] += 1
        self.tokens[provider, "input"] += call.usage.get("input") or 0
        self.tokens[provider, "output"] += call.received
