"""What a Ray task does: it works on one sample in a worker process."""

from __future__ import annotations

import asyncio
import pickle
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
from agents.scope import current_scope

PACKAGE = "multi-agent-playground"
_MOST_PLAYBOOKS = 4


class _Worker:
    """What this process keeps from task to task.

    Attributes:
        playbooks: Those that it was given last, by key: the tasks of a batch have the same one.
        loop: The event loop of all tasks: connections to models stay open in it.
        checked: The pipelines that are those of the run, with their folders and versions.
    """

    def __init__(self) -> None:
        self.playbooks: dict[str, Playbook] = {}
        self.loop = asyncio.Runner()
        self.checked: set[tuple[str, Path | None, str]] = set()

    def playbook(self, key: str, body: ray.ObjectRef[bytes]) -> Playbook:
        """The playbook of that key."""
        if key not in self.playbooks:
            if len(self.playbooks) == _MOST_PLAYBOOKS:
                del self.playbooks[next(iter(self.playbooks))]
            self.playbooks[key] = pickle.loads(ray.get(body))  # noqa: S301  from the run's own process
        return self.playbooks[key]

    def check_pipeline(self, task: Task) -> None:
        """Checks, once, that a task's pipeline is here what it is there."""
        there = (task.pipeline, task.agents_dir, task.version)
        if task.version and there not in self.checked:
            if version_of(Catalog(task.agents_dir).get(task.pipeline)) != task.version:
                raise LabError(f"A worker has other files of the pipeline {task.pipeline!r} than the run. Copy them there.")
            self.checked.add(there)


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
    worker = current_scope().part(_Worker)
    task = task_of(body, worker.playbook(key, playbook[0]))
    worker.check_pipeline(task)
    return pickle.dumps(worker.loop.run(_outcome(task)), 5)


async def _outcome(task: Task) -> object:
    return await run_sample(task)
