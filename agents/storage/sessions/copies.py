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
        request: The fields of a `model_started` record that refers to the last entry sent; None for any other entry.
        until: The place, from 1, of the copy of that entry.
    """

    kind: str
    timestamp: float
    body: str
    request: dict[str, Any] | None = None
    until: int = 0

    def numbered(self, before: int) -> str:
        """The body in a log where the copies follow the entry `before`."""
        if self.request is None:
            return self.body
        contents = {**self.request["contents"], "until": before + self.until if self.until else 0}
        return json.dumps({**self.request, "contents": contents}, ensure_ascii=False, separators=(",", ":"))


def copies_of(entries: Sequence[LogEntry], timestamps: Mapping[int, float]) -> list[EntryCopy]:
    """Copies of entries of one log, in order.

    Args:
        entries: The entries.
        timestamps: When each was made, by its seq; in seconds since the epoch.
    """
    seqs = [entry.seq for entry in entries]
    return [_copy(entry, timestamps.get(entry.seq, 0.0), seqs) for entry in entries]


def _copy(entry: LogEntry, timestamp: float, seqs: Sequence[int]) -> EntryCopy:
    if entry.kind == "model_started":
        fields = entry.fields()
        contents = cast("dict[str, Any]", fields.get("contents") or {})
        if "until" in contents:
            return EntryCopy(entry.kind, timestamp, entry.body, dict(fields), bisect_right(seqs, contents["until"]))
    return EntryCopy(entry.kind, timestamp, entry.body)


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
