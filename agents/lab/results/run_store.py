"""`RunStore`: the database of a run. A step, with its results, operations and position, is stored in one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agents.ace.dictionary_delta import is_dictionary
from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.store.playbook_store import PlaybookStore
from agents.errors import LabError
from agents.lab.description.arms import Merge
from agents.lab.plan.plan import Part
from agents.lab.results.session_log import packed
from agents.lab.sample import Sample
from agents.lab.task import Outcome
from agents.storage.lab.result import Result, Standing
from agents.storage.lab.run_database import RunDatabase, RunTransaction
from agents.storage.processes import is_running, this_process
from agents.storage.reducer import Origin

T = TypeVar("T")
APP = "lab"
"""The app of the operations of a run; their session is arm, seed and number of the sample."""


class Step(NamedTuple):
    """Samples that were worked on with one revision of a playbook.

    Attributes:
        part: The part of the plan.
        is_last: Whether nothing of the plan is left after this part.
        playbook: The playbook.
        samples: The samples in order.
        outcomes: What came of each.
        merge: How their operations come together.
    """

    part: Part
    is_last: bool
    playbook: Playbook
    samples: Sequence[Sample]
    outcomes: Sequence[Outcome]
    merge: Merge = "transactional"


class RunStore:
    """The database of a run.

    Args:
        path: The file, created if it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._database = RunDatabase(path)
        self._playbooks = PlaybookStore(self._database, APP)
        self.write(RunTransaction.create_tables)

    def playbook(self, name: str) -> PlaybookStore:
        """One of its playbooks."""
        return self._playbooks.beside(name)

    def trials(self) -> list[Standing]:
        """All arms and seeds, in order."""
        return self.read(RunTransaction.trials)

    def add_trials(self, wanted: Sequence[tuple[str, int]], playbooks: Mapping[str, Playbook]) -> None:
        """Adds arms and seeds that are not there yet, with the playbooks that arms begin with."""
        there = {(one.arm, one.seed) for one in self.trials()}
        for arm, seed in wanted:
            if (arm, seed) in there:
                continue
            store = self.playbook(Standing(key=0, arm=arm, seed=seed).playbook)
            if arm in playbooks and not len(store.playbook()):
                store.import_playbook(playbooks[arm])
            self.write(lambda run, arm=arm, seed=seed: run.add_trial(arm, seed))

    def claim(self) -> None:
        """Notes that this process works on the run.

        Raises:
            LabError: Another process does.
        """
        own = this_process()

        def work(run: RunTransaction) -> None:
            _check_unclaimed(run, "resume the run")
            run.claim(own)

        self.write(work)

    def check_unclaimed(self, then: str) -> None:
        """Raises an error if a process works on the run.

        Args:
            then: What to do once it has ended, for the error.

        Raises:
            LabError: A process does.
        """
        self.read(lambda run: _check_unclaimed(run, then))

    def release(self) -> None:
        """Notes that this process no longer works on the run."""
        self.write(RunTransaction.release)

    def commit(self, standing: Standing, step: Step) -> Standing:
        """Stores a step: the operations on the playbook, the results, and how far the arm is then."""

        def work(run: RunTransaction) -> Standing:
            lost = self._commit_operations(run, standing, step) if step.part.learns else [0] * len(step.samples)
            now = self._playbooks.ledger.load(run, standing.playbook) or step.playbook
            shown = now if step.part.learns else step.playbook
            after = standing
            for number, (sample, outcome) in enumerate(zip(step.samples, step.outcomes, strict=True)):
                result = _result(after, step, sample, outcome, shown, lost[number])
                run.add_result(standing.key, result)
                if outcome.log is not None:
                    body = packed(outcome.log, step.playbook)
                    run.add_session(standing.key, result.number, body)
                after = counted(after, outcome)
            after = _moved(run, after, step)
            run.write_standing(after)
            return after

        return self.write(work)

    def note(self, standing: Standing) -> None:
        """Stores how far an arm and seed is, where no sample is stored with it: at a limit, or at its next part."""
        self.write(lambda run: run.write_standing(standing))

    def write(self, work: Callable[[RunTransaction], T]) -> T:
        """Runs `work` in a write transaction; it may be run again."""
        with self._database.writing() as run:
            return work(run)

    def read(self, work: Callable[[RunTransaction], T]) -> T:
        """Runs `work` on a snapshot."""
        with self._database.reading() as run:
            return work(run)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def _commit_operations(self, run: RunTransaction, standing: Standing, step: Step) -> list[int]:
        """Commits the operations of a step in the order of its samples; how many batches of each sample are lost."""
        writers = [place for place, outcome in enumerate(step.outcomes) if outcome.batches]
        winners = writers if step.merge == "transactional" else writers[-1:]
        at = time.time()
        for place in winners:
            session = f"{standing.playbook}, sample {standing.number + place}"
            for operation in step.outcomes[place].batches:
                self._commit_operation(run, standing.playbook, operation, Origin(APP, session, "", 0, at))
        return [0 if place in winners else len(outcome.batches) for place, outcome in enumerate(step.outcomes)]

    def _commit_operation(self, run: RunTransaction, name: str, operation: dict[str, Any], origin: Origin) -> None:
        if is_dictionary(operation):
            self._playbooks.ledger.commit_dictionary(run, name, operation, origin)
        else:
            self._playbooks.ledger.commit(run, name, DeltaBatch.model_validate(operation), origin)


