"""`WorkerProcess`: a worker as the server sees it."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Self

from agents.config import harmless_environment
from agents.models.connections import environment_without_keys
from agents.runs.workers.orders import NEWS, Ended, News, RunOrder, StopOrder, WorkPlace
from agents.runs.workers.process_tree import ProcessTree

LONGEST_LINE = 16 * 1024**2
"""Most bytes of one piece of news."""

END_SECONDS = 2.0
"""How long the system may take to end a process."""

_MODULE = "agents.worker"
_DUMPABLE = 4  # PR_SET_DUMPABLE

_log = logging.getLogger(__name__)


def _hide() -> None:
    """Keeps processes of the same account from reading the memory and the environment of this one, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DUMPABLE, 0)


class Died(NamedTuple):
    """The process ended before its run did; `how` says by what."""

    how: str


class WorkerProcess:
    """A process that does one run after another. Used in the loop that starts it.

    Attributes:
        user_id: Whose runs it does: those of one user alone.
        tree: The process, and what its code has started.
        heard: How much news came so far.
        last: The pipeline and the session of its last run.
    """

    def __init__(self, process: Process, user_id: str) -> None:
        self._process = process
        self.user_id = user_id
        self.tree = ProcessTree(process.pid)
        self._hear: Callable[[News], None] | None = None
        self._over: asyncio.Future[Ended | Died] = asyncio.get_running_loop().create_future()
        self.heard = 0
        self._heard_at = asyncio.get_running_loop().time()
        self.last = ("", "")
        self._reader = asyncio.create_task(self._read(), name=f"read news of worker {process.pid}")

    @classmethod
    async def start(cls, place: WorkPlace, user_id: str) -> Self:
        """Starts a process; its imports take a second or two, and orders wait for them.

        Args:
            place: Where it works. If it has guarded files, its environment has nothing that may be a key.
            user_id: Whose runs it does.

        Raises:
            OSError: It cannot be started.
        """
        if place.guarded:
            _hide()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", _MODULE),  # -P: the working directory may have a package `agents`
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            env=harmless_environment() if place.guarded else environment_without_keys(),
            start_new_session=True,
        )
        made = cls(process, user_id)
        made._write(place)
        return made

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it takes orders."""
        return not self._reader.done()

    def responds(self, *, within: float) -> bool:
        """Whether it takes orders, and said something in the last seconds: it does so all the time."""
        return self.is_alive and asyncio.get_running_loop().time() < self._heard_at + within

    def begin(self, order: RunOrder, hear: Callable[[News], None]) -> None:
        """Orders a run; `hear` is called with its news until it has ended."""
        self.last = order.pipeline, order.session_id or ""
        self._hear = hear
        if self.is_alive:
            self._over = asyncio.get_running_loop().create_future()
        self._write(order)

    def stop(self) -> None:
        """Orders it to stop its run."""
        self._write(StopOrder(*self.last))

    async def ended(self, *, within: float) -> Ended | Died | None:
        """How the run, or the process, ended; None if neither did in time."""
        await asyncio.wait({self._over}, timeout=within)
        return self._over.result() if self._over.done() else None

    def show_stacks(self) -> None:
        """Lets it write the stacks of its threads to standard error, whatever its code does."""
        if hasattr(signal, "SIGUSR1"):
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)

    async def end(self) -> None:
        """Ends it and all that its code has started, whatever they do."""
        self._kill()
        await asyncio.wait({self._reader}, timeout=END_SECONDS)
        self._reader.cancel()  # something that left its process group keeps its pipe open
        if not self._over.done():
            self._over.set_result(Died(f"signal {signal.SIGKILL:d}"))

    def _kill(self) -> None:
        self.tree.freeze()
        with suppress(ProcessLookupError, PermissionError):  # its id may be another process's by now
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self.tree.kill()

    def _write(self, value: WorkPlace | RunOrder | StopOrder) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):  # it has ended, which `_read` finds
            self._process.stdin.write(pickle.dumps(value))

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                self._take(NEWS.validate_json(line))
        except ValueError:  # users' code writes to the pipe
            _log.warning("Worker %d is ended: it said what no worker says.", self.pid)
        self._kill()
        code = await self._process.wait()
        if not self._over.done():
            self._over.set_result(Died(f"signal {-code}" if code < 0 else f"exit code {code}"))

    def _take(self, news: News) -> None:
        self.heard += 1
        self._heard_at = asyncio.get_running_loop().time()
        if self._over.done() or self._hear is None:
            return
        if isinstance(news, Ended):
            self._hear = None
            self._over.set_result(news)
        else:
            self._hear(news)
