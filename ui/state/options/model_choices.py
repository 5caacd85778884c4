"""The models that users can pick, and what a model needs before it can be used."""

from __future__ import annotations

from collections.abc import Iterable

from agents.models import (
    REPLAY_PREFIX,
    SIMULATED,
    YOU,
    Lack,
    ModelFiles,
    Provider,
    all_providers,
    provider_of,
    why_withheld,
)
from agents.runs import Preferences
from ui.state import runs
from ui.text.labels import plain

NO_KEY, KEY_WITHHELD = "no key", "key not sent"

MENDED_IN_SETTINGS = frozenset({"API_KEY_MISSING", "API_KEY_INVALID", "API_KEY_WITHHELD", "CONNECTION_FAILED"})
"""Codes of errors that users fix on the Settings page."""


def offered(preferences: Preferences, *named: str | None) -> list[str]:
    """Model names for a picker.

    Args:
        preferences: The user's preferences.
        *named: Names to include in any case, e.g. the one in the URL.
    """
    always = [name for provider in all_providers() for name in provider.offered]
    names = [*always, *preferences.models, preferences.model, *named]
    return list(dict.fromkeys(name for name in names if name))


def is_simulated(model: str) -> bool:
    """Whether this model is the pipeline's own simulation."""
    return model == SIMULATED


def is_replay(model: str) -> bool:
    """Whether this model replays a recorded session."""
    return model.startswith(REPLAY_PREFIX)


def answers_alone(model: str) -> bool:
    """Whether this model answers any question, with nobody beside it: neither the user nor a recorded session."""
    return model != YOU and not is_replay(model)


def replay_of(pipeline: str, session: str) -> str:
    """The name of the model that replays a session."""
    return f"{REPLAY_PREFIX}{pipeline}/{session}"


def recorded_in(model: str) -> tuple[str, str]:
    """Pipeline and session that a replay model names; empty strings if it names none."""
    pipeline, _, session = model.removeprefix(REPLAY_PREFIX).partition("/")
    return pipeline, session


def missing(model: str) -> Lack | None:
    """What this model needs and lacks; None if nothing is known to be missing. Sends no request."""
    provider = provider_of(model)
    if provider is None:
        return None
    return provider.access.lack(model) if isinstance(provider.access, ModelFiles) else _missing_key(provider)


def _missing_key(provider: Provider) -> Lack | None:
    endpoint = provider.endpoint
    if endpoint is None or not endpoint.needs_key:
        return None
    known = runs.manager().models.connection(provider.name)
    if known.api_key is not None:
        return None
    if known.withheld:
        return Lack(KEY_WITHHELD, plain(why_withheld(provider.name, known)), of_key=True)
    cure = (
        f"{provider.label} answers with a key of your own. Get one at {endpoint.key_source}, then type it in on the "
        f"Settings page, or start the playground with it: `{endpoint.key_variables[0]}=… playground`. It is never stored. "
        "Until then, the simulated model runs everything."
    )
    return Lack(NO_KEY, cure, of_key=True)


def shown(model: str) -> str:
    """A model's label in a list."""
    if is_simulated(model):
        return "Simulated model"
    if model == YOU:
        return "You"
    lack = missing(model)
    return f"{short(model)} ({lack.words})" if lack else short(model)


def labels(models: Iterable[str]) -> dict[str, str]:
    """Models with their labels, for several lists of the same."""
    return {model: shown(model) for model in models}


def shown_unasked(model: str) -> str:
    """A model's label where all agents name a model of their own, so that this one is not asked."""
    return "The agents' own models" if is_simulated(model) else f"{shown(model)}: not asked"


def short(model: str) -> str:
    """A model's short label."""
    if not is_replay(model):
        return model
    pipeline, session = recorded_in(model)
    return f"replay of {pipeline}, {session[:8]}"
