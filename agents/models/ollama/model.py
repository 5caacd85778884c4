"""Ollama through its own chat API, which tells more than its OpenAI-compatible one: a model's abilities and context length.

Does not retry: an error says whether a retry is worth it (`retryable`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from agents.errors import ProviderError
from agents.model import LlmRequest
from agents.models.abilities.learnt import Lessons
from agents.models.ollama.format import as_openai, ollama_body
from agents.models.ollama.spec import PROVIDER
from agents.models.openai_compatible.errors import Server
from agents.models.openai_compatible.format import Protocol
from agents.models.openai_compatible.http import Exchange
from agents.models.openai_compatible.server import RequestFormat, ServedLlm, looked_up
from agents.models.provider import Provider
from agents.scope import current_scope

_CHAT, _MODELS, _SHOW = "/api/chat", "/api/tags", "/api/show"


@dataclass(frozen=True, slots=True)
class _Abilities:
    """What a model can do; None where Ollama does not say, as older ones do not."""

    words: frozenset[str] | None = None
    longest_context: int | None = None

    def has(self, word: str, *, otherwise: bool) -> bool:
        return otherwise if self.words is None else word in self.words


class _Known(Lessons[_Abilities]):
    """What models can do."""


class OllamaServer(Server):
    """An Ollama server in error messages."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """Its name."""
        return "Ollama"

    @property
    def how_to_start(self) -> str:
        """The command."""
        return "Start Ollama (`ollama serve`)"

    @property
    def key_settings(self) -> tuple[str, str]:
        """Only an Ollama behind a proxy wants a key, which neither the environment nor the Settings page has."""
        return (
            "Check the argument `api_key` of Ollama where the model is made.",
            "Give it where the model is made, as the argument `api_key` of Ollama.",
        )

    def unknown(self, said: str, why: str) -> str:
        """The command that fetches the model; see `Server`."""
        cure = f"Fetch it with `ollama pull {self.bare_model}`, or choose one that is there on the Settings page."
        return f"has no model {self.bare_model!r} {why} {cure}"


class Ollama(ServedLlm):
    """A model of Ollama's; see `ServedLlm` for its settings.

    Attributes:
        model: "ollama/" and the model's name in Ollama, e.g. "ollama/qwen2.5:1.5b".
        base_url: Where Ollama is; None for the address on the Settings page or in `OLLAMA_HOST`.
        api_key: A key, for an Ollama behind a proxy that wants one.
    """

    provider: ClassVar[Provider] = PROVIDER
    server: ClassVar[type[Server]] = OllamaServer

    @classmethod
    async def list_models(cls) -> list[str]:
        """The models that were pulled; see `BaseLlm.list_models`."""
        exchange = cls(model=PROVIDER.prefix)._exchange("")
        listed: Any = (await looked_up(exchange, _MODELS)).get("models")
        models = cast("list[Any]", listed) if isinstance(listed, list) else []
        return [f"{PROVIDER.prefix}{model['name']}" for model in models if isinstance(model, dict) and "name" in model]

    async def _chunks(
        self, exchange: Exchange, request: LlmRequest, request_format: RequestFormat, *, stream: bool
    ) -> AsyncGenerator[dict[str, Any], None]:
        can = await self._abilities(exchange)
        body = ollama_body(
            request,
            model=exchange.server.bare_model,
            stream=stream,
            protocol=request_format.protocol,
            constrained=request_format.constrained,
            max_output_tokens=self.max_output_tokens,
            longest_context=can.longest_context,
            sees=can.has("vision", otherwise=True),
            thinks=can.has("thinking", otherwise=False),
        )
        if not stream:
            yield as_openai(await exchange.ask(_CHAT, body))
            return
        async with aclosing(exchange.stream(_CHAT, body)) as chunks:
            async for chunk in chunks:
                yield as_openai(chunk)

    async def _protocol(self, exchange: Exchange) -> Protocol:
        return "native" if (await self._abilities(exchange)).has("tools", otherwise=True) else "json"

    async def _abilities(self, exchange: Exchange) -> _Abilities:
        """What the model can do; asked once an hour."""
        place = exchange.server.address, exchange.server.model
        known = current_scope().part(_Known)
        if (abilities := known.get(*place)) is None:
            try:
                shown = await looked_up(exchange, _SHOW, {"model": exchange.server.bare_model})
            except ProviderError:
                return _Abilities()  # not a failure: the request itself will show whether the server answers
            abilities = _read(shown)
            known.put(*place, abilities)
        return abilities


def _read(shown: dict[str, Any]) -> _Abilities:
    words: Any = shown.get("capabilities")
    facts: Any = shown.get("model_info")
    held = cast("dict[str, Any]", facts) if isinstance(facts, dict) else {}
    longest = next((value for name, value in held.items() if name.endswith(".context_length")), None)
    return _Abilities(
        words=frozenset(str(word) for word in cast("list[Any]", words)) if isinstance(words, list) else None,
        longest_context=longest if isinstance(longest, int) and longest > 0 else None,
    )
