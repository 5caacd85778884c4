"""The three files of a SQLite database in WAL mode: checks that they are still the ones a connection has open."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from agents.errors import DatabaseLostError

_LOGS = ("-wal", "-shm")
_Identity = tuple[int, int] | None


class Files:
    """The files that one connection has open. SQLite continues with files that were deleted or moved."""

    __slots__ = ("_names", "_noted", "_path")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names = (str(path), *(f"{path}{ending}" for ending in _LOGS))
        self._noted: tuple[_Identity, _Identity, _Identity] | None = None

    @property
    def were_there(self) -> bool:
        """Whether the connection had them open before."""
        return self._noted is not None

    @property
    def are_emptied(self) -> bool:
        """Whether the database is there without its content."""
        return self._path.exists() and not self._path.stat().st_size

    def note(self) -> None:
        """Records the current files as those of the connection."""
        self._noted = self._found()

    def missing(self) -> DatabaseLostError | None:
        """The error if files have disappeared; None if there is something to open."""
        if _identity(self._names[0], may_be_empty=False) is not None:
            return None
        return _emptied(self._path) if self.were_there and self.are_emptied else _gone(self._path)

    def changed(self) -> DatabaseLostError | None:
        """The error if the files have changed since `note`; None if they have not."""
        found = self._found()
        if found == self._noted or self._noted is None:
            return None
        if found[0] is None:
            return self.missing()
        if found[0] != self._noted[0]:
            return _replaced(self._path)
        return _incomplete(self._path)

    def remove_logs(self) -> None:
        """Removes the write-ahead log and its index if they are still those of the connection."""
        for name, noted in zip(self._names[1:], (self._noted or ())[1:], strict=False):
            if noted is not None and _identity(name) == noted:
                with suppress(OSError):
                    os.unlink(name)  # noqa: PTH108  the names are strings for the sake of `_identity`

    def _found(self) -> tuple[_Identity, _Identity, _Identity]:
        database, log, index = self._names
        return _identity(database, may_be_empty=False), _identity(log), _identity(index)


def _identity(name: str, *, may_be_empty: bool = True) -> _Identity:
    try:
        found = os.stat(name)  # noqa: PTH116  half of Path.stat's cost, and this is asked before every append
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if may_be_empty or found.st_size else None


def _gone(path: Path) -> DatabaseLostError:
    """The error for a file that has disappeared."""
    return DatabaseLostError(
        f"The session database {path} was moved or deleted while it was in use: nothing can be found at that path any more. "
        "Put it back and try again."
    )


def _emptied(path: Path) -> DatabaseLostError:
    """The error for a file whose content was taken away."""
    return DatabaseLostError(
        f"The session database {path} was emptied while it was in use. Stop every program that uses it and restore a "
        "backup, or move it away to start with an empty database."
    )


def _replaced(path: Path) -> DatabaseLostError:
    return DatabaseLostError(
        f"The session database {path} was replaced by another file while it was in use. Nothing was stored. "
        "Put the first one back, or try again to go on with the other one."
    )


def _incomplete(path: Path) -> DatabaseLostError:
    return DatabaseLostError(
        f"The session database {path} is incomplete: {path.name}-wal or {path.name}-shm was moved, replaced or deleted "
        "while it was in use. Nothing was stored. Try again; what was stored before is kept unless another program wrote "
        "meanwhile."
    )
