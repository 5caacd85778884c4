"""The test of a lesson: reference solutions pass, known wrong ones get their hints, and who does nothing gets nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.errors import PlaygroundError
from agents.lessons import queries
from agents.lessons.copies import changed_agents, changed_controls, has_copy, original
from agents.lessons.headless import StepRunner, verdict_on
from agents.lessons.lesson import (
    Answers,
    Edit,
    FindFault,
    Investigate,
    Lesson,
    Make,
    Modify,
    Play,
    Predict,
    SaidCall,
    Step,
)
from agents.lessons.verdict import Answer, Verdict, choices_in, is_meant_by_log, score
from agents.log import LogEntry
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.records import FaultInjected
from agents.teams import TeamStore, set_field

_Log = Sequence[LogEntry]


class Proof(NamedTuple):
    """What was tried of a step.

    Attributes:
        step: The step's id.
        tried: What was tried: "reference", "nothing", or a wrong solution by its number.
        problem: What is wrong with that; "" if it is as it should be.
    """

    step: str
    tried: str
    problem: str


async def prove(lesson: Lesson, pipeline: Pipeline, catalog: Catalog) -> list[Proof]:
    """Tries the steps of a lesson."""
    found: list[Proof] = []
    with tempfile.TemporaryDirectory(prefix="playground-lesson-") as folder:
        for step in lesson.steps:
            try:
                found += await _Trial(step, pipeline, catalog, Path(folder)).proofs()
            except (PlaygroundError, ValueError) as error:
                found.append(Proof(step.id, "reference", f"it cannot be run: {error}"))
    return found


class Solver:
    """Runs changed teams, controls and answers of a step, headless.

    Args:
        step: The step.
        pipeline: The lesson's pipeline.
        catalog: Has it.
        folder: Where copies are put.
    """

    def __init__(self, step: Step, pipeline: Pipeline, catalog: Catalog, folder: Path) -> None:
        self.step, self.pipeline = step, pipeline
        self._catalog, self._folder = catalog, folder

    async def log(self, answers: Sequence[str | SaidCall] = ()) -> _Log:
        """The log of the step's run."""
        run = await StepRunner(self._catalog, self.pipeline).run(self.step, answers=answers)
        return run.entries

    async def built(self, step: Modify | Make, files: dict[str, str], controls: dict[str, Any]) -> Verdict:
        """The verdict on a changed team and changed controls."""
        controls = changed_controls(self.pipeline, step, controls)
        changed, name, catalog = set(controls), "", self._catalog
        if has_copy(step):
            changed |= changed_agents(original(self.pipeline, step), files)
            folder = Path(tempfile.mkdtemp(dir=self._folder))
            name = f"copy_for_{step.id}"
            TeamStore(folder).create(name, files)
            catalog = Catalog(teams=folder)
        runs = await StepRunner(catalog, self.pipeline).built(step, of=name, state=controls)
        return verdict_on(step, runs, changed)

    async def edited(self, step: Modify | Make, edits: Sequence[Edit]) -> Verdict:
        """The verdict on edits."""
        files = original(self.pipeline, step) if has_copy(step) else {}
        controls: dict[str, Any] = {}
        for edit in edits:
            if edit.control:
                controls[edit.control] = edit.value
            else:
                files = set_field(files, edit.agent, edit.field, edit.value)
        return await self.built(step, files, controls)


