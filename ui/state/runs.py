"""The one `RunManager` of this process, for the server and for every script thread.

Streamlit runs page scripts again and again, but imports a module once: what must outlive a page lives here. The manager
is made when it is first wanted, because its imports take longer than starting to serve. Knows no page.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.runs import RunManager


PAGE_WAIT = 3.0
"""Most seconds that a page waits for the imports of user packages. Those that take longer are shown once they end."""


@dataclass(slots=True)
class _Process:
    """What this process has one of."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    manager: RunManager | None = None
    database: Path | None = None
    agents_dir: Path | None = None


_process = _Process()


def configure(*, database: Path | None = None, agents_dir: Path | None = None) -> None:
    """Says where sessions are kept and where more pipelines are, before the manager is made.

    Args:
        database: The file; None for the one that `agents.config.database_path` names.
        agents_dir: A folder of packages that expose `root_agent`, or None.
    """
    with _process.lock:
        _process.database, _process.agents_dir = database, agents_dir


def manager() -> RunManager:
    """The manager, made at the first call. A call that fails leaves nothing behind: the next one tries again.

    Raises:
        DatabaseError: The database cannot be used as it is.
        PipelineNotFoundError: The folder of user packages cannot be read.
    """
    with _process.lock:
        if _process.manager is None:
            from agents.pipelines import Catalog
            from agents.runs import RunManager

            catalog = Catalog(_process.agents_dir, wait=PAGE_WAIT)
            _process.manager = RunManager(database=database(), catalog=catalog)
        return _process.manager


def is_ready() -> bool:
    """Whether the manager is there; does not make it."""
    return _process.manager is not None


def adopt(made: RunManager) -> None:
    """Uses a manager that was made elsewhere; `close` will close it."""
    with _process.lock:
        _process.manager = made


def close() -> None:
    """Ends what runs and lets the database go. The next call of `manager` starts anew."""
    with _process.lock:
        closing, _process.manager = _process.manager, None
    if closing is not None:
        closing.close()


def database() -> Path:
    """The file in which sessions are kept."""
    from agents.runs import database_path

    return _process.database or database_path()
