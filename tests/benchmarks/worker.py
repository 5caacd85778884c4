"""The process of one side: `python -m tests.benchmarks.worker SIDE FOLDER`.

Does what it is asked on standard input and answers on standard output, a line of JSON each. Knows nothing of the other
side, of rounds and of budgets.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tests.benchmarks.imports import import_time
from tests.benchmarks.official_ace import OfficialBook
from tests.benchmarks.other_ace import OtherBook
from tests.benchmarks.playbook_values import seconds_of
from tests.benchmarks.playbook_writers import write_at_once
from tests.benchmarks.playbooks import Book
from tests.benchmarks.sides import Side, load
from tests.benchmarks.storage import Store
from tests.benchmarks.workloads import WORKLOADS, Room, furnish, measure

if TYPE_CHECKING:
    from tests.benchmarks.experiments import LongSession
    from tests.benchmarks.many_sessions import ManySessions

DEAR = 1000
"""A room with so many events is kept for all rounds: to the other side, furnishing it takes seconds."""


class Worker:
    """One side at work.

    Args:
        side: Which.
        folder: Where its databases go.
    """

    def __init__(self, side: Side, folder: Path) -> None:
        self._side = side
        self._folder = folder
        self._stores: dict[str, Store] = {}
        self._books: dict[str, Book] = {}
        self._rooms: dict[str, Room] = {}
        self._long: LongSession | None = None
        self._many: ManySessions | None = None
        self._others: dict[int, OtherBook] = {}
        self._official: dict[int, OfficialBook] = {}

    async def do(self, what: str, arguments: dict[str, Any]) -> Any:
        """Does one thing by its name; the answer is JSON."""
        return await getattr(self, f"_{what}")(**arguments)

    async def _about(self) -> dict[str, Any]:
        return {"version": self._side.version, "python": platform.python_version()}

    async def _workload(self, name: str, repeat: int) -> dict[str, Any]:
        workload = WORKLOADS[name]
        room = self._rooms.get(name) or await furnish(self._side, workload)
        if workload.history >= DEAR:
            self._rooms[name] = room
        measured = await measure(self._side, workload, room, repeat)
        return {"events": measured.events, "contents": measured.contents, "seconds": measured.seconds}

    async def _import(self, what: str) -> float:
        return import_time(self._side.imports[what])

    async def _fill(self, store: str, events: int) -> None:
        self._stores[store] = Store(self._side, self._folder / f"{self._side.name}-{store}.db")
        await self._stores[store].fill(events)

    async def _append(self, store: str, count: int) -> float:
        return await self._stores[store].append(count)

    async def _read_last(self, store: str, count: int, times: int) -> float:
        return await self._stores[store].read_last(count, times=times)

    async def _fill_book(self, book: str, bullets: int, pending: bool = False) -> None:
        self._books[book] = Book(self._side, self._folder / f"{self._side.name}-{book}.db")
        await self._books[book].fill(bullets, pending=pending)

    async def _commit(self, book: str, count: int) -> float:
        return await self._books[book].commit(count)

    async def _load_book(self, book: str) -> float:
        return await self._books[book].load()

    async def _value(self, job: str, bullets: int, repeat: int) -> float:
        return seconds_of(job, bullets, repeat)

    async def _experiment(self, job: str, events: int) -> float:
        from tests.benchmarks.experiments import LongSession  # of this project alone: it is not in the peer's environment

        self._long = self._long or LongSession(self._folder / "long.db", events)
        return await self._long.do(job)

    async def _search(self, sessions: int) -> float:
        from tests.benchmarks.many_sessions import ManySessions  # as above

        self._many = self._many or ManySessions(self._folder / "many.db", sessions)
        return await self._many.search()

    async def _other_ace(self, bullets: int, repeat: int, save: bool) -> float:
        if bullets not in self._others:
            self._others[bullets] = OtherBook(self._folder / f"other-{bullets}.json", bullets)
        return self._others[bullets].seconds_of_delta(repeat, save=save)

    async def _official_ace(self, bullets: int, repeat: int, save: bool, checkout: str) -> float:
        if bullets not in self._official:
            self._official[bullets] = OfficialBook(Path(checkout), self._folder / f"official-{bullets}.txt", bullets)
        return self._official[bullets].seconds_of_delta(repeat, save=save)

    async def _lab(self, job: str, amount: int) -> float:
        from tests.benchmarks import lab_runs  # as above

        match job:
            case "sample":
                return await lab_runs.seconds_of_sample(amount)
            case "run":
                return await lab_runs.seconds_of_run(self._folder, amount)
            case _:
                return await lab_runs.growth_of_memory(self._folder, amount)

    async def _write_at_once(self, writers: int, deltas: int) -> dict[str, Any]:
        return await write_at_once(self._side, self._folder / f"{self._side.name}-writers.db", writers, deltas)

    async def close(self) -> None:
        """Closes the databases."""
        for store in (*self._stores.values(), *self._books.values()):
            await store.close()
        if self._long is not None:
            await self._long.close()
        if self._many is not None:
            self._many.close()


async def _serve(worker: Worker, asked: TextIO, answers: TextIO) -> None:
    for line in asked:
        request = json.loads(line)
        answer = await worker.do(request["do"], request["with"])
        print(json.dumps(answer), file=answers, flush=True)
    await worker.close()


def main() -> None:
    """Serves until standard input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # what a side prints must not mix with the answers
    logging.disable(logging.WARNING)  # nor may what a side has to say about the workloads cost it time
    name, folder = sys.argv[1:]
    asyncio.run(_serve(Worker(load(name), Path(folder)), sys.stdin, answers))


if __name__ == "__main__":
    main()
