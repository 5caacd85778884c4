"""Any server with OpenAI's chat completions: llama.cpp's, vLLM, LM Studio, hosted ones.

Detects which servers have native tool calls. Does not retry: an error says whether a retry is worth it (`retryable`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, ClassVar, cast

from agents.errors import ProviderError
from agents.model import LlmRequest
from agents.models.abilities.learnt import Lessons
from agents.models.openai_compatible.format import Protocol, answer_schema, body_of, say_bounds
from agents.models.openai_compatible.http import Exchange
from agents.models.openai_compatible.server import RequestFormat, ServedLlm, looked_up
from agents.models.openai_compatible.spec import PROVIDER
from agents.models.provider import Provider
from agents.scope import current_scope

_CHAT, _MODELS = "/chat/completions", "/models"
_WRITES_JSON_BETTER = "llamacpp"
"""`owned_by` of a server whose models, small ones mostly, are better held to JSON than asked for calls."""


class _Protocols(Lessons[Protocol]):
    """How servers' models are best told of tools."""


class Llama(ServedLlm):
    """A model behind an OpenAI-compatible endpoint; see `ServedLlm` for its settings.

    Attributes:
        model: "llama/" and the model's name on the server, e.g. "llama/qwen2.5". A server with one model takes any.
        base_url: The server's address with its `/v1`; None for the one on the Settings page or in `LLAMA_BASE_URL`.
        api_key: The key; None for that of the Settings page or in `LLAMA_API_KEY`, if there is one.
    """

    provider: ClassVar[Provider] = PROVIDER

    model: str = f"{PROVIDER.prefix}default"

    @classmethod
    async def list_models(cls) -> list[str]:
        """The models that the server has; see `BaseLlm.list_models`."""
        listed = _models_in(await looked_up(cls()._exchange(""), _MODELS))
        return [f"{PROVIDER.prefix}{model['id']}" for model in listed if isinstance(model.get("id"), str)]

    async def _chunks(
        self, exchange: Exchange, request: LlmRequest, request_format: RequestFormat, *, stream: bool
    ) -> AsyncGenerator[dict[str, Any], None]:
        is_held = request_format.constrained and (
            request_format.protocol == "json" or answer_schema(request.config) is not None
        )
        bounds = is_held and await self._protocol(exchange) == "json"  # which only llama.cpp's is told
        if bounds:
            say_bounds(request, request_format.protocol)
        body = body_of(
            request,
            model=exchange.server.bare_model,
            stream=stream,
            protocol=request_format.protocol,
            constrained=request_format.constrained,
            bounds=bounds,
            max_output_tokens=self.max_output_tokens,
        )
        body[request_format.limit] = body.pop("max_tokens")
        if not stream:
            yield await exchange.ask(_CHAT, body)
            return
        async with aclosing(exchange.stream(_CHAT, body)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _protocol(self, exchange: Exchange) -> Protocol:
        """The server is identified once an hour."""
        address = exchange.server.address
        if (protocol := current_scope().part(_Protocols).get(address, "")) is None:
            try:
                listed = _models_in(await looked_up(exchange, _MODELS))
            except ProviderError:
                return "native"  # not a failure: the request itself will show whether the server answers
            owners = {model.get("owned_by") for model in listed}
            protocol = "json" if _WRITES_JSON_BETTER in owners else "native"
            current_scope().part(_Protocols).put(address, "", protocol)
        return protocol


def _models_in(listed: dict[str, Any]) -> list[dict[str, Any]]:
    data: Any = listed.get("data")
    if not isinstance(data, list):
        return []
    return [cast("dict[str, Any]", one) for one in cast("list[Any]", data) if isinstance(one, dict)]
