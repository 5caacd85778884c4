"""Servers for tests: one is the test's process, others are processes that do what they are told by a pipe."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import aclosing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from agents.forks import prepare_fork
from agents.log import LogEntry
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager
from agents.session import Leases
from agents.storage.address import Database
from tests.processes import CLEAN

STAGES = Path(__file__).parent / "stages"
LEASE = 0.6
PIPELINE = "ledger"


def open_server(database: Database, *, lease: float = LEASE, takes_over: bool = True) -> RunManager:
    """A server of a database."""
    return RunManager(
        database=database,
        catalog=Catalog(STAGES),
        preparation=prepare_fork,
        takes_over=takes_over,
        leases=Leases(lease, taken_over=True),
    )


def serve(database: Database, pipe: Connection, lease: float) -> None:
    """In a process of its own: a server that takes over nothing, so that tests know who does."""
    with open_server(database, lease=lease, takes_over=False) as manager:
        pipe.send(None)
        while (order := pipe.recv()) is not None:
            name, args, options = order
            match name:
                case "start":
                    run = manager.start(PIPELINE, *args, **options)
                    pipe.send((run.session_id, run.invocation_id))
                case "running":
                    pipe.send(len(manager._engine.running()))
                case _:
                    raise ValueError(name)


class OtherServer:
    """Such a process."""

    def __init__(self, database: Database, *, lease: float = LEASE) -> None:
        self._pipe, theirs = CLEAN.Pipe()
        self._process = CLEAN.Process(target=serve, args=(database, theirs, lease), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()

    def start(self, message: str, folder: Path, **options: Any) -> tuple[str, str]:
        """Starts a run; session id and invocation id."""
        return self._ask("start", message, state={"folder": str(folder)}, **{"simulated_speed": 0, **options})

    @property
    def running(self) -> int:
        """How many runs it runs."""
        return self._ask("running")

    @property
    def is_alive(self) -> bool:
        """Whether the process lives."""
        return self._process.is_alive()

    def signal(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        assert self._process.pid
        os.kill(self._process.pid, number)

    def end(self) -> None:
        """Kills it."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _ask(self, name: str, *args: Any, **options: Any) -> Any:
        self._pipe.send((name, args, options))
        return self._pipe.recv()


async def until(manager: RunManager, session_id: str, *kinds: str, within: float = 20.0, **fields: Any) -> list[LogEntry]:
    """Watches a session until an entry of one of these kinds comes that has these fields; the log up to then."""
    found: list[LogEntry] = []
    async with asyncio.timeout(within), aclosing(manager.subscribe(PIPELINE, session_id)) as news:
        async for item in news:
            for entry in getattr(item, "entries", ()):
                found.append(entry)
                if entry.kind in kinds and fields.items() <= entry.fields().items():
                    return found
    raise AssertionError("the session's news ended")


def ledger(folder: Path) -> list[str]:
    """What was posted."""
    return (folder / "ledger").read_text().split()
