"""The models of a playground: which one a run gets, the user's preferences, and whether a model answers.

Providers load when one of their models is first needed.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, suppress
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.genai import types

from agents.access import OWNER, Action, Activity, User, note, permits, require, user_of
from agents.errors import EmptyResponseError, ModelTimeoutError, PersonError, PlaygroundError
from agents.model import BaseLlm, LlmRequest, LlmResponse
from agents.models import connections
from agents.models.abilities.learnt import Lesson, forget_lessons, lessons
from agents.models.connections import Connection, checked_url, lacks_key, redact
from agents.models.providers import endpoints, provider_named
from agents.models.registry import LLMRegistry
from agents.models.replay.model import ReplayLlm
from agents.models.replay.spec import REPLAY_PREFIX
from agents.models.simulated.model import SimulatedLlm
from agents.models.simulated.spec import SIMULATED
from agents.models.you.model import YouLlm
from agents.models.you.spec import YOU
from agents.pipeline import Pipeline
from agents.runs.loops.loop_thread import LoopThread, call_in_own_loop
from agents.runs.own_preferences import OWN_NAMES, OwnPreferences
from agents.runs.recordings.replays import agents_with_models, next_message, recorded_session, replay_model
from agents.runs.values import ModelChoice, SessionKey
from agents.scope import Scope, current_scope
from agents.session import BaseSessionService
from agents.storage.preferences import Preferences, PreferenceStore

if TYPE_CHECKING:
    from agents.models.local.model_cache import LoadedModel

TEST_SECONDS = 90.0
"""How long a test of a model may take; a local one is loaded first."""

LIST_SECONDS = 20.0
"""How long a provider may take to list its models."""

_QUESTION = "Reply with the single word: ready"
_MOST_TOKENS = 400  # thoughts need some of them


@dataclass(frozen=True, slots=True)
class ModelTest:
    """The result of a test question to a model.

    Attributes:
        ok: Whether it answered.
        text: Its answer.
        error: Why it did not answer, and the cure; "" if it did.
        code: The error's code.
        seconds: How long it took in all.
        first_token: Seconds until the first piece; None if none came.
        tokens: Tokens of the answer; None if they were not counted.
    """

    ok: bool
    text: str = ""
    error: str = ""
    code: str = ""
    seconds: float = 0.0
    first_token: float | None = None
    tokens: int | None = None


def is_runtimes(model: BaseLlm) -> bool:
    """Whether a model's code is the runtime's; else a user's package has registered it."""
    return type(model).__module__.startswith("agents.")


