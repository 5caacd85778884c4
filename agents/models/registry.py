"""Finds the provider for a model name. Imports a provider's module when one of its models is first wanted.

Knows of a provider its patterns and where its class is, nothing more.
"""

from __future__ import annotations

import importlib
import re

from agents.errors import ModelNotFoundError, known
from agents.model import BaseLlm

_providers: dict[str, type[BaseLlm] | str] = {
    r"gemini-.*": "agents.models.gemini.model:Gemini",
    r"models/gemini-.*": "agents.models.gemini.model:Gemini",
    r".+\.gguf": "agents.models.local.model:LocalLlm",
    r"llama/.+": "agents.models.openai_compatible.model:Llama",
    r"ollama/.+": "agents.models.ollama.model:Ollama",
    r"local/.+": "agents.models.local.model:LocalLlm",
    r"simulated": "agents.models.simulated.model:SimulatedLlm",
}
"""Regular expression → class, or "module:Class" until it is first used. The last one that matches a name wins."""

_found: dict[str, type[BaseLlm]] = {}


class LLMRegistry:
    """Model names → model classes."""

    @staticmethod
    def register(llm_cls: type[BaseLlm]) -> None:
        """Makes a class answer to the names that its `supported_models()` match, before any registered earlier.

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
        for pattern in patterns:
            _providers.pop(pattern, None)
            _providers[pattern] = llm_cls
        _found.clear()

    @staticmethod
    def resolve(model: str) -> type[BaseLlm]:
        """The class for a model name.

        Raises:
            ModelNotFoundError: No pattern matches the whole name.
        """
        if (found := _found.get(model)) is not None:
            return found
        for pattern, provider in reversed(list(_providers.items())):
            if re.fullmatch(pattern, model):
                _found[model] = found = _load(provider)
                return found
        patterns: dict[str, list[str]] = {}
        for pattern, provider in _providers.items():
            name = provider.partition(":")[2] if isinstance(provider, str) else provider.__name__
            patterns.setdefault(name, []).append(pattern)
        there_are = known(f"{name} ({' or '.join(given)})" for name, given in patterns.items())
        raise ModelNotFoundError(
            f"No provider answers to the model {model!r}. Providers and the names they take: {there_are}. "
            "Choose such a name, or give LLMRegistry.register a class of your own."
        )

    @staticmethod
    def new_llm(model: str) -> BaseLlm:
        """A model by its name. Needs no credentials; a provider asks for them when it is first called.

        Raises:
            ModelNotFoundError: No provider answers to the name.
        """
        return LLMRegistry.resolve(model)(model=model)


def _load(provider: type[BaseLlm] | str) -> type[BaseLlm]:
    if not isinstance(provider, str):
        return provider
    module, _, name = provider.partition(":")
    return getattr(importlib.import_module(module), name)
