"""One agent that does what it is told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

from google.genai import types

from agents.agent import BaseAgent
from agents.event import Event, EventActions
from agents.runtime.context import CallbackContext, InvocationContext


class Rehearser(BaseAgent):
    """Says so many lines; may hang after them, fail, or block a thread. "cue FILE" says one, and another for the file.

    "freeze FILE" blocks the event loop until the file is there, "defy FILE" catches every exception meanwhile, and "spin"
    never gives way. After "defy" it tries to store a line, a state value and a file, and makes the file "FILE.tried".
    """

    name: str = "Rehearser"

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        order, _, count = (ctx.user_content.parts[0].text or "").partition(" ")
        if order == "cue":
            yield self._line("before")
            while not Path(count).exists():
                await asyncio.sleep(0.02)
            yield self._line("after")
            return
        if order in {"freeze", "spin", "defy"}:
            async for event in self._block(order, count, ctx):
                yield event
            return
        for number in range(int(count or 0)):
            yield self._line(f"line {number}")
        if order == "hang":
            yield self._line("half a ", partial=True, id="streamed")
            await asyncio.Event().wait()
        elif order == "block":
            yield self._line("blocking")
            await asyncio.to_thread(time.sleep, 600)
        elif order == "work":
            yield self._line("working")
            await asyncio.to_thread(_spin)
        elif order == "fail":
            raise ValueError("the curtain is stuck")

    async def _block(self, order: str, count: str, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if order == "freeze":
            yield self._line("freezing")
            while not Path(count).exists():
                time.sleep(0.01)
        if order == "spin":
            yield self._line("spinning")
            while True:
                pass
        if order == "defy":
            yield self._line("defying")
            _defy(Path(count))
            with suppress(BaseException):
                await CallbackContext(ctx).save_artifact("late.txt", types.Part(text="late"))
            try:
                yield self._line("late", actions=EventActions(state_delta={"app:late": True}))
            finally:
                Path(f"{count}.tried").touch()

    def _line(self, text: str, **fields: Any) -> Event:
        return Event(author=self.name, content=types.Content(role="model", parts=[types.Part(text=text)]), **fields)


def _defy(cue: Path) -> None:
    """Waits for a file whatever is raised meanwhile, which may be at any line."""
    while True:
        try:
            while not cue.exists():
                time.sleep(0.01)
        except BaseException:
            continue
        else:
            return


def _spin() -> None:
    while True:
        pass


root_agent = Rehearser()
