"""An agent that does to its process what its message says."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from google.genai import types

from agents import BaseAgent, FunctionTool, LlmAgent
from agents.event import Event
from agents.runtime.context import InvocationContext

KEPT: list[bytearray] = []
RUNS: list[str] = []


class Outlaw(BaseAgent):
    """Says what it is going to do, and does it.

    "pid", "count" and "keys" say the id of the process, how many runs it had, and the keys in its environment. "cue: FILE"
    streams until the file is there. All else is in `DEEDS`.
    """

    name: str = "Outlaw"

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        order, _, file = (ctx.user_content.parts[0].text or "").partition(": ")
        RUNS.append(order)
        keys = [name for name in os.environ if name.endswith(("_API_KEY", "_DB"))]
        said = {"pid": os.getpid(), "count": len(RUNS), "keys": keys}
        if order == "cue":
            yield self._line("half a ", id="streamed", partial=True)
            while not Path(file).exists():
                await asyncio.sleep(0.02)
        yield self._line(str(said.get(order, order)), id="streamed")
        for number in range(100_000 if order == "flood" else 0):
            yield self._line(str(number))
        if order in REPORTED:
            yield self._line(f"came to: {_tried(lambda: REPORTED[order](Path(file)))}")
        if order in DEEDS:
            DEEDS[order]()
            await asyncio.sleep(0)

    def _line(self, text: str, **fields: Any) -> Event:
        return Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text=text)]), **fields)


def _eat() -> None:
    while True:
        _hold(16)


def _hold(megabytes: int = 600) -> None:
    KEPT.append(bytearray(megabytes << 20))
    KEPT[-1][::4096] = b"x" * (megabytes << 8)  # memory is taken when it is written to


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _leave_another() -> None:
    """Dies, and leaves a process that keeps its pipes open."""
    if os.fork():
        _die()
    time.sleep(600)


def _scribble(line: bytes = b'{"kind": "ended", "problem": 1}\n') -> None:
    """Writes to all pipes of the process."""
    for number in range(256):
        with suppress(OSError):
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, line)
    time.sleep(600)


def _leave_a_thread() -> None:
    """Leaves a thread that keeps Python's lock once the run has ended."""

    def work() -> None:
        time.sleep(0.5)
        re.match(r"(a+)+$", "a" * 64 + "b")

    threading.Thread(target=work, daemon=True).start()


def _tried(deed: Callable[[], object]) -> object:
    try:
        return deed()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _fork() -> None:
    while True:
        os.fork()


def _bomb_of_shells() -> None:
    """Shells that start processes without end, in groups of their own."""
    loop = "setsid sh -c 'while :; do sleep 600 & sleep 0.01; done' &"
    subprocess.run(["sh", "-c", f"{loop} {loop} sleep 600"], check=False)


def _eat_elsewhere() -> None:
    code = "import time; kept = [b'x' * (100 << 20) for _ in range(4)]; time.sleep(600)"
    subprocess.run(["sh", "-c", " & ".join([f'{sys.executable} -c "{code}"'] * 4)], check=False)


def _in_thread(file: Path) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(sqlite3.connect, f"file:{file}?mode=rwc", uri=True).result()


REPORTED: dict[str, Callable[[Path], object]] = {
    "read": lambda file: file.read_bytes()[:6],
    "write": lambda file: sqlite3.connect(file).execute("DELETE FROM log"),
    "write in a thread": _in_thread,
    "remove": lambda file: file.unlink(),
    "remove all": lambda file: shutil.rmtree(file.parent),
    "environ": lambda _: [value for value in os.environ.values() if "secret" in value],
    "server": lambda _: b"secret" in Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "own file": lambda file: file.write_text("mine") and file.read_text(),
}
"""What ends by itself; the file comes after a colon."""

DEEDS: dict[str, Callable[[], object]] = {
    "regex": lambda: re.match(r"(a+)+$", "a" * 64 + "b"),
    "power": lambda: 9**9**9,
    "eat": _eat,
    "hold": _hold,
    "die": _die,
    "orphan": _leave_another,
    "scribble": _scribble,
    "lie": lambda: _scribble(b'{"kind": "ended"}\n'),
    "leave": _leave_a_thread,
    "fork": _fork,
    "shells": _bomb_of_shells,
    "eat elsewhere": _eat_elsewhere,
}
"""The first two keep Python's lock for ever."""


def pay(amount: int) -> dict[str, int]:
    """Pays."""
    return {"paid": amount, "process": os.getpid()}


payer = LlmAgent(name="Payer", tools=[FunctionTool(pay, require_confirmation=True)])


class Chooser(BaseAgent):
    """Lets the payer pay where the message says so, else the outlaw."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        message = ctx.user_content.parts[0].text or "pay"  # an answer to a call has no text
        async for event in self.sub_agents[message.startswith("pay")].run_async(ctx):
            yield event


root_agent = Chooser(name="Chooser", sub_agents=[Outlaw(), payer])
