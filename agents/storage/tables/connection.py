"""What SQL is written for: a connection in a transaction, of SQLite or of PostgreSQL, which says where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Rows(Protocol):
    """What a statement answers."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""
        ...

    @property
    def description(self) -> Any:
        """Sequences that begin with the names of the columns."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection in a transaction; `?` stands for a value in both kinds of SQL."""

    @property
    def lock(self) -> str:
        """What a query ends with that reads rows to change them: in SQLite no other connection writes meanwhile."""
        ...

    @property
    def each(self) -> str:
        """The items of a value that is a JSON array, as rows with a `value`."""
        ...

    @property
    def next_entry(self) -> str:
        """A number above those that other sessions have had from this."""
        ...

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Runs a statement."""
        ...

    def at_end(self, sql: str, values: Sequence[Any], /) -> None:
        """Runs a statement as the last of the transaction. It locks rows that many transactions change."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        """Runs a statement for each row of values."""
        ...


Job = Callable[[Connection], T]
"""Work in a transaction."""
