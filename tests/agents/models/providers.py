"""Every model provider, made to answer as a test says: what the conformance suite runs over.

A new provider joins with a class like these, here or in a module of its own, and a line in `PROVIDERS`.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from google.genai import types
from pydantic import SecretStr

from agents.errors import ApiKeyError, EmptyResponseError, ModelTimeoutError, ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.answer import content_of
from agents.models.gemini.model import Gemini
from agents.models.scripted import ScriptedLlm, call
from agents.models.simulated.model import Reply, SimulatedLlm
from agents.tools.function import FunctionTool
from tests.standins import gemini

Fixture = Callable[[str], Any]


@dataclass(frozen=True)
class Said:
    """An answer that a provider is to give. `stop` is what interrupts it; None lets it come to its end."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    thought: str = ""
    stop: str | None = None


SERVER_FAULTS: dict[str, type[ProviderError]] = {
    "overloaded": ProviderError,  # 503
    "internal": ProviderError,  # 500
    "over_quota": ProviderError,  # 429 with the delay that is asked for
    "unknown_model": ProviderError,
    "bad_key": ApiKeyError,
    "missing_key": ApiKeyError,
    "cut": ProviderError,  # after the first piece
    "cut_early": ProviderError,  # before it
    "malformed": ProviderError,
    "empty": EmptyResponseError,
    "silent": ModelTimeoutError,  # the first byte is late
}
"""What can go wrong with a provider that asks a server, and the error it must become."""

KEY = "key-of-a-test"
"""The key that is sent, and that nobody may see."""


class Provider:
    """A provider under test.

    `stops` are the interruptions, and `faults` the failures with the error each must become, that it can have.
    """

    stops: ClassVar[tuple[str, ...]] = ()
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {}
    counts_tokens: ClassVar[bool] = True
    hangs_in_mid_stream: ClassVar[bool] = True

    def will(self, *said: Said) -> BaseLlm:
        """The model, which is to give these answers to the next calls."""
        raise NotImplementedError

    def will_fail(self, fault: str) -> BaseLlm:
        """The model, whose next call is to fail so; with retries off."""
        raise NotImplementedError

    def will_hang(self) -> BaseLlm:
        """The model, whose next answer begins, if it streams, and does not end."""
        raise NotImplementedError

    def last_sent(self) -> str | None:
        """The last request as JSON, as the server got it; None where there is no server."""
        return None

    async def hangs(self) -> None:
        """Returns when the model is in the middle of the answer that does not end."""
        raise NotImplementedError

    async def let_go(self) -> None:
        """Returns when the provider has noticed that nobody waits for that answer any more."""
        raise NotImplementedError

    async def close(self) -> None:
        """Ends what the test has left open."""


class Scripted(Provider):
    stops = ("max_tokens", "safety")
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {
        "overloaded": ProviderError,
        "bad_key": ApiKeyError,
        "silent": ModelTimeoutError,
    }
    counts_tokens = False
    hangs_in_mid_stream = False

    def __init__(self, _fixture: Fixture) -> None:
        self._hangs, self._let_go = asyncio.Event(), asyncio.Event()

    def will(self, *said: Said) -> BaseLlm:
        return ScriptedLlm(script=[self._response(one) for one in said])

    def _response(self, said: Said) -> LlmResponse:
        content = content_of(said.text, [call(name, **args) for name, args in said.calls], thought=said.thought)
        failed = {"error_code": "SAFETY", "error_message": "Held back."} if said.stop == "safety" else {}
        return LlmResponse(content=content, stop_reason=said.stop, **failed)

    def will_fail(self, fault: str) -> BaseLlm:
        return ScriptedLlm(script=[self.faults[fault]("Failed as the script says.", retryable=fault != "bad_key")])

    def will_hang(self) -> BaseLlm:
        async def hang(_request: LlmRequest) -> str:
            self._hangs.set()
            try:
                await asyncio.Event().wait()
            finally:
                self._let_go.set()
            return ""

        return ScriptedLlm(script=[hang])

    async def hangs(self) -> None:
        await self._hangs.wait()

    async def let_go(self) -> None:
        await self._let_go.wait()


class Simulated(Provider):
    stops = ("max_tokens",)
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {"raises": ProviderError}

    def __init__(self, _fixture: Fixture) -> None:
        self._hangs = asyncio.Event()

    def will(self, *said: Said) -> BaseLlm:
        replies = iter(said)

        def simulation(_request: object) -> Reply:
            one = next(replies)
            more = " and words past the limit" if one.stop == "max_tokens" else ""
            return Reply(one.text + more, one.calls, one.thought)

        return SimulatedLlm(simulation={"agent": simulation}, words_per_second=0)

    def will_fail(self, fault: str) -> BaseLlm:
        def simulation(_request: object) -> str:
            raise LookupError(fault)

        return SimulatedLlm(simulation={"agent": simulation}, words_per_second=0)

    def will_hang(self) -> BaseLlm:
        def simulation(_request: object) -> str:
            self._hangs.set()
            return "word " * 100_000

        return SimulatedLlm(simulation={"agent": simulation}, words_per_second=100)

    async def hangs(self) -> None:
        await self._hangs.wait()

    async def let_go(self) -> None:
        """There is nobody else to notice."""


