"""The list of model providers: everything that offers, asks, prices or sets up models iterates it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from agents.models.provider import Endpoint, Provider

PACKAGES = ("simulated", "gemini", "openai_compatible", "ollama", "local", "replay", "you")
"""The providers' packages beside this module, in the order in which users see them. A new one is a line here."""


@cache
def all_providers() -> tuple[Provider, ...]:
    """All providers."""
    return tuple(import_module(f"agents.models.{package}.spec").PROVIDER for package in PACKAGES)


def provider_named(name: str) -> Provider:
    """A provider by its name.

    Raises:
        KeyError: There is none.
    """
    return {provider.name: provider for provider in all_providers()}[name]


def endpoints() -> dict[str, Endpoint]:
    """The servers of providers that are asked over a network, by the provider's name."""
    return {provider.name: provider.endpoint for provider in all_providers() if provider.endpoint is not None}


def context_windows() -> dict[str, int]:
    """How many tokens models read at most, by name, where a provider tells it."""
    return {model: tokens for provider in all_providers() for model, tokens in provider.context_windows.items()}


def claims() -> Iterator[tuple[str, Provider]]:
    """The patterns of names with their providers; the last one that matches a name wins.

    A prefix goes before the patterns of others: llama.cpp's server calls its models by their files, `llama/NAME.gguf`.
    """
    for provider in all_providers():
        yield from ((pattern, provider) for pattern in provider.patterns)
    for provider in all_providers():
        yield from ((pattern, provider) for pattern in provider.prefix_patterns)


def provider_of(model: str) -> Provider | None:
    """The provider that a model's name belongs to; None for a user-defined name."""
    return next((provider for pattern, provider in reversed(list(claims())) if re.fullmatch(pattern, model)), None)
