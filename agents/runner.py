"""Runs an agent in a session: load the session, run the agent, append each event, yield it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from typing import Any

from google.genai import types

from agents.agent import BaseAgent
from agents.artifact import BaseArtifactService
from agents.errors import AnswerError, DatabaseError, PlaygroundError, SessionNotFoundError
from agents.event import Event
from agents.flows.plugin_run import offer_message, run_with_plugins
from agents.flows.plugins import BasePlugin, Plugins
from agents.flows.resume import (
    Beginning,
    answers_in,
    beginning_of_answer,
    beginning_of_rest,
    invocation_for,
    kept_for,
    reply_to_task,
    whose_turn,
)
from agents.flows.rewind import rewind
from agents.flows.run_records import error_event, failed, record_start
from agents.llm.compaction.compact import compact_after_run
from agents.llm.compaction.config import EventsCompactionConfig
from agents.models.registry import LLMRegistry
from agents.runtime.invocation import InvocationContext, new_invocation_id
from agents.runtime.memory_service import BaseMemoryService
from agents.runtime.run_config import RunConfig
from agents.session import BaseSessionService, GetSessionConfig, Session, session_not_found
from agents.session_list import SessionFilter
from agents.state import check_state_value
from agents.storage.artifacts.memory import InMemoryArtifactService
from agents.storage.memory import InMemoryMemoryService
from agents.storage.sessions.memory import InMemorySessionService
from agents.workflow.app import App

MOST_APPS = 10
"""Apps that an error names."""

END_SECONDS = 1.0
"""Seconds that the last entries of a stopped run wait for a storage that cannot be written."""


_BREAKS = "\n\t"


class Runner:
    """Runs one agent tree over sessions of one app.

    Args:
        app: The app, with its agent and its plugins; or else `agent`.
        app_name: The app whose sessions are run; by default the name of `app`, or of the agent.
        agent: The root of the tree.
        node: The same, for a node of a graph.
        session_service: Where sessions are.
        artifact_service: Where tools and callbacks save files; None for an app without.
        memory_service: Memory across a user's sessions; None for an app without.
        plugins: Callbacks for all agents, models and tools, asked in this order.
        events_compaction_config: When the events of a session are summed up; None for never, or as `app` says.
        auto_create_session: Whether a session that is not there is created.
        credential_service: Has no effect: tools do not sign in for the user.
        plugin_close_timeout: Has no effect.

    Raises:
        ValueError: Not one of `app`, `agent` and `node` is given; or `plugins` with an app, which has its own.
    """

    def __init__(  # noqa: PLR0913  ADK's arguments
        self,
        *,
        app: App | None = None,
        app_name: str | None = None,
        agent: BaseAgent | None = None,
        node: BaseAgent | None = None,
        session_service: BaseSessionService,
        artifact_service: BaseArtifactService | None = None,
        memory_service: BaseMemoryService | None = None,
        plugins: Sequence[BasePlugin] | None = None,
        events_compaction_config: EventsCompactionConfig | None = None,
        auto_create_session: bool = False,
        credential_service: object = None,
        plugin_close_timeout: float = 5.0,
    ) -> None:
        agent, plugins = _root_of(app, agent, node, plugins)
        self.app_name = app_name or (app.name if app is not None else agent.name)
        self.auto_create_session = auto_create_session
        self.agent = agent
        self.session_service = session_service
        self.artifact_service = artifact_service
        self.memory_service = memory_service
        self._plugins = Plugins(plugins) if plugins else None
        self._compaction = events_compaction_config if app is None else app.events_compaction_config

    async def run_async(
        self,
        *,
        user_id: str,
        session_id: str,
        new_message: types.Content | None = None,
        state_delta: Mapping[str, Any] | None = None,
        run_config: RunConfig | None = None,
        invocation_id: str | None = None,
        yield_user_message: bool = False,
    ) -> AsyncGenerator[Event, None]:
        """Runs the agent once, or resumes a paused run.

        A message with function responses answers calls. If a paused run waits for them, it resumes under its own
        invocation id; else the calling agent starts anew. Any other message goes to the agent whose turn it is and
        cancels what the session waited for; so does one that answers only calls that no run waits for. While an agent with
        `mode="task"` waits for the user in a graph, the text of a message is the answer to it.

        Closing this generator cancels the model call and the tools at work; the log then ends with a `run_finished`
        record of status "stopped".

        Args:
            user_id: Whose session.
            session_id: Which session.
            new_message: The user's message, or answers; None runs on what the session holds.
            state_delta: State to set with the message.
            run_config: How to run.
            invocation_id: The run's id; a fresh one by default. With a paused run's id, only answers to it are taken;
                with none, a run whose log was cut does the rest.
            yield_user_message: Whether the user's event is yielded, too.

        Yields:
            Each event after it is stored; partial events, not stored, if streaming is on.

        Raises:
            SessionNotFoundError: There is no such session.
            RunInProgressError: The session is being run.
            AnswerError: An answer cannot be taken as it is; nothing is stored then.
            StateValueError: JSON cannot hold a value of `state_delta`.
            DatabaseError: The run's log cannot be stored any more; what was yielded is stored.
            Exception: Whatever ended the run, after it was stored as an error event and yielded.
        """
        config = _with_model_objects(run_config or RunConfig())
        for key, value in (state_delta or {}).items():
            check_state_value(key, value)
        may_go_on = new_message is None and invocation_id is not None
        session, new_message = await self._session_and_message(user_id, session_id, new_message, config, may_go_on)
        new_id = invocation_id or new_invocation_id()
        belongs_to = invocation_for(new_message, session, new_id) if answers_in(new_message) else new_id
        async with self.session_service.claim(session, belongs_to, goes_on=may_go_on):
            beginning = await self._beginning(session, new_id, new_message, config)
            if state_delta:
                _set_state(beginning, state_delta)
            context = self._context(session, beginning, config)
            events = _run(context, beginning, new_message, self._plugins, tells_all=yield_user_message)
            try:
                async for event in events:
                    yield event
            finally:
                await events.aclose()

    async def _session_and_message(
        self, user_id: str, session_id: str, message: types.Content | None, config: RunConfig, may_go_on: bool
    ) -> tuple[Session, types.Content | None]:
        """Reads the session, whole if the run may go on from its events; a message to a waiting task becomes its answer."""
        is_answer = bool(answers_in(message))
        session = await self._session(user_id, session_id, None if is_answer or may_go_on else config.get_session_config)
        if is_answer or (reply := await reply_to_task(message, session, self.session_service)) is None:
            return session, message
        if config.get_session_config is not None:
            session = await self._session(user_id, session_id, None)
        return session, reply

    async def _session(self, user_id: str, session_id: str, config: GetSessionConfig | None) -> Session:
        found = await self.session_service.get_session(
            app_name=self.app_name, user_id=user_id, session_id=session_id, config=config
        )
        if found is not None:
            return found
        if not self.auto_create_session:
            raise await self._not_found(user_id, session_id)
        return await self.session_service.create_session(app_name=self.app_name, user_id=user_id, session_id=session_id)

    async def _not_found(self, user_id: str, session_id: str) -> SessionNotFoundError:
        """Names the app of the user's session of that id, if another app has it."""
        wanted = SessionFilter(user_ids=frozenset({user_id}), session_id=session_id)
        page = await self.session_service.page(wanted, limit=MOST_APPS)
        others = sorted({row.app_name for row in page.rows})
        return session_not_found(self.app_name, user_id, session_id, others)

    async def _beginning(self, session: Session, new_id: str, message: types.Content | None, config: RunConfig) -> Beginning:
        beginning: Beginning | None = None
        if message is None:
            if any(event.invocation_id == new_id for event in session.events):
                beginning = await beginning_of_rest(self.agent, session, self.session_service, new_id)
                if beginning is None:
                    raise AnswerError(f"Nothing is left of run {new_id}: it has ended, or a later one has begun.")
        elif answers_in(message):
            beginning = await beginning_of_answer(self.agent, session, self.session_service, message, new_id=new_id)
            kept_for(session, beginning.invocation_id if beginning else new_id, config.get_session_config)
        if beginning is not None:
            return beginning
        return Beginning(whose_turn(self.agent, session.events), new_id, _user_events(new_id, message), user_content=message)

    def _context(self, session: Session, beginning: Beginning, config: RunConfig) -> InvocationContext:
        return InvocationContext(
            invocation_id=beginning.invocation_id,
            agent=self.agent,
            session=session,
            session_service=self.session_service,
            branch=beginning.branch,
            user_content=beginning.user_content,
            run_config=config,
            artifact_service=self.artifact_service,
            memory_service=self.memory_service,
            plugins=self._plugins,
            events_compaction_config=self._compaction,
            resume_from=beginning.stood,
        )

    async def run_debug(
        self,
        user_messages: str | Sequence[str],
        *,
        user_id: str = "debug_user_id",
        session_id: str = "debug_session_id",
        run_config: RunConfig | None = None,
        quiet: bool = False,
        verbose: bool = False,
    ) -> list[Event]:
        """Runs the agent on one message or several, in a session that is created if it is not there, to try something out.

        Args:
            user_messages: The messages, one after the other.
            user_id: Whose session.
            session_id: Which session.
            run_config: How to run.
            quiet: Whether nothing is printed.
            verbose: Whether calls of tools and their results are printed, too.

        Returns:
            The events of all runs.

        Raises:
            Exception: See `run_async`.
        """
        name: dict[str, Any] = {"user_id": user_id, "session_id": session_id}
        if await self.session_service.get_session(app_name=self.app_name, **name) is None:
            await self.session_service.create_session(app_name=self.app_name, **name)
        found: list[Event] = []
        for message in [user_messages] if isinstance(user_messages, str) else user_messages:
            async for event in self.run_async(**name, new_message=types.UserContent(message), run_config=run_config):
                found.append(event)
                if not quiet and not event.partial:
                    for line in _lines_of(event, with_tools=verbose):
                        print(line)
        return found

    async def rewind_async(
        self, *, user_id: str, session_id: str, rewind_before_invocation_id: str, run_config: RunConfig | None = None
    ) -> None:
        """Goes back to before an invocation: its agents no longer see what came after, and state and files are as before.

        The log keeps everything. State and files of the user and of the app stay as they are.

        Args:
            user_id: Whose session.
            session_id: Which session.
            rewind_before_invocation_id: The invocation.
            run_config: Has no effect.

        Raises:
            InvocationNotFoundError: The session has none of that id.
            SessionNotFoundError: There is no such session.
            RunInProgressError: The session is being run.
        """
        session = await self._session(user_id, session_id, None)
        beginning = Beginning(self.agent, new_invocation_id())
        async with self.session_service.claim(session, beginning.invocation_id):
            context = self._context(session, beginning, RunConfig())
            await rewind(context, rewind_before_invocation_id)

    async def close(self) -> None:
        """Closes the plugins.

        Raises:
            PluginError: Some could not be closed; the others are.
        """
        if self._plugins is not None:
            await self._plugins.close()

    def run(
        self,
        *,
        user_id: str,
        session_id: str,
        new_message: types.Content,
        state_delta: Mapping[str, Any] | None = None,
        run_config: RunConfig | None = None,
    ) -> Generator[Event, None, None]:
        """The same for code without an event loop; see `run_async`."""
        with asyncio.Runner() as loop:
            events = self.run_async(
                user_id=user_id,
                session_id=session_id,
                new_message=new_message,
                state_delta=state_delta,
                run_config=run_config,
            )
            try:
                while (event := loop.run(_next(events))) is not None:
                    yield event
            finally:
                loop.run(events.aclose())


