"""An agent that does to its process what its message says."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import stat
import threading
import time
from collections.abc import AsyncGenerator, Callable
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

    "pid", "count" and "keys" say the id of the process, how many runs it had, and the keys in its environment. "cue FILE"
    streams until the file is there. All else is in `DEEDS`.
    """

    name: str = "Outlaw"

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        order, _, file = (ctx.user_content.parts[0].text or "").partition(" ")
        RUNS.append(order)
        keys = [name for name in os.environ if name.endswith(("_API_KEY", "_DB"))]
        said = {"pid": os.getpid(), "count": len(RUNS), "keys": keys}
        if order == "cue":
            yield self._line("half a ", id="streamed", partial=True)
            while not Path(file).exists():
                await asyncio.sleep(0.02)
        yield self._line(str(said.get(order, order)), id="streamed")
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
