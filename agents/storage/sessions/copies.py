"""Copies of log entries for a fork: the same bodies, with references to entries of the same log renumbered."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from agents.log import EVENT_KIND, LogEntry
from agents.records import ModelStarted
from agents.session import ImportedLog
from agents.state import ENTRY_KEYS, renumbered

_MARKS = tuple(f'"{key}"' for key in sorted(ENTRY_KEYS))
"""Texts in the body of an event that may name another entry."""


class EntryCopy(NamedTuple):  # a frozen dataclass takes twice as long to make, and a long log has tens of thousands
    """One entry on its way into the log of a fork.

    Attributes:
        kind: "event", or the trace record's kind.
        timestamp: Seconds since the epoch.
        body: The body as JSON text.
    """

    kind: str
    timestamp: float
    body: str


def copies_of(entries: Sequence[LogEntry], timestamps: Mapping[int, float]) -> list[EntryCopy]:
    """Copies of entries of one log, in order; in the fork's log the first one has the `seq` 1.

    Args:
        entries: The entries.
        timestamps: When each was made, by its seq; in seconds since the epoch.
    """
    seqs = [entry.seq for entry in entries]
    return [EntryCopy(entry.kind, timestamps.get(entry.seq, 0.0), _numbered(entry, seqs)) for entry in entries]


def imported_copies(log: ImportedLog) -> Iterator[EntryCopy]:
    """The same of what an imported session begins with, one at a time."""
    seqs = () if log.is_numbered else [entry.seq for entry in log.entries]
    for entry in log.entries:
        body = entry.body if log.is_numbered else _numbered(entry, seqs)
        yield EntryCopy(entry.kind, log.timestamps.get(entry.seq, 0.0), body)


def numbered_state(state: Mapping[str, Any], seqs: Sequence[int]) -> dict[str, Any]:
    """State of a fork; the number of an entry that was not copied stays.

    Args:
        state: State values by key.
        seqs: `seq` of the entries that are copied, in order.
    """

    def number(seq: int) -> int:
        place = bisect_right(seqs, seq)
        return place if place and seqs[place - 1] == seq else seq

    return renumbered(state, number)


def _numbered(entry: LogEntry, seqs: Sequence[int]) -> str:
    """The body of an entry's copy."""
    fields = _referring(entry)
    if fields is None:
        return entry.body
    if entry.kind == EVENT_KIND:
        actions = fields["actions"]
        fields["actions"] = {**actions, "state_delta": numbered_state(actions["state_delta"], seqs)}
    else:
        contents = fields["contents"]
        fields["contents"] = {**contents, "until": bisect_right(seqs, contents["until"])}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


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
