"""Whether a run's model can be asked at all: said before every sample of a run fails by it, and counts as wrong."""

from __future__ import annotations

from agents.errors import LabError
from agents.models.connections import connection, why_withheld
from agents.models.provider import ModelFiles, Provider
from agents.models.providers import provider_of
from agents.models.registry import LLMRegistry


def check_model(name: str, *, is_asked_here: bool) -> None:
    """Sends no request.

    Args:
        name: The model's name.
        is_asked_here: Whether this process asks it; the workers of a cluster have keys and files of their own.

    Raises:
        PlaygroundError: No model has this name, or it lacks a key or a file.
    """
    LLMRegistry.resolve(name)
    provider = provider_of(name)
    if is_asked_here and provider is not None and (why := _lack(provider, name)):
        raise LabError(f"The model {name!r} cannot be used: {why}")


def _lack(provider: Provider, name: str) -> str:
    """What a model lacks, and the cure; "" if nothing is known to be missing."""
    if provider.access == "person":
        return "nobody is asked in a measurement. Choose another model."
    if isinstance(provider.access, ModelFiles):
        lack = provider.access.lack(name)
        return "" if lack is None else lack.cure
    endpoint = provider.endpoint
    if endpoint is None or not endpoint.needs_key or (known := connection(provider.name)).api_key is not None:
        return ""
    if known.withheld:
        return why_withheld(provider.name, known)
    variable = endpoint.key_variables[0]
    return f"it needs a key and there is none. Type one on the Settings page, or set {variable} and start again."