class InMemoryRunner(Runner):
    """A runner with services of its own that keep sessions, artifacts and memories in this process.

    Args:
        agent: The root of the tree.
        app_name: The app's name; that of `app` by default.
        plugins: As for `Runner`.
        app: As for `Runner`.
        node: As for `Runner`.
        events_compaction_config: As for `Runner`.
    """

    def __init__(
        self,
        agent: BaseAgent | None = None,
        app_name: str | None = None,
        plugins: Sequence[BasePlugin] | None = None,
        *,
        app: App | None = None,
        node: BaseAgent | None = None,
        events_compaction_config: EventsCompactionConfig | None = None,
    ) -> None:
        super().__init__(
            app=app,
            app_name=app_name or (app.name if app is not None else "InMemoryRunner"),
            agent=agent,
            node=node,
            session_service=InMemorySessionService(),
            artifact_service=InMemoryArtifactService(),
            memory_service=InMemoryMemoryService(),
            plugins=plugins,
            events_compaction_config=events_compaction_config,
        )


def _lines_of(event: Event, *, with_tools: bool) -> Iterator[str]:
    """An event for the console."""
    for part in event.parts:
        if part.text and not part.thought:
            yield f"{event.author} > {''.join(one if one.isprintable() or one in _BREAKS else '?' for one in part.text)}"
        elif with_tools and (call := part.function_call) is not None:
            yield f"{event.author} > [calls {call.name} with {call.args!r}]"
        elif with_tools and (response := part.function_response) is not None:
            yield f"{event.author} > [{response.name} gave {response.response!r}]"


