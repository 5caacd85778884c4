"""Spans: what a trace is made of, with ids that depend on the log alone. Plain values."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeGuard, cast

from agents.models.connections import redact

Value = str | bool | int | float | Sequence[str]
SpanKind = Literal["internal", "client"]

_LARGEST = 2**63 - 1
_NANOSECONDS = 1_000_000_000
_NAME_LENGTH = 200
_SHORTEST_KEY = 8


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened within a span.

    Attributes:
        name: What, a kind of trace record.
        at: Nanoseconds since the epoch.
        attributes: More of it.
    """

    name: str
    at: int
    attributes: dict[str, Value]


@dataclass(slots=True)
class Span:
    """One operation of a run.

    Attributes:
        trace_id: 32 hexadecimal digits.
        span_id: 16 hexadecimal digits.
        parent_id: The span that it is part of; None for a run's own.
        name: Its name by the conventions, e.g. "chat gemini-flash-latest".
        start: Nanoseconds since the epoch.
        end: The same.
        kind: "client" where another process did the work.
        attributes: By the conventions' names; this project's own begin with `playground.`.
        events: In order.
        failed: Whether it ended in an error.
        failure: The error in words; "" unless content is wanted.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start: int
    end: int
    kind: SpanKind = "internal"
    attributes: dict[str, Value] = field(default_factory=dict[str, Value])
    events: list[SpanEvent] = field(default_factory=list[SpanEvent])
    failed: bool = False
    failure: str = ""

    def set(self, values: dict[str, Any]) -> None:
        """Sets attributes; None and what no attribute can hold are left out."""
        self.attributes |= attributes(values)


@dataclass(frozen=True, slots=True)
class Trace:
    """A run as spans.

    Attributes:
        invocation_id: The run's id in the log.
        status: As in the run's last record; "running" if it has none.
        spans: The run's own span first, then in the order in which they began.
    """

    invocation_id: str
    status: str
    spans: list[Span]

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: it neither runs nor waits for the user."""
        return self.status not in ("running", "paused")


def trace_id(session_id: str, invocation_id: str, seq: int) -> str:
    """The trace of the run whose first record is `seq`; the same whenever it is sent."""
    return _digits("trace", session_id, invocation_id, seq)[:32]


def span_id(session_id: str, seq: int, part: str = "") -> str:
    """The span that began at `seq`; `part` tells several at one entry apart."""
    return _digits("span", session_id, seq, part)[:16]


def nanoseconds(timestamp: Any) -> int | None:
    """A log's timestamp in nanoseconds; None for what is no time."""
    if not _is_number(timestamp) or not 0 <= timestamp < _LARGEST / _NANOSECONDS:
        return None
    return int(timestamp * _NANOSECONDS)


def attributes(values: dict[str, Any]) -> dict[str, Value]:
    """The values that attributes can hold, without keys and without text that UTF-8 cannot hold."""
    return {name: clean for name, value in values.items() if (clean := _clean(value)) is not None}


def safe_text(text: str) -> str:
    """`text` without keys, in UTF-8."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return clean if len(clean) < _SHORTEST_KEY else redact(clean)


def short(name: Any) -> str:
    """A name for a span or an attribute; models make some of them up, at any length."""
    return safe_text(str(name or ""))[:_NAME_LENGTH]


def _clean(value: Any) -> Value | None:
    match value:
        case bool():
            return value
        case int():
            return value if abs(value) <= _LARGEST else None
        case float():
            return value if math.isfinite(value) else None
        case str():
            return safe_text(value)
        case list() | tuple():
            return tuple(safe_text(str(item)) for item in cast("Sequence[Any]", value))
        case _:
            return None


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _digits(*parts: object) -> str:
    return hashlib.sha256("/".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()
