"""Agents that do what a test tells them, step by step, and ways to read what watchers were given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from google.genai import types

from agents.access import OWNER
from agents.agent import BaseAgent
from agents.event import Event
from agents.models.scripted import ScriptedLlm
from agents.pipeline import Card, Pipeline
from agents.runs.requests import RunRequest, user_message
from agents.runs.values import LogBatch, Partial
from agents.runtime.context import InvocationContext


def content(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])


class Actor(BaseAgent):
    """Yields the events that a test puts into its queue; raises exceptions; ends at None."""

    name: str = "Actor"
    script: Any = None

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self.script = asyncio.Queue()

    def say(self, text: str, *, id: str | None = None, partial: bool = False, thought: bool = False) -> None:
        part = types.Part(text=text, thought=thought or None)
        event = Event(author=self.name, content=types.Content(role="model", parts=[part]), partial=partial or None)
        if id is not None:
            event.id = id
        self.script.put_nowait(event)

    def end(self) -> None:
        self.script.put_nowait(None)

    def fail(self, error: BaseException) -> None:
        self.script.put_nowait(error)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        while (item := await self.script.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            item.invocation_id = ctx.invocation_id
            yield item


def request(agent: BaseAgent, message: str = "go", **options: Any) -> RunRequest:
    card = Card(
        title="Stage", pattern="none", summary="", lesson="", samples=("go",), ends_when="told", **options.pop("card", {})
    )
    pipeline = Pipeline(name="stage", root_agent=agent, card=card, folder=__file__)  # type: ignore[arg-type]
    return RunRequest(pipeline, user_message(message), ScriptedLlm(), **{"user_id": OWNER.id, **options})


async def collect(
    source: AsyncGenerator[LogBatch | Partial, None], until: Callable[[list[Any]], bool]
) -> list[LogBatch | Partial]:
    """Reads news until `until(all so far)`."""
    seen: list[LogBatch | Partial] = []
    async with asyncio.timeout(20), aclosing(source) as news:
        async for item in news:
            seen.append(item)
            if until(seen):
                return seen
    raise AssertionError(f"The subscription ended before: {seen}")


async def soon(awaitable: Any) -> Any:
    """Awaits, but not for ever: a test that waits for what does not come fails by itself."""
    async with asyncio.timeout(20):
        return await awaitable


def entries(seen: list[Any]) -> list[Any]:
    return [entry for item in seen if isinstance(item, LogBatch) for entry in item.entries]


def kinds(seen: list[Any]) -> list[str]:
    return [entry.kind for entry in entries(seen)]


def texts(seen: list[Any]) -> list[str]:
    return [entry.event().text for entry in entries(seen) if entry.kind == "event"]


def finished(seen: list[Any]) -> bool:
    return "run_finished" in kinds(seen)


def status(seen: list[Any]) -> str:
    return [entry.fields()["status"] for entry in entries(seen) if entry.kind == "run_finished"][-1]
