"""Plugins: callbacks for a whole runner, asked before those of its agents. Names and arguments are ADK's."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from google.genai import types

from agents.agent import BaseAgent
from agents.errors import PluginError
from agents.event import Event
from agents.model import LlmRequest, LlmResponse
from agents.runtime.context import CallbackContext, ToolContext
from agents.runtime.invocation import InvocationContext
from agents.runtime.run_plugins import RunPlugins, call_with
from agents.tool import BaseTool

_log = logging.getLogger(__name__)

_KEPT_FIELDS = frozenset({"id", "invocation_id", "timestamp"})
"""Fields that a plugin's event cannot replace."""


class BasePlugin:
    """Callbacks for every agent, model and tool of a runner. Subclass it and override those that you need.

    Plugins are called in the order in which the runner was given them, before the agent's own callbacks. The first result
    that is not None is taken; the plugins and callbacks after it are not called. Callbacks may be sync or async.

    Args:
        name: Unique in its runner.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """Called before the message is stored; content that it returns replaces the message."""

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        """Called after the message is stored; content that it returns is the answer, and no agent is run."""

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        """Called before an event is stored and yielded; the fields that are set in a returned event replace the event's."""

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Called after a run that did not fail."""

    async def before_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> types.Content | None:
        """Called before an agent; content that it returns is the agent's answer."""

    async def after_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> types.Content | None:
        """Called after an agent; content that it returns is one more event."""

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """Called before a model; a response that it returns is the answer."""

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        """Called after a model; a response that it returns is used instead."""

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        """Called when a model fails; a response that it returns is the answer."""

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Called before a tool; a result that it returns is the tool's."""

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Called after a tool; a result that it returns is used instead."""

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        """Called when a tool raises; a result that it returns is the tool's."""

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        """Called when a run fails. The error is raised in any case."""

    async def close(self) -> None:
        """Called by `Runner.close`."""


class Plugins(RunPlugins):
    """The plugins of a runner, in the order in which they are called.

    Raises:
        ValueError: Two have the same name.
    """

    def __init__(self, plugins: Sequence[BasePlugin]) -> None:
        names = [plugin.name for plugin in plugins]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"Plugin with name {twice[0]!r} already registered. Give each plugin a name of its own.")
        self._plugins = tuple(plugins)

    def ahead_of(
        self, name: str, own: Any, *, renamed: Mapping[str, str] | None = None, **fixed: Any
    ) -> list[Callable[..., Any]]:
        """See `RunPlugins`."""
        callbacks = [_guarded(plugin, name, renamed or {}, fixed) for plugin in self._with(name)]
        if own:
            callbacks.extend(cast("Sequence[Any]", own) if isinstance(own, Sequence) else [own])
        return callbacks

    async def first_answer(self, name: str, **arguments: Any) -> Any:
        """Calls the plugins in turn until one returns something other than None.

        Raises:
            PluginError: A plugin raised.
        """
        for plugin in self._with(name):
            answer = await _guarded(plugin, name, {}, {})(**arguments)
            if answer is not None:
                return answer
        return None

    async def event_of(self, context: InvocationContext, event: Event) -> Event:
        """See `RunPlugins`."""
        if not self._with("on_event_callback"):
            return event
        offered = event.model_copy(deep=True)  # what a plugin edits and does not return changes nothing
        changed: Event | None = await self.first_answer("on_event_callback", invocation_context=context, event=offered)
        if changed is None:
            return event
        update = {name: getattr(changed, name) for name in changed.model_fields_set - _KEPT_FIELDS}
        update["author"] = update.get("author") or event.author
        return event.model_copy(update=update)

    async def tell(self, name: str, **arguments: Any) -> None:
        """Calls all plugins; an error of one is logged and does not stop the others."""
        for plugin in self._with(name):
            try:
                await _guarded(plugin, name, {}, {})(**arguments)
            except PluginError:
                _log.exception("A plugin failed.")

    async def close(self) -> None:
        """Closes all plugins.

        Raises:
            PluginError: Some could not be closed; the others are.
        """
        failures: list[str] = []
        for plugin in self._plugins:
            try:
                await plugin.close()
            except Exception as error:  # noqa: BLE001  a plugin may raise anything; told below
                failures.append(f"{plugin.name!r}: {type(error).__name__}: {error}")
        if failures:
            raise PluginError(f"Failed to close plugins: {', '.join(failures)}")

    def _with(self, name: str) -> list[BasePlugin]:
        """The plugins that override the callback."""
        default = getattr(BasePlugin, name)
        return [one for one in self._plugins if getattr(getattr(one, name), "__func__", None) is not default]


def _guarded(plugin: BasePlugin, name: str, renamed: Mapping[str, str], fixed: Mapping[str, Any]) -> Callable[..., Any]:
    """A plugin's callback; its errors name the plugin."""
    method = getattr(plugin, name)

    async def ask(**arguments: Any) -> Any:
        try:
            answer = call_with(method, {**fixed, **{renamed.get(key, key): value for key, value in arguments.items()}})
            return await answer if inspect.isawaitable(answer) else answer
        except Exception as error:
            raise PluginError(f"Error in plugin {plugin.name!r} during {name!r} callback: {error}") from error

    return ask
