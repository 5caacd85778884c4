"""The one `Workspace` of this process, for the server and for every script thread.

Streamlit runs page scripts again and again, but imports a module once, so the workspace lives in this module. It is made
when it is first used, because its imports take longer than the start of the server.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.runs import Database, RunManager
    from agents.workspace import Workspace


PAGE_WAIT = 3.0
"""Seconds that a page waits for the imports of user packages. A package that takes longer is shown once it is imported."""


@dataclass(slots=True)
class _Process:
    """State of the process: the workspace and its places."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    workspace: Workspace | None = None
    database: Database | None = None
    agents_dir: Path | None = None
    isolate: bool = False
    take_over: bool = False


_process = _Process()


def configure(
    *,
    database: Database | None = None,
    agents_dir: Path | None = None,
    isolate: bool = False,
    take_over: bool = False,
) -> None:
    """Sets the database and the folder of user packages. Call it before the workspace is used.

    Args:
        database: Where sessions are kept; None for what `agents.config.database_name` says.
        agents_dir: A folder of packages that expose `root_agent`, or None.
        isolate: See `Workspace`.
        take_over: Whether runs whose server is gone are resumed. On a database that is no file they always are.
    """
    with _process.lock:
        _process.database, _process.agents_dir = database, agents_dir
        _process.isolate, _process.take_over = isolate, take_over


def workspace() -> Workspace:
    """The workspace for the user who asks."""
    with _process.lock:
        if _process.workspace is None:
            from agents.workspace import Workspace

            database = _database()
            _process.workspace = Workspace(
                database,
                agents_dir=_process.agents_dir,
                patience=PAGE_WAIT,
                isolate=_process.isolate,
                adopts=True,
                takes_over=_process.take_over or not isinstance(database, Path),
            )
        made = _process.workspace
    from ui.access.identity import came_from, current  # it imports Streamlit

    return made.as_user(replace(current(), came_from=came_from()))


def manager() -> RunManager:
    """The run manager for the user who asks, made at the first call. After a call that fails, the next one tries again.

    Raises:
        DatabaseError: The database cannot be used as it is.
        PipelineNotFoundError: The folder of user packages cannot be read.
    """
    return workspace().runs


def is_ready() -> bool:
    """Whether the database is open."""
    return (made := _process.workspace) is not None and made.is_open


def adopt(made: Workspace) -> None:
    """Uses a workspace that the caller made; `close` closes it."""
    with _process.lock:
        _process.workspace = made


def close() -> None:
    """Closes the workspace. The next use makes a new one."""
    with _process.lock:
        closing, _process.workspace = _process.workspace, None
    if closing is not None:
        closing.close()


def database() -> Database:
    """Where sessions are kept. As text it has no password."""
    made = _process.workspace
    return (made and made.database) or _database()


def _database() -> Database:
    from agents.runs import default_database

    return _process.database or default_database()
