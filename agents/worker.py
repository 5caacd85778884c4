"""A worker process: does the runs that a server orders of it, one at a time. `python -m agents.worker`.

It is a `RunManager` of the server's database. Orders come by standard input, news go by standard output; the code that it
runs sees neither of them. It ends with the server, at the latest when the system ends it.
"""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import os
import pickle
import signal
import sys
import threading
import traceback
from contextlib import aclosing, suppress
from typing import BinaryIO

from agents.access import user_of
from agents.cases import case_gate
from agents.errors import PlaygroundError
from agents.forks import prepare_fork
from agents.log import EVENT_KIND
from agents.pipelines.catalog import Catalog
from agents.records import RunFinished
from agents.runs import LogBatch, LostRun, Partial, Run, RunManager, Waiting
from agents.runs.workers.orders import Alive, Ended, News, Notice, Piece, RunOrder, StopOrder, Stored, WorkPlace
from agents.scope import Scope
from agents.storage.processes import memory_of
from agents.storage.sessions.incoming import storable

BEAT_SECONDS = 0.5
"""Seconds between two signs of life."""

END_SECONDS = 10.0
"""How long a run whose last entry is stored may take to release its session."""

TIRED = 0.5
"""The share of its memory after which a worker takes no more orders: what a package holds is given back with the process."""

_PARENT_DEATH = 1  # PR_SET_PDEATHSIG


class Worker:
    """Does orders, and says how they go.

    Args:
        place: Where the database and the packages are.
        news: Where to say it.
    """

    def __init__(self, place: WorkPlace, news: BinaryIO) -> None:
        self._place, self._news = place, news
        self._lock = threading.Lock()
        self._opened: RunManager | None = None
        self._current: RunManager | None = None
        self._released = threading.Event()

    def serve(self, orders: BinaryIO) -> None:
        """Takes orders.

        Raises:
            EOFError: There are no more.
        """
        with suppress(PlaygroundError):  # the first order gets the error
            self._manager()
        threading.Thread(target=self._beat, name="worker-beat", daemon=True).start()
        while True:
            order = pickle.load(orders)  # noqa: S301  from the server
            work = self._stop if isinstance(order, StopOrder) else self._do
            threading.Thread(target=work, args=(order,), name="worker-order", daemon=True).start()

    def ended(self, run: Run) -> None:
        """See `RunListener`."""
        self._released.set()

    def close(self) -> None:
        """See `RunListener`."""

    def _manager(self) -> RunManager:
        if self._opened is None:
            with Scope().entered():
                self._opened = RunManager(
                    database=self._place.database,
                    catalog=Catalog(self._place.agents_dir, teams=self._place.teams),
                    gate=case_gate,
                    preparation=prepare_fork,
                    serves=False,
                    leases=self._place.leases,
                )
            self._opened.listen(self)
        return self._opened

    def _do(self, order: RunOrder) -> None:
        try:
            self._say(self._done(order))
        except BaseException:  # noqa: BLE001  the server says how the process ended
            traceback.print_exc()
            os._exit(1)

    def _done(self, order: RunOrder) -> Ended:
        """Does a run, to its end."""
        self._released.clear()
        try:
            manager = self._manager()
            self._current = manager.as_user(user_of(order.user_id))
            run = manager.carry_out(order)
        except PlaygroundError as error:
            return Ended(problem=str(error))
        try:
            problem = asyncio.run(self._follow(self._current, run))
        except PlaygroundError as error:
            problem = str(error)
        is_whole = not problem and self._released.wait(END_SECONDS)
        return Ended(problem=problem, is_last=not is_whole or memory_of(os.getpid()) > TIRED * self._place.memory)

    async def _follow(self, manager: RunManager, run: Run) -> str:
        """Says what the run does, until its log has its end; why that cannot be stored, or "" ."""
        streamed: set[str] = set()
        async with aclosing(manager.subscribe(run.pipeline, run.session_id, after=run.after)) as news:
            async for item in news:
                match item:
                    case Partial():
                        streamed.add(item.id)
                        self._say(
                            Piece(
                                id=item.id,
                                author=item.author,
                                branch=item.branch,
                                text=storable(item.text),
                                thought=item.thought,
                            )
                        )
                    case LogBatch():
                        stored = tuple(_streamed_in(item, streamed))
                        streamed.difference_update(stored)
                        self._say(Stored(seq=item.entries[-1].seq, streamed=stored))
                        if _ends(item, run):
                            return ""
                    case Waiting():
                        self._say(Notice(text=item.reason))
                    case LostRun():
                        return item.message
        return "The worker's view of the run ended before the run did."

    def _stop(self, order: StopOrder) -> None:
        if self._current is not None:
            with suppress(PlaygroundError):  # the server ends this process then
                self._current.stop(order.pipeline, order.session_id)

    def _beat(self) -> None:
        while True:
            self._say(Alive())
            threading.Event().wait(BEAT_SECONDS)

    def _say(self, news: News) -> None:
        line = news.model_dump_json().encode() + b"\n"
        with self._lock:
            try:
                self._news.write(line)
                self._news.flush()
            except OSError:  # the server has ended
                os._exit(0)


def _streamed_in(batch: LogBatch, streamed: set[str]) -> list[str]:
    """The ids of stored events of which pieces were said."""
    if not streamed:
        return []
    ids = (entry.fields().get("id") for entry in batch.entries if entry.kind == EVENT_KIND)
    return [event_id for event_id in ids if event_id in streamed]


def _ends(batch: LogBatch, run: Run) -> bool:
    ends = (entry.fields() for entry in batch.entries if entry.kind == RunFinished.kind)
    return any(end.get("invocation_id") == run.invocation_id for end in ends)


def _limit(memory: int) -> None:
    """Lets the system refuse more memory, where it can: the code that asks for it gets a `MemoryError`."""
    with suppress(ImportError, ValueError):  # the account may have a lower limit already
        import resource

        # Not the address space, RLIMIT_AS, of which threads and libraries reserve much that they never use.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _end_with(server: int) -> None:
    """Lets the system end this process with the server, where it can: frozen code would not see that orders end."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
        if os.getppid() != server:
            os._exit(0)


def _own(number: int, flags: int) -> int:
    """A standard stream's descriptor for this module alone; users' code gets an empty one, or standard error."""
    own = os.dup(number)
    other = os.open(os.devnull, flags) if flags == os.O_RDONLY else sys.stderr.fileno()
    os.dup2(other, number)
    return own


def main() -> None:
    """Serves until the server ends."""
    server = os.getppid()
    orders = os.fdopen(_own(0, os.O_RDONLY), "rb")
    news = os.fdopen(_own(1, os.O_WRONLY), "wb")
    _end_with(server)
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1, all_threads=True)
    with suppress(EOFError):  # the server has ended
        place = pickle.load(orders)  # noqa: S301  from the server, which has started this process
        _limit(place.memory)
        Worker(place, news).serve(orders)
    os._exit(0)


if __name__ == "__main__":
    main()
