"""A stage for agents: actors that play given lines, and a run of a tree with everything it left behind."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from google.genai import types

from agents import (
    BaseAgent,
    Event,
    EventActions,
    InMemorySessionService,
    InvocationContext,
    LlmRequest,
    RunConfig,
    Runner,
    Session,
)

APP, USER = "play", "person"


class Actor(BaseAgent):
    """Plays its lines: texts, events, exceptions to raise, and functions of the context, sync or async."""

    lines: Sequence[Any] = ()

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        for line in self.lines:
            if isinstance(line, BaseException):
                raise line
            if callable(line):
                line = line(ctx)  # noqa: PLW2901
                if inspect.isawaitable(line):
                    line = await line  # noqa: PLW2901
            if line is not None:
                yield line if isinstance(line, Event) else say(self.name, line, branch=ctx.branch)


def say(author: str, text: str, **more: Any) -> Event:
    """An event with a text."""
    return Event(author=author, content=types.Content(role="model", parts=[types.Part(text=text)]), **more)


def escalation(author: str, text: str | None = None) -> Event:
    """An event that escalates, with a text if one is given."""
    event = Event(author=author, actions=EventActions(escalate=True))
    if text is not None:
        event.content = types.Content(role="model", parts=[types.Part(text=text)])
    return event


def instruction_in(request: LlmRequest) -> str:
    """What the system instruction holds after the agent's identity, which must begin it."""
    name = (request.config.labels or {})["adk_agent_name"]
    assert request.system_instruction.startswith(f'You are an agent. Your internal name is "{name}".')
    return request.system_instruction.partition('".\n\n')[2]


def user(text: str) -> types.Content:
    """What the person says."""
    return types.Content(role="user", parts=[types.Part(text=text)])


@dataclass
class Play:
    """What a run left behind.

    Attributes:
        events: What the runner yielded.
        error: What it raised.
        session: As stored, read again afterwards.
        log: The entries after `session_created`, as (kind, body).
    """

    events: list[Event] = field(default_factory=list)
    error: BaseException | None = None
    session: Session = None  # type: ignore[assignment]
    log: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Author and text of the events that say something."""
        return [(event.author, event.text) for event in self.events if event.text]

    @property
    def state(self) -> dict[str, Any]:
        return self.session.state

    def records(self, *kinds: str) -> list[dict[str, Any]]:
        """Bodies of the trace records of these kinds, without the fields that differ from run to run."""
        dropped = {"invocation_id", "timestamp", "duration"}
        return [
            {"kind": kind, **{key: value for key, value in body.items() if key not in dropped}}
            for kind, body in self.log
            if kind in kinds
        ]


async def play(
    agent: BaseAgent,
    message: str | None = "go",
    *,
    state: dict[str, Any] | None = None,
    config: RunConfig | None = None,
    service: Any = None,
    session_id: str = "s",
    state_delta: dict[str, Any] | None = None,
) -> Play:
    """Runs `agent` once over a session, a new one unless `service` has it, and gathers what happened."""
    service = service or InMemorySessionService()
    runner = Runner(app_name=APP, agent=agent, session_service=service)
    if await service.get_session(app_name=APP, user_id=USER, session_id=session_id) is None:
        await service.create_session(app_name=APP, user_id=USER, session_id=session_id, state=state)
    result = Play()
    new_message = None if message is None else user(message)
    events = runner.run_async(
        user_id=USER, session_id=session_id, new_message=new_message, run_config=config, state_delta=state_delta
    )
    try:
        async with aclosing(events):
            async for event in events:
                result.events.append(event)
    except Exception as error:
        result.error = error
    await look(result, service, session_id)
    return result


async def look(result: Play, service: Any, session_id: str = "s") -> None:
    """Reads what is stored into `result`."""
    session = await service.get_session(app_name=APP, user_id=USER, session_id=session_id)
    assert session is not None
    result.session = session
    entries = await service.read_log(app_name=APP, user_id=USER, session_id=session_id)
    result.log = [(entry.kind, entry.fields()) for entry in entries if entry.kind != "session_created"]


def other_tasks() -> set[asyncio.Task[Any]]:
    """Tasks under way besides this one and the test runner's: none, after a run."""
    mine = asyncio.current_task()
    return {task for task in asyncio.all_tasks() if task is not mine and "TestRunner" not in task.get_coro().__qualname__}
