"""`ActiveRun`: a run that is worked on. It can be stopped at any moment, and resumed where it stood."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.ace.playbook import Playbook
from agents.lab.description.arms import Gepa
from agents.lab.plan.origin import Origin
from agents.lab.results.lab_run import LabRun
from agents.lab.trials.gepa_trial import GepaTrial
from agents.lab.trials.together import together
from agents.lab.trials.trial import Setup, Trial
from agents.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is.

    Attributes:
        done: Samples done, of all arms and seeds.
        total: Samples of the whole plan; limits may end arms before.
        arm: The arm that did the last step.
        seed: Its seed.
        seconds_left: Seconds that the rest takes at the present rate; None before the first step.
    """

    done: int
    total: int
    arm: str
    seed: int
    seconds_left: float | None


class ActiveRun:
    """A run that is worked on.

    Attributes:
        name: The name of its folder.

    Args:
        name: The name of its folder.
        setup: What its trials share.
        origin: What the run was begun with.
        playbooks: Playbooks that arms begin with, by arm.
        scope: The workspace's.
    """

    def __init__(self, name: str, setup: Setup, origin: Origin, playbooks: Mapping[str, Playbook], scope: Scope) -> None:
        self.name, self._origin, self._scope = name, origin, scope
        self._setup, self._playbooks = setup, playbooks
        self._is_stopped = False

    def stop(self) -> None:
        """Asks the run to stop after the steps that are being worked on. May be called from any thread."""
        self._is_stopped = True

    async def run(self, tell: Callable[[Progress], None] = lambda _: None, *, side_by_side: bool = False) -> LabRun:
        """Works until the end, or until it is stopped; a cancelled run has lost the steps that were being worked on.

        Args:
            tell: Called after each step.
            side_by_side: Work on all arms of a seed at once, instead of one after the other. The results are the same.

        Returns:
            The results.

        Raises:
            LabError: Another process works on the run; or the data ended early.
            DatabaseError: A step cannot be stored.
        """
        store = self._setup.store
        try:
            store.claim()
            try:
                with self._scope.entered():
                    await self._work_on_seeds(tell, side_by_side)
            finally:
                store.release()
        except BaseException:
            store.close()
            raise
        return LabRun(self.name, self._setup.description, self._origin, store)

    async def _work_on_seeds(self, tell: Callable[[Progress], None], side_by_side: bool) -> None:
        store, description = self._setup.store, self._setup.description
        store.add_trials([(arm.title, seed) for seed in description.seeds for arm in description.arms], self._playbooks)
        trials = self._trials()
        rate = _Rate(trials)
        for seed in description.seeds:
            chosen = [trial for trial in trials if trial.standing.seed == seed]
            if side_by_side:
                await together([self._work(trial, rate, tell) for trial in chosen])
            else:
                for trial in chosen:
                    await self._work(trial, rate, tell)

    async def _work(self, trial: Trial, rate: _Rate, tell: Callable[[Progress], None]) -> None:
        await trial.run(lambda: self._is_stopped, lambda: tell(rate.progress(trial)))

    def _trials(self) -> list[Trial]:
        arms = {arm.title: arm for arm in self._setup.description.arms}
        return [
            (GepaTrial if isinstance(arms[one.arm], Gepa) else Trial)(self._setup, arms[one.arm], one)
            for one in self._setup.store.trials()
        ]


class _Rate:
    """Estimates the time left from the samples done since the run was begun or resumed."""

    def __init__(self, trials: list[Trial]) -> None:
        self._trials, self._began = trials, time.monotonic()
        self._before = sum(trial.standing.number for trial in trials)

    def progress(self, trial: Trial) -> Progress:
        done = sum(one.standing.number for one in self._trials)
        left = sum(one.total - one.standing.number for one in self._trials if not one.standing.has_ended)
        passed, since = time.monotonic() - self._began, done - self._before
        return Progress(
            done=done,
            total=sum(one.total for one in self._trials),
            arm=trial.standing.arm,
            seed=trial.standing.seed,
            seconds_left=left * passed / since if since else None,
        )
