"""A long session, made quickly: what a loop of two agents leaves behind after thousands of passes.

Every twentieth event is of an agent that is used as a tool: a block that can be folded.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from google.genai import types

from agents import Event, EventActions, SqliteSessionService
from agents.access import OWNER
from agents.log import TraceRecord

PIPELINE = "iterative_writing"
RUN = "e-long"
BLOCK_EVERY = 20


def write_long_session(database: Path, events: int) -> str:
    """Writes a session of so many events and their trace records; returns the link to it, without the host."""
    with ThreadPoolExecutor(1) as other:  # a thread that drives a browser has an event loop already
        other.submit(lambda: asyncio.run(_write(database, events))).result()
    return f"?pipeline={PIPELINE}&session={_name(events)}"


def _name(events: int) -> str:
    return f"long-{events}"


async def _write(database: Path, events: int) -> None:
    service = SqliteSessionService(database)
    session = await service.create_session(app_name=PIPELINE, user_id=OWNER.id, session_id=_name(events))
    batch: list[Event | TraceRecord] = [TraceRecord("run_started", RUN, "IterativeWriting", data={"simulated": True})]
    batch.append(Event(invocation_id=RUN, author="user", content=types.UserContent("a very long story")))
    for number in range(2, events + 1):
        agent = ("CriticAgent", "RefinerAgent")[number % 2]
        if agent == "CriticAgent":
            iteration = {"iteration": number // 2, "max_iterations": None}
            batch.append(TraceRecord("loop_iteration", RUN, "RefinementLoop", data=iteration))
        batch.append(TraceRecord("agent_started", RUN, agent, data={"type": "LlmAgent"}))
        batch.append(_event(number, agent) if number % BLOCK_EVERY else _tool_event(number))
        batch.append(TraceRecord("agent_finished", RUN, agent, data={"outcome": "ok"}))
        if len(batch) > 2000:
            await service.append(session, batch)
            batch = []
    finished = {"status": "completed", "calls": events, "tokens": {"input": 0, "output": 0}, "duration": 1.0}
    await service.append(session, [*batch, TraceRecord("run_finished", RUN, "IterativeWriting", data=finished)])
    await service.close()


def _tool_event(number: int) -> Event:
    """An event of a helper that an agent used as a tool."""
    content = types.ModelContent(f"{number}. Lamp oil was dear that winter.")
    return Event(invocation_id=RUN, author="Helper", branch=f"Helper:{number:06x}", content=content)


def _event(number: int, agent: str) -> Event:
    text = f"{number}. The lamp burned lower than the night before, and nobody on the quay asked why. " * (1 + number % 3)
    key = "criticism" if agent == "CriticAgent" else "current_document"
    return Event(
        invocation_id=RUN,
        author=agent,
        content=types.ModelContent(text),
        actions=EventActions(state_delta={key: text[:80]}),
    )
