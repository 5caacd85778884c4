"""The log: events and trace records of a session in one order, as they are written down.

An entry's place in its session is its `seq`: 1 for the first one, then 1 more for each. Earlier versions numbered the
entries of all sessions together: sessions of theirs begin with any number, have gaps, and go on from their last one.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, final

from pydantic_core import to_json

from agents.event import Event
from agents.records import RECORDS, Record, read_record

EVENT_KIND = "event"

R = TypeVar("R", bound=Record)

_SHORT = 100_000
"""Most characters of a text whose hash is cached: the cache keeps the texts, and a large playbook's prompt has 20 MB."""


@dataclass(frozen=True, slots=True)
class TraceKind:
    """A kind of trace record.

    Attributes:
        means: What happened, in a sentence.
        words: What it reads as, by name: phrases with `{fields}`. A kind that is not shown by itself has none.
    """

    means: str
    words: Mapping[str, str]


@cache
def trace_kinds() -> dict[str, TraceKind]:
    """All kinds of trace records that the code writes: one vocabulary for log, terminal and session view."""
    words = json.loads(Path(__file__).with_name("trace_kinds.json").read_text(encoding="utf-8"))
    return {kind: TraceKind(str(read.__doc__).partition("\n")[0], words.get(kind, {})) for kind, read in RECORDS.items()}


@final
@dataclass(slots=True)
class TraceRecord:
    """A trace record: an agent started, a loop began its next pass, a model was called.

    Attributes:
        kind: What happened, e.g. "agent_started", see `agents.records`. Viewers show unknown kinds as they are.
        invocation_id: The run; "" outside of one.
        agent: Name of the agent concerned; "" where there is none.
        branch: The parallel branch that it happened in.
        data: JSON values, by kind.
        timestamp: Seconds since the epoch, for reading only.
    """

    kind: str
    invocation_id: str = ""
    agent: str = ""
    branch: str | None = None
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    timestamp: float = field(default_factory=time.time)

    def fields(self) -> dict[str, Any]:
        """The record as one flat dictionary."""
        body: dict[str, Any] = {"invocation_id": self.invocation_id, "agent": self.agent}
        if self.branch:
            body["branch"] = self.branch
        body["timestamp"] = self.timestamp
        body.update(self.data)
        return body

    def to_json(self) -> str:
        """The record's body as stored: one flat JSON object."""
        return to_json(self.fields(), inf_nan_mode="null").decode()


class LogEntry(NamedTuple):  # a frozen dataclass takes twice as long to make, and a long log has tens of thousands
    """One stored entry: `body` is JSON text, an event's or a trace record's."""

    seq: int
    kind: str
    body: str

    def event(self) -> Event:
        """The event that this entry holds; only for `kind == "event"`."""
        return Event.model_validate_json(self.body)

    def fields(self) -> dict[str, Any]:
        """The body as a dictionary."""
        return json.loads(self.body)

    def record(self) -> Record:
        """The trace record that this entry holds, of the class of its kind; a plain `Record` where that is unknown."""
        return read_record(self.kind, self.body)

    def of(self, kind: type[R]) -> R | None:
        """The trace record that this entry holds, if it is of a kind."""
        return kind.read(json.loads(self.body)) if self.kind == kind.kind else None

    def to_json(self) -> str:
        """The entry as one JSON object, `{"seq": …, "kind": …, "body": {…}}`, without parsing the body."""
        return f'{{"seq":{self.seq},"kind":{json.dumps(self.kind)},"body":{self.body}}}'


def read_entry(entry: LogEntry) -> Event | TraceRecord:
    """The event or the trace record that an entry holds."""
    if entry.kind == EVENT_KIND:
        event = entry.event()
        event.stored_as(entry.seq)
        return event
    fields = entry.fields()
    own = {name: fields.pop(name) for name in ("invocation_id", "agent", "branch", "timestamp") if name in fields}
    return TraceRecord(entry.kind, data=fields, **own)


def event_to_json(event: Event) -> str:
    """An event's body as stored. Fields at their default are left out; `None` inside a delta or a response is kept."""
    return event.model_dump_json(exclude_defaults=True)


def seconds_since(started: int) -> float:
    """Seconds since a reading of `time.perf_counter_ns`, to the microsecond, for records; `round` takes thrice as long."""
    return (time.perf_counter_ns() - started) // 1000 / 1e6


def text_hash(text: str) -> str:
    """The name under which a text is stored once, however often it is sent: 32 hexadecimal digits of SHA-256."""
    return _short_hash(text) if len(text) <= _SHORT else _hash(text)


@lru_cache(maxsize=256)  # an agent's instruction is sent again with every turn
def _short_hash(text: str) -> str:
    return _hash(text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
