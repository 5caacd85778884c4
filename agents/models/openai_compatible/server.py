"""The base of the providers that ask a user's own server: one call of it, and how its models take tools.

If a server refuses tools, a schema, or the name of a setting, it is asked again without; later calls leave it out at once.
Chunks arrive in OpenAI's format.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from google.genai import types
from pydantic import Field, SecretStr

from agents.errors import ApiKeyError, ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.abilities.learnt import Lesson, Lessons
from agents.models.connections import connection, redact, why_withheld
from agents.models.http_errors import caused_by, quoted
from agents.models.openai_compatible.errors import Refusal, Server, as_error
from agents.models.openai_compatible.format import Protocol, asks_for_json, declared_tools
from agents.models.openai_compatible.format_answer import OpenAIAnswer
from agents.models.openai_compatible.http import Exchange, HttpClients
from agents.models.provider import Provider
from agents.scope import current_scope

_LOOKING_SECONDS = 10.0  # seconds to wait for a server's list of models

_TOOLS = r"(?:tools?|function)[ _-]?(?:use|calls?|calling|param(?:eter)?)?"
_TOOLS_REFUSED = re.compile(
    rf"(?:not|n't|no) support(?:ed)? (?:for )?(?:native )?{_TOOLS}\s*(?:$|[.,;:!)·\"'\n]|for\b|with this\b|yet\b)"
    rf"|\b{_TOOLS} (?:is|are) (?:currently )?(?:not (?:supported|enabled|available|implemented)|unsupported|disabled)"
    rf"|\b{_TOOLS} requires? --|requires? --enable-auto-tool-choice|endpoints found that support tool use"
    r"|(?:unsupported|unknown|unrecognized|unexpected) (?:parameter|param|field|argument|key)s?:? "
    r"['\"`]?tools['\"`]?(?![\w\[.])",
    re.IGNORECASE,
)
"""What says that a server or a model has no tools. An error about one tool, its schema, or one call says no such thing."""
_LIMIT_REFUSED = re.compile(r"max_completion_tokens")
_SCHEMA_REFUSED = re.compile(r"response_format|\bformat\b|schema|grammar|guided|structured", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RequestFormat:
    """The form of requests to a model.

    Attributes:
        protocol: How tools are offered.
        constrained: Whether the server is to hold the answer to a schema.
        limit: The name of the answer's limit: OpenAI's newer models refuse the name that all others take.
    """

    protocol: Protocol = "native"
    constrained: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


class RequestFormats(Lessons[RequestFormat]):
    """The form of requests to models whose servers refused the usual one."""


class ServedLlm(BaseLlm):
    """A model on the user's own server.

    Attributes:
        model: The provider's name, a slash, and the model's name on the server.
        base_url: The server's address; None for the one on the Settings page or in the environment.
        api_key: The key; None for that of the Settings page or of the environment, if there is one.
        timeout: Seconds of silence after which a call fails: until the first chunk and between chunks when streaming,
            else until the answer is there.
        retry_options: The retry policy; None for the default one.
        tool_protocol: "native" for the server's own tool calls, "json" for the JSON protocol, "auto" to find out.
        max_output_tokens: The limit of an answer where the agent sets none: small models may never come to an end.
    """

    provider: ClassVar[Provider]
    server: ClassVar[type[Server]] = Server

    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = Field(default=180.0, gt=0)
    retry_options: types.HttpRetryOptions | None = None
    tool_protocol: Literal["auto", "native", "json"] = "auto"
    max_output_tokens: int = Field(default=2048, gt=0)

    @classmethod
    def supported_models(cls) -> list[str]:
        """All names with the provider's prefix."""
        return cls.provider.name_patterns

    @property
    def pairs_calls_by_id(self) -> bool:
        """Whether ids are needed: servers pair calls and results by them, the JSON protocol has none."""
        return self.tool_protocol != "json"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Asks the server; see `BaseLlm`. Closing the generator, or cancelling the task, closes the connection.

        Raises:
            ApiKeyError: The server wants a key, or another one.
            ModelTimeoutError: Silence for `timeout` seconds.
            EmptyResponseError: No answer and no reason.
            ProviderError: Any other failure.
        """
        exchange = self._exchange(llm_request.model or self.model)
        tools = declared_tools(llm_request)
        request_format = await self._format(exchange, llm_request)
        while True:
            answer = OpenAIAnswer(
                exchange.server.model,
                tools=tools,
                protocol=request_format.protocol,
                prefix=self.provider.prefix,
                asks_for_json=asks_for_json(llm_request),
            )
            begun, refused = False, None
            try:
                async with aclosing(self._chunks(exchange, llm_request, request_format, stream=stream)) as chunks:
                    async for chunk in chunks:
                        for shown in answer.add(chunk):
                            begun = True
                            if stream:
                                yield shown
            except Refusal as refusal:
                refused = refusal
            if refused is None:
                yield answer.whole(streamed=stream)
                return
            other = None if begun else self._other_format(refused, request_format, llm_request)
            if other is None:
                raise error_of(refused, exchange)
            lesson = _lesson(exchange, other, request_format, refused)
            current_scope().part(RequestFormats).put(exchange.server.address, exchange.server.model, other, lesson)
            if other.limit == request_format.limit:
                _note(exchange.server, other, refused, llm_request)
            request_format = other

    async def aclose(self) -> None:
        """Closes the connections of this event loop, also those of other models; later calls open new ones."""
        await current_scope().part(HttpClients).close_here()

    @abstractmethod
    def _chunks(
        self, exchange: Exchange, request: LlmRequest, request_format: RequestFormat, *, stream: bool
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Asks once; the answer in OpenAI's chunks, or as one.

        Raises:
            Refusal: The server answered with an error.
            ProviderError: It did not answer, or not with JSON.
        """
        raise NotImplementedError

    @abstractmethod
    async def _protocol(self, exchange: Exchange) -> Protocol:
        """How tools are best offered to the model, as far as its server tells."""
        raise NotImplementedError

    def _exchange(self, model: str) -> Exchange:
        name = self.provider.name
        held = connection(name, base_url=self.base_url, api_key=self.api_key)
        server = self.server(model, held.base_url.rstrip("/"), why_withheld(name, held))
        key = (held.api_key or SecretStr("")).get_secret_value().strip()
        if not (key.isascii() and key.isprintable()):  # the HTTP library would quote it
            raise ApiKeyError(
                f"The API key for {server} cannot be one: it has line breaks or letters that no key has. Copy it again.",
                code="API_KEY_INVALID",
            )
        return Exchange(server, SecretStr(key) if key else None, lambda: self.timeout)

    async def _format(self, exchange: Exchange, request: LlmRequest) -> RequestFormat:
        server = exchange.server
        request_format = current_scope().part(RequestFormats).get(server.address, server.model) or RequestFormat()
        if self.tool_protocol != "auto":
            return replace(request_format, protocol=self.tool_protocol)
        if request_format.protocol == "native" and declared_tools(request):
            return replace(request_format, protocol=await self._protocol(exchange))
        return request_format

    def _other_format(self, refusal: Refusal, request_format: RequestFormat, request: LlmRequest) -> RequestFormat | None:
        """Another form after a refusal; None where that would not help."""
        if request_format.limit == "max_tokens" and refusal.mentions(_LIMIT_REFUSED):
            return replace(request_format, limit="max_completion_tokens")
        may_change = self.tool_protocol == "auto" and request_format.protocol == "native" and declared_tools(request)
        if may_change and refusal.mentions(_TOOLS_REFUSED):
            return replace(request_format, protocol="json")
        is_held = asks_for_json(request) or (request_format.protocol == "json" and declared_tools(request))
        if is_held and request_format.constrained and refusal.mentions(_SCHEMA_REFUSED):
            return replace(request_format, constrained=False)
        return None