def _result(standing: Standing, step: Step, sample: Sample, outcome: Outcome, after: Playbook, lost: int) -> Result:
    score, used = outcome.score, outcome.total
    return Result(
        number=standing.number,
        phase=step.part.phase,
        part=standing.part,
        place=standing.place,
        sample=sample.id,
        is_right=outcome.is_right,
        failed=score is None,
        value=score.value if score else 0.0,
        right=score.right if score else 0,
        of=score.of if score else 1,
        question=sample.question,
        truth=sample.truth,
        answer=outcome.answer,
        why=score.why if score else "",
        error=outcome.error,
        cited=outcome.cited,
        labels=dict(sample.labels),
        epoch=step.part.epoch,
        before=step.playbook.revision,
        revision=after.revision,
        bullets=len(after),
        playbook_tokens=after.tokens,
        lost=lost,
        calls=used.calls,
        input=used.input,
        output=used.output,
        cost=used.cost,
        seconds=outcome.seconds,
        roles={agent: [one.calls, one.tokens] for agent, one in outcome.usage.items()},
    )


def counted(standing: Standing, outcome: Outcome) -> Standing:
    """With one more sample done."""
    used = outcome.total
    calls, tokens, dollars = standing.most
    return replace(
        standing,
        status="running",
        place=standing.place + 1,
        number=standing.number + 1,
        failed=standing.failed + (outcome.score is None),
        calls=standing.calls + used.calls,
        input=standing.input + used.input,
        output=standing.output + used.output,
        cost=None if standing.cost is None or used.cost is None else standing.cost + used.cost,
        seconds=standing.seconds + outcome.seconds,
        most=(max(calls, used.calls), max(tokens, used.tokens), max(dollars, used.cost or 0.0)),
    )


def _check_unclaimed(run: RunTransaction, then: str) -> None:
    other = run.claimed_by()
    if other is not None and is_running(*other):
        whose = "this process" if other[0] == this_process()[0] else f"process {other[0]}"
        raise LabError(f"The run is being worked on by {whose}. Wait until it ends or stop it, then {then}.")


def _moved(run: RunTransaction, standing: Standing, step: Step) -> Standing:
    """At the next part, if this one is done. After a validation the playbook that did best is noted."""
    if standing.place < step.part.stop:
        return standing
    best = standing.best
    if step.part.phase == "validation":
        accuracy = run.part_accuracy(standing.key, standing.part)
        if best is None or accuracy > best[1]:
            best = step.playbook.revision, accuracy
    moved = replace(standing, best=best, part=standing.part + 1, place=0)
    return replace(moved, status="finished") if step.is_last else moved