async def _run(
    context: InvocationContext,
    beginning: Beginning,
    message: types.Content | None,
    plugins: Plugins | None,
    *,
    tells_all: bool,
) -> AsyncGenerator[Event, None]:
    """A run that holds its session's claim, from its `run_started` record to its `run_finished` record."""
    started = time.perf_counter() - (beginning.stood.duration if beginning.stood is not None else 0.0)
    outcome: dict[str, Any] = {"status": "stopped"}
    last: Event | None = None
    is_lost = False
    record_start(context, is_new=beginning.stood is None)
    try:
        if plugins is not None and message is not None:
            await offer_message(plugins, context, beginning, message)
        for last in beginning.events or (None,):
            await context.store(last)
            if last is not None and tells_all:
                yield last
        events = _events_of(context, beginning, plugins)
        try:
            while (event := await context.usage.next(events)) is not None:
                if not event.partial:
                    await context.store(event)
                    last = event
                yield event
        finally:
            await events.aclose()
        outcome = _outcome(context, context.session.events[-1] if beginning.is_over else last)
        await compact_after_run(context)
    except Exception as error:
        context.usage.close()
        if plugins is not None:
            await plugins.tell("on_run_error_callback", invocation_context=context, error=error)
        told = context.told_of(error)
        failure = told or error_event(context, error)
        outcome = failed(failure)
        is_lost = True
        await _store_failure(context, None if told is not None else failure, error)
        is_lost = False
        if told is None:
            yield failure
        raise
    finally:
        context.usage.close()
        sent, received = context.tokens
        context.record(
            "run_finished",
            **outcome,
            calls=context.llm_calls,
            tokens={"input": sent, "output": received},
            duration=round(time.perf_counter() - started, 6),
        )
        if not is_lost:
            await _store_end(context, within=END_SECONDS if outcome["status"] == "stopped" else None)


