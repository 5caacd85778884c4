"""Runs an agent in a session: load, run, append each event, yield it. Knows no provider and no storage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import aclosing
from copy import deepcopy
from typing import Any

from google.genai import types

from agents.agent import BaseAgent
from agents.config import redact
from agents.context import InvocationContext, RunConfig, new_invocation_id
from agents.errors import PlaygroundError
from agents.event import Event, EventActions
from agents.models.registry import LLMRegistry
from agents.session import BaseSessionService, session_not_found
from agents.sessions.memory import InMemorySessionService
from agents.state import check_state_value


class Runner:
    """Runs one agent tree over sessions of one app.

    Args:
        app_name: The app whose sessions are run.
        agent: The root of the tree.
        session_service: Where sessions are.
        artifact_service: Handed to the contexts as it is.
        memory_service: Handed to the contexts as it is.
    """

    def __init__(
        self,
        *,
        app_name: str,
        agent: BaseAgent,
        session_service: BaseSessionService,
        artifact_service: Any = None,
        memory_service: Any = None,
    ) -> None:
        self.app_name = app_name
        self.agent = agent
        self.session_service = session_service
        self.artifact_service = artifact_service
        self.memory_service = memory_service

    async def run_async(
        self,
        *,
        user_id: str,
        session_id: str,
        new_message: types.Content | None = None,
        state_delta: Mapping[str, Any] | None = None,
        run_config: RunConfig | None = None,
        invocation_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Runs the agent once.

        Closing this generator cancels the model call and the tools at work; the log then ends with a `run_finished`
        record of status "stopped".

        Args:
            user_id: Whose session.
            session_id: Which session.
            new_message: What the person says; None runs on what the session holds.
            state_delta: State to set with the message.
            run_config: How to run.
            invocation_id: A name for the run; a fresh one by default.

        Yields:
            Each event after it is stored, the user's not included; partial events, which are not stored, if
            `run_config` asks for streaming.

        Raises:
            SessionNotFoundError: There is no such session.
            RunInProgressError: The session is being run.
            StateValueError: JSON cannot hold a value of `state_delta`.
            Exception: Whatever ended the run, after it was stored as an error event and yielded.
        """
        config = _with_model_object(run_config or RunConfig())
        for key, value in (state_delta or {}).items():
            check_state_value(key, value)
        session = await self.session_service.get_session(
            app_name=self.app_name, user_id=user_id, session_id=session_id, config=config.get_session_config
        )
        if session is None:
            raise session_not_found(self.app_name, user_id, session_id)
        context = InvocationContext(
            invocation_id=invocation_id or new_invocation_id(),
            agent=self.agent,
            session=session,
            session_service=self.session_service,
            user_content=new_message,
            run_config=config,
            artifact_service=self.artifact_service,
            memory_service=self.memory_service,
        )
        async with self.session_service.claim(session, context.invocation_id):
            first = _user_event(context.invocation_id, new_message, state_delta or {})
            async with aclosing(_run(context, self.agent, first)) as events:
                async for event in events:
                    yield event

    def run(
        self, *, user_id: str, session_id: str, new_message: types.Content, run_config: RunConfig | None = None
    ) -> Generator[Event, None, None]:
        """The same for code without an event loop; see `run_async`."""
        with asyncio.Runner() as loop:
            events = self.run_async(user_id=user_id, session_id=session_id, new_message=new_message, run_config=run_config)
            try:
                while (event := loop.run(_next(events))) is not None:
                    yield event
            finally:
                loop.run(events.aclose())


class InMemoryRunner(Runner):
    """A runner with a session service of its own that keeps everything in memory.

    Args:
        agent: The root of the tree.
        app_name: The app's name.
    """

    def __init__(self, agent: BaseAgent, app_name: str = "InMemoryRunner") -> None:
        super().__init__(app_name=app_name, agent=agent, session_service=InMemorySessionService())


async def _run(context: InvocationContext, agent: BaseAgent, first: Event | None) -> AsyncGenerator[Event, None]:
    """One claimed run, from its `run_started` record to its `run_finished` record."""
    started = time.perf_counter()
    outcome: dict[str, Any] = {"status": "stopped"}
    last = first
    _record_start(context)
    try:
        await context.store(first)
        async with aclosing(agent.run_async(context)) as events:
            async for event in events:
                if not event.partial:
                    await context.store(event)
                    last = event
                yield event
        outcome = _failed(last) if last is not None and last.error_code else {"status": "completed"}
    except Exception as error:
        failure = _error_event(context, error)
        outcome = _failed(failure)
        await context.store(failure)
        yield failure
        raise
    finally:
        sent, received = context.tokens
        context.record(
            "run_finished",
            **outcome,
            calls=context.llm_calls,
            tokens={"input": sent, "output": received},
            duration=round(time.perf_counter() - started, 6),
        )
        try:
            await context.flush()
        except asyncio.CancelledError:  # told to stop once more: what was shown must be in the log all the same
            await context.flush()
            raise


def _failed(event: Event) -> dict[str, Any]:
    """What `run_finished` says of a run whose last event is an error."""
    return {"status": "failed", "error_code": event.error_code, "error_message": event.error_message}


def _record_start(context: InvocationContext) -> None:
    model = context.run_config.model
    context.record(
        "run_started",
        model=getattr(model, "model", None),
        simulated=bool(getattr(model, "simulated", False)),
        shared={key: deepcopy(value) for key, value in context.session.state.items() if key.startswith(("app:", "user:"))},
        max_llm_calls=context.run_config.max_llm_calls,
    )


async def _next(events: AsyncGenerator[Event, None]) -> Event | None:
    return await anext(events, None)


def _with_model_object(config: RunConfig) -> RunConfig:
    if not isinstance(config.model, str):
        return config
    return config.model_copy(update={"model": LLMRegistry.new_llm(config.model)})


def _user_event(invocation_id: str, message: types.Content | None, delta: Mapping[str, Any]) -> Event | None:
    if message is None and not delta:
        return None
    if message is not None and message.role is None:
        message = message.model_copy(update={"role": "user"})
    return Event(invocation_id=invocation_id, author="user", content=message, actions=EventActions(state_delta=dict(delta)))


def _error_event(context: InvocationContext, error: Exception) -> Event:
    code = error.code if isinstance(error, PlaygroundError) else type(error).__name__
    message = str(error) if isinstance(error, PlaygroundError) else f"{type(error).__name__}: {error}"
    author, branch = context.place_of(error)
    return Event(
        invocation_id=context.invocation_id,
        author=author,
        branch=branch,
        error_code=code,
        error_message=redact(message),
        stop_reason="error",
    )
