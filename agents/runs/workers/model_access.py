"""The servers and keys that a worker needs for a run, and models that it cannot have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.agent import BaseAgent
from agents.model import BaseLlm
from agents.models.connections import Connection, connection
from agents.models.provider import ModelFiles, Provider
from agents.models.providers import provider_of
from agents.models.you.model import YouLlm
from agents.pipeline import Pipeline


def with_usual(models: Iterable[BaseLlm]) -> tuple[BaseLlm, ...]:
    """The models chosen for a run, and those that the user may pass a call to where the user is one of them."""
    chosen = tuple(models)
    return (*chosen, *(one.usual for one in chosen if isinstance(one, YouLlm) and one.usual is not None))


def connections_for(pipeline: Pipeline, models: Iterable[BaseLlm]) -> dict[str, Connection]:
    """The servers and keys of the providers that a run may ask, by provider.

    Args:
        pipeline: What is run; its agents may have models of their own.
        models: The models chosen for it.
    """
    return {one.name: connection(one.name) for one in _providers(pipeline, models) if one.endpoint is not None}


def needs_file(pipeline: Pipeline, models: Iterable[BaseLlm]) -> bool:
    """Whether one of a run's models is a file, which the server has in memory for all runs; see `connections_for`."""
    return any(isinstance(one.access, ModelFiles) for one in _providers(pipeline, models))


def _providers(pipeline: Pipeline, models: Iterable[BaseLlm]) -> Iterator[Provider]:
    for name in {*(model.model for model in models), *_own_models(pipeline.root_agent)}:
        if (provider := provider_of(name)) is not None:
            yield provider


def _own_models(agent: BaseAgent) -> Iterator[str]:
    model = getattr(agent, "model", None)
    if name := model.model if isinstance(model, BaseLlm) else model:
        yield str(name)
    for tool in getattr(agent, "tools", ()):
        if isinstance(called := getattr(tool, "agent", None), BaseAgent):
            yield from _own_models(called)
    for child in agent.sub_agents:
        yield from _own_models(child)
