"""Nodes that run another one for each item of a list, in parallel."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator
from typing import Any, Self, cast

from google.genai import types
from pydantic import PrivateAttr

from agents.agent import BaseAgent
from agents.errors import WorkflowConfigurationError
from agents.workflow.context import Context
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.values import items_of


class ParallelWorker(BaseNode):
    """Runs a node once for each item of its input, each in a branch of its own. Its output is theirs, in the same order.

    Attributes:
        max_parallel_workers: Most runs at a time; None for no limit.
    """

    max_parallel_workers: int | None = None
    _worker: BaseAgent = PrivateAttr()

    @classmethod
    def of(cls, worker: BaseAgent, max_parallel_workers: int | None = None) -> Self:
        """The parallel worker of a node, which has its name.

        Raises:
            WorkflowConfigurationError: The limit is below 1.
        """
        if max_parallel_workers is not None and max_parallel_workers < 1:
            raise WorkflowConfigurationError("max_parallel_workers must be greater than or equal to 1.")
        made = cls(
            name=worker.name,
            description=worker.description,
            rerun_on_resume=True,
            max_parallel_workers=max_parallel_workers,
        )
        made._worker = worker
        return made

    @property
    def gives_one_item(self) -> bool:
        """See `BaseNode`."""
        return True

    async def _run_impl(self, *, ctx: Context, node_input: Any) -> AsyncGenerator[Any, None]:
        yield await run_for_each(ctx, self._worker, node_input, self.max_parallel_workers)


async def run_for_each(ctx: Context, worker: BaseAgent, given: Any, most: int | None) -> list[Any]:
    """Runs a node for each item.

    Raises:
        BaseException: The error of the first that failed, or `NodeInterruptedError` if one waits for the user.
    """
    if isinstance(given, types.Content):
        given = items_of(given, getattr(worker, "item_type", None))
    left = iter(enumerate(cast("list[Any]", given) if isinstance(given, list) else [given]))
    results: dict[int, Any] = {}
    running: dict[asyncio.Task[Any], int] = {}
    failure: BaseException | None = None
    try:
        while True:
            while failure is None and len(running) < (most or math.inf) and (item := next(left, None)) is not None:
                running[asyncio.create_task(ctx.run_node(worker, item[1], use_sub_branch=True))] = item[0]
            if not running:
                break
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            ended = {task: running.pop(task) for task in list(running) if task in done}
            results.update({place: task.result() for task, place in ended.items() if task.exception() is None})
            failures = [failure, *(task.exception() for task in ended)]
            failure = next((error for error in failures if isinstance(error, Exception)), None)
            if failure is not None:
                break
            failure = next((error for error in failures if error is not None), None)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    if failure is not None:
        raise failure
    return [results[place] for place in sorted(results)]