def _note(server: Server, request_format: RequestFormat, refusal: Refusal, request: LlmRequest) -> None:
    """Records in the trace why tools are offered by the JSON protocol."""
    if request.observer is not None and request_format.protocol == "json":
        how = "refused tools" if request_format.constrained else "refused to hold the answer to a schema"
        reason = f"The server {how} ({refusal.status}: {quoted(refusal.said)})"
        request.observer.note("tool_protocol", model=server.model, protocol="json", reason=reason)


def _lesson(exchange: Exchange, request_format: RequestFormat, before: RequestFormat, refusal: Refusal) -> Lesson:
    if request_format.protocol != before.protocol:
        what = "Tools are called by JSON that the model writes, because the server says that it has none"
    elif request_format.constrained != before.constrained:
        what = "Answers are not held to a schema, because the server refused one"
    else:
        what = "The limit of an answer is sent as max_completion_tokens, because the server refused max_tokens"
    key = (exchange.key.get_secret_value(),) if exchange.key else ()
    said = redact(f"{what} ({refusal.status}: {quoted(refusal.said)})", *key)
    return Lesson(exchange.server.shown_address, exchange.server.model, said)


def error_of(refusal: Refusal, exchange: Exchange) -> ProviderError:
    """The error to raise for a refusal, without the key. It quotes all of the refusal, which is therefore not its cause."""
    key = exchange.key.get_secret_value() if exchange.key else None
    raised = caused_by(as_error(refusal, exchange.server), refusal, key=key)
    raised.__cause__ = None
    return raised


async def looked_up(exchange: Exchange, path: str, body: Any = None) -> dict[str, Any]:
    """A server's description of itself.

    Raises:
        ProviderError: It did not say.
    """
    try:
        return await replace(exchange, patience=lambda: _LOOKING_SECONDS).ask(path, body)
    except Refusal as refusal:
        refused = refusal
    raise error_of(refused, exchange)
