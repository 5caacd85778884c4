"""`python -m tests.benchmarks.class_votes`: a class of forty that answers two hundred questions.

A server process and as many phones as there are learners, which are sockets in this process. Everybody answers each question
within a second. Measured is the time from the moment at which a phone sends its answer to the one at which the wall has a
histogram with it; counted are the answers that the server has afterwards, also after a restart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
from websockets.asyncio.client import ClientConnection, connect

CHOICES = ["the writer", "the critic", "the refiner", "nobody"]
WITHIN = 1.0
"""Seconds within which everybody answers."""
START_SECONDS = 90.0


class Server:
    """`playground class` with a database of its own."""

    def __init__(self, database: Path) -> None:
        self._printed = database.with_suffix(f".{time.monotonic_ns()}.txt")
        command = [sys.executable, "-m", "ui.cli", "class", "--host", "0.0.0.0", "--port", "0", "--no-browser"]
        with self._printed.open("wb") as out:
            self.process = subprocess.Popen([*command, "--db", str(database)], stdout=out, stderr=out)
        link = urlsplit(self._owners_link())
        self.address, self.owners_path = link.netloc, f"{link.path}?{link.query}"

    def _owners_link(self) -> str:
        """The link that the start prints when the server accepts requests."""
        for _ in range(int(START_SECONDS / 0.1)):
            if (found := re.search(r"http\S+/owner\?token=\S+(?=\n)", self._printed.read_text())) is not None:
                return found[0]
            time.sleep(0.1)
        raise RuntimeError(f"The server has not printed the owner's link: {self._printed.read_text()}")

    @property
    def megabytes(self) -> float:
        return psutil.Process(self.process.pid).memory_info().rss / 2**20

    def cookie(self, path: str) -> str:
        """The cookie that an address gives to a new browser."""
        connection = HTTPConnection(self.address)
        connection.request("GET", path, headers={"Accept": "text/html"})
        answer = connection.getresponse()
        connection.close()
        return answer.headers["Set-Cookie"].split(";")[0]

    async def page(self, stack: AsyncExitStack, view: str, cookie: str) -> Page:
        """A page of the class."""
        address = f"ws://{self.address}/api/class?view={view}"
        return Page(await stack.enter_async_context(connect(address, additional_headers={"Cookie": cookie}, max_size=None)))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@dataclass(slots=True)
class Measured:
    """What came of a class: seconds from an answer to its histogram, megabytes of the server by question."""

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    stored: int = 0


class Page:
    """A page of the class: its socket, its last view, and what the server has answered."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.view, self.number = socket, dict[str, Any](), 0
        self.answered: dict[int, asyncio.Future[str]] = {}
        self.views: list[tuple[float, dict[str, Any]]] = []
        self.changed = asyncio.Event()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self.socket:
            frame = json.loads(text)
            if frame["type"] in {"done", "refused"}:
                self.answered.pop(frame["number"]).set_result(frame.get("message", ""))
            else:
                self.view = frame
                self.views.append((time.monotonic(), frame))
                self.changed.set()

    async def ask(self, what: str, **more: Any) -> None:
        self.number += 1
        done = self.answered[self.number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"do": what, "number": self.number, **more}))
        if refused := await asyncio.wait_for(done, 60):
            raise RuntimeError(refused)

    async def until(self, holds: Any) -> None:
        while not (self.view and holds(self.view)):
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 60)


async def held(server: Server, learners: int, questions: int) -> Measured:
    """Holds the class."""
    found, draw = Measured(), random.Random(1)
    async with AsyncExitStack() as stack:
        owner = server.cookie(server.owners_path)
        desk, wall = await server.page(stack, "desk", owner), await server.page(stack, "wall", owner)
        phones = [await server.page(stack, "phone", server.cookie("/join")) for _ in range(learners)]
        await wall.until(lambda view: view["code"])
        for number, phone in enumerate(phones):
            await phone.ask("join", code=wall.view["code"], name=f"learner {number}")
        for number in range(questions):
            await desk.ask("ask", text=f"Who is next? {number}", choices=CHOICES, right=1)
            await wall.until(lambda view, n=number: view.get("question", {}).get("text") == f"Who is next? {n}")
            question = wall.view["question"]["id"]
            wall.views.clear()
            sent = await asyncio.gather(*(_answer(phone, question, draw.random() * WITHIN) for phone in phones))
            await wall.until(lambda view: view["question"]["votes"] == learners)
            found.seconds += _seconds(sent, wall.views)
            await desk.ask("reveal")
            found.stored += sum(wall.view["question"]["counts"])
            found.megabytes.append(server.megabytes)
            for one in (desk, wall, *phones):
                one.views.clear()
    return found


async def _answer(phone: Page, question: int, after: float) -> float:
    """Answers, and returns when the answer was sent."""
    await asyncio.sleep(after)
    sent = time.monotonic()
    await phone.ask("vote", question=question, choice=int(sent * 1000) % len(CHOICES), reason="because 図 <b>")
    return sent


def _seconds(sent: Sequence[float], views: Sequence[tuple[float, dict[str, Any]]]) -> list[float]:
    """From each answer to the first histogram that has as many answers as were sent up to then: at worst its own."""
    return [
        next(at for at, view in views if view["question"]["votes"] > place and at >= one) - one
        for place, one in enumerate(sorted(sent))
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Prints what was measured beside the budgets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=40)
    parser.add_argument("--questions", type=int, default=200)
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "class.db"
        server = Server(database)
        try:
            found = asyncio.run(held(server, asked.learners, asked.questions))
        finally:
            server.stop()
        again = Server(database)
        try:
            complete = asyncio.run(_complete_after_restart(again, asked.questions))
        finally:
            again.stop()
    percentiles = statistics.quantiles(found.seconds, n=100)
    settled = found.megabytes[len(found.megabytes) // 10]
    print(f"vote → histogram: median {1000 * percentiles[49]:.0f} ms, 95 % {1000 * percentiles[94]:.0f} ms (≤ 500 ms)")
    print(f"  longest {1000 * max(found.seconds):.0f} ms, {len(found.seconds):,} votes")
    print(f"lost: {asked.learners * asked.questions - found.stored} of {asked.learners * asked.questions:,}")
    print(f"memory: {settled:.0f} MB after a tenth of the questions, {found.megabytes[-1]:.0f} MB after all")
    print(f"after a restart: {complete} of {asked.learners} learners have all of their answers")
    lost = found.stored != asked.learners * asked.questions or complete != asked.learners
    return int(percentiles[94] > 0.5 or lost)


async def _complete_after_restart(server: Server, questions: int) -> int:
    """How many learners have all their answers."""
    async with AsyncExitStack() as stack:
        desk = await server.page(stack, "desk", server.cookie(server.owners_path))
        await desk.until(lambda view: view["people"])
        return sum(one["answered"] == questions for one in desk.view["people"])


if __name__ == "__main__":
    sys.exit(main())
