"""Measurements of playbooks that are worked on in the background."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from agents.access import Action, User, require
from agents.jobs import Job, Jobs
from agents.lab.effects.measure import measure
from agents.lab.effects.measurements import Measurements
from agents.lab.effects.plan import Plan

_KIND = "measurement"


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
