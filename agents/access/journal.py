"""The part of a journal that accounts, tokens, links and the audit list are kept in; see `agents.storage.journal`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Entry(Protocol):
    """See `agents.storage.journal.JournalEntry`."""

    @property
    def seq(self) -> int:
        """Its number in its list."""
        ...

    @property
    def at(self) -> float:
        """When it was appended, in seconds since the epoch."""
        ...

    @property
    def body(self) -> Mapping[str, Any]:
        """What it says."""
        ...


class Journal(Protocol):
    """See `agents.storage.journal.Journal`."""

    def append(self, name: str, body: Mapping[str, Any]) -> Entry:
        """Appends an entry to a list."""
        ...

    def entries(
        self, name: str, *, after: int = 0, before: int | None = None, limit: int | None = None, newest: bool = False
    ) -> Sequence[Entry]:
        """Entries of a list."""
        ...
