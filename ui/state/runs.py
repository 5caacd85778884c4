"""The one `RunManager` of this process, for the server and for every script thread.

Streamlit runs page scripts again and again, but imports a module once, so the manager lives in this module. It is made when
it is first used, because its imports take longer than the start of the server.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.experiments import BackgroundForks, CaseFiles
    from agents.runs import RunManager


PAGE_WAIT = 3.0
"""Seconds that a page waits for the imports of user packages. A package that takes longer is shown once it is imported."""

CLOSE_WAIT = 1.0
"""Seconds that `close` waits for a manager that is being made."""


@dataclass(slots=True)
class _Process:
    """State of the process: the manager and its configuration."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    manager: RunManager | None = None
    database: Path | None = None
    agents_dir: Path | None = None


_process = _Process()


def configure(*, database: Path | None = None, agents_dir: Path | None = None) -> None:
    """Sets the database and the folder of user packages. Call it before the manager is made.

    Args:
        database: The file; None for the one that `agents.config.database_path` names.
        agents_dir: A folder of packages that expose `root_agent`, or None.
    """
    with _process.lock:
        _process.database, _process.agents_dir = database, agents_dir


def manager() -> RunManager:
    """The manager for the user who asks, made at the first call. After a call that fails, the next one tries again.

    Raises:
        DatabaseError: The database cannot be used as it is.
        PipelineNotFoundError: The folder of user packages cannot be read.
    """
    with _process.lock:
        if _process.manager is None:
            from agents.experiments import BackgroundForks, case_gate, trace_runs
            from agents.pipelines import Catalog
            from agents.runs import RunManager

            catalog = Catalog(_process.agents_dir, wait=PAGE_WAIT)
            _process.manager = RunManager(database=database(), catalog=catalog, gate=case_gate)
            BackgroundForks(_process.manager)  # it prepares the runs of forks
            trace_runs(_process.manager)
        made = _process.manager
    from ui.access.identity import current  # it imports Streamlit

    user = current()
    return made if user.is_owner else made.as_user(user)


def forks() -> BackgroundForks:
    """The forks of the manager; see `manager` for what it raises."""
    from agents.experiments import BackgroundForks

    return BackgroundForks(manager())


def is_ready() -> bool:
    """Whether the manager has been made."""
    return _process.manager is not None


def adopt(made: RunManager) -> None:
    """Uses a manager that the caller made; `close` closes it."""
    from agents.experiments import BackgroundForks

    with _process.lock:
        _process.manager = made
        BackgroundForks(made)  # it prepares the runs of forks


def close() -> None:
    """Ends all runs and closes the database. The next call of `manager` makes a new one.

    A manager that is still being made has no runs, and the end of the process is not delayed for it.
    """
    if not _process.lock.acquire(timeout=CLOSE_WAIT):
        return
    try:
        closing, _process.manager = _process.manager, None
    finally:
        _process.lock.release()
    if closing is not None:
        closing.close()


def cases_folder() -> Path:
    """Where cases are kept: beside the user's agents, else beside the database."""
    from agents.experiments import cases_folder as beside

    return beside(database(), _process.agents_dir)


def case_files() -> CaseFiles:
    """The files there, as the user who asks may change them."""
    from agents.experiments import CaseFiles
    from ui.access.identity import current

    return CaseFiles(cases_folder(), user=current())


def agents_dir() -> Path | None:
    """The folder of user packages; None if there is none."""
    return _process.agents_dir


def database() -> Path:
    """The database file."""
    from agents.runs import database_path

    return _process.database or database_path()
