"""Plays a watch in the background: asks question after question, at a speed, until it is paused or done."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents import PlaygroundError, RunFinished
from agents.access import Action
from agents.jobs import Job
from ui.demo.watch.arms import Arm, Watch
from ui.state import runs

if TYPE_CHECKING:
    from agents.runs import Run, RunManager

PACES = {"½×": 2.0, "1×": 1.0, "3×": 1 / 3, "Full speed": 0.0}
"""Speed → least seconds for a question."""
USUAL_SPEED = "1×"
STOP_SECONDS = 0.1
"""Between two looks for runs to stop."""
_KIND = "watch"


class RunEndError(PlaygroundError):
    """A run of a watch did not end as it should."""


@dataclass(slots=True)
class Playing:
    """How a watch is played.

    Attributes:
        speed: A key of `PACES`.
        runs: The runs of the moment.
    """

    speed: str
    runs: list[Run] = field(default_factory=list["Run"])


def job_of(watch: Watch) -> Job[Playing] | None:
    """The job that plays a watch, or played it last, for all tabs and users; None if this process has not played it."""
    return runs.workspace().jobs.of(_KIND, watch.name)


def playing_now(watch: Watch) -> Playing | None:
    """How a watch is played, also during the last question after `pause`; None if it is not."""
    return job.progress if (job := job_of(watch)) is not None and job.goes_on else None


def play(watch: Watch, model: str | None = None, speed: str = USUAL_SPEED) -> None:
    """Plays a watch, unless it is played.

    Raises:
        NotPermittedError: The user of the watch's manager may not change playbooks, which it teaches.
    """
    watch.manager.require(Action.EDIT_PLAYBOOK)
    playing = Playing(speed)
    job = Job(watch.name, lambda job: _play(watch, model, playing, job), progress=playing)
    runs.workspace().jobs.start(_KIND, job)


def pause(watch: Watch) -> None:
    """Asks nothing more after the question of the moment.

    Raises:
        NotPermittedError: As for `play`.
    """
    watch.manager.require(Action.EDIT_PLAYBOOK)
    runs.workspace().jobs.stop(_KIND, watch.name)


def stop(watch: Watch) -> None:
    """Ends the runs of the moment, too; their question is asked again after `play`.

    Raises:
        NotPermittedError: As for `play`.
        RunInProgressError: A run did not end in time.
    """
    pause(watch)
    while (job := job_of(watch)) is not None and (playing := playing_now(watch)) is not None:
        for run in list(playing.runs):
            watch.manager.stop(run.pipeline, run.session_id)
        job.wait(STOP_SECONDS)  # it may have started one more run meanwhile


def set_speed(watch: Watch, speed: str) -> None:
    """Changes the speed from the next question on.

    Raises:
        NotPermittedError: As for `play`.
    """
    watch.manager.require(Action.EDIT_PLAYBOOK)
    if (playing := playing_now(watch)) is not None:
        playing.speed = speed


def _play(watch: Watch, model: str | None, playing: Playing, job: Job[Playing]) -> None:
    try:
        while not job.is_stopping and (due := watch.due()):
            started = time.monotonic()
            _ask(watch, due, model, playing.runs)
            job.idle(PACES[playing.speed] - (time.monotonic() - started))
    except PlaygroundError:
        if not job.is_stopping:  # else it was stopped, which ends the runs
            raise


def _ask(watch: Watch, due: list[tuple[Arm, int]], model: str | None, begun: list[Run]) -> None:
    """Asks the arms beside each other; `begun` has their runs meanwhile."""
    try:
        for arm, index in due:
            begun.append(watch.ask(arm, index, model))
        for run in begun:
            asyncio.run(_completed(watch.manager, run))
    finally:
        begun.clear()
    for arm, index in due:
        if len(watch.answers(arm)) <= index:
            raise RunEndError(
                f"Question {index + 1} was answered, but not judged: the reflector's output could not be used. Press "
                "Play to ask it again, or choose another model."
            )


async def _completed(manager: RunManager, run: Run) -> None:
    """Returns at a run's end.

    Raises:
        RunEndError: It failed, or waits for the user.
    """
    async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
        async for item in news:
            for entry in getattr(item, "entries", ()):
                if (end := entry.of(RunFinished)) is not None:
                    _check_end(end)
                    return
    raise RunEndError("The run's end is not known: the playground was closed, or the database cannot be read.")


def _check_end(end: RunFinished) -> None:
    if end.status != "completed":
        reason = end.error_message or f"The run's status is “{end.status}”."
        raise RunEndError(f"{reason} The question is asked again when you press Play.")
