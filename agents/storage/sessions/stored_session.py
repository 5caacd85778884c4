"""A session in memory: its log and what its entries add up to.

Events are shared with readers, never copied.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.event import Event
from agents.log import EVENT_KIND, LogEntry, TraceRecord
from agents.session import GetSessionConfig, RunStatus, SessionSummary
from agents.storage.sessions.incoming import body_of
from agents.storage.sessions.run_status import RUN_KINDS, goes_on, last_run, status_after

Name = tuple[str, str, str]
"""app_name, user_id, session_id"""


@dataclass(slots=True)
class StoredSession:
    """A session with its log, and what its entries add up to."""

    name: Name
    created_at: float
    title: str = ""
    updated_at: float = 0.0
    deleted: bool = False
    status: RunStatus = "idle"
    last_run: tuple[str, bool] = ("", False)
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    events: list[Event] = field(default_factory=list[Event])
    log: list[Event | TraceRecord] = field(default_factory=list[Event | TraceRecord])
    seqs: list[int] = field(default_factory=list[int])
    """Of the entries in `log`."""

    @property
    def last_seq(self) -> int:
        """The seq of its newest entry."""
        return self.seqs[-1]

    def add(self, entries: Sequence[Event | TraceRecord], seqs: range) -> None:
        """Puts entries, at least one, at the end of the log."""
        for entry in entries:
            if isinstance(entry, Event):
                self.events.append(entry)
            elif entry.kind in RUN_KINDS:
                self.status = status_after(entry) or self.status
                self.last_run = last_run(entry) if entry.kind == "run_started" else self.last_run
        self.log.extend(entries)
        self.seqs.extend(seqs)
        self.updated_at = entries[-1].timestamp

    def entries(self, after: int, limit: int | None = None, *, newest: bool = False) -> list[LogEntry]:
        """Entries with `seq > after`, as JSON."""
        start, end = bisect_right(self.seqs, after), len(self.seqs)
        if limit is not None:
            start, end = (max(start, end - limit), end) if newest else (start, start + limit)
        chosen = slice(start, end)
        return [
            LogEntry(seq, entry.kind if isinstance(entry, TraceRecord) else EVENT_KIND, body_of(entry))
            for seq, entry in zip(self.seqs[chosen], self.log[chosen], strict=True)
        ]

    def events_after(self, seq: int) -> list[Event]:
        """Events with a seq above `seq`."""
        return [entry for entry in self.log[bisect_right(self.seqs, seq) :] if isinstance(entry, Event)]

    def unfinished_run(self) -> list[LogEntry]:
        """The trace records of the run that goes on, as `interrupted` reads them."""
        run = self.entries(after=self.seqs[self._last_of("run_started", len(self.log))] - 1)
        if goes_on(run):
            before = bisect_left(self.seqs, run[0].seq)
            run = [*self.entries(self.seqs[self._last_of("run_finished", before)] - 1, limit=1), *run]
        return [entry for entry in run if entry.kind != EVENT_KIND]

    def _last_of(self, kind: str, end: int) -> int:
        """Place of the last trace record of a kind among the first `end` entries."""
        return next(i for i in range(end - 1, -1, -1) if getattr(self.log[i], "kind", None) == kind)

    def summary(self) -> SessionSummary:
        """Its row in a list of sessions."""
        counts = (self.title, self.created_at, self.updated_at, len(self.events), self.status)
        return SessionSummary(*self.name, *counts, *self.last_run)

    def selected(self, config: GetSessionConfig) -> list[Event]:
        """The events that a reader asks for."""
        events = self.events
        if config.after_timestamp is not None:
            events = [event for event in events if event.timestamp >= config.after_timestamp]
        recent = config.num_recent_events
        return events[:] if recent is None else events[max(0, len(events) - recent) :]
