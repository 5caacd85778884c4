"""Gemini through google-genai's async client and the Gemini Developer API.

Does not retry: an error says whether a retry is worth it (`retryable`) and when (`retry_after`), and
`agents.models.retry` does it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from google import genai
from google.genai import types
from google.genai.models import AsyncModels
from pydantic import Field, SecretStr

from agents.errors import ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.connections import LoopClients, connection
from agents.models.gemini.answer import GeminiAnswer
from agents.models.gemini.errors import as_provider_error, missing_key, odd_key, silence, withheld_key
from agents.models.gemini.names import nearest_names
from agents.models.gemini.spec import PROVIDER
from agents.scope import current_scope

_Answer = TypeVar("_Answer")
_Chunk = types.GenerateContentResponse

_OWN_LABEL = "adk_agent_name"
_GO_ON = "Continue with your task as instructed."
_GENERATES = "generateContent"
_PAGE = 1000  # the longest list of models that the server sends in one page
_LISTING_TIMEOUT = 20.0
_NOT_FOUND = "404"


class GeminiClients(LoopClients[tuple[str, str], genai.Client]):
    """Clients by key and server. Agents share them: each costs a tenth of a second and connections of its own."""

    async def close(self, client: genai.Client) -> None:
        """See `LoopClients`."""
        await client.aio.aclose()


class Gemini(BaseLlm):
    """A Gemini model.

    Attributes:
        model: Its name, e.g. "gemini-flash-latest", which stays when a version of it goes.
        api_key: The key; None for the one that was typed, else `GOOGLE_API_KEY`, else `GEMINI_API_KEY`, read at each call.
        base_url: Another server than Google's; None for the one that was typed, else `GOOGLE_GEMINI_BASE_URL`, if set.
        timeout: Seconds of silence after which a call fails: until the first chunk and between chunks when streaming,
            else until the answer is there.
        retry_options: The retry policy; None for the default one, see
            `agents.models.retry`. `attempts=1` for never.
    """

    model: str = PROVIDER.models[0]
    api_key: SecretStr | None = None
    base_url: str | None = None
    timeout: float = Field(default=180.0, gt=0)
    retry_options: types.HttpRetryOptions | None = None

    @classmethod
    def supported_models(cls) -> list[str]:
        """Gemini models, by their name or their resource name."""
        return PROVIDER.name_patterns

    @classmethod
    async def list_models(cls) -> list[str]:
        """The Gemini models that the key may call and that generate content; see `BaseLlm`."""
        return await cls(timeout=_LISTING_TIMEOUT)._list()

    async def _list(self) -> list[str]:
        key, url = self._address()
        client = _client(key, url)
        try:
            listed = await self._in_time(_all_models(client), None, key)
        finally:
            await client.aio.aclose()
        names = [(one.name or "").removeprefix("models/") for one in listed if _GENERATES in (one.supported_actions or ())]
        return [name for name in names if name.startswith("gemini-")]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Asks Gemini; see `BaseLlm`. Closing the generator, or cancelling the task, closes the connection.

        The request is sent without our own call ids and label. What was held back has `stop_reason` "safety", and a blocked
        prompt too.

        Raises:
            ApiKeyError: No key, or one that is not accepted.
            ModelTimeoutError: Silence for `timeout` seconds.
            EmptyResponseError: No answer and no reason.
            ProviderError: Any other failure.
        """
        key, url = self._address()
        model = llm_request.model or self.model
        models = self._client_for(key, url).aio.models
        arguments: dict[str, Any] = {
            "model": model,
            "contents": _sent_contents(llm_request.contents),
            "config": _sent_config(llm_request.config),
        }
        answer, is_shown, failed = GeminiAnswer(model), False, None
        try:
            async with aclosing(self._answered(models, arguments, answer, key, stream=stream)) as pieces:
                async for shown in pieces:
                    is_shown = is_shown or bool(shown.text)
                    yield shown
        except ProviderError as error:
            failed = error
        if failed is not None:
            raise await self._with_names(failed, model)
        if answer.is_malformed and not is_shown:
            _note_malformed(llm_request, model)
            again = GeminiAnswer(model, before=answer)
            with suppress(ProviderError):  # then the first answer says what is wrong
                async with aclosing(self._answered(models, arguments, again, key, stream=stream)) as pieces:
                    async for shown in pieces:
                        yield shown
                answer = again
        yield answer.whole(streamed=stream)

    async def _answered(
        self, models: AsyncModels, arguments: dict[str, Any], answer: GeminiAnswer, key: str, *, stream: bool
    ) -> AsyncGenerator[LlmResponse, None]:
        """Asks once; collects the answer, and yields pieces of it if `stream`."""
        model: str = arguments["model"]
        if not stream:
            for _ in answer.add(await self._in_time(models.generate_content(**arguments), model, key)):
                pass  # the pieces of an answer that came in one chunk
            return
        async with aclosing(_read_ahead(lambda: models.generate_content_stream(**arguments))) as chunks:
            while (chunk := await self._in_time(anext(chunks, None), model, key)) is not None:
                for shown in answer.add(chunk):
                    yield shown

    async def _with_names(self, error: ProviderError, model: str) -> ProviderError:
        """The error; one that the server does not have the model with the names of those to take instead."""
        if error.code != _NOT_FOUND:
            return error
        try:
            names, where = await self.model_copy(update={"timeout": _LISTING_TIMEOUT})._list(), "The server has"
        except ProviderError:
            names, where = list(PROVIDER.models), "There are"
        if near := nearest_names(model, names):
            error.args = (f"{error} {where}, nearest first: {', '.join(near)}.",)
        return error

    async def aclose(self) -> None:
        """Closes the connections of this event loop, also those of other `Gemini`s; later calls open new ones.

        Only needed if an event loop ends before the process: open connections would cause warnings.
        """
        await current_scope().part(GeminiClients).close_here()

    def _address(self) -> tuple[str, str]:
        """The key and the server, as they are now.

        Raises:
            ApiKeyError: There is no key, or one that cannot be sent.
        """
        held = connection(PROVIDER.name, base_url=self.base_url, api_key=self.api_key)
        key = held.api_key.get_secret_value().strip() if held.api_key else ""  # a key read from a file has a line end
        if not key:
            raise withheld_key(held) if held.withheld else missing_key()
        if not (key.isascii() and key.isprintable()):
            raise odd_key()
        return key, held.base_url

    def _client_for(self, key: str, url: str) -> genai.Client:
        """The client, created on first use and again after a change of the key or the server."""
        return current_scope().part(GeminiClients).here((key, url), lambda: _client(key, url))

    async def _in_time(self, step: Awaitable[_Answer], model: str | None, key: str) -> _Answer:
        """Awaits the SDK; its time-outs differ by transport, so the clock is ours."""
        clock = asyncio.timeout(self.timeout)
        try:
            async with clock:
                return await step
        except Exception as error:  # noqa: BLE001  nothing is swallowed: each leaves as a ProviderError
            is_ours = isinstance(error, TimeoutError) and clock.expired()
            failure = silence(model, self.timeout) if is_ours else as_provider_error(error, model=model, key=key)
        raise failure  # outside of `except`, so that a cause with a key in it is not the context either


