"""Copies of log entries for a fork: the same bodies, with references to entries of the same log renumbered."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.log import LogEntry, TraceRecord


@dataclass(frozen=True, slots=True)
class EntryCopy:
    """One entry on its way into the log of a fork.

    Attributes:
        kind: "event", or the trace record's kind.
        timestamp: Seconds since the epoch.
        body: The body as JSON text.
        until: The place, from 1, of the copy that a `model_started` record refers to as the last entry sent; None for an
            entry without such a reference.
    """

    kind: str
    timestamp: float
    body: str
    until: int | None = None

    def numbered(self, before: int) -> str:
        """The body in a log where the copies follow the entry `before`."""
        if self.until is None:
            return self.body
        fields = json.loads(self.body)
        fields["contents"]["until"] = before + self.until if self.until else 0
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def copies_of(entries: Sequence[LogEntry], timestamps: Mapping[int, float]) -> list[EntryCopy]:
    """Copies of entries of one log, in order.

    Args:
        entries: The entries.
        timestamps: When each was made, by its seq; in seconds since the epoch.
    """
    seqs = [entry.seq for entry in entries]
    return [
        EntryCopy(entry.kind, timestamps.get(entry.seq, 0.0), entry.body, _until(entry, seqs))
        if entry.kind == "model_started"
        else EntryCopy(entry.kind, timestamps.get(entry.seq, 0.0), entry.body)
        for entry in entries
    ]


def _until(entry: LogEntry, seqs: Sequence[int]) -> int | None:
    contents = cast("dict[str, Any]", entry.fields().get("contents") or {})
    return bisect_right(seqs, contents["until"]) if "until" in contents else None


def runs_in(copies: Sequence[EntryCopy]) -> list[TraceRecord]:
    """The last start and the last end of a run among copies, in order, as records: they give a session its run columns."""
    found: dict[str, int] = {}
    for place, copy in enumerate(copies):
        if copy.kind in ("run_started", "run_finished"):
            found[copy.kind] = place
    records: list[TraceRecord] = []
    for place in sorted(found.values()):
        fields = json.loads(copies[place].body)
        records.append(TraceRecord(copies[place].kind, data=fields, timestamp=copies[place].timestamp))
    return records
