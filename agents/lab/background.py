"""Lab runs and measurements of playbooks that this process works on in the background."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from agents.access import Action, User, require
from agents.jobs import Job, Jobs
from agents.lab.active_run import ActiveRun, Progress
from agents.lab.effects.measurements import Measurements, measure
from agents.lab.effects.plan import Plan
from agents.lab.lab import Lab, Parts

_KIND = "measurement"
_RUN = "lab run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How far a measurement is.

    Attributes:
        plan: What is measured.
        total: Answers that were not known when it began.
        done: Those of them that are known now.
        seconds_left: Estimated seconds until its end; None before the second answer.
    """

    plan: Plan
    total: int
    done: int = 0
    seconds_left: float | None = None


class MeasurementJobs:
    """The measurements that this process works on, one of a playbook at a time."""

    def __init__(self, kept: Measurements, jobs: Jobs, user: User) -> None:
        self._kept = kept
        self._jobs = jobs
        self._user = user

    def of(self, playbook: str) -> Job[Measured] | None:
        """The last work of this process on a playbook; None if there was none."""
        return self._jobs.of(_KIND, playbook)

    def begin(self, plan: Plan) -> None:
        """Begins to measure, unless this process measures that playbook already.

        Raises:
            PlaygroundError: The pipeline cannot be found, or the scores cannot be read.
            NotPermittedError: The user may not measure.
        """
        require(self._user, Action.USE_LAB)
        total = plan.answers - len(self._kept.scores(plan))
        started = Measured(plan=plan, total=total)
        self._jobs.start(_KIND, Job(plan.playbook.name, lambda job: self._measure(plan, job), progress=started))

    def stop(self, playbook: str) -> None:
        """Stops the work on a playbook after the present answer; what was answered is kept.

        Raises:
            NotPermittedError: The user may not.
        """
        require(self._user, Action.USE_LAB)
        self._jobs.stop(_KIND, playbook)

    def _measure(self, plan: Plan, job: Job[Measured]) -> None:
        first_at = 0.0  # what is loaded before the first answer takes long, so the estimate begins after it

        def told() -> None:
            nonlocal first_at
            before = job.progress
            assert before is not None
            first_at = first_at or time.monotonic()
            done = before.done + 1
            left = (time.monotonic() - first_at) / (done - 1) * (before.total - done) if done > 1 else None
            job.tell(Measured(plan=plan, total=before.total, done=done, seconds_left=left))

        asyncio.run(measure(plan, self._kept, told=told, stopped=lambda: job.is_stopping))


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
        return self._jobs.of(_RUN, name)

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
        self._jobs.stop(_RUN, name)

    def _start(self, active: ActiveRun) -> None:
        def work(job: Job[Progress]) -> None:
            asyncio.run(active.run(job.tell, side_by_side=True)).close()

        self._jobs.start(_RUN, Job(active.name, work, on_stop=active.stop))
