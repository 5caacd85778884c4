"""Finds the `root_agent` of a package, or its `app`, or says what is there instead of it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from agents.agent import BaseAgent
from agents.errors import PipelineLoadError
from agents.workflow.app import App

_USUAL = ("agent", "main_agent", "workflow")


def root_agent_of(holder: ModuleType, package: ModuleType, folder: Path) -> App | BaseAgent | None:
    """What a package exposes: `app`, if that is an App, or else `root_agent`, as ADK looks for them.

    Args:
        holder: The module `agent.py`; the package itself if there is no such file.
        package: The package.
        folder: Its folder.

    Returns:
        None for a package without `agent.py` and without `root_agent`: others may import it.

    Raises:
        PipelineLoadError: There is none, or it is something else; the message says what to write.
    """
    for module in (holder, package):
        if isinstance(app := getattr(module, "app", None), App):
            return app
    found = getattr(holder, "root_agent", None)
    if found is None and holder is not package:
        found = getattr(package, "root_agent", None)
    if isinstance(found, App | BaseAgent):
        return found
    if found is None:
        if holder is package:
            return None
        raise PipelineLoadError(f"{folder / 'agent.py'} has no root_agent. {_instead(holder)}")
    raise PipelineLoadError(
        f"root_agent in {folder} is of type {type(found).__module__}.{type(found).__qualname__}; it must be "
        "an agent of the package `agents`, such as LlmAgent or LoopAgent."
    )


def _instead(holder: ModuleType) -> str:
    """What the module has that may be meant, and the line that makes it the root agent."""
    things = {name: value for name, value in vars(holder).copy().items() if not name.startswith("_")}
    if apps := [name for name, value in things.items() if isinstance(value, App)]:
        return f"It has `{apps[0]}`, an App: add the line `app = {apps[0]}`."
    agents = [name for name, value in things.items() if isinstance(value, BaseAgent)]
    tops = [name for name in agents if things[name].parent_agent is None]
    named = next((name for name in _USUAL if name in agents), tops[0] if len(tops) == 1 else None)
    if named is not None:
        return f"It has `{named}`, of type {type(things[named]).__name__}: add the line `root_agent = {named}`."
    if agents:
        return f"It has the agents {', '.join(f'`{name}`' for name in agents)}: assign the top of your tree to root_agent."
    return "Assign the top of your agent tree to that name."
