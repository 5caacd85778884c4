"""Runs to make traces of, and ways to read them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

from agents import BaseAgent, InMemoryRunner, RunConfig
from agents.log import LogEntry
from agents.runs import Run, RunManager
from agents.telemetry.content import text_names
from agents.telemetry.span import Span, Trace
from agents.telemetry.traces import traces_of
from tests.agents.runs.stage import collect, entries
from tests.agents.stage import USER, user


def log_of(manager: RunManager, run: Run) -> list[LogEntry]:
    """A session's log, once this run has ended or paused."""

    async def read() -> list[LogEntry]:
        async with aclosing(manager.subscribe(run.pipeline, run.session_id)) as news:
            return entries(await collect(news, lambda seen: any(ends(entry, run) for entry in entries(seen))))

    def ends(entry: LogEntry, run: Run) -> bool:
        return entry.kind == "run_finished" and entry.seq > run.after and run.invocation_id in entry.body

    return asyncio.run(read())


def run(manager: RunManager, pipeline: str, message: str | None = None, **options: Any) -> Run:
    """Runs a pipeline, on its first sample by default; what asks the user is answered with yes."""
    said = message or manager.catalog.get(pipeline).card.samples[0]
    made = manager.start(pipeline, said, simulated_speed=0, **options)
    log_of(manager, made)
    while waiting := [call for call in manager.pending(pipeline) if call.session_id == made.session_id]:
        answer = {"confirmed": True} if waiting[0].is_confirmation else {"result": "yes"}
        made = manager.answer(pipeline, made.session_id, waiting[0].call_id, answer)
        log_of(manager, made)
    return made


class Play:
    """An agent tree run in memory, with its log and traces."""

    def __init__(self, agent: BaseAgent) -> None:
        self.runner = InMemoryRunner(agent, app_name="play")
        self.names = {"app_name": "play", "user_id": USER, "session_id": "one"}

    async def say(self, message: Any = "go", **config: Any) -> None:
        if await self.runner.session_service.get_session(**self.names) is None:
            await self.runner.session_service.create_session(**self.names)
        said = user(message) if isinstance(message, str) else message
        async for _ in self.runner.run_async(
            user_id=USER, session_id="one", new_message=said, run_config=RunConfig(**config)
        ):
            pass

    async def log(self) -> list[LogEntry]:
        return await self.runner.session_service.read_log(**self.names)

    async def traces(self, *, content: bool = False) -> list[Trace]:
        log = await self.log()
        texts = await self.runner.session_service.read_texts(text_names(log, content=content))
        return traces_of(log, texts, "play", "one", content=content)


def of(spans: list[Span], operation: str) -> list[Span]:
    return [span for span in spans if span.attributes.get("gen_ai.operation.name") == operation]


def named(spans: list[Span], name: str) -> Span:
    [found] = [span for span in spans if span.name == name]
    return found


def tree(trace: Trace) -> list[str]:
    """The names of all spans, indented below what they are part of."""
    parts: dict[str | None, list[Span]] = {}
    for span in trace.spans:
        parts.setdefault(span.parent_id, []).append(span)

    def lines(span: Span, depth: int) -> Iterator[str]:
        yield "  " * depth + span.name
        for part in parts.get(span.span_id, []):
            yield from lines(part, depth + 1)

    return [line for root in parts[None] for line in lines(root, 0)]


def values(trace: Trace) -> str:
    """All that would leave this machine with a trace, as one text."""
    told: list[Any] = []
    for span in trace.spans:
        told += [span.name, span.failure, *span.attributes.values()]
        for event in span.events:
            told += [event.name, *event.attributes.values()]
    return "\n".join(map(str, told))
