"""Copies of log entries for a fork: the same bodies, with references to entries of the same log renumbered."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents.log import EVENT_KIND, LogEntry, TraceRecord
from agents.records import ModelStarted, RunStarted
from agents.state import ENTRY_KEYS, renumbered
from agents.storage.sessions.run_status import RUN_COLUMN_KINDS

_MARKS = tuple(f'"{key}"' for key in sorted(ENTRY_KEYS))
"""Texts in the body of an event that may name another entry."""


@dataclass(frozen=True, slots=True)
class EntryCopy:
    """One entry on its way into the log of a fork.

    Attributes:
        kind: "event", or the trace record's kind.
        timestamp: Seconds since the epoch.
        body: The body as JSON text.
        refers: The body's fields, if they name other entries by number; None for any other entry.
        places: `seq` of all entries that are copied, in order.
    """

    kind: str
    timestamp: float
    body: str
    refers: dict[str, Any] | None = None
    places: Sequence[int] = ()

    def numbered(self, before: int) -> str:
        """The body in a log where the copies follow the entry `before`."""
        if self.refers is None:
            return self.body
        if self.kind == EVENT_KIND:
            actions = self.refers["actions"]
            delta = numbered_state(actions["state_delta"], self.places, before)
            fields = {**self.refers, "actions": {**actions, "state_delta": delta}}
        else:
            contents = self.refers["contents"]
            until = bisect_right(self.places, contents["until"])
            fields = {**self.refers, "contents": {**contents, "until": before + until if until else 0}}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def copies_of(entries: Sequence[LogEntry], timestamps: Mapping[int, float]) -> list[EntryCopy]:
    """Copies of entries of one log, in order.

    Args:
        entries: The entries.
        timestamps: When each was made, by its seq; in seconds since the epoch.
    """
    seqs = [entry.seq for entry in entries]
    return [EntryCopy(entry.kind, timestamps.get(entry.seq, 0.0), entry.body, _referring(entry), seqs) for entry in entries]


def numbered_state(state: Mapping[str, Any], places: Sequence[int], before: int) -> dict[str, Any]:
    """State of a log whose copies follow the entry `before`; the number of an entry that was not copied stays.

    Args:
        state: State values by key.
        places: `seq` of the entries that are copied, in order.
        before: The last entry before the copies.
    """

    def number(seq: int) -> int:
        place = bisect_right(places, seq)
        return before + place if place and places[place - 1] == seq else seq

    return renumbered(state, number)


def _referring(entry: LogEntry) -> dict[str, Any] | None:
    """The fields of an entry that names others by number."""
    if entry.kind == ModelStarted.kind:
        fields = entry.fields()
        return fields if "until" in cast("dict[str, Any]", fields.get("contents") or {}) else None
    if entry.kind == EVENT_KIND and any(mark in entry.body for mark in _MARKS):
        fields = entry.fields()
        actions = cast("dict[str, Any]", fields.get("actions") or {})
        return fields if not ENTRY_KEYS.isdisjoint(actions.get("state_delta") or ()) else None
    return None


def runs_in(copies: Sequence[EntryCopy]) -> list[TraceRecord]:
    """What copies say of the last run, from its first start on, as records: they give a session its run columns."""
    places = [place for place, copy in enumerate(copies) if copy.kind in RUN_COLUMN_KINDS]
    starts = (place for place in places if copies[place].kind == RunStarted.kind and '"resumed"' not in copies[place].body)
    first = max(starts, default=0)
    return [
        TraceRecord(copies[place].kind, data=json.loads(copies[place].body), timestamp=copies[place].timestamp)
        for place in places
        if place >= first
    ]
