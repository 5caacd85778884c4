"""The columns of a session that its log fills: a fold over the entries, the same in memory and in SQLite.

A new column is a field here and in `SessionSummary`, its line in `fold` (and, if it counts entries, in `fold_copies`), and a
step of the schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from agents.event import Event
from agents.log import EVENT_KIND, TraceRecord
from agents.records import Forked, Imported, ModelStarted, RunStarted
from agents.session_list import RunStatus
from agents.storage.sessions.copies import EntryCopy
from agents.storage.sessions.incoming import as_title
from agents.storage.sessions.run_status import RUN_COLUMN_KINDS, last_run, status_after

_ORIGINS = frozenset({Forked.kind, Imported.kind})
_FOLDED = RUN_COLUMN_KINDS | _ORIGINS

MOST_MODELS = 20
"""Most models of a run that its session's row names."""


@dataclass(slots=True)
class SessionColumns:
    """What a session's entries add up to; for the fields see `SessionSummary`."""

    title: str = ""
    updated_at: float = 0.0
    events: int = 0
    status: RunStatus = "idle"
    model: str = ""
    models: str = ""
    simulated: bool = False
    origin: str = ""
    fork: bool = False
    changed: str = ""

    def fold(self, entries: Sequence[Event | TraceRecord]) -> list[Event]:
        """Takes in entries and returns the events among them.

        The title is set by the services, since users change it too.
        """
        events: list[Event] = []
        for entry in entries:
            if type(entry) is not TraceRecord:  # `isinstance` takes twice as long
                events.append(entry)
            elif entry.kind in _FOLDED:
                self._take_in(entry)
        if entries:
            self.events += len(events)
            self.updated_at = entries[-1].timestamp
        return events

    def _take_in(self, record: TraceRecord) -> None:
        self.status = status_after(record) or self.status
        if record.kind == RunStarted.kind:
            self.model, self.simulated = last_run(record)
            self.models = self.models if record.data.get("resumed") else ""
        elif record.kind == ModelStarted.kind:
            self._ask(str(record.data.get("model") or ""))
        elif record.kind in _ORIGINS:
            self.origin = str(record.data.get("origin"))
            self.fork = record.kind == Forked.kind
            self.changed = as_title(str(record.data.get("what") or "")) if self.fork else ""

    def _ask(self, model: str) -> None:
        asked = self.models.splitlines()
        if model not in asked and len(asked) < MOST_MODELS and (name := as_title(model)) and name not in asked:
            self.models = "\n".join([*asked, name])

    def fold_copies(self, copies: Iterable[EntryCopy]) -> Iterator[EntryCopy]:
        """Passes on the entries that a session begins with, and takes them in once all have passed.

        Of the runs only the last one has a say, from its first start on.
        """
        run: list[EntryCopy] = []
        updated_at = self.updated_at
        for copy in copies:
            updated_at = copy.timestamp
            self.events += copy.kind == EVENT_KIND
            if copy.kind in RUN_COLUMN_KINDS:
                if copy.kind == RunStarted.kind and '"resumed"' not in copy.body:
                    run.clear()
                run.append(copy)
            yield copy
        self.fold([TraceRecord(copy.kind, data=json.loads(copy.body), timestamp=copy.timestamp) for copy in run])
        self.updated_at = updated_at


COLUMNS = tuple(field.name for field in fields(SessionColumns))
"""The names of the columns."""
