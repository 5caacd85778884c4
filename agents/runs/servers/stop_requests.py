"""Requests to stop a run that another server runs: a list of the journal, which all servers of a database read."""

from __future__ import annotations

from typing import NamedTuple

from agents.runs.values import SessionKey
from agents.storage.journal import Journal

LIST = "stops"
"""The name of the list."""


class StopRequest(NamedTuple):
    """A run that is to be stopped."""

    key: SessionKey
    invocation_id: str


class StopRequests:
    """The requests of all servers. For any thread; methods block, and raise `DatabaseError`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = 0
        self._asked: set[str] = set()

    def ask(self, key: SessionKey, invocation_id: str) -> None:
        """Asks the server that runs it to stop a run."""
        self._journal.append(LIST, {"session": list(key), "invocation_id": invocation_id})

    def new(self) -> list[StopRequest]:
        """The requests since the last call; at first, all there are."""
        entries = self._journal.entries(LIST, after=self._seen)
        if not entries:
            return []
        self._seen = entries[-1].seq
        found = [StopRequest(SessionKey(*one.body["session"]), str(one.body["invocation_id"])) for one in entries]
        self._asked.update(one.invocation_id for one in found)
        return found

    def is_asked(self, invocation_id: str) -> bool:
        """Whether a run was to be stopped, as of the last `new`."""
        return invocation_id in self._asked
