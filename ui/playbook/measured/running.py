"""The measurements of this process, each in a thread of its own. Any tab may begin, watch and stop them."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agents import DatabaseError, PlaygroundError
from agents.access import Action
from agents.lab import Measurements, lab_folder, measure
from ui.state import runs

if TYPE_CHECKING:
    from agents.ace import PlaybookInfo
    from agents.lab import Measurement, Plan


@dataclass(slots=True)
class Work:
    """The work on a measurement.

    Attributes:
        plan: What is measured.
        total: Answers that were not known when it began.
        done: Those of them that are known now.
        problem: Why it ended early; "" if it did not.
        is_stopping: Whether it was asked to stop.
        first_at: When the first answer was there, by the monotonic clock, in seconds: what is loaded before it takes long.
    """

    plan: Plan
    total: int
    done: int = 0
    problem: str = ""
    is_stopping: bool = False
    first_at: float = 0.0
    _thread: threading.Thread | None = field(default=None, repr=False)

    @property
    def goes_on(self) -> bool:
        """Whether it is worked on."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def seconds_left(self) -> float | None:
        """An estimate; None before the second answer."""
        if self.done <= 1:
            return None
        return (time.monotonic() - self.first_at) / (self.done - 1) * (self.total - self.done)

    def begin(self, kept: Measurements) -> None:
        """Begins to work on it."""
        name = f"effects of {self.plan.playbook.name}"
        self._thread = threading.Thread(target=self._work, args=(kept,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Asks it to stop after the answer of the moment."""
        self.is_stopping = True

    def wait(self) -> None:
        """Returns when it is not worked on any more."""
        if self._thread is not None:
            self._thread.join()

    def _work(self, kept: Measurements) -> None:
        try:
            asyncio.run(measure(self.plan, kept, told=self._told, stopped=lambda: self.is_stopping))
        except PlaygroundError as error:
            self.problem = str(error)

    def _told(self) -> None:
        self.first_at = self.first_at or time.monotonic()
        self.done += 1


@dataclass(slots=True)
class _Process:
    lock: threading.Lock = field(default_factory=threading.Lock)
    kept: dict[Path, Measurements] = field(default_factory=dict[Path, Measurements])
    works: dict[tuple[Path, str], Work] = field(default_factory=dict[tuple[Path, str], Work])


_process = _Process()


def measurements() -> Measurements:
    """The measurements of the playground's database."""
    folder = lab_folder(runs.database())
    with _process.lock:
        return _process.kept.setdefault(folder, Measurements(folder))


def latest(info: PlaybookInfo) -> Measurement | None:
    """The last measurement of a playbook; None if there is none, or it cannot be read."""
    try:
        return measurements().latest(info.name, info.created_at)
    except DatabaseError:
        return None


def work_on(name: str) -> Work | None:
    """The last work of this process on a playbook; None if there was none."""
    return _process.works.get(_key(name))


def begin(plan: Plan) -> None:
    """Begins to measure, unless this process measures that playbook already.

    Raises:
        PlaygroundError: The pipeline cannot be found, the scores cannot be read, or the user may not measure.
    """
    runs.manager().require(Action.USE_LAB)
    kept = measurements()
    total = plan.answers - len(kept.scores(plan))
    with _process.lock:
        known = _process.works.get(_key(plan.playbook.name))
        if known is None or not known.goes_on:
            work = _process.works[_key(plan.playbook.name)] = Work(plan, total)
            work.begin(kept)


def stop(name: str) -> None:
    """Stops the work on a playbook; what was answered is kept.

    Raises:
        NotPermittedError: The user may not.
    """
    runs.manager().require(Action.USE_LAB)
    if (known := work_on(name)) is not None:
        known.stop()


def _key(name: str) -> tuple[Path, str]:
    return lab_folder(runs.database()), name
