"""The lab run of a demo: begun, and taken up where it was cut off. The Lab page knows the same runs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from agents import LabError
from ui.demo import opening
from ui.state import runs

if TYPE_CHECKING:
    from ui.demo.lab.demo import LabDemo


def begin(demo: LabDemo) -> str:
    """Begins a new run of a demo, by the first free name, and returns the name.

    Raises:
        PlaygroundError: It cannot be begun, or the user is a visitor.
    """
    return runs.workspace().lab_jobs.begin(demo.description, demo.parts())


def resume(demo: LabDemo, name: str) -> None:
    """Works on a run again.

    Raises:
        PlaygroundError: It cannot be resumed, or the user is a visitor.
    """
    runs.workspace().lab_jobs.resume(name, demo.parts())


def of_process(demo: LabDemo) -> str:
    """The run that this process was started for: one that was cut off goes on, else a new one begins at the first call.

    Raises:
        PlaygroundError: See `begin`; but a visitor is led to a run that has begun.
    """
    lab = runs.workspace().lab

    def make() -> str:
        lab.require()
        return _taken_up(demo) or begin(demo)

    return opening.made_once(make, lambda name: name in lab.names())


def _taken_up(demo: LabDemo) -> str | None:
    """A run of the demo that was cut off, and goes on now; None if there is none."""
    lab = runs.workspace().lab
    for name in reversed(lab.names()):
        with suppress(LabError):  # it is none of ours, or what it was begun with has changed
            if lab.text(name) != demo.description:
                continue
            with lab.open(name) as run:
                is_over = run.status == "finished"
            if not is_over:
                resume(demo, name)
                return name
    return None
