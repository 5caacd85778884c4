"""The columns of a session that its log fills: a fold over the entries, the same in memory and in SQLite.

A new column is a field here and in `SessionSummary`, its line in the fold, and a step of the schema.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from agents.log import TraceRecord
from agents.session import RunStatus, SessionSummary

Name = tuple[str, str, str]
"""app_name, user_id, session_id"""

_RUN_KINDS = frozenset({"run_started", "run_finished"})


@dataclass(slots=True)
class SessionColumns:
    """What a session's entries add up to; for the fields see `SessionSummary`."""

    title: str = ""
    updated_at: float = 0.0
    events: int = 0
    status: RunStatus = "idle"
    model: str = ""
    simulated: bool = False

    def add_event(self, timestamp: float, title: str) -> None:
        """Takes in an event; `title` is what it would call a session without a title, "" for nothing."""
        self.updated_at = timestamp
        self.events += 1
        self.title = self.title or title

    def add_record(self, record: TraceRecord) -> None:
        """Takes in a trace record."""
        self.updated_at = record.timestamp
        if record.kind not in _RUN_KINDS:
            return
        if record.kind == "run_started":
            self.status = "running"
            self.model, self.simulated = str(record.data.get("model") or ""), bool(record.data.get("simulated"))
        else:
            self.status = record.data.get("status", "completed")

    def summary(self, name: Name, created_at: float) -> SessionSummary:
        """The session as a row of a list."""
        values: dict[str, Any] = {column: getattr(self, column) for column in COLUMNS}
        values.update({column: bool(values[column]) for column in _FLAGS})  # SQLite has no booleans
        return SessionSummary(*name, created_at=created_at, **values)


COLUMNS = tuple(field.name for field in fields(SessionColumns))
"""The names of the columns."""
_FLAGS = tuple(field.name for field in fields(SessionColumns) if field.type == "bool")  # a name: annotations are texts here
