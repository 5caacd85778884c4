"""Running one node: its tries, its time limit, and what its events say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agents.agent import BaseAgent
from agents.errors import AuthorError, DynamicNodeFailError, NodeTimeoutError, PlaygroundError
from agents.event import Event, NodeInfo
from agents.flows.run_records import error_event
from agents.llm.settings import LlmAgentSettings
from agents.models.connections import redact
from agents.runtime.invocation import InvocationContext
from agents.runtime.nodes.node_run import NodeRun
from agents.runtime.output import parse_answer
from agents.state import check_delta
from agents.workflow.nodes.base_node import BaseNode
from agents.workflow.nodes.task_node import task_output
from agents.workflow.values import as_json, as_message

Send = Callable[[Event], Awaitable[None]]


async def run_once(run: NodeRun, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """Runs a node once; `run` has its output, route and whether it waits afterwards.

    Yields:
        Its events, not stored yet.
    """
    node: BaseAgent = run.agent
    context = ctx.for_node(run)
    run.output, run.route, run.is_delegated, run.waits = None, None, False, False
    is_node = isinstance(node, BaseNode)
    run.is_single_turn = not is_node and _takes_message(node)
    run.is_task = run.is_single_turn and getattr(node, "mode", None) == "task"
    if run.is_single_turn and run.input is not None:
        _say(run, context)
    async with aclosing(node.run_async(context)) as events:
        async for event in events:
            if not is_node and event.seq is None:
                _note(run, node, event)
            yield event
    run.waits = run.waits or context.paused
    if run.frame is not None and run.output is None and (told := run.journal.told.get(run.path)) is not None:
        run.output, run.route = told.output, run.route or told.route


async def follow(run: NodeRun, ctx: InvocationContext, send: Send) -> NodeRun:
    """Runs a node to its end, with its retries and its time limit, and returns its run.

    Args:
        run: The run.
        ctx: The context of the graph, or of the node that runs this one.
        send: Takes its events.

    Raises:
        Exception: Its last error; an event has told of it.
    """
    node: BaseAgent = run.agent
    retry = node.retry_config
    run.attempt = run.journal.attempts.get(run.path, 0) + 1
    while True:
        counts = dict(run.counts)
        try:
            await _in_time(run, ctx, send)
        except Exception as error:  # noqa: BLE001  a node may raise anything
            is_below = isinstance(error, DynamicNodeFailError)
            cause = error.error if is_below else error
            will_retry = retry is not None and retry.allows(cause, run.attempt)
            if (told := tell(cause, run, ctx)) is not None:
                await send(told)
            if retry is None or not will_retry:
                raise cause from None
            ctx.forget_told(cause)
            if is_below:  # what has ended below is not run again
                run.counts = counts
            delay = retry.delay_after(run.attempt)
            where = ctx.for_node(run)
            where.record(
                "node_retry", agent=node.name, node=run.path, attempt=run.attempt, delay=round(delay, 6), error=str(cause)
            )
            where.flush_soon()
            run.journal.attempts[run.path] = run.attempt
            run.attempt, run.frame = run.attempt + 1, None
            await asyncio.sleep(delay)
        else:
            return run


async def _in_time(run: NodeRun, ctx: InvocationContext, send: Send) -> None:
    """Runs a node once.

    Raises:
        NodeTimeoutError: It took too long.
    """
    limit = run.agent.timeout
    scope = asyncio.timeout(limit)
    try:
        async with scope, aclosing(run_once(run, ctx)) as events:
            async for event in events:
                await send(event)
    except TimeoutError:
        if not scope.expired():
            raise
        raise NodeTimeoutError(node_name=run.agent.name, timeout=limit) from None


def tell(error: Exception, run: NodeRun, ctx: InvocationContext) -> Event | None:
    """The event that tells of a node's error; None if one has."""
    if ctx.told_of(error) is not None:
        return None
    event = error_event(ctx, error)
    if isinstance(error, AuthorError):
        event.error_code = type(error).__name__  # as ADK has it
    elif isinstance(status := getattr(error, "status", None), str):
        event.error_code = status  # the same: of an API, its own word for what went wrong
    if not isinstance(error, PlaygroundError):
        event.error_message = redact(str(error)) or event.error_message  # the same: the code has the type
    event.node_info = NodeInfo(path=run.path)
    event.actions.state_delta, run.unsaved = run.unsaved, {}
    if event.author == run.agent.name and isinstance(run.agent, BaseNode) and run.above is not None:
        event.author = run.above.agent.name
    event.branch = event.branch or run.branch
    ctx.note_told(error, event)
    return event


# -- agents as nodes


def _takes_message(node: BaseAgent) -> bool:
    """Whether a node is an agent that is sent its input as the user's message."""
    return isinstance(node, LlmAgentSettings) and node.mode != "chat"


def _say(run: NodeRun, context: InvocationContext) -> None:
    events = context.session.events
    run.said = Event(author="user", branch=run.branch, content=as_message(run.input))
    run.place = len(events)
    if run.frame is not None:
        since = run.frame.since
        run.place = next((place for place, event in enumerate(events) if (event.seq or 0) > since), len(events))


def _note(run: NodeRun, node: BaseAgent, event: Event) -> None:
    """Takes the output and the route in an agent's event, and names the node in it."""
    output: Any = event.output
    is_message = False
    if run.is_task:
        event.output = output = task_output(event)
    elif _is_answer(node, event):
        schema = getattr(node, "output_schema", None)
        if schema is None:
            output, is_message = event.text, True
        elif event.text.strip():
            event.output = output = _parsed(schema, event.text)
    elif output is not None:
        event.output = as_json(output, node.name)
    if output is not None:
        run.output = output
    if run.schema is not None:
        key = getattr(node, "output_key", None)
        run.unsaved = {name: value for name, value in event.actions.state_delta.items() if name == key}
        check_delta(run.schema, event.actions.state_delta)
        run.unsaved = {}
    if event.author == node.name and event.actions.route is not None:
        run.route = event.actions.route
    paths = None if output is None else run.output_for
    event.node_info = NodeInfo(path=run.path, output_for=paths, message_as_output=is_message or None)


def _is_answer(node: BaseAgent, event: Event) -> bool:
    """Whether an event is what an agent with a model gives."""
    if event.partial or event.content is None or event.content.role != "model" or not _takes_message(node):
        return False
    return not event.get_function_calls()


def _parsed(schema: Any, text: str) -> Any:
    """The value in an answer; None if it does not fit: the agent asks its model again then, or fails."""
    try:
        return parse_answer(TypeAdapter(schema), text)
    except ValidationError:
        return None
