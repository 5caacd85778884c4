"""Model providers, one per file; `registry` finds the one for a model name and imports it then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.runtime.lazy import public_names

if TYPE_CHECKING:
    from agents.model import BaseLlm as BaseLlm
    from agents.model import LlmRequest as LlmRequest
    from agents.model import LlmResponse as LlmResponse
    from agents.models.gemini.model import Gemini as Gemini
    from agents.models.openai_compatible.model import Llama as Llama
    from agents.models.registry import LLMRegistry as LLMRegistry

__all__, __getattr__, __dir__ = public_names(
    __name__,
    {
        "agents.model": ("BaseLlm", "LlmRequest", "LlmResponse"),
        "agents.models.gemini.model": ("Gemini",),
        "agents.models.openai_compatible.model": ("Llama",),
        "agents.models.registry": ("LLMRegistry",),
    },
)
