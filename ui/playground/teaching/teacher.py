"""Teaches a list in the background: runs row after row, until it is stopped or done."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents import PlaygroundError, RunFinished
from agents.jobs import Job
from ui.playground.teaching.taught_list import DONE, TaughtList
from ui.state import runs

if TYPE_CHECKING:
    from agents.runs import Run, RunManager

MOST_FAILURES = 3
"""Rows that may fail one after the other; then it is not the rows."""
STOP_SECONDS = 0.1
"""Between two looks for a run to stop."""
_KIND = "taught list"


class ListEndError(PlaygroundError):
    """A list was not taught to its end."""


@dataclass(slots=True)
class Progress:
    """The run of the moment; None between two."""

    run: Run | None = None


def job_of(taught: TaughtList) -> Job[Progress] | None:
    """The job that teaches a list, or taught it last; None if this process has not."""
    return runs.workspace().jobs.of(_KIND, taught.id)


def is_taught(taught: TaughtList) -> bool:
    """Whether this process teaches a list now."""
    return (job := job_of(taught)) is not None and job.goes_on


def teach(taught: TaughtList) -> None:
    """Teaches the rows of a list that are not done, unless this process does already."""
    manager, progress = runs.manager(), Progress()
    runs.workspace().jobs.start(_KIND, Job(taught.id, lambda job: _teach(manager, taught, progress, job), progress=progress))


def stop(taught: TaughtList) -> None:
    """Ends the run of the moment and asks no further row; `teach` asks that row again.

    Raises:
        RunInProgressError: The run did not end in time.
    """
    runs.workspace().jobs.stop(_KIND, taught.id)
    while (job := job_of(taught)) is not None and job.goes_on:
        if job.progress is not None and (run := job.progress.run) is not None:
            runs.manager().stop(run.pipeline, run.session_id)
        job.wait(STOP_SECONDS)  # it may have started one more run meanwhile


def _teach(manager: RunManager, taught: TaughtList, progress: Progress, job: Job[Progress]) -> None:
    done = {row for row, status in taught.statuses(manager).items() if status in DONE}
    failures = 0
    for row in taught.rows:
        if row in done:
            continue
        if job.is_stopping:
            return
        progress.run = taught.ask(manager, row)
        end = asyncio.run(_end_of(manager, progress.run))
        progress.run = None
        failures = 0 if end.status in DONE else failures + 1
        if failures == MOST_FAILURES and not job.is_stopping:
            why = end.error_message or f"The run's status is “{end.status}”."
            raise ListEndError(f"{MOST_FAILURES} rows failed one after the other, the last one in line {row.line}. {why}")


async def _end_of(manager: RunManager, run: Run) -> RunFinished:
    """The record of a run's end or pause.

    Raises:
        ListEndError: It is not known.
    """
    async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
        async for item in news:
            for entry in getattr(item, "entries", ()):
                if (end := entry.of(RunFinished)) is not None:
                    return end
    raise ListEndError("The end of a row's run is not known: the playground was closed, or the database cannot be read.")
