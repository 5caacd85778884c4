"""The contract of a journal: named lists of entries that are only ever appended to, for what is no session's.

A class and what its learners answered are such lists: what is shown of them is worked out from the entries.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple


class JournalEntry(NamedTuple):
    """An entry.

    Attributes:
        seq: Its number in its list; the first one is 1.
        at: When it was appended, in seconds since the epoch.
        body: What it says, as JSON values.
    """

    seq: int
    at: float
    body: Mapping[str, Any]


class Journal(ABC):
    """Keeps lists of entries. For any thread; methods block. It checks no rights."""

    @abstractmethod
    def append(self, name: str, body: Mapping[str, Any]) -> JournalEntry:
        """Appends an entry to a list, which need not exist. It is stored when this returns.

        Raises:
            DatabaseError: It cannot be stored.
            TypeError: The body has something that JSON does not.
        """

    @abstractmethod
    def entries(
        self, name: str, *, after: int = 0, before: int | None = None, limit: int | None = None, newest: bool = False
    ) -> list[JournalEntry]:
        """The entries of a list, in order; none if there is no such list.

        Args:
            name: The list.
            after: Only those with a greater number.
            before: Only those with a smaller number.
            limit: Most entries: the first ones of all these.
            newest: Whether `limit` takes the last ones of them; the order stays.

        Raises:
            DatabaseError: They cannot be read.
        """

    @abstractmethod
    def names(self, prefix: str = "") -> list[str]:
        """The names of all lists that begin with a prefix, in alphabetical order.

        Raises:
            DatabaseError: They cannot be read.
        """

    def close(self) -> None:
        """Closes the file, if there is one."""
        return
