"""`ReplayLlm` for the conformance suite: a record that holds what a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

from google.genai import types

from agents.errors import ApiKeyError, ProviderError
from agents.model import BaseLlm, LlmResponse
from agents.models.answer import content_of, natural_stop
from agents.models.replay.model import ReplayLlm
from agents.models.replay.record import RecordedCall, RecordedFailure, RecordedRun, Recording
from agents.models.replay.request import SentRequest
from tests.agents.models.providers import Fixture, Provider, Said, request

_USAGE = types.GenerateContentResponseUsageMetadata(prompt_token_count=3, candidates_token_count=4, total_token_count=7)


def record(*answers: LlmResponse | RecordedFailure | None, agent: str = "agent", **run: Any) -> Recording:
    """One run of an agent that was answered so, failed so, or with None was broken off, always with the same request."""
    sent = SentRequest.of(request())
    calls = [
        RecordedCall(
            agent=agent,
            position=position,
            model="gemini-x",
            sent=lambda: sent,
            answer=answer if isinstance(answer, LlmResponse) else None,
            failure=answer if isinstance(answer, RecordedFailure) else None,
        )
        for position, answer in enumerate(answers, 1)
    ]
    about = {"message": "Hello?", "status": "completed", **run}
    return Recording("stage", "s-1", (RecordedRun("e-1", calls=tuple(calls), **about),))


def answer(said: Said) -> LlmResponse:
    """What a test says, as it would be recorded."""
    calls = [types.FunctionCall(name=name, args=args) for name, args in said.calls]
    content = content_of(said.text, calls, thought=said.thought)
    failed = (
        {} if said.stop in (None, "max_tokens") else {"error_code": str(said.stop).upper(), "error_message": "Held back."}
    )
    stop: Any = said.stop or natural_stop(content.parts if content else None)
    return LlmResponse(content=content, stop_reason=stop, usage_metadata=_USAGE, model_version="gemini-x", **failed)


class Replay(Provider):
    stops = ("max_tokens", "safety", "error")
    faults: ClassVar[Mapping[str, type[ProviderError]]] = {
        "bad_key": ApiKeyError,
        "unknown_model": ProviderError,
        "raises": ProviderError,
    }
    _failures: ClassVar[Mapping[str, RecordedFailure]] = {
        "bad_key": RecordedFailure("ApiKeyError", "The key is not accepted. Give another one."),
        "unknown_model": RecordedFailure("ProviderError", "There is no such model. Choose another one.", "404"),
        "raises": RecordedFailure("LookupError", "There was nothing at that place."),
    }

    def __init__(self, _fixture: Fixture) -> None:
        self._hangs = asyncio.Event()

    def will(self, *said: Said) -> BaseLlm:
        return ReplayLlm(recording=record(*map(answer, said)), words_per_second=0)

    def will_fail(self, fault: str) -> BaseLlm:
        return ReplayLlm(recording=record(self._failures[fault]), words_per_second=0)

    def will_hang(self) -> BaseLlm:
        self._hangs.set()
        return ReplayLlm(recording=record(answer(Said("word " * 100_000))), words_per_second=100)

    async def hangs(self) -> None:
        await self._hangs.wait()
        await asyncio.sleep(0)  # for the call to begin

    async def let_go(self) -> None:
        """There is nobody else to notice."""
