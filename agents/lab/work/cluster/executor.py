"""`RayExecutor`: works on a run's samples on a Ray cluster. The outcomes are those of the run's own process."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from asyncio import Future, IncompleteReadError
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict
from contextlib import suppress
from importlib.util import find_spec
from itertools import count
from types import TracebackType
from typing import Any, Self

from agents.ace.playbook import Playbook
from agents.config import environment_with
from agents.errors import LabError
from agents.lab.task import Outcome, Task
from agents.lab.work.cluster.frames import frame, read_frame, task_bytes

INSTALL_RAY = "uv run --extra ray playground"
"""The command that starts the playground with the extra that has Ray."""
_DRIVER = "agents.lab.work.cluster.driver"
_SETTINGS = {
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # below `uv run`, Ray would copy the working directory to each machine
    "RAY_USAGE_STATS_ENABLED": "0",
}
_MOST_PLAYBOOKS = 8
"""Playbooks that the cluster is given at a time: one for each arm and seed that is worked on, and some."""
_PATIENCE = 15.0
"""Seconds to wait for the driver to end."""


class RayExecutor:
    """Works on tasks on a Ray cluster; an async context manager, to be given as `Parts.execute`.

    A task whose worker process dies is begun again, by another one. If it dies time and again, the sample has failed. If the
    cluster is gone, the run ends with an error and can be resumed.

    Args:
        address: The cluster's address, host:port; "auto" for that of RAY_ADDRESS, else of this machine's cluster; or "local"
            for workers of this machine, which end with the run.
    """

    def __init__(self, address: str = "auto") -> None:
        self._address = address
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._numbers = count()
        self._waiting: dict[int, Future[Outcome]] = {}
        self._samples: dict[int, str] = {}
        self._sent: OrderedDict[int, tuple[str, Playbook]] = OrderedDict()
        self._ended = ""

    async def __aenter__(self) -> Self:
        """Connects.

        Raises:
            LabError: Ray is not installed, or there is no such cluster.
        """
        if find_spec("ray") is None:
            raise LabError(
                "To work on a cluster, the extra `ray` is needed (the package ray), which is not installed. Start with "
                f'`{INSTALL_RAY}`, or install it with `pip install "multi-agent-playground[ray]"`.'
            )
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", _DRIVER, self._address),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment_with(**_SETTINGS),
            start_new_session=True,
        )
        try:
            kind, said = await self._next()
        except asyncio.CancelledError:
            self._process.kill()
            raise
        if kind != "ready":
            await self._end()
            raise LabError(
                f"There is no Ray cluster at {self._address!r}: {said}. Start one with `ray start --head`. If it wants a "
                "token, set RAY_AUTH_MODE=token here, too."
            )
        self._address = said
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnects. Workers of a "local" cluster end."""
        await self._end()

    async def __call__(self, task: Task) -> Outcome:
        """Works on a task.

        Raises:
            LabError: It cannot be sent, the cluster is gone, or a worker is not like this process.
        """
        body = task_bytes(task)
        if self._ended:
            raise LabError(self._ended)
        assert self._process is not None
        assert self._process.stdin is not None
        number = next(self._numbers)
        done: Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting[number], self._samples[number] = done, task.sample.id
        try:
            self._process.stdin.write(self._playbook_frames(task.playbook))
            key, _ = self._sent[id(task.playbook)]
            self._process.stdin.write(frame(("task", number, key, body)))
            with suppress(ConnectionError):  # the reader notices, too, and says why
                await self._process.stdin.drain()
            return await done
        finally:
            del self._waiting[number], self._samples[number]

    def _playbook_frames(self, playbook: Playbook) -> bytes:
        """What the driver has to be told before a task with a playbook: nothing where it has it already."""
        if id(playbook) in self._sent:
            self._sent.move_to_end(id(playbook))
            return b""
        key = f"{next(self._numbers)}"
        self._sent[id(playbook)] = key, playbook  # kept, so that no other one gets its id
        told = frame(("playbook", key, pickle.dumps(playbook, 5)))
        if len(self._sent) > _MOST_PLAYBOOKS:
            _, (oldest, _) = self._sent.popitem(last=False)
            told += frame(("forget", oldest))
        return told

    async def _read(self) -> None:
        """Passes outcomes on until the driver ends."""
        while True:
            kind, *values = await self._next()
            if kind == "gone":
                self._ended = values[0]
                for one in self._waiting.values():
                    if not one.done():
                        one.set_exception(LabError(self._ended))
                return
            number, said = values
            if (done := self._waiting.get(number)) is not None and not done.done():
                self._settle(kind, done, self._samples[number], said)

    @staticmethod
    def _settle(kind: str, done: Future[Outcome], sample: str, said: Any) -> None:
        match kind:
            case "outcome":
                done.set_result(pickle.loads(said))  # noqa: S301  from the run's own workers
            case "died":
                done.set_result(Outcome(sample=sample, error=said))
            case _:
                why = f"The cluster cannot work on the run: {said.rstrip('.')}."
                done.set_exception(LabError(f"{why} What was stored stays: mend it, and resume the run."))

    async def _next(self) -> tuple[Any, ...]:
        """What the driver says next; if it has ended, that the cluster is gone."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            return await read_frame(self._process.stdout)
        except IncompleteReadError:
            return (
                "gone",
                f"The Ray cluster at {self._address} is gone. What was stored stays: start a cluster, and resume the run.",
            )

    async def _end(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                async with asyncio.timeout(_PATIENCE):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
            with suppress(ProcessLookupError):  # agents of a "local" cluster would live on for a minute
                os.killpg(self._process.pid, signal.SIGKILL)
