"""What a person says next in a session that replays another: the message that the record goes on with.

Reads logs; the model itself works out where it is in the record.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agents.errors import PlaygroundError
from agents.log import EVENT_KIND, LogEntry
from agents.runs.requests import text_of
from agents.sessions.incoming import is_message
from ui import model_choices

if TYPE_CHECKING:
    from agents.runs import RunManager

MOST_ENTRIES = 20_000
"""Entries of a log that are looked at."""


def messages(manager: RunManager, pipeline: str, session: str) -> list[str]:
    """What a person said in a session, in order; nothing if it is not there."""
    return [said for entry in _log(manager, pipeline, session) if (said := _message(entry))]


def next_message(manager: RunManager, model: str, pipeline: str, session: str | None) -> str | None:
    """The recorded message that comes next; None if the record has no more.

    Args:
        manager: Where logs are.
        model: The model that replays.
        pipeline: What is run.
        session: The session that replays, None for a new one.
    """
    recorded = messages(manager, *model_choices.recorded_in(model))
    given = 0 if session is None else sum(_replays(entry, model) for entry in _log(manager, pipeline, session))
    return recorded[given] if given < len(recorded) else None


def _log(manager: RunManager, pipeline: str, session: str) -> list[LogEntry]:
    try:
        return asyncio.run(manager.newest(pipeline, session, limit=MOST_ENTRIES))
    except PlaygroundError:  # the page, or the run, says what is wrong with it
        return []


def _message(entry: LogEntry) -> str:
    if entry.kind != EVENT_KIND or '"user"' not in entry.body:
        return ""
    event = entry.event()
    if event.author != "user" or event.content is None or not is_message(event):
        return ""
    return text_of(event.content).strip()


def _replays(entry: LogEntry, model: str) -> bool:
    """Whether this begins a run that replays."""
    if entry.kind != "run_started":
        return False
    fields = entry.fields()
    return fields.get("model") == model and not fields.get("resumed")
