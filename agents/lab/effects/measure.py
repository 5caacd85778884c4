"""`measure`: measures what a plan says, and keeps the result."""

from __future__ import annotations

import time
from collections.abc import Callable

from agents.ace.playbook import Playbook
from agents.lab.attribution import Effect, answer_by, attribute
from agents.lab.effects.measurements import Measurements
from agents.lab.effects.plan import MeasuredEffect, Measurement, Plan, hash_of, texts_hash
from agents.lab.plan.origin import version_of
from agents.lab.sample import Sample
from agents.lab.task import Execute, Task
from agents.lab.work.worker import run_sample
from agents.pipelines.catalog import Catalog


class _StoppedError(Exception):
    """The user stopped the measurement."""


async def measure(
    plan: Plan,
    kept: Measurements,
    *,
    told: Callable[[], None] = lambda: None,
    stopped: Callable[[], bool] = lambda: False,
    execute: Execute = run_sample,
) -> Measurement | None:
    """Measures the effects of bullets, and keeps the result.

    Args:
        plan: What is measured.
        kept: Where scores and the result are kept.
        told: Is called after each new score.
        stopped: Whether to stop before the next answer.
        execute: Who works on samples, as in a run.

    Returns:
        The result; None if it was stopped.

    Raises:
        LabError: A sample has no score, e.g. because the model failed.
        ValueError: There are no samples.
    """
    scores = kept.scores(plan, told)
    task = Task(
        sample=plan.samples[0] if plan.samples else Sample(id="", question=""),
        playbook=plan.playbook,
        pipeline=plan.pipeline,
        model=plan.answers_with or plan.model,
        scorer=plan.scorer,
        agents_dir=plan.agents_dir,
        version=version_of(Catalog(plan.agents_dir).get(plan.pipeline)),
    )
    inner = answer_by(task, execute)

    async def answer(sample: Sample, playbook: Playbook) -> float:
        if stopped():
            raise _StoppedError
        return await inner(sample, playbook)

    try:
        found = await attribute(plan.samples, plan.playbook, answer, bullet_ids=set(plan.bullet_ids), cache=scores)
    except _StoppedError:
        return None
    result = Measurement(
        playbook=plan.playbook.name,
        made_at=plan.made_at,
        revision=plan.playbook.revision,
        texts=texts_hash(plan.playbook),
        at=time.time(),
        source=plan.source,
        samples=found.samples,
        score=found.score,
        pipeline=plan.pipeline,
        model=plan.model,
        effects={effect.bullet.id: _kept_effect(effect) for effect in found.effects},
    )
    kept.keep(result)
    return result


def _kept_effect(effect: Effect) -> MeasuredEffect:
    text = hash_of(effect.bullet.content).hex()
    return MeasuredEffect(text, effect.effect, *effect.interval, effect.helped, effect.harmed, effect.p)
