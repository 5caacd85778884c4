"""Bundles: data too large for one short transaction, written in parts that do not count until the bundle is published.

Each part is stored in a transaction of its own, so other writers come in between. A bundle that was never published is
left over from a process that ended; `discard` removes it, part by part. Functions over a connection.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from agents.ace.operations import Change
from agents.storage.processes import is_running, this_process

MOST_ITEMS = 1000
"""Most changes, or lines of a snapshot, in a part."""
MOST_CHARACTERS = 500_000
"""Most characters of a part, unless one item has more; a part is written or read in a few milliseconds."""

_PART = "SELECT first, body FROM playbook_parts WHERE bundle = ? AND first <= ? ORDER BY first DESC LIMIT 1"

ReadPart = Callable[[int, int], "tuple[int, str] | None"]
"""Reads the part of a bundle that has an item: number of its first item, and its text."""


class Bundle(NamedTuple):
    """A bundle of changes.

    Attributes:
        key: Of its row.
        kinds: How many changes there are of each type.
    """

    key: int
    kinds: Mapping[str, int]


class BundledChanges(Sequence[Change]):
    """The changes of a large delta, read part by part when used. May be used outside of a transaction.

    Attributes:
        kinds: How many changes there are of each type.

    Args:
        bundle: The bundle.
        read: Reads a part.
    """

    def __init__(self, bundle: Bundle, read: ReadPart) -> None:
        self.kinds = bundle.kinds
        self._bundle, self._read = bundle, read
        self._count = sum(bundle.kinds.values())

    def read_by(self, read: ReadPart) -> BundledChanges:
        """The same changes, read another way."""
        return BundledChanges(self._bundle, read)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Change]:
        return self._between(0, self._count)

    @overload
    def __getitem__(self, at: int) -> Change: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Change]: ...
    def __getitem__(self, at: int | slice) -> Change | Sequence[Change]:
        numbers = range(self._count)[at]
        if isinstance(numbers, int):
            return next(self._between(numbers, numbers + 1))
        if not numbers:
            return []
        low, high = min(numbers), max(numbers) + 1
        found = list(self._between(low, high))
        return [found[number - low] for number in numbers]

    def _between(self, start: int, end: int) -> Iterator[Change]:
        while start < end:
            part = self._read(self._bundle.key, start)
            assert part is not None  # published parts stay
            first, text = part
            changes: list[Change] = json.loads(text)
            yield from changes[start - first : end - first]
            start = first + len(changes)


def begin(conn: sqlite3.Connection) -> int:
    """Creates an empty bundle of this process; returns its key."""
    values = this_process()
    key = conn.execute("INSERT INTO playbook_bundles (pid, process_started) VALUES (?, ?)", values).lastrowid
    assert key is not None
    return key


def add(conn: sqlite3.Connection, key: int, first: int, text: str) -> None:
    """Adds a part to a bundle."""
    conn.execute("INSERT INTO playbook_parts (bundle, first, body) VALUES (?, ?, ?)", (key, first, text))


def publish(conn: sqlite3.Connection, key: int) -> None:
    """Keeps a bundle for good; in the transaction that stores its delta or snapshot."""
    conn.execute("UPDATE playbook_bundles SET published = 1 WHERE key = ?", (key,))


def read_part(conn: sqlite3.Connection, key: int, number: int) -> tuple[int, str] | None:
    """The part of a bundle that has an item: number of its first item, and its text."""
    return conn.execute(_PART, (key, number)).fetchone()


def read_all(conn: sqlite3.Connection, key: int) -> Iterator[str]:
    """The texts of all parts, in order."""
    for (text,) in conn.execute("SELECT body FROM playbook_parts WHERE bundle = ? ORDER BY first", (key,)):
        yield text


def left_behind(conn: sqlite3.Connection) -> list[int]:
    """Bundles that were not published and whose process has ended."""
    rows = conn.execute("SELECT key, pid, process_started FROM playbook_bundles WHERE published = 0").fetchall()
    return [key for key, pid, started in rows if not is_running(pid, started)]


def discard_some(conn: sqlite3.Connection, key: int) -> bool:
    """Removes a part of an unpublished bundle, and the bundle after its last part; returns whether parts are left."""
    last = conn.execute("SELECT max(first) FROM playbook_parts WHERE bundle = ?", (key,)).fetchone()[0]
    if last is None:
        conn.execute("DELETE FROM playbook_bundles WHERE key = ? AND published = 0", (key,))
        return False
    conn.execute("DELETE FROM playbook_parts WHERE bundle = ? AND first = ?", (key, last))
    return True


def revision_of(conn: sqlite3.Connection, keys: Sequence[int]) -> int | None:
    """The revision whose changes are in one of these bundles, if any."""
    for key in keys:
        row = conn.execute("SELECT revision FROM playbook_deltas WHERE bundle = ?", (key,)).fetchone()
        if row is not None:
            return row[0]
    return None


def parts_of_changes(changes: Iterable[Change]) -> Iterator[tuple[int, str]]:
    """Changes as parts: number of the first one, and the text."""
    for first, texts in _slices(json.dumps(change, ensure_ascii=False) for change in changes):
        yield first, f"[{','.join(texts)}]".encode("utf-8", "replace").decode()


def parts_of_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Lines as parts: number of the first one, and the text."""
    for first, texts in _slices(lines):
        yield first, "\n".join(texts)


def kinds_of(changes: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many changes there are of each type."""
    return dict(Counter(change["type"] for change in changes))


def _slices(texts: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    first, size = 0, 0
    kept: list[str] = []
    for text in texts:
        if kept and (len(kept) == MOST_ITEMS or size + len(text) > MOST_CHARACTERS):
            yield first, kept
            first, size, kept = first + len(kept), 0, []
        kept.append(text)
        size += len(text)
    if kept:
        yield first, kept