class GeminiOverHttp(Provider):
    stops = ("max_tokens", "safety", "error")
    faults = SERVER_FAULTS
    _finish: ClassVar[Mapping[str | None, str]] = {
        None: "STOP",
        "max_tokens": "MAX_TOKENS",
        "safety": "SAFETY",
        "error": "MALFORMED_FUNCTION_CALL",
    }

    def __init__(self, fixture: Fixture) -> None:
        self._server: gemini.GeminiStandIn = fixture("gemini_server")
        self._environment: pytest.MonkeyPatch = fixture("monkeypatch")
        once = types.HttpRetryOptions(attempts=1)
        self._model = Gemini(api_key=SecretStr(KEY), base_url=self._server.url, retry_options=once)

    def will(self, *said: Said) -> BaseLlm:
        self._server.will(*(self._answer(one) for one in said))
        return self._model

    def _answer(self, said: Said) -> gemini.Answer:
        thought = [gemini.chunk({"text": said.thought, "thought": True})] if said.thought else []
        half = len(said.text) // 2
        text = [gemini.chunk({"text": half}) for half in (said.text[:half], said.text[half:]) if half]
        calls = [gemini.chunk({"functionCall": {"name": name, "args": args}}) for name, args in said.calls]
        end = gemini.chunk(finish=self._finish[said.stop], usage=True)
        return gemini.Answer((*thought, *text, *calls, end))

    def will_fail(self, fault: str) -> BaseLlm:
        match fault:
            case "silent":
                self._server.will(gemini.pauses())
                return self._model.model_copy(update={"timeout": 0.05})
            case "missing_key":
                for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
                    self._environment.delenv(name, raising=False)
                return self._model.model_copy(update={"api_key": None})
            case "cut":
                self._server.will(gemini.cut("Once upon "))
            case "cut_early":
                self._server.will(gemini.cut())
            case _:
                self._server.will(getattr(gemini, fault)())
        return self._model

    def will_hang(self) -> BaseLlm:
        self._server.will(gemini.pauses("Once upon "))
        return self._model

    async def hangs(self) -> None:
        assert await asyncio.to_thread(self._server.paused.wait, 10)

    async def let_go(self) -> None:
        assert await asyncio.to_thread(self._server.disconnected.wait, 10)

    def last_sent(self) -> str | None:
        return json.dumps(self._server.received[-1].body)

    async def close(self) -> None:
        await self._model.aclose()


PROVIDERS = {
    "scripted": "providers:Scripted",
    "simulated": "providers:Simulated",
    "gemini": "providers:GeminiOverHttp",
    "llama": "providers_llama:LlamaNative",
    "llama-json": "providers_llama:LlamaJson",
    "ollama": "providers_llama:OllamaOverHttp",
    "replay": "providers_replay:Replay",
    "local": "providers_local:Local",
}
"""Each provider's class, in a module beside this one."""


def provider_class(name: str) -> type[Provider]:
    """The class of a provider; its module is imported now."""
    module, _, found = PROVIDERS[name].partition(":")
    return getattr(importlib.import_module(f"{__package__}.{module}"), found)


def request(*texts: str, functions: Sequence[Callable[..., Any]] = (), **config: Any) -> LlmRequest:
    """A request of the agent "agent"."""
    contents = [types.Content(role="user", parts=[types.Part(text=text)]) for text in texts or ("Hello?",)]
    settings = {"labels": {"adk_agent_name": "agent"}, "system_instruction": "Answer.", **config}
    made = LlmRequest(contents=contents, config=types.GenerateContentConfig(**settings))
    made.append_tools([FunctionTool(function) for function in functions])
    return made


async def ask(model: BaseLlm, asked: LlmRequest | None = None, *, stream: bool = False) -> list[LlmResponse]:
    """All that a model answers."""
    return await take([], model.generate_content_async(asked or request(), stream=stream))


async def take(into: list[LlmResponse], responses: AsyncGenerator[LlmResponse, None]) -> list[LlmResponse]:
    """Puts the responses into a list, where they are if the next one fails."""
    async with aclosing(responses):
        async for response in responses:
            into.append(response)  # noqa: PERF401  a comprehension would keep them until the end
    return into
