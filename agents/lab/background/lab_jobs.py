"""Lab runs that are worked on in the background."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agents.jobs import Job, Jobs
from agents.lab.active_run import ActiveRun, Progress
from agents.lab.lab import Lab, Parts

_KIND = "lab run"


class LabJobs:
    """The runs of a Lab that this process works on. What changes one may raise `NotPermittedError`.

    Args:
        lab: The Lab, as the user who asks may use it.
        jobs: The workspace's jobs.
        files: The folder that relative paths in descriptions start from.
    """

    def __init__(self, lab: Lab, jobs: Jobs, files: Path) -> None:
        self._lab = lab
        self._jobs = jobs
        self._files = files

    def of(self, name: str) -> Job[Progress] | None:
        """The work of this process on a run; None if there was none."""
        return self._jobs.of(_KIND, name)

    def begin(self, description: str, parts: Parts | None = None) -> str:
        """Begins a run, and returns the name of its folder.

        Raises:
            PlaygroundError: It cannot be described so.
        """
        active = self._lab.begin(description, beside=self._files, parts=parts)
        self._start(active)
        return active.name

    def resume(self, name: str, parts: Parts | None = None) -> None:
        """Works on a run again, unless this process does already.

        Args:
            name: The run.
            parts: What was given in Python when it began.

        Raises:
            PlaygroundError: It cannot be resumed.
        """
        self._lab.require()
        if (known := self.of(name)) is None or not known.goes_on:
            self._start(self._lab.resume(name, parts=parts))

    def stop(self, name: str) -> None:
        """Stops a run after the samples that are being worked on; it can be resumed."""
        self._lab.require()
        self._jobs.stop(_KIND, name)

    def _start(self, active: ActiveRun) -> None:
        def work(job: Job[Progress]) -> None:
            asyncio.run(active.run(job.tell, side_by_side=True)).close()

        self._jobs.start(_KIND, Job(active.name, work, on_stop=active.stop))
