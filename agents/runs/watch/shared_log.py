"""A session's log as a link shows it: without the state of the user and of the app, which is of other sessions, too."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeVar

from agents.log import LogEntry
from agents.records import RunStarted
from agents.runs.values import LogBatch
from agents.state import State

T = TypeVar("T")


def masked(entries: list[LogEntry]) -> list[LogEntry]:
    """Entries of a log without the shared state that runs found when they began."""
    return [_masked(entry) if entry.kind == RunStarted.kind else entry for entry in entries]


def without_shared_state(item: T) -> T:
    """What a watcher is told, masked so."""
    return replace(item, entries=masked(list(item.entries))) if isinstance(item, LogBatch) else item


def own_state(state: dict[str, Any]) -> dict[str, Any]:
    """The state that is a session's own."""
    return {key: value for key, value in state.items() if not key.startswith((State.APP_PREFIX, State.USER_PREFIX))}


def _masked(entry: LogEntry) -> LogEntry:
    fields = entry.fields()
    return entry._replace(body=json.dumps({**fields, "shared": {}})) if fields.get("shared") else entry
