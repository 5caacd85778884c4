"""A step's run without a page: in a store of its own, with the simulated model. What grades and tests of lessons use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pydantic import JsonValue

from agents.cases import Case, CaseRun, Check
from agents.cases.check import model_for
from agents.cases.expectations import AtMost
from agents.errors import LessonError
from agents.lessons.lesson import FindFault, Inputs, Make, Modify, Play, SaidCall, Step
from agents.lessons.verdict import Answer, Verdict, score
from agents.model import BaseLlm
from agents.models.scripted import ScriptedLlm
from agents.models.simulated.spec import SIMULATED
from agents.models.you.answer import response_of
from agents.models.you.spec import YOU
from agents.pipeline import Pipeline
from agents.pipelines.catalog import Catalog
from agents.runtime.fault import Fault
from agents.runtime.run_config import RunConfig

LIMITS: Mapping[str, float] = {"max_llm_calls": 200, "max_events": 3000, "max_bytes": 4_000_000, "max_seconds": 60.0}
"""Limits of a run, by their names in `RunConfig`; what is run is a learner's."""
_NOTHING = (AtMost(seconds=1e9),)


@dataclass(frozen=True, slots=True)
class StepRunner:
    """Runs steps of one pipeline's lesson.

    Attributes:
        catalog: Has what is run.
        pipeline: The pipeline of the lesson.
    """

    catalog: Catalog
    pipeline: Pipeline

    async def run(
        self,
        step: Step,
        *,
        of: str = "",
        message: str = "",
        answers: Sequence[str | SaidCall] = (),
        state: Mapping[str, JsonValue] | None = None,
    ) -> CaseRun:
        """Runs a step's message to its end, whatever comes of it.

        Args:
            step: The step.
            of: The pipeline or team that is run; "" for the lesson's own.
            message: What is sent in place of the step's message.
            answers: Play: what the learner says as the model; the last is said again.
            state: State to set besides the step's: controls that the learner has changed.
        """
        pipeline = self.catalog.get(of or self.pipeline.name)
        model = model_for(pipeline, SIMULATED)
        case = Case(
            name=step.id,
            pipeline=pipeline.name,
            messages=(*step.run.before, message) if message else messages_of(step, self.pipeline),
            state={**step.run.settings, **(state or {})},
            expect=_NOTHING,
        )
        config = RunConfig(model=model, faults=faults_of(step)).model_copy(
            update={**LIMITS, "agent_models": _models(step, answers)}
        )
        return await Check(self.catalog).run_once(case, config=config)

    async def built(self, step: Modify | Make, *, of: str, state: Mapping[str, JsonValue]) -> list[CaseRun]:
        """Runs what was changed or made: on the step's message, and on the hidden ones.

        Args:
            step: The step.
            of: The team that was changed; "" if controls alone were.
            state: The controls that were changed.
        """
        hidden = drawn(step.inputs) if isinstance(step, Make) and step.inputs else []
        return [await self.run(step, of=of, message=message, state=state) for message in ("", *hidden)]


def messages_of(step: Step, pipeline: Pipeline) -> tuple[str, ...]:
    """What a step's run is sent, in order.

    Raises:
        LessonError: The step names no message, and the pipeline has no sample.
    """
    if message := step.run.message or next(iter(pipeline.card.samples), ""):
        return (*step.run.before, message)
    raise LessonError(f"The step {step.id} of {pipeline.name} has nothing to send: write run.message in its lesson.toml.")


def faults_of(step: Step) -> tuple[Fault, ...]:
    """The faults of a step's run; the one to be found is hidden."""
    hidden = (step.fault.model_copy(update={"hidden": True}),) if isinstance(step, FindFault) else ()
    return (*step.run.faults, *hidden)


def verdict_on(step: Modify | Make, runs: Sequence[CaseRun], changed: Collection[str]) -> Verdict:
    """The verdict on the runs of `StepRunner.built`.

    Args:
        step: The step.
        runs: Its runs.
        changed: The agents and controls that were changed.
    """
    if error := next((run.error for run in runs if not run.entries), ""):
        return Verdict(right=False, hint=error)
    first, *more = (run.entries for run in runs)
    return score(step, Answer(), first, changed=changed, more=more)


def drawn(inputs: Inputs) -> list[str]:
    """The hidden messages: the same ones for the same seed."""
    return Random(inputs.seed).sample(inputs.texts, min(inputs.count, len(inputs.texts)))  # noqa: S311  not a secret


def _models(step: Step, answers: Sequence[str | SaidCall]) -> dict[str, BaseLlm]:
    """The model of the agent that the learner plays: it says the answers, one for each call."""
    if not isinstance(step, Play) or not answers:
        return {}
    said = [*answers, *[answers[-1]] * int(LIMITS["max_llm_calls"])]
    return {step.agent: ScriptedLlm(script=[response_of(_given(one), YOU) for one in said], model=YOU)}


def _given(answer: str | SaidCall) -> dict[str, Any]:
    return {"text": answer} if isinstance(answer, str) else {"calls": [{"name": answer.call, "args": answer.args}]}