class _Trial(Solver):
    async def proofs(self) -> list[Proof]:
        match self.step:
            case Predict():
                return await self._predict(self.step)
            case Investigate():
                return await self._investigate(self.step)
            case FindFault():
                return await self._find_fault(self.step)
            case Modify() | Make():
                return await self._built(self.step)
            case Play():
                return await self._play(self.step)

    def _proof(self, tried: str, problem: str = "") -> Proof:
        return Proof(self.step.id, tried, problem)

    async def _predict(self, step: Predict) -> list[Proof]:
        log = await self.log()
        truth = queries.answer_of(step.answer, log)
        right = [one for one in step.choices if is_meant_by_log(one, truth)]
        if len(right) != 1:
            return [self._proof("reference", f"the log's answer is {truth!r}, which {len(right)} of the choices mean")]
        found = [self._proof("reference"), self._nothing(score(step, Answer(), log))]
        for number, one in enumerate(step.choices, start=1):
            if one is not right[0]:
                found.append(self._proof(f"choice {number}", "" if one.hint else "a wrong choice has no hint"))
        return found

    async def _investigate(self, step: Investigate) -> list[Proof]:
        log = await self.log()
        names = choices_in(step, log)
        candidates = [Answer(seq=entry.seq) for entry in log] if names is None else [Answer(one) for one in names]
        right = [one for one in candidates if score(step, one, log).right]
        problem = "" if right else "the log of its run has nothing that is right"
        if len(right) == len(candidates) > 1:
            problem = "everything in the log is right"
        return [
            self._proof("reference", problem),
            self._nothing(score(step, Answer(), log)),
            *self._recognised(step, candidates, log),
        ]

    async def _find_fault(self, step: FindFault) -> list[Proof]:
        log = await self.log()
        candidates = [Answer(seq=entry.seq) for entry in log]
        events = [one for one in candidates if score(step, one, log).found]
        told = [entry for entry in log if entry.of(FaultInjected)]
        if not events or told:
            return [self._proof("reference", "the log tells of the fault" if told else "nothing in the log shows the fault")]
        seq = events[0].seq
        found = [
            self._proof("reference", "" if score(step, Answer(step.cause, seq), log).right else "its cause is not right")
        ]
        found.append(self._nothing(score(step, Answer(), log)))
        for number, one in enumerate(step.causes, start=1):
            if one.value != step.cause:
                found.append(self._proof(f"cause {number}", "" if one.hint else "a wrong cause has no hint"))
        return [*found, *self._recognised(step, candidates, log)]

    def _recognised(self, step: Investigate | FindFault, candidates: Sequence[Answer], log: _Log) -> list[Proof]:
        hints = {score(step, one, log).hint for one in candidates}
        return [
            self._proof(f"wrong {number}", "" if wrong.hint in hints else "nothing in the log gets its hint")
            for number, wrong in enumerate(step.wrong, start=1)
        ]

    async def _built(self, step: Modify | Make) -> list[Proof]:
        found = [self._passes(await self.edited(step, step.solution))] if step.solution else [self._no_solution()]
        found.append(self._nothing(await self.edited(step, ())))
        for number, wrong in enumerate(step.wrong, start=1):
            if isinstance(wrong.example, tuple):
                found.append(self._hinted(number, wrong.hint, await self.edited(step, wrong.example)))
        return found

    async def _play(self, step: Play) -> list[Proof]:
        if step.solution is None:
            return [self._no_solution()]
        found = [self._passes(score(step, Answer(), await self.log(step.solution.answers)))]
        found.append(self._nothing(score(step, Answer(), await self.log())))
        for number, wrong in enumerate(step.wrong, start=1):
            if isinstance(wrong.example, Answers):
                verdict = score(step, Answer(), await self.log(wrong.example.answers))
                found.append(self._hinted(number, wrong.hint, verdict))
        return found

    def _passes(self, verdict: Verdict) -> Proof:
        return self._proof("reference", "" if verdict.right else f"it does not pass: {verdict.hint}")

    def _no_solution(self) -> Proof:
        return self._proof("reference", "it has no `solution`")

    def _nothing(self, verdict: Verdict) -> Proof:
        return self._proof("nothing", "it gets points" if verdict.points else "")

    def _hinted(self, number: int, hint: str, verdict: Verdict) -> Proof:
        problem = "" if verdict.hint == hint else f"it gets {'no hint' if verdict.right else repr(verdict.hint)}"
        return self._proof(f"wrong {number}", "it passes" if verdict.right else problem)