def _events_of(context: InvocationContext, beginning: Beginning, plugins: Plugins | None) -> AsyncGenerator[Event, None]:
    """What the agents of a run yield."""
    if beginning.is_over:
        return _nothing()
    agent = beginning.agent
    return agent.run_async(context) if plugins is None else run_with_plugins(plugins, agent, context)


async def _nothing() -> AsyncGenerator[Event, None]:
    return
    yield  # makes this an async generator


def _outcome(context: InvocationContext, last: Event | None) -> dict[str, Any]:
    """How a run ended that did not raise."""
    if context.paused:
        return {"status": "paused"}
    return failed(last) if last is not None and last.error_code else {"status": "completed"}


async def _store_failure(context: InvocationContext, failure: Event | None, error: Exception) -> None:
    try:
        await context.store(failure)
    except PlaygroundError as unstored:
        raise (error if isinstance(error, DatabaseError) else unstored) from None


async def _store_end(context: InvocationContext, *, within: float | None) -> None:
    """Stores pending entries; waits up to `within` seconds for a storage that cannot be written."""
    try:
        if within is None:
            await context.flush()
        else:
            async with asyncio.timeout(within):
                await context.flush()
    except TimeoutError as late:
        cause = late.__cause__.__cause__ if late.__cause__ is not None else None
        raise (
            cause
            if isinstance(cause, DatabaseError)
            else DatabaseError(
                f"The end of the run could not be stored within {within:g} s: the session database cannot be written."
            )
        ) from None
    except asyncio.CancelledError:  # stopped once more: what was shown must still be in the log
        await context.flush()
        raise


def _root_of(
    app: App | None, agent: BaseAgent | None, node: BaseAgent | None, plugins: Sequence[BasePlugin] | None
) -> tuple[BaseAgent, Sequence[BasePlugin] | None]:
    """The agent that a runner runs, and its plugins."""
    given = [each for each in (None if app is None else app.root_agent, agent, node) if each is not None]
    if len(given) != 1:
        raise ValueError("A runner runs one agent: give it one of app, agent or node.")
    if app is not None and plugins:
        raise ValueError("An app has its own plugins: give them to the App, not to the runner.")
    return given[0], plugins if app is None else app.plugins


async def _next(events: AsyncGenerator[Event, None]) -> Event | None:
    return await anext(events, None)


def _with_model_objects(config: RunConfig) -> RunConfig:
    update: dict[str, Any] = {}
    if isinstance(config.model, str):
        update["model"] = LLMRegistry.new_llm(config.model)
    if config.agent_models and any(isinstance(model, str) for model in config.agent_models.values()):
        update["agent_models"] = {
            agent: LLMRegistry.new_llm(model) if isinstance(model, str) else model
            for agent, model in config.agent_models.items()
        }
    return config.model_copy(update=update) if update else config


def _user_events(invocation_id: str, message: types.Content | None) -> list[Event]:
    if message is None:
        return []
    if message.role is None:
        message = message.model_copy(update={"role": "user"})
    return [Event(invocation_id=invocation_id, author="user", content=message)]


def _set_state(beginning: Beginning, delta: Mapping[str, Any]) -> None:
    """Puts a state delta into the user's event, or into an event of its own if there is no message."""
    if not beginning.events:
        beginning.events.append(Event(invocation_id=beginning.invocation_id, author="user"))
    beginning.events[0].actions.state_delta.update(delta)