class ModelDesk:
    """The models, for callers in any thread: those of the `Scope` that it is made in."""

    def __init__(
        self, thread: LoopThread, service: BaseSessionService, store: PreferenceStore, of_users: OwnPreferences
    ) -> None:
        self._thread = thread
        self._service = service
        self._store, self._of_users = store, of_users
        self._user = OWNER
        self._shared_scope = current_scope()
        self._use_urls(store.read())

    def as_user(self, user: User) -> ModelDesk:
        """The models as another user may use them."""
        bound = copy(self)
        bound._user = user
        return bound

    @property
    def scope(self) -> Scope:
        """Where the keys are that the user's runs use."""
        return self._shared_scope if self._user.is_owner else self._shared_scope.of_user(self._user.id)

    @property
    def preferences(self) -> Preferences:
        """The user's preferences: those of the owner, with what others have set for themselves in their place.

        Raises:
            DatabaseError: The database cannot be used.
        """
        found = self._store.read()
        return self._of_users.over(found, self._user.id) if self._has_own else found

    @property
    def _has_own(self) -> bool:
        return not self._user.is_owner and permits(self._user, Action.SET_OWN)

    def change(self, **changes: Any) -> Preferences:
        """Sets preferences by their names; the others stay. Changes take effect with the next model call.

        Raises:
            ModelNotFoundError: No provider has a model of one of the names.
            ConnectionInputError: An address is not valid.
            ValidationError: A value is not valid for its preference.
            DatabaseError: The database cannot be used; nothing is changed.
            NotPermittedError: The user may not change settings, or not those: servers are the owner's to set.
        """
        self._require(Action.SET_OWN if changes.keys() <= OWN_NAMES else Action.CHANGE_SETTINGS)
        for url in dict(changes.get("base_urls", {})).values():
            checked_url(url)
        if "model" in changes:
            self.check(changes["model"])
        if self._has_own:
            own = self._of_users.change(self._store.read(), self._user.id, changes)
            note(self._user, Activity.SETTINGS, ", ".join(sorted(changes)))
            return own
        preferences = self._store.change(changes)
        note(self._user, Activity.SETTINGS, ", ".join(sorted(changes)))
        if "base_urls" in changes:
            self._use_urls(preferences)
        return preferences

    def check(self, name: str) -> None:
        """Checks that a provider has a model of that name.

        Raises:
            ModelNotFoundError: No provider has one.
        """
        if name.startswith(REPLAY_PREFIX):
            recorded_session(name, self._user.id)
        elif name != SIMULATED:
            with self.scope.entered():
                LLMRegistry.resolve(name)

    def available(self, provider: str) -> list[str]:
        """The current models of a provider, by its name.

        Raises:
            KeyError: There is no such provider.
            ProviderError: It cannot be asked, or does not answer.
            NotPermittedError: The user may not test models.
        """
        self._require(Action.SET_OWN)
        with self.scope.entered():
            return call_in_own_loop("playground-models", _list_of, provider)

    def connection(self, provider: str) -> Connection:
        """How a provider is reached now; see `connections.connection`."""
        with self.scope.entered():
            return connections.connection(provider)

    def use_key(self, provider: str, key: str | None, *, base_url: str | None = None) -> None:
        """Uses an API key that was typed; see `connections.use_key`. This and the next three are for the workspace.

        Raises:
            ConnectionInputError: It cannot be a key.
            NotPermittedError: The user may not change settings.
        """
        self._require(Action.SET_OWN)
        with self._making_scope().entered():
            connections.use_key(provider, key, base_url=base_url)
        note(self._user, Activity.KEY, f"set that of {provider}" if key else f"removed that of {provider}")

    def allow_key(self, provider: str, url: str) -> None:
        """Allows a key that was given for another server to be sent to this one, too; see `connections.allow_key`."""
        self._require(Action.SET_OWN)
        with self._making_scope().entered():
            connections.allow_key(provider, url)
        note(self._user, Activity.KEY, f"allowed that of {provider} for {url}")

    def lessons(self) -> list[Lesson]:
        """What servers' errors said about models."""
        with self.scope.entered():
            return lessons()

    def forget_lessons(self, model: str) -> None:
        """Forgets what a server's errors said about a model."""
        self._require()
        with self.scope.entered():
            forget_lessons(model)

    def loaded(self) -> list[LoadedModel]:
        """The model files that are in memory."""
        from agents.models.local.model_cache import ModelCache  # brings the extra

        return self.scope.part(ModelCache).loaded_models()

    def unload(self, model: str) -> bool:
        """Takes a local model out of memory; whether it was there."""
        from agents.models.local.model_cache import ModelCache

        self._require()
        return self.scope.part(ModelCache).unload_model(model)

    def test(self, name: str) -> ModelTest:
        """Asks a model one short question. Errors are in the result.

        Raises:
            NotPermittedError: The user may not test models.
        """
        self._require(Action.SET_OWN)
        with self.scope.entered():
            return call_in_own_loop("playground-models", self._test, name)

    def next_message(self, name: str, pipeline: str, session_id: str | None = None) -> str | None:
        """The user's next message in a recorded session, for a session that replays it.

        Args:
            name: The model's name, `replay/PIPELINE/SESSION_ID`.
            pipeline: The pipeline of the session that replays.
            session_id: That session; None for a new one.

        Returns:
            None if the record has no more, or is not there.
        """
        session = SessionKey(pipeline, session_id, self._user.id) if session_id is not None else None
        with suppress(PersonError):
            return self._thread.call(next_message, self._service, name, session, user=self._user)
        return None

    async def for_run(
        self,
        pipeline: Pipeline,
        choice: ModelChoice,
        *,
        session: SessionKey | None = None,
        invocation_id: str | None = None,
    ) -> tuple[BaseLlm, dict[str, BaseLlm]]:
        """The run's model, and those of single agents by the agent's name.

        If the run's model is a recorded session, it also answers for agents with another model, unless `choice` says
        otherwise. So does the simulated model for agents whose own model needs a key, and there is none.

        Args:
            pipeline: The pipeline; its simulation answers for the simulated model.
            choice: The models' names.
            session: The session that is run; None for a new one.
            invocation_id: The run to resume; None for a new one.

        Raises:
            ModelNotFoundError: No provider has a model of one of the names.
            SessionNotFoundError: There is no session to replay.
        """
        preferred = self.preferences
        speed = preferred.simulated_speed if choice.simulated_speed is None else choice.simulated_speed
        made: dict[str, BaseLlm] = {}

        async def model_of(name: str) -> BaseLlm:
            if name not in made:  # agents that replay one record share its used answers
                made[name] = await self._make(pipeline, name, session, invocation_id, speed)
            return made[name]

        async def person(usual: BaseLlm | str) -> YouLlm:
            made_usual = usual if isinstance(usual, BaseLlm) else await model_of(usual)
            return YouLlm(usual=made_usual, seconds=preferred.answer_seconds)

        name = choice.model or preferred.model
        usual = SIMULATED if preferred.model == YOU or preferred.model.startswith(REPLAY_PREFIX) else preferred.model
        model = await person(usual) if name == YOU else await model_of(name)
        by_agent: dict[str, BaseLlm] = {}
        names = choice.by_agent
        if isinstance(model, ReplayLlm):
            by_agent.update(dict.fromkeys(agents_with_models(pipeline.root_agent), model))
        elif names is None:
            names = preferred.agent_models.get(pipeline.name)
        if isinstance(model, SimulatedLlm):
            with self.scope.entered():
                by_agent.update(dict.fromkeys(agents_with_models(pipeline.root_agent, which=_lacks_key), model))
        for agent, name in (names or {}).items():
            own = getattr(pipeline.root_agent.find_agent(agent), "model", None)
            instead = own or (usual if isinstance(model, YouLlm) else model)
            by_agent[agent] = await person(instead) if name == YOU else await model_of(name)
        return model, by_agent

    def _making_scope(self) -> Scope:
        return self._shared_scope if self._user.is_owner else self._shared_scope.of_user(self._user.id, make=True)

    def _require(self, action: Action = Action.CHANGE_SETTINGS) -> None:
        require(self._user, action)

    async def _make(
        self, pipeline: Pipeline, name: str, session: SessionKey | None, invocation_id: str | None, speed: float | None
    ) -> BaseLlm:
        if name == SIMULATED:
            return SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=speed)
        if name.startswith(REPLAY_PREFIX):
            return await replay_model(
                self._service,
                name,
                user=user_of(session.user_id) if session is not None and self._user.is_owner else self._user,
                session=session,
                invocation_id=invocation_id,
                words_per_second=speed,
            )
        return LLMRegistry.new_llm(name)

    async def _test(self, name: str) -> ModelTest:
        started = time.perf_counter()
        try:
            async with asyncio.timeout(TEST_SECONDS):
                return await _asked(name, started)
        except TimeoutError:
            error, code = f"The model {name!r} did not answer within {TEST_SECONDS:g} seconds. Try again.", "TIMEOUT"
        except PlaygroundError as raised:
            error, code = str(raised), raised.code
        except Exception as raised:  # noqa: BLE001  a user-defined provider may raise anything
            error, code = f"{type(raised).__name__}: {raised}", type(raised).__name__
        return ModelTest(ok=False, error=redact(error), code=code, seconds=time.perf_counter() - started)

    def _use_urls(self, preferences: Preferences) -> None:
        with self._shared_scope.entered():
            for provider in endpoints():
                connections.use_url(provider, preferences.base_urls.get(provider))


def _lacks_key(model: Any) -> bool:
    """Whether an agent's own model is a name at a provider that needs a key, and there is none."""
    return isinstance(model, str) and lacks_key(model) and LLMRegistry.resolve(model).__module__.startswith("agents.")


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
    asked = LLMRegistry.resolve(provider_named(provider).any_name)
    try:
        async with asyncio.timeout(LIST_SECONDS):
            return await asked.list_models()
    except TimeoutError:
        raise ModelTimeoutError(
            f"The provider {provider!r} did not say within {LIST_SECONDS:g} seconds which models it has. Try again.",
            code="TIMEOUT",
            retryable=True,
        ) from None
