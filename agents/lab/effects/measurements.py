"""`measure` measures what a plan says; `Measurements` keeps scores and results, in a file beside the runs of the Lab.

Each score is kept as soon as it is known: a measurement that was stopped, failed or killed asks only for what is missing. A
score holds for the playbook as prompts have it, texts and counters, the sample, the pipeline's sources and the model.
"""

from __future__ import annotations

import json
import time
from collections import UserDict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.ace.playbook import Playbook
from agents.lab.attribution import Effect, Key, answer_by, attribute
from agents.lab.effects.plan import MeasuredEffect, Measurement, Plan, hash_of, texts_hash
from agents.lab.plan.origin import version_of
from agents.lab.sample import Sample
from agents.lab.task import Execute, Task
from agents.lab.work.worker import run_sample
from agents.pipelines.catalog import Catalog
from agents.storage.lab.scores_database import ScoresDatabase

EFFECTS_FILE = "effects.db"


class Measurements:
    """The measurements of a database's playbooks, for any thread. Every method may raise `DatabaseError`.

    Args:
        folder: The folder of the Lab, see `lab_folder`. It is made when something is stored.
    """

    def __init__(self, folder: Path) -> None:
        self._database = ScoresDatabase(folder / EFFECTS_FILE)

    def latest(self, playbook: str, made_at: float) -> Measurement | None:
        """The last measurement of a playbook; None if there is none."""
        body = self._database.measurement(playbook)
        found = None if body is None else _from_json(body)
        return found if found is not None and found.made_at == made_at else None

    def keep(self, measurement: Measurement) -> None:
        """Keeps a measurement in place of the last one of its playbook."""
        self._database.keep_measurement(measurement.playbook, json.dumps(asdict(measurement)))

    def scores(self, plan: Plan, told: Callable[[], None] = lambda: None) -> Scores:
        """The scores of a plan that are known; new ones are kept.

        Args:
            plan: The plan.
            told: Is called after each new one.
        """
        scope, hashes = plan.scope(), {sample.id: _of_sample(sample) for sample in plan.samples}

        def write(key: Key, value: float) -> None:
            self._database.keep_score(scope, key.left_out, hashes[key.sample], value)
            told()

        found = Scores(write)
        names = {hashed: id_ for id_, hashed in hashes.items()}
        wanted, playbook = {"", *plan.bullet_ids}, plan.playbook
        found.data |= {
            Key(playbook.name, playbook.revision, left_out, names[sample]): value
            for left_out, sample, value in self._database.scores(scope)
            if sample in names and left_out in wanted
        }
        return found

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        self._database.close()


class Scores(UserDict[Key, float]):
    """Known scores; each new one is written."""

    def __init__(self, write: Callable[[Key, float], None]) -> None:
        super().__init__()
        self._write = write

    def __setitem__(self, key: Key, value: float) -> None:
        """Writes a score, and knows it from then on."""
        self._write(key, value)
        super().__setitem__(key, value)


def _from_json(body: str) -> Measurement:
    fields: dict[str, Any] = json.loads(body)
    effects = {id_: MeasuredEffect(*values) for id_, values in fields.pop("effects").items()}
    return Measurement(**fields, effects=effects)


def _of_sample(sample: Sample) -> bytes:
    labels = json.dumps(dict(sample.labels), sort_keys=True)
    return hash_of(sample.question, "" if sample.truth is None else f"={sample.truth}", labels)


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
