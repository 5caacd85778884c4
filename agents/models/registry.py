"""Finds the class for a model name: one that was registered, else the provider's, whose module is imported then."""

from __future__ import annotations

import importlib
import re

from agents.errors import ModelNotFoundError, known
from agents.model import BaseLlm
from agents.models.providers import claims, provider_of
from agents.scope import OUTSIDE, current_scope


class _Registered(dict[str, type[BaseLlm]]):
    """Regular expression → class that was registered for it. The last one that matches a name wins."""


class LLMRegistry:
    """Model names → model classes.

    The methods are static, as ADK's are. A class that a workspace's package registers is known in that workspace, see
    `Scope`; one that is registered outside of any, to all.
    """

    @staticmethod
    def register(llm_cls: type[BaseLlm]) -> None:
        """Registers a class for the names that its `supported_models()` match; it goes before earlier ones.

        Args:
            llm_cls: The class; it is called with `model=<name>`.

        Raises:
            ValueError: It gives no pattern, or one that is no regular expression.
        """
        patterns = llm_cls.supported_models()
        if not patterns:
            raise ValueError(
                f"{llm_cls.__name__} cannot be registered: its supported_models() is empty, so no name would find it. "
                'Return patterns, e.g. ["my-model-.*"].'
            )
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(
                    f"{llm_cls.__name__}.supported_models() gives {pattern!r}, which is no regular expression: {error}."
                ) from error
        registered = current_scope().part(_Registered)
        for pattern in patterns:
            registered.pop(pattern, None)
            registered[pattern] = llm_cls

    @staticmethod
    def resolve(model: str) -> type[BaseLlm]:
        """The class for a model name.

        Raises:
            ModelNotFoundError: No pattern matches the whole name.
        """
        for pattern, llm_cls in reversed(_registered()):
            if re.fullmatch(pattern, model):
                return llm_cls
        if (provider := provider_of(model)) is not None and provider.llm_class:
            return _load(provider.llm_class)
        raise ModelNotFoundError(
            f"No provider answers to the model {model!r}. Providers and the names they take: {known(_names_taken())}. "
            "Choose such a name, or give LLMRegistry.register a class of your own."
        )

    @staticmethod
    def new_llm(model: str) -> BaseLlm:
        """A model by its name. Needs no credentials; a provider asks for them when it is first called.

        Raises:
            ModelNotFoundError: No provider has a model of that name.
        """
        return LLMRegistry.resolve(model)(model=model)


def _registered() -> list[tuple[str, type[BaseLlm]]]:
    """Patterns and classes, those of this scope last."""
    here = current_scope()
    outer = OUTSIDE.part(_Registered).items() if here is not OUTSIDE else ()
    return [*outer, *here.part(_Registered).items()]


def _load(llm_class: str) -> type[BaseLlm]:
    module, _, name = llm_class.partition(":")
    return getattr(importlib.import_module(module), name)


def _names_taken() -> list[str]:
    """Each class with the patterns of the names that it takes."""
    by_pattern = {pattern: provider.llm_class.partition(":")[2] for pattern, provider in claims() if provider.llm_class}
    by_pattern |= {pattern: llm_cls.__name__ for pattern, llm_cls in _registered()}
    patterns: dict[str, list[str]] = {}
    for pattern, name in by_pattern.items():
        patterns.setdefault(name, []).append(pattern)
    return [f"{name} ({' or '.join(given)})" for name, given in patterns.items()]
