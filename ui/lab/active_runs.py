"""The lab runs that this process works on, each in a thread of its own. Any tab may begin, resume and stop them."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents import PlaygroundError
from agents.lab import Lab, lab_folder
from ui.access.identity import current
from ui.state import data_files, runs

if TYPE_CHECKING:
    from agents.lab import ActiveRun, Parts, Progress


@dataclass(slots=True)
class Work:
    """The work on a run.

    Attributes:
        active: The run.
        progress: How far it is; None before the first step.
        problem: Why it ended early; "" if it did not.
        is_stopping: Whether it was asked to stop.
    """

    active: ActiveRun
    progress: Progress | None = None
    problem: str = ""
    is_stopping: bool = False
    _thread: threading.Thread | None = field(default=None, repr=False)

    @property
    def goes_on(self) -> bool:
        """Whether it is worked on."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self) -> None:
        """Begins to work on it."""
        self._thread = threading.Thread(target=self._work, name=f"lab {self.active.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Asks it to stop after the samples that are being worked on."""
        self.is_stopping = True
        self.active.stop()

    def wait(self) -> None:
        """Returns when it is not worked on any more."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        try:
            asyncio.run(self.active.run(self._tell, side_by_side=True)).close()
        except PlaygroundError as error:
            self.problem = str(error)

    def _tell(self, progress: Progress) -> None:
        self.progress = progress


@dataclass(slots=True)
class _Process:
    lock: threading.Lock = field(default_factory=threading.Lock)
    works: dict[tuple[str, str], Work] = field(default_factory=dict[tuple[str, str], Work])


_process = _Process()


def lab() -> Lab:
    """The Lab of the playground's database, as the user who asks may use it."""
    database = runs.database()
    return Lab(lab_folder(database), database=database, agents_dir=runs.agents_dir(), user=current())


def work_on(name: str) -> Work | None:
    """The work of this process on a run; None if there was none."""
    return _process.works.get(_key(name))


def begin(description: str, parts: Parts | None = None) -> str:
    """Begins a run, and returns the name of its folder.

    Args:
        description: The description, as TOML.
        parts: What is given in Python.

    Raises:
        PlaygroundError: It cannot be described so.
    """
    active = lab().begin(description, beside=data_files.folder(), parts=parts)
    _start(active)
    return active.name


def resume(name: str, parts: Parts | None = None) -> None:
    """Works on a run again, unless this process does already.

    Args:
        name: The run.
        parts: What was given in Python when it began.

    Raises:
        PlaygroundError: It cannot be resumed.
    """
    using = lab()
    using.require()
    if (known := work_on(name)) is None or not known.goes_on:
        _start(using.resume(name, parts=parts))


def stop(name: str) -> None:
    """Stops a run; it can be resumed.

    Raises:
        NotPermittedError: The user may not.
    """
    lab().require()
    if (known := work_on(name)) is not None:
        known.stop()


def _start(active: ActiveRun) -> None:
    with _process.lock:
        known = _process.works.get(_key(active.name))
        if known is None or not known.goes_on:
            work = _process.works[_key(active.name)] = Work(active)
            work.begin()


def _key(name: str) -> tuple[str, str]:
    return str(runs.database()), name
