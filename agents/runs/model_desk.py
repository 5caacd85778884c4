"""The models of a playground: which one a run gets, what a person prefers, and whether a model answers.

Knows the registry and the simulations; the providers themselves load when one of their models is first wanted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NamedTuple

from google.genai import types

from agents import connections
from agents.config import USER_ID
from agents.connections import checked_url, redact
from agents.errors import EmptyResponseError, ModelNotFoundError, ModelTimeoutError, PlaygroundError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models.registry import LLMRegistry
from agents.models.simulated import SimulatedLlm
from agents.pipeline import Pipeline
from agents.preferences import SIMULATED, Preferences
from agents.runs.loop_thread import LoopThread
from agents.session import BaseSessionService
from agents.sessions.preferences import PreferenceStore

TEST_SECONDS = 90.0
"""How long a model that is tested may take; a local one is loaded first."""

LIST_SECONDS = 20.0
"""How long a provider may take to say which models it has."""

_REPLAY = "replay/"
_QUESTION = "Reply with the single word: ready"
_MOST_TOKENS = 400  # a model that thinks first needs some for that
_PROVIDERS = {"gemini": "gemini-any", "llama": "llama/any", "ollama": "ollama/any", "local": "local/any"}


@dataclass(frozen=True, slots=True)
class ModelTest:
    """What became of a question to a model.

    Attributes:
        ok: Whether it answered.
        text: What it said.
        error: Why it did not answer, and what to do; "" if it did.
        code: The error's code.
        seconds: How long it took in all.
        first_token: Seconds until the first piece; None where none came.
        tokens: Tokens that came back; None where nobody counted.
    """

    ok: bool
    text: str = ""
    error: str = ""
    code: str = ""
    seconds: float = 0.0
    first_token: float | None = None
    tokens: int | None = None


class ModelChoice(NamedTuple):
    """Which models a run is to have, by name; None leaves it to the person's preferences.

    Attributes:
        model: For agents that name none.
        by_agent: For single agents.
    """

    model: str | None = None
    by_agent: Mapping[str, str] | None = None


class ModelDesk:
    """What can be done with models from any thread.

    Args:
        thread: Where models are asked: their connections belong to its loop.
        service: Where recorded sessions are.
        store: Where preferences are.
    """

    def __init__(self, thread: LoopThread, service: BaseSessionService, store: PreferenceStore) -> None:
        self._thread = thread
        self._service = service
        self._store = store
        self._use_urls(store.read())

    @property
    def preferences(self) -> Preferences:
        """What the person prefers.

        Raises:
            DatabaseError: The database cannot be used.
        """
        return self._store.read()

    def change(self, **changes: Any) -> Preferences:
        """Sets preferences by their names; the others stay. What is chosen counts from the next model call on.

        Raises:
            ModelNotFoundError: No provider answers to the name of a model.
            ConnectionInputError: An address is none.
            ValidationError: A value is none that the preference can have.
            DatabaseError: The database cannot be used; nothing is changed.
        """
        for url in dict(changes.get("base_urls", {})).values():
            checked_url(url)
        if "model" in changes:
            self.check(changes["model"])
        preferences = self._store.change(changes)
        if "base_urls" in changes:
            self._use_urls(preferences)
        return preferences

    def check(self, name: str) -> None:
        """Checks that a model of that name could be asked.

        Raises:
            ModelNotFoundError: No provider answers to it.
        """
        if name != SIMULATED and not name.startswith(_REPLAY):
            LLMRegistry.resolve(name)

    def available(self, provider: str) -> list[str]:
        """The models that a provider has now: "gemini", "llama", "ollama" or "local".

        Raises:
            ProviderError: It cannot be asked, or does not answer.
        """
        return self._thread.call(_list_of, provider)

    def test(self, name: str) -> ModelTest:
        """Asks a model one short question. Whatever goes wrong is in the result."""
        return self._thread.call(self._test, name)

    async def make(self, pipeline: Pipeline, name: str, session_id: str | None = None) -> BaseLlm:
        """A model for a run.

        Args:
            pipeline: What is run: its simulations answer for the simulated model.
            name: The model's name.
            session_id: The session that is run; None for a new one.

        Raises:
            ModelNotFoundError: No provider answers to the name.
            SessionNotFoundError: There is no session to be replayed.
        """
        if name == SIMULATED:
            return SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=self.preferences.simulated_speed)
        if name.startswith(_REPLAY):
            return await self._replay(pipeline, name, session_id)
        return LLMRegistry.new_llm(name)

    async def for_run(
        self, pipeline: Pipeline, choice: ModelChoice, session_id: str | None = None
    ) -> tuple[BaseLlm, dict[str, BaseLlm]]:
        """The run's model, and those of single agents by the agent's name; see `make`."""
        preferred = self.preferences
        by_agent = preferred.agent_models.get(pipeline.name, {}) if choice.by_agent is None else choice.by_agent
        model = await self.make(pipeline, choice.model or preferred.model, session_id)
        return model, {agent: await self.make(pipeline, name, session_id) for agent, name in by_agent.items()}

    async def _replay(self, pipeline: Pipeline, name: str, session_id: str | None) -> BaseLlm:
        raise ModelNotFoundError(f"{name} {pipeline.name} {session_id} {USER_ID}")

    async def _test(self, name: str) -> ModelTest:
        started = time.perf_counter()
        try:
            async with asyncio.timeout(TEST_SECONDS):
                return await _asked(name, started)
        except TimeoutError:
            error, code = f"The model {name!r} did not answer within {TEST_SECONDS:g} seconds. Try again.", "TIMEOUT"
        except PlaygroundError as raised:
            error, code = str(raised), raised.code
        except Exception as raised:  # noqa: BLE001  a provider of a person's own may raise anything
            error, code = f"{type(raised).__name__}: {raised}", type(raised).__name__
        return ModelTest(ok=False, error=redact(error), code=code, seconds=time.perf_counter() - started)

    def _use_urls(self, preferences: Preferences) -> None:
        for provider in ("gemini", "llama", "ollama"):
            connections.use_url(provider, preferences.base_urls.get(provider))


async def _asked(name: str, started: float) -> ModelTest:
    """Asks a model, once."""
    model = SimulatedLlm(simulation={}) if name == SIMULATED else LLMRegistry.new_llm(name)
    if "retry_options" in type(model).model_fields:
        model = model.model_copy(update={"retry_options": types.HttpRetryOptions(attempts=1)})
    first: float | None = None
    async with aclosing(model.generate_content_async(_request(name), stream=True)) as responses:
        async for response in responses:
            passed = time.perf_counter() - started
            first = passed if first is None else first
            if not response.partial:
                return _passed(response, passed, first)
    raise EmptyResponseError(f"The model {name!r} ended its answer without saying anything. Try again, or another model.")


def _request(name: str) -> LlmRequest:
    config = types.GenerateContentConfig(max_output_tokens=_MOST_TOKENS)
    contents = [types.Content(role="user", parts=[types.Part(text=_QUESTION)])]
    return LlmRequest(model=name, contents=contents, config=config)


def _passed(response: LlmResponse, seconds: float, first: float) -> ModelTest:
    usage = response.usage_metadata
    told = "" if response.error_code is None else response.error_message or response.error_code
    return ModelTest(
        ok=response.error_code is None,
        text=response.text,
        error=told,
        code=response.error_code or "",
        seconds=seconds,
        first_token=first,
        tokens=usage.candidates_token_count if usage else None,
    )


async def _list_of(provider: str) -> list[str]:
    asked = LLMRegistry.resolve(_PROVIDERS[provider])
    try:
        async with asyncio.timeout(LIST_SECONDS):
            return await asked.list_models()
    except TimeoutError:
        raise ModelTimeoutError(
            f"The provider {provider!r} did not say within {LIST_SECONDS:g} seconds which models it has. Try again.",
            code="TIMEOUT",
            retryable=True,
        ) from None
