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
from agents.session import GetSessionConfig
from agents.storage.sessions.columns import Name, SessionColumns
from agents.storage.sessions.incoming import body_of
from agents.storage.sessions.run_status import goes_on


@dataclass(slots=True, kw_only=True)
class StoredSession(SessionColumns):
    """A session with its log, and what its entries add up to."""

    name: Name
    created_at: float
    deleted: bool = False
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    all_events: list[Event] = field(default_factory=list[Event])
    log: list[Event | TraceRecord] = field(default_factory=list[Event | TraceRecord])
    seqs: list[int] = field(default_factory=list[int])
    """Of the entries in `log`."""
    tags: set[str] = field(default_factory=set[str])

    @property
    def last_seq(self) -> int:
        """The seq of its newest entry."""
        return self.seqs[-1]

    def add(self, entries: Sequence[Event | TraceRecord], seqs: range) -> None:
        """Puts entries, at least one, at the end of the log."""
        before = self.events
        self.fold(entries)
        if self.events != before:
            self.all_events.extend([entry for entry in entries if not isinstance(entry, TraceRecord)])
        self.log.extend(entries)
        self.seqs.extend(seqs)

    def entries(
        self, after: int, limit: int | None = None, *, newest: bool = False, kind: str | None = None
    ) -> list[LogEntry]:
        """Entries with `seq > after`, as JSON; with `kind` those of one kind."""
        chosen: Sequence[int] = range(bisect_right(self.seqs, after), len(self.seqs))
        if kind is not None:
            chosen = [place for place in chosen if _kind_of(self.log[place]) == kind]
        if limit is not None:
            chosen = chosen[max(0, len(chosen) - limit) :] if newest else chosen[: max(0, limit)]
        return [LogEntry(self.seqs[place], _kind_of(self.log[place]), body_of(self.log[place])) for place in chosen]

    def count_events(self, until: int) -> int:
        """How many events there are up to a seq."""
        return sum(isinstance(entry, Event) for entry in self.log[: bisect_right(self.seqs, until)])

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

    def selected(self, config: GetSessionConfig) -> list[Event]:
        """The events that a reader asks for."""
        events = self.all_events
        if config.after_timestamp is not None:
            events = [event for event in events if event.timestamp >= config.after_timestamp]
        recent = config.num_recent_events
        return events[:] if recent is None else events[max(0, len(events) - recent) :]


def _kind_of(entry: Event | TraceRecord) -> str:
    return entry.kind if isinstance(entry, TraceRecord) else EVENT_KIND
