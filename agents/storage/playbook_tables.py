"""The contract of the tables of playbooks: transactions on them, wherever a store keeps them.

Deltas are folded in SQLite's SQL, so a connection is SQLite's: to a file, or to a database in memory.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager


class PlaybookTables(ABC):
    """Transactions on the tables of playbooks, for any thread. Each may raise `DatabaseError`."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction that blocks other writers."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A snapshot to read from."""
        return self.writing()

    def close(self) -> None:
        """Closes the file, if there is one; the next transaction opens it again."""
        return
