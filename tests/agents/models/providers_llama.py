"""The providers that ask a server of one's own, over the stand-ins for such servers."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar

import pytest
from google.genai import types
from pydantic import SecretStr

from agents.errors import ProviderError
from agents.model import BaseLlm
from agents.models.ollama.model import Ollama
from agents.models.openai_compatible.model import Llama
from agents.models.openai_compatible.server import ServedLlm
from tests.agents.models.providers import KEY, SERVER_FAULTS, Fixture, Provider, Said
from tests.standins import ollama_server, openai_server
from tests.standins.server import Answer, Received, StandIn

ONCE = types.HttpRetryOptions(attempts=1)


class _OverHttp(Provider):
    """What these providers have in common; `wire` makes the answers of their servers."""

    wire: ClassVar[ModuleType]
    _server: StandIn
    _model: ServedLlm

    def __init__(self, fixture: Fixture) -> None:
        self._environment: pytest.MonkeyPatch = fixture("monkeypatch")
        self._said: deque[Said] = deque()

    def will(self, *said: Said) -> BaseLlm:
        self._said.extend(said)
        self._server.always(lambda received: self._answer(self._said.popleft(), received))
        return self._model

    def _answer(self, said: Said, received: Received) -> Answer:
        raise NotImplementedError

    def will_fail(self, fault: str) -> BaseLlm:
        match fault:
            case "silent":
                self._server.will(self.wire.pauses())
                return self._model.model_copy(update={"timeout": 0.05})
            case "missing_key":
                self._environment.delenv("LLAMA_API_KEY", raising=False)
                self._server.will(self.wire.bad_key())
                return self._model.model_copy(update={"api_key": None})
            case "cut":
                self._server.will(self.wire.cut("Once upon "))
            case "cut_early":
                self._server.will(self.wire.cut())
            case _:
                self._server.will(getattr(self.wire, fault)())
        return self._model

    def will_hang(self) -> BaseLlm:
        self._server.will(self.wire.pauses("Once upon "))
        return self._model

    async def hangs(self) -> None:
        assert await asyncio.to_thread(self._server.paused.wait, 10)

    async def let_go(self) -> None:
        assert await asyncio.to_thread(self._server.disconnected.wait, 10)

    def last_sent(self) -> str | None:
        return json.dumps(self._server.received[-1].body)

    async def close(self) -> None:
        await self._model.aclose()


def _halves(text: str) -> list[str]:
    half = len(text) // 2
    return [piece for piece in (text[:half], text[half:]) if piece]


class LlamaNative(_OverHttp):
    """A server with tool calls of its own."""

    wire = openai_server
    stops = ("max_tokens", "safety", "error")
    faults = SERVER_FAULTS
    owner: ClassVar[str] = "vllm"
    _finish: ClassVar[Mapping[str | None, str]] = {
        None: "stop",
        "max_tokens": "length",
        "safety": "content_filter",
        "error": "abort",
    }

    def __init__(self, fixture: Fixture) -> None:
        super().__init__(fixture)
        self._server = server = fixture("openai_server")
        server.owner = self.owner
        self._model = Llama(base_url=server.url, api_key=SecretStr(KEY), retry_options=ONCE)

    def _answer(self, said: Said, received: Received) -> Answer:
        made = openai_server.calls(*said.calls).steps[:-2] if said.calls else ()
        return self._with_text(said, said.text, *made)

    def _with_text(self, said: Said, text: str, *calls: Any) -> Answer:
        thought = [openai_server.chunk(reasoning_content=piece) for piece in _halves(said.thought)]
        texts = [openai_server.chunk(content=piece) for piece in _halves(text)]
        natural = "tool_calls" if calls else "stop"
        end = openai_server.chunk(self._finish[said.stop] if said.stop else natural)
        return Answer((*thought, *texts, *calls, end, openai_server.usage()))


class LlamaJson(LlamaNative):
    """A server whose models are offered tools in words."""

    owner = "llamacpp"

    def _answer(self, said: Said, received: Received) -> Answer:
        assert "tools" not in received.body
        if "tool_call" not in str(received.body["messages"][0]["content"]):
            return self._with_text(said, said.text)
        made = [{"tool_call": {"name": name, "arguments": arguments}} for name, arguments in said.calls]
        written = [{"response": said.text}] * bool(said.text or not made) + made
        return self._with_text(said, "\n".join(json.dumps(one) for one in written))


class OllamaOverHttp(_OverHttp):
    """Ollama, with tool calls of its own."""

    wire = ollama_server
    stops = ("max_tokens", "error")
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {
        fault: error for fault, error in SERVER_FAULTS.items() if fault != "missing_key"
    }

    def __init__(self, fixture: Fixture) -> None:
        super().__init__(fixture)
        self._server = fixture("ollama_server")
        self._model = Ollama(model="ollama/small", base_url=self._server.url, api_key=SecretStr(KEY), retry_options=ONCE)

    def _answer(self, said: Said, received: Received) -> Answer:
        thought = [ollama_server.chunk(thinking=piece) for piece in _halves(said.thought)]
        texts = [ollama_server.chunk(content=piece) for piece in _halves(said.text)]
        finish = {None: "stop", "max_tokens": "length", "error": "crashed"}[said.stop]
        made = ollama_server.calls(*said.calls).steps[:-1]
        return Answer((*thought, *texts, *made, ollama_server.end(finish)))
