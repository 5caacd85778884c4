"""A session on its way from a file into a database: its log, state and playbooks under their new names and numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.ace.store.reducer import NAME_KEY, PLAYBOOK_KEY
from agents.history.cursor import StateHistory
from agents.log import LogEntry, TraceRecord
from agents.playbook import PlaybookTransaction
from agents.records import Imported, RunFinished
from agents.session import ImportedLog
from agents.sharing import references
from agents.sharing.playbooks import write_playbook
from agents.sharing.session_file import SessionFile, to_line
from agents.storage.sessions.run_status import RUN_KINDS, goes_on, interrupted

_CUT_SHORT = (
    "This session was exported while it ran. What came after that is not in the file. Run it again from the last message."
)


class Arrival:
    """One import.

    Args:
        file: The session.
        name: App, user and id that it will have.
        with_playbooks: Whether its playbooks are added.
    """

    def __init__(self, file: SessionFile, name: tuple[str, str, str], *, with_playbooks: bool) -> None:
        self._file = file
        self._session = (name[0], name[2])
        bodies = [entry.fields() for entry in file.entries]
        self._names = _new_names(file, bodies, name[2])
        for entry, body in zip(file.entries, bodies, strict=True):
            references.rename_playbooks(entry.kind, body, self._names)
        self._entries = [entry._replace(body=to_line(body)) for entry, body in zip(file.entries, bodies, strict=True)]
        self._timestamps = [float(body["timestamp"]) for body in bodies]
        self._playbooks = file.playbooks if with_playbooks else ()

    def log(self) -> ImportedLog:
        """What the session begins with."""
        entries = [self._numbered(entry) for entry in self._entries]
        ending = _ending(entries)
        data = {
            "origin": self._file.session,
            "scopes": list(self._file.scopes),
            "playbooks": {new: old for old, new in self._names.items()},
            "closes": bool(ending),
        }
        return ImportedLog(
            entries=entries,
            timestamps=dict(zip((entry.seq for entry in entries), self._timestamps, strict=True)),
            records=[TraceRecord(Imported.kind, data=data), *ending],
            state=_state_after(entries),
        )

    def _numbered(self, entry: LogEntry) -> LogEntry:
        body = entry.body
        if references.refers_to_entries(entry):
            fields = entry.fields()
            references.renumber(entry.kind, fields, self._seq_of, last=self._seq_of)
            body = to_line(fields)
        return entry._replace(body=body)

    def write_playbooks(self, playbooks: PlaybookTransaction) -> None:
        """Adds the playbooks, in the transaction that stores the session."""
        for shared in self._playbooks:
            write_playbook(
                playbooks,
                shared,
                self._names[shared.name],
                session=self._session,
                at=time.time(),
                seq_of=self._seq_of,
            )

    def _seq_of(self, place: int) -> int:
        return place if 1 <= place <= len(self._entries) else 0


def _new_names(file: SessionFile, bodies: Sequence[dict[str, Any]], session_id: str) -> dict[str, str]:
    """A new name for each playbook that the file names, so that none of the database's own is changed."""
    named = dict.fromkeys(playbook.name for playbook in file.playbooks)
    for entry, body in zip(file.entries, bodies, strict=True):
        named.update(dict.fromkeys(references.playbook_names_in(entry.kind, body)))
    return {
        name: " ".join([name[:50].strip(), *([str(number)] if number > 1 else []), f"(import {session_id[:8]})"]).strip()
        for number, name in enumerate(named, start=1)
    }


def _state_after(entries: Sequence[LogEntry]) -> dict[str, Any]:
    """State after the entries; a session that has read a playbook has the newest one that it read."""
    history, end = StateHistory.of(entries), entries[-1].seq
    state = {key: found.value for key, found in history.at(end).items()}
    known = history.playbook_at(end)
    return state if known is None else {**state, NAME_KEY: known.name, PLAYBOOK_KEY: {}}


def _ending(entries: Sequence[LogEntry]) -> list[TraceRecord]:
    """The record that ends a run which the file leaves open: it will not go on here."""
    places = [place for place, entry in enumerate(entries) if entry.kind in RUN_KINDS]
    if not places or entries[places[-1]].kind == RunFinished.kind:
        return []
    run = list(entries[places[-1] :])
    if goes_on(run) and len(places) > 1:
        run.insert(0, entries[places[-2]])
    record = interrupted(run, float(entries[-1].fields()["timestamp"]))
    return [replace(record, data={**record.data, "error_message": _CUT_SHORT})]
