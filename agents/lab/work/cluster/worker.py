"""What a Ray task does: it works on one sample in a worker process."""

from __future__ import annotations

import asyncio
import pickle
from functools import cache
from importlib.metadata import version
from pathlib import Path

import ray

from agents.ace.playbook import Playbook
from agents.errors import LabError
from agents.lab.plan.origin import version_of
from agents.lab.task import Task
from agents.lab.work.cluster.frames import task_of
from agents.lab.work.worker import run_sample
from agents.pipelines.catalog import Catalog

PACKAGE = "multi-agent-playground"
_MOST_PLAYBOOKS = 4

_playbooks: dict[str, Playbook] = {}
"""The playbooks that this process was given last: the tasks of a batch have the same one."""


def work_on(body: bytes, key: str, playbook: list[ray.ObjectRef[bytes]], expected: str) -> bytes:
    """Works on a sample.

    Args:
        body: The task, see `frames.task_bytes`.
        key: What the playbook is called in this run.
        playbook: The playbook's pickle. It is in a list so that Ray does not fetch it where this process has the playbook.
        expected: The version of the playground that the run was begun with.

    Returns:
        The outcome's pickle.

    Raises:
        LabError: This machine has another version of the playground, or of the pipeline.
    """
    if (here := version(PACKAGE)) != expected:
        raise LabError(f"A worker has version {here} of the playground, and the run {expected}. Install the same one there.")
    task = task_of(body, _playbook(key, playbook[0]))
    _check_pipeline(task.pipeline, task.agents_dir, task.version)
    return pickle.dumps(_loop().run(_outcome(task)), 5)


async def _outcome(task: Task) -> object:
    return await run_sample(task)


@cache
def _loop() -> asyncio.Runner:
    """One event loop for all tasks of this process: connections to models stay open in it."""
    return asyncio.Runner()


def _playbook(key: str, body: ray.ObjectRef[bytes]) -> Playbook:
    if key not in _playbooks:
        if len(_playbooks) == _MOST_PLAYBOOKS:
            del _playbooks[next(iter(_playbooks))]
        _playbooks[key] = pickle.loads(ray.get(body))  # noqa: S301  from the run's own process
    return _playbooks[key]


@cache
def _check_pipeline(name: str, agents_dir: Path | None, expected: str) -> None:
    if expected and version_of(Catalog(agents_dir).get(name)) != expected:
        raise LabError(f"A worker has other files of the pipeline {name!r} than the run. Copy them there.")