def _note_malformed(request: LlmRequest, model: str) -> None:
    """Records that the model is asked once more because it wrote a tool call that cannot be read."""
    if request.observer is not None:
        why = "The model wrote a tool call that cannot be read, and was asked once more."
        request.observer.note("model_retry", model=model, attempt=1, delay=0.0, error=why, code="MALFORMED_FUNCTION_CALL")


def _client(key: str, url: str) -> genai.Client:
    options = types.HttpOptions(
        base_url=url,
        # One attempt: without this the aiohttp transport waits up to ten seconds and tries once more, unasked.
        retry_options=types.HttpRetryOptions(attempts=1),
        # A redirect would take the key to another server. The names that httpx2 and aiohttp have for it.
        async_client_args={"follow_redirects": False, "allow_redirects": False},
    )
    return genai.Client(api_key=key, vertexai=False, http_options=options)


async def _all_models(client: genai.Client) -> list[types.Model]:
    return [one async for one in await client.aio.models.list(config={"page_size": _PAGE})]


async def _read_ahead(ask: Callable[[], Awaitable[AsyncIterator[_Chunk]]]) -> AsyncGenerator[_Chunk, None]:
    """The chunks of a stream, read by a task of their own.

    Closing the SDK's stream between two chunks leaves its connection open until the garbage is collected. A reader that
    is cancelled closes it at once, since it is always waiting on the connection.
    """
    arrived: asyncio.Queue[_Chunk | Exception | None] = asyncio.Queue()

    async def read() -> None:
        try:
            async for chunk in await ask():
                arrived.put_nowait(chunk)
            arrived.put_nowait(None)
        except Exception as error:  # noqa: BLE001  raised below, in the waiting task
            arrived.put_nowait(error)

    reader = asyncio.create_task(read())
    try:
        while (chunk := await arrived.get()) is not None:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk
    finally:
        reader.cancel()
        await asyncio.wait({reader})


def _sent_config(config: types.GenerateContentConfig) -> types.GenerateContentConfig:
    """The settings as sent: without our label, and with the SDK's own tool calls and retries turned off."""
    labels = {name: value for name, value in (config.labels or {}).items() if name != _OWN_LABEL}
    http = config.http_options
    return config.model_copy(
        update={
            "labels": labels or None,
            "http_options": http and http.model_copy(update={"retry_options": None}),
            "automatic_function_calling": types.AutomaticFunctionCallingConfig(disable=True),
        }
    )


def _sent_contents(contents: list[types.Content]) -> list[types.Content]:
    """The conversation as sent: ending with the user, as Gemini requires."""
    contents = [_without_names(content) for content in contents]
    if contents and contents[-1].role != "model":
        return contents
    return [*contents, types.Content(role="user", parts=[types.Part(text=_GO_ON)])]


def _without_names(content: types.Content) -> types.Content:
    """A content whose files have no names, which this API does not take."""
    parts = content.parts or []
    if not any(part.inline_data and part.inline_data.display_name for part in parts):
        return content
    named = [
        part.model_copy(update={"inline_data": part.inline_data.model_copy(update={"display_name": None})})
        if part.inline_data
        else part
        for part in parts
    ]
    return content.model_copy(update={"parts": named})
