"""The plugins of a run, as its agents see them; `agents.flows.plugins` has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from agents.event import Event


class RunPlugins(Protocol):
    """The part of a run's plugins that its agents use."""

    def ahead_of(
        self, name: str, own: Any, *, renamed: Mapping[str, str] | None = None, **fixed: Any
    ) -> list[Callable[..., Any]]:
        """The plugins' callbacks of that name, then the agent's own, in the order of their calls.

        Args:
            name: Of the callback.
            own: The agent's callbacks: one, several or none.
            renamed: Names of arguments in plugins' callbacks, by their names in agents' callbacks.
            **fixed: Arguments that only plugins are given.
        """
        ...

    async def event_of(self, context: Any, event: Event) -> Event:
        """The event that is stored and yielded in place of `event`.

        Raises:
            PluginError: A plugin raised.
        """
        ...
