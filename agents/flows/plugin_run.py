"""A run with plugins: the callbacks before and after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from google.genai import types

from agents.agent import BaseAgent
from agents.event import Event
from agents.flows.plugins import Plugins
from agents.flows.resume import Beginning
from agents.model import copy_with
from agents.runtime.invocation import InvocationContext


async def run_with_plugins(plugins: Plugins, agent: BaseAgent, context: InvocationContext) -> AsyncGenerator[Event, None]:
    """Runs an agent, or gives a plugin's answer in its place.

    Yields:
        The events, not stored yet.

    Raises:
        PluginError: A plugin raised.
    """
    answer: types.Content | None = await plugins.first_answer("before_run_callback", invocation_context=context)
    has_ended = False
    try:
        if answer is not None:
            said = Event(invocation_id=context.invocation_id, author="model", content=answer)
            yield await plugins.event_of(context, said)
        else:
            async with aclosing(agent.run_async(context)) as events:
                async for event in events:
                    yield event if event.seq is not None else await plugins.event_of(context, event)
        has_ended = True
        await plugins.first_answer("after_run_callback", invocation_context=context)
    except (GeneratorExit, asyncio.CancelledError):
        if not has_ended:  # stopped: plugins are called all the same, as after a run that ended
            await plugins.tell("after_run_callback", invocation_context=context)
        raise


async def offer_message(plugins: Plugins, context: InvocationContext, beginning: Beginning, message: types.Content) -> None:
    """Lets plugins replace the message before it is stored.

    Raises:
        PluginError: A plugin raised.
    """
    offered = message.model_copy(deep=True)
    changed = await plugins.first_answer("on_user_message_callback", invocation_context=context, user_message=offered)
    if changed is not None:
        context.user_content = changed
        first = next(event for event in beginning.events if event.content is not None)
        others = [event for event in beginning.events if event.content is None]
        first.content = changed if changed.role else copy_with(changed, role="user")
        beginning.events[:] = [first, *others]
