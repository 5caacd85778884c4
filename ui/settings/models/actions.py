"""Actions of the section on models: the callbacks of keys, servers, tests and the picker.

A typed key is moved from its field into the process's memory at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from agents import ConnectionInputError
from agents.models import checked_url, provider_named, provider_of
from agents.runs import Preferences
from ui.settings import questions
from ui.settings.actions import (
    LONGEST_NAME,
    SettingError,
    action,
    can_be_name,
    change,
    forget_answers,
    preferences,
    say,
)
from ui.state import runs
from ui.state.options import model_choices

TAKEN = "settings_taken"
"""Counter of secrets taken out of their fields; a part of the fields' keys."""
MOST_NAMES = 100
"""Most names in the picker besides the built-in ones."""


@action
def limit_answers(_where: str, seconds: float) -> None:
    """Sets how long a call waits for the user as its model; 0 for as long as it takes."""
    change("Calls that wait from now on keep to that.", answer_seconds=seconds or None)


# Keys and servers.


@action
def use_key(provider: str, key: str, base_url: str) -> None:
    """Uses the typed API key for the server that the page showed, and empties its field."""
    typed = _taken(key)
    if not typed.strip():
        raise SettingError("No key was typed. Paste it into the field first.")
    runs.manager().models.use_key(provider, typed, base_url=base_url)
    forget_answers(provider)
    say("The key is kept in memory until the playground ends.")


@action
def forget_key(provider: str, key: str) -> None:
    """Forgets the typed API key, and empties its field."""
    _taken(key)
    runs.manager().models.use_key(provider, None)
    forget_answers(provider)
    say("The key that was typed is forgotten.")


@action
def allow_key(provider: str, base_url: str) -> None:
    """Allows a key that was given for another server to be sent to this one, too."""
    runs.manager().models.allow_key(provider, base_url)
    forget_answers(provider)
    say(f"The key is sent to {base_url}, until the playground ends.")


@action
def use_url(provider: str, key: str) -> None:
    """Sets the URL of a server; an empty one restores the default."""
    typed: str = st.session_state.get(key) or ""
    try:
        url = checked_url(typed)
    except ConnectionInputError:
        if "@" in typed or "?" in typed:  # it may hold a password: do not show it again
            _taken(key)
        raise
    label = provider_named(provider).label
    urls = {name: known for name, known in preferences().base_urls.items() if name != provider}
    if url:
        change(f"{label} is asked at {url}.", base_urls={**urls, provider: url})
    else:
        change(f"{label} is asked where the environment says, or at the default.", base_urls=urls)
    forget_answers(provider)


def _taken(key: str) -> str:
    """Takes the text of a secret field; the next script run draws a new, empty field.

    Setting an empty value is not enough: Streamlit keeps the browser's value until the browser sends another one.
    """
    typed: str = st.session_state.get(key) or ""
    st.session_state[key] = ""
    st.session_state[TAKEN] = st.session_state.get(TAKEN, 0) + 1
    return typed


# Models.


@action
def test(provider: str, key: str) -> None:
    """Asks a model one short question."""
    model = _model_name(provider, st.session_state.get(key) or "")
    desk = runs.manager().models
    desk.check(model)
    questions.ask(f"test_{provider}", model, lambda: asdict(desk.test(model)))
    questions.settle()


@action
def list_models(provider: str) -> None:
    """Asks a server which models it has."""
    ask_for_models(provider)
    questions.settle()


def ask_for_models(provider: str) -> None:
    """Asks a server which models it has, without waiting for the answer."""
    desk = runs.manager().models
    questions.ask(f"list_{provider}", provider, lambda: {"names": desk.available(provider)})


@action
def offer(provider: str, names: Sequence[str]) -> None:
    """Makes the picker offer the chosen models of a provider, besides those that it always offers."""
    desk, before = runs.manager().models, preferences().models
    chosen = list(dict.fromkeys(_model_name(provider, typed) for typed in names))
    always = model_choices.offered(Preferences())
    for name in chosen:
        desk.check(name)
    kept = [name for name in before if provider_of(name) != provider_named(provider)]
    models = tuple(dict.fromkeys([*kept, *(name for name in chosen if name not in always)]))
    if len(models) > MOST_NAMES:
        raise SettingError(f"The picker can offer {MOST_NAMES} models besides the built-in ones. Take some out first.")
    gone = [name for name in before if name not in models]
    new = [name for name in models if name not in before]
    if gone or new:
        said = [*(f"{name} is in the picker." for name in new), *(f"{name} is out of the picker." for name in gone)]
        change(" ".join(said), models=models)


def _model_name(provider: str, typed: str) -> str:
    """A model's full name, from the one typed in a provider's card."""
    name, spec = typed.strip(), provider_named(provider)
    if not can_be_name(name):
        raise SettingError(f"Type the name of a model: one line, at most {LONGEST_NAME} characters.")
    if provider_of(name) == spec:
        return name
    if not spec.prefix:
        raise SettingError(f"{spec.name_rule}, and {name!r} does not.")
    return f"{spec.prefix}{name}"


@action
def forget(model: str) -> None:
    """Forgets what a server's errors said about a model."""
    runs.manager().models.forget_lessons(model)
    say(f"What was learnt about {model} is forgotten. Its server is asked anew.")


@action
def unload(_where: str, model: str) -> None:
    """Takes a model out of memory."""
    gone = runs.manager().models.unload(model)
    say(f"{model} is out of memory. It is loaded again when it is asked." if gone else f"{model} was not in memory.")
