"""The spans of one run while its log is read: which are open, and what a new one is part of."""

from __future__ import annotations

from typing import Any

from agents.history.nodes import Node
from agents.history.run_tree import RunTree
from agents.telemetry.span import Span, SpanKind, nanoseconds, span_id, trace_id

OTHER_ERROR = "_OTHER"
"""The conventions' `error.type` where nothing better is known."""
CANCELLED = "cancelled"
"""The log's error of what was stopped from outside: no failure."""

_ERROR_NAMES = ("Error", "Exception", "Group", "Interrupt", "Exit")


class SpanTree:
    """The spans of a run.

    Args:
        session_id: Its session, whose id a session of another pipeline may have, too.
        invocation_id: Its id.
        seq: Of its first record.

    Attributes:
        at: The time of the newest entry, in nanoseconds since the epoch; it never goes back.
        spans: All of them, in the order in which they began.
        root: The run's own.
        runs: What the run's entries say of its agents and calls.
        of: The spans of those.
    """

    def __init__(self, session_id: str, invocation_id: str, seq: int) -> None:
        self._session_id = session_id
        self._trace_id = trace_id(session_id, invocation_id, seq)
        self._open: dict[str, Span] = {}
        self._failures: dict[str | None, str] = {}
        self.at = 0
        self.spans: list[Span] = []
        self.root: Span | None = None
        self.runs = RunTree()
        self.of: dict[Node, Span] = {}

    def advance(self, timestamp: Any) -> None:
        """Sets the time to that of the next entry; a clock that goes back, or no time at all, does not move it."""
        self.at = max(self.at, nanoseconds(timestamp) or 0)

    def begin(
        self,
        seq: int,
        operation: str,
        name: str = "",
        *,
        below: Span | None,
        kind: SpanKind = "internal",
        start: int | None = None,
    ) -> Span:
        """A new span, called by its operation and its name.

        Args:
            seq: The entry that it begins with.
            operation: What is done; several spans of one entry differ in it.
            name: What it is done to or by.
            below: What it is part of.
            kind: See `Span`.
            start: When it began, if that was before now.
        """
        own = span_id(self._session_id, seq, operation)
        since = self.at if start is None else start
        above = None if below is None else below.span_id
        span = Span(self._trace_id, own, above, f"{operation} {name}".strip(), since, self.at, kind)
        span.set({"gen_ai.conversation.id": self._session_id})
        self.spans.append(span)
        self._open[own] = span
        return span

    def reopen(self, span: Span) -> None:
        """Lets a span that had ended go on."""
        self._open[span.span_id] = span

    def end(self, span: Span) -> None:
        """Ends a span now."""
        span.end = self.at
        self._open.pop(span.span_id, None)

    def still_open(self) -> list[Span]:
        """The spans that have not ended, innermost first."""
        return list(reversed(self._open.values()))

    def fail(self, span: Span, error: str, words: str = "") -> None:
        """Marks a span as failed.

        Args:
            span: The span.
            error: Its `error.type`.
            words: The error in words; "" if content is not wanted.
        """
        span.failed, span.failure = True, words
        span.set({"error.type": error})
        self._failures[span.parent_id] = error

    def failure_within(self, span: Span) -> str:
        """The `error.type` of the last part of a span that failed."""
        return self._failures.get(span.span_id, OTHER_ERROR)

    def parent(self, branch: str | None) -> Span | None:
        """The agent at work in a branch, else the tool call that the branch belongs to, else those around it."""
        node = self.runs.at_work(branch)
        return self.root if node is None else self.of.get(node, self.root)


def error_name(error: str) -> str:
    """The exception that an error's text begins with, else `OTHER_ERROR`: names are no content, and texts are."""
    name = error.partition(":")[0]
    is_name = len(name) < len(error) and name.isidentifier() and name.endswith(_ERROR_NAMES)
    return name if is_name else OTHER_ERROR
