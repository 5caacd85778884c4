"""`Trial`: one arm with one seed, step after step from where it stands to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from agents.ace.dictionary_delta import is_dictionary
from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.errors import LabError
from agents.lab.description.arms import Arm, History, Learning, Offline, Online, Parallel, Rewriting, SkillOpt
from agents.lab.description.lab_description import LabDescription, Limits
from agents.lab.plan.plan import Part, plan
from agents.lab.plan.stream import Samples, Stream
from agents.lab.results.run_store import RunStore, Step
from agents.lab.sample import Sample
from agents.lab.scorer import Scorer
from agents.lab.task import Answerer, Execute, Outcome, Task
from agents.lab.trials.together import together
from agents.lab.work.rewriter import batches_between, text_of
from agents.model import BaseLlm
from agents.storage.lab.result import Standing

KEEP_ALL = "Leave out no line, and nothing of a line but what has become wrong."
"""What a rewriter is told that has no rule of loss."""
EDITS = "Change at most {} lines, those that matter most, and leave all others as they are."
"""What a rewriter is told of which only so many edits are made."""
_PLENTY = 1_000_000
"""Room where there is no limit."""
_KEPT = frozenset({"ADD", "TAG"})
WHY = "This arm only adds."
"""The reason with which other operations are rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What all trials of a run share.

    Attributes:
        description: The run.
        data: Its data set.
        scorer: Its scorer.
        store: Its database.
        execute: Runs a task.
        model: The model: its name, or a model given in Python.
        agents_dir: A folder with more pipelines.
        version: The fingerprint of the pipeline.
        answerers: Python callables by the names of their arms.
    """

    description: LabDescription
    data: Samples
    scorer: Scorer
    store: RunStore
    execute: Execute
    model: str | BaseLlm
    agents_dir: Path | None
    version: str
    answerers: Mapping[str, Answerer]


class Trial:
    """One arm with one seed.

    Attributes:
        standing: How far it is.
        total: Samples of the whole plan.
    """

    def __init__(self, setup: Setup, arm: Arm, standing: Standing) -> None:
        self.standing = standing
        self._setup, self._arm = setup, arm
        self._plan = plan(setup.description, arm, setup.data.count)
        self.total = sum(part.stop - part.start for part in self._plan)
        self._stream = Stream(setup.data, 0 if setup.description.repeats > 1 else standing.seed)
        self._shuffled: dict[str, list[str | None]] = {}

    async def run(self, is_stopped: Callable[[], bool], tell: Callable[[], None]) -> None:
        """Works until the end, a limit, or until it is to stop. What was stored stays, whatever happens.

        Args:
            is_stopped: Asked before each step.
            tell: Called after each step.
        """
        while not self.standing.has_ended and not is_stopped():
            part = self._plan[self.standing.part]
            place = self.standing.place or part.start
            room, why = room_in(self._setup.description.limits, self.standing)
            count = min(part.batch, part.stop - place, room)
            if count < 1:
                self.standing = replace(self.standing, status="limit", why=why)
                self._setup.store.note(self.standing)
            else:
                await self._step(replace(self.standing, place=place), part, count)
            tell()
            await asyncio.sleep(0)  # a model that answers at once never waits, and others in this loop want their turn

    async def _step(self, standing: Standing, part: Part, count: int) -> None:
        samples = self._stream.take(part.split, standing.place, count)
        befores = [self._stream.before, *samples]
        playbook = self._playbook(part)
        tasks = [self._task(sample, playbook, count) for sample in samples]
        if part.learns:
            tasks = [
                self._learning(task, standing.number + offset, self._told_instead(part, standing, offset, before))
                for offset, (task, before) in enumerate(zip(tasks, befores, strict=False))
            ]
        execute = self._setup.execute
        outcomes = [await execute(tasks[0])] if count == 1 else await together([execute(task) for task in tasks])
        if self._adds_only(standing.number):
            outcomes = [additions_of(outcome) for outcome in outcomes]
        if isinstance(self._arm, SkillOpt) and part.learns:
            newest = self._setup.store.playbook(self.standing.playbook).playbook()
            outcomes = bounded(outcomes, playbook, newest, self._arm.edits)
        is_last = standing.part == len(self._plan) - 1
        merge = self._arm.merge if isinstance(self._arm, Online | Parallel | Offline) else "transactional"
        self.standing = self._setup.store.commit(standing, Step(part, is_last, playbook, samples, outcomes, merge))

    def _adds_only(self, number: int) -> bool:
        """Whether the step that begins with a sample may only add; see `additions`."""
        after = self._arm.add_only_after if isinstance(self._arm, Online | Parallel | Offline) else None
        return after is not None and number >= after

    def _playbook(self, part: Part) -> Playbook:
        store, best = self._setup.store.playbook(self.standing.playbook), self.standing.best
        if part.playbook == "best" and best is not None:
            return store.at(best[0])
        return store.playbook()

    def _told_instead(self, part: Part, standing: Standing, offset: int, before: Sample | None) -> str | None:
        """The answer that a learner is told in place of the right one, for the sample at an offset from where it stands."""
        arm = self._arm
        if not isinstance(arm, Learning):
            return None
        if arm.shuffled_truth:
            if part.split not in self._shuffled:
                most = max(one.stop for one in self._plan if one.split == part.split)
                self._shuffled[part.split] = self._stream.shuffled_truths(part.split, most)
            return self._shuffled[part.split][standing.place + offset]
        is_harmful = arm.harmful_every is not None and (standing.number + offset + 1) % arm.harmful_every == 0
        return before.truth if is_harmful and before else None

    def _task(self, sample: Sample, playbook: Playbook, count: int) -> Task:
        """A sample to answer, one of `count` at a time; nothing is learned from it."""
        setup, arm, limit = self._setup, self._arm, self._setup.description.limits.calls
        return Task(
            sample=sample,
            playbook=playbook,
            pipeline=setup.description.pipeline,
            model=setup.model,
            models=arm.models,
            temperature=setup.description.temperature,
            scorer=setup.scorer,
            agents_dir=setup.agents_dir,
            version=setup.version,
            most_calls=None if limit is None else (limit - self.standing.calls) // count,
            keep=setup.description.keep,
            answerer=setup.answerers.get(arm.title) if arm.kind == "callable" else None,
        )

    def _learning(self, task: Task, number: int, told: str | None) -> Task:
        """A task from which the arm learns.

        Args:
            task: The task.
            number: The number of its sample.
            told: What the learner is told in place of the right answer; None for that one.
        """
        arm = self._arm
        if isinstance(arm, Rewriting):
            limits = KEEP_ALL if arm.keep_all else ""
            return replace(task, learner="rewriting", feedback=arm.feedback, told=told, limits=limits)
        if isinstance(arm, SkillOpt):
            limits = EDITS.format(arm.edits)
            return replace(task, learner="edits", feedback=arm.feedback, told=told, limits=limits)
        if isinstance(arm, History):
            return replace(task, learner="transcript", told=told, window=arm.tokens)
        assert isinstance(arm, Online | Parallel | Offline)
        settings = {**arm.settings, "pruning": False} if self._adds_only(number) else arm.settings
        return replace(task, learner="cycle", settings=settings, reflects=arm.reflector, feedback=arm.feedback, told=told)


def room_in(limits: Limits, standing: Standing) -> tuple[int, str]:
    """How many samples are likely to fit into the limits, and the limit that allows so few.

    A sample is taken to need as much as the one so far that needed most; before the first one, one call.
    """
    most_calls, most_tokens, most_dollars = standing.most
    if limits.dollars is not None and standing.cost is None:
        return 0, "The cost of its model is not known, so the limit of dollars cannot be kept."
    spent = (
        ("calls", limits.calls, standing.calls, max(1, most_calls)),
        ("tokens", limits.tokens, standing.tokens, max(1, most_tokens)),
        ("dollars", limits.dollars, standing.cost or 0.0, most_dollars or 1e-12),
    )
    found = [
        (int(max(0.0, limit - used) // need), f"The limit of {limit:g} {name} is reached: {used:g} are used.")
        for name, limit, used, need in spent
        if limit is not None
    ]
    return min(found, default=(_PLENTY, ""))


def additions_of(outcome: Outcome) -> Outcome:
    """An outcome whose batches change and remove no bullet; what they lose is among their rejected operations.

    Raises:
        LabError: A batch is a whole playbook, of which nothing can be left out.
    """
    return replace(outcome, batches=tuple(_additions(batch) for batch in outcome.batches))


def _additions(batch: dict[str, Any]) -> dict[str, Any]:
    if is_dictionary(batch):
        raise LabError(
            "An arm with add_only_after needs a pipeline that submits single operations. This one writes the whole playbook."
        )
    operations: list[dict[str, Any]] = batch.get("operations") or []
    lost = [{"operation": one, "reason": WHY} for one in operations if one["type"] not in _KEPT]
    kept = [one for one in operations if one["type"] in _KEPT]
    return {**batch, "operations": kept, "rejected": [*(batch.get("rejected") or []), *lost]}


def bounded(outcomes: Sequence[Outcome], best: Playbook, newest: Playbook, most: int) -> list[Outcome]:
    """The outcomes of a step with at most so many edits together; an edit adds a line or takes one away.

    Args:
        outcomes: What came of each sample; their operations are those that rewrite `best`.
        best: The text that the samples were answered with, which is edited.
        newest: The text that is stored, perhaps a refused one. The operations that remain turn it into the edited one.
        most: Most edits.
    """
    edited = best
    for edit in islice(_edits(outcomes), most):
        edited = apply_batch(edited, DeltaBatch.model_validate({"operations": [edit]}), at=0.0).playbook
    batches = tuple(batches_between(newest, text_of(edited).splitlines()))
    return [replace(one, batches=batches if place == 0 else ()) for place, one in enumerate(outcomes)]


def _edits(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    """The operations of all samples, each once: what is new before what would be lost, one sample after the other."""
    seen = set[str]()
    for outcome in outcomes:
        operations: list[dict[str, Any]] = [one for batch in outcome.batches for one in batch.get("operations") or ()]
        for one in sorted(operations, key=lambda one: one["type"] != "ADD"):
            what = str(one["content"] if one["type"] == "ADD" else one["bullet_id"])
            if what not in seen:
                seen.add(what)
                yield one
