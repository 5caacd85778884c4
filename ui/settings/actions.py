"""What a person can do on the Settings page: the callbacks of buttons and inputs.

A deed that worked leaves a notice, with the way back where there is one; one that did not says why where it was asked.
A key that was typed goes into the process's memory and out of its field at once. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from agents.errors import ConnectionInputError, PersonError, PlaygroundError
from agents.models import connections
from agents.models.connections import Provider, checked_url, redact
from agents.models.local import shelf
from agents.storage.preferences import Preferences
from ui.playground import actions
from ui.settings.models import key_question as asking
from ui.state import address, model_choices, runs
from ui.state.model_choices import PROVIDERS
from ui.state.uninterrupted import uninterrupted
from ui.web import owner

P = ParamSpec("P")
W = TypeVar("W", bound=str)
NOTICE = "settings_notice"
"""What was done last: `{"text", "undo"}`, where `undo` says whether it can be taken back."""
_UNDO = "settings_undo"
"""What the preferences were that were changed last."""
PROBLEM = "settings_problem"
"""Why the last deed did not work: `{"text", "where"}`, where the part of the page is in which it was asked for."""
TAKEN = "settings_taken"
"""How often something secret was taken out of its field: a part of the fields' names."""
LONGEST_NAME = 200
MOST_NAMES = 100
"""Names in the picker besides the built-in ones."""


class SettingError(PersonError):
    """Something that was typed cannot be set."""


def deed(do: Callable[Concatenate[W, P], None]) -> Callable[Concatenate[W, P], None]:
    """Clears what was said of the last deed, and remembers where this one was asked for: its first argument."""

    def allowed(where: W, *args: P.args, **kwargs: P.kwargs) -> None:
        owner.require()
        do(where, *args, **kwargs)

    inner = actions.action(allowed)

    @uninterrupted
    def callback(where: W, *args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state.pop(NOTICE, None)
        st.session_state.pop(PROBLEM, None)
        inner(where, *args, **kwargs)
        if (problem := st.session_state.pop(actions.NOTICE, None)) is not None:  # no other page is to show it
            st.session_state[PROBLEM] = {"text": problem.text, "where": where}

    return callback


# Connecting.


@deed
def use_key(provider: Provider, key: str, base_url: str) -> None:
    """Takes the API key that was typed for the server that the page showed, and empties its field."""
    typed = _taken(key)
    if not typed.strip():
        raise SettingError("No key was typed. Paste it into the field first.")
    connections.use_key(provider, typed, base_url=base_url)
    _ask_anew(provider)
    _say("The key is kept in memory until the playground ends.")


@deed
def forget_key(provider: Provider, key: str) -> None:
    """Forgets the API key that was typed, and what stands in its field."""
    _taken(key)
    connections.use_key(provider, None)
    _ask_anew(provider)
    _say("The key that was typed is forgotten.")


@deed
def allow_key(provider: Provider, base_url: str) -> None:
    """Has the key that was given for another server sent to this one, too."""
    connections.allow_key(provider, base_url)
    _ask_anew(provider)
    _say(f"The key is sent to {base_url}, until the playground ends.")


@deed
def use_url(provider: Provider, key: str) -> None:
    """Takes the address of a server; an empty one goes back to what counts without it."""
    typed: str = st.session_state.get(key) or ""
    try:
        url = checked_url(typed)
    except ConnectionInputError:
        if "@" in typed or "?" in typed:  # what may hold a password is not kept for another look
            _taken(key)
        raise
    urls: dict[Provider, str] = {name: known for name, known in preferences().base_urls.items() if name != provider}
    if url:
        change(f"{PROVIDERS[provider]} is asked at {url}.", base_urls={**urls, provider: url})
    else:
        change(f"{PROVIDERS[provider]} is asked where the environment says, or at the default.", base_urls=urls)
    _ask_anew(provider)


@deed
def test(provider: str, key: str) -> None:
    """Asks a model one short question."""
    model = named(provider, st.session_state.get(key) or "")
    desk = runs.manager().models
    desk.check(model)
    asking.ask(f"test_{provider}", model, lambda: asdict(desk.test(model)))
    asking.settle()


@deed
def look(provider: str) -> None:
    """Asks a server which models it has."""
    ask_for_models(provider)
    asking.settle()


def ask_for_models(provider: str) -> None:
    """Asks a server which models it has, without waiting for it."""
    desk = runs.manager().models

    def question() -> asking.Result:
        try:
            return {"names": desk.available(provider)}
        except PlaygroundError as error:
            return {"error": redact(str(error)), "code": error.code}

    asking.ask(f"list_{provider}", provider, question)


@deed
def offer(provider: str, key: str) -> None:
    """Has the picker offer those models of a provider that are chosen now, besides those that it always offers."""
    desk, before = runs.manager().models, preferences().models
    chosen = list(dict.fromkeys(named(provider, typed) for typed in st.session_state[key]))
    always = model_choices.offered(Preferences())
    for name in chosen:
        desk.check(name)
    kept = [name for name in before if model_choices.provider_of(name) != provider]
    models = tuple(dict.fromkeys([*kept, *(name for name in chosen if name not in always)]))
    if len(models) > MOST_NAMES:
        raise SettingError(f"The picker can offer {MOST_NAMES} models besides the built-in ones. Take some out first.")
    gone = [name for name in before if name not in models]
    new = [name for name in models if name not in before]
    if gone or new:
        said = [*(f"{name} is in the picker." for name in new), *(f"{name} is out of the picker." for name in gone)]
        change(" ".join(said), models=models)


def named(provider: str, typed: str) -> str:
    """A model's name, as it is asked for, from what was typed in a provider's part.

    Raises:
        SettingError: It cannot be one.
    """
    name = typed.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise SettingError(f"Type the name of a model: one line, at most {LONGEST_NAME} characters.")
    if provider in {"llama", "ollama"} and not name.startswith(f"{provider}/"):
        return f"{provider}/{name}"
    if provider == "local" and model_choices.provider_of(name) != "local":
        return f"{model_choices.LOCAL}{name}"
    if provider == "gemini" and model_choices.provider_of(name) != "gemini":
        raise SettingError(f"Names of Gemini models begin with gemini-, and {name!r} does not.")
    return name


@deed
def unload(_where: str, model: str) -> None:
    """Takes a model out of memory."""
    gone = shelf.unload(model)
    _say(f"{model} is out of memory. It is loaded again when it is asked." if gone else f"{model} was not in memory.")


# Defaults.


@deed
def prefer_model(_where: str, key: str) -> None:
    """Takes the model for runs that name none."""
    model = st.session_state[key]
    change(f"Runs that choose no other model ask {model_choices.short(model)}.", model=model)


@deed
def set_speed(_where: str, key: str) -> None:
    """Takes the speed of simulated models."""
    speed = st.session_state[key]
    if speed is not None and speed >= 0:
        said = f"{speed:g} words a second" if speed else "at once"
        change(f"Simulated models speak {said}.", simulated_speed=float(speed))


@deed
def forget_speed(_where: str) -> None:
    """Goes back to the speed that the environment says."""
    change("Simulated models speak as the environment says.", simulated_speed=None)


@deed
def prefer_agent_model(_where: str, pipeline: str, agent: str, key: str) -> None:
    """Takes the model of one agent of a pipeline; "" for the run's."""
    known = preferences().agent_models
    model = st.session_state[key]
    models = {name: chosen for name, chosen in known.get(pipeline, {}).items() if name != agent}
    if model:
        models[agent] = model
    others = {name: dict(chosen) for name, chosen in known.items() if name != pipeline}
    said = f"{agent} asks {model_choices.short(model)}." if model else f"{agent} has the run's model again."
    change(said, agent_models={**others, pipeline: models} if models else others)


def look_at_pipeline(key: str) -> None:
    """Shows the agents of another pipeline."""
    address.go(replace(address.current(), pipeline=st.session_state[key]))


def _taken(key: str) -> str:
    """What was typed into a secret field, which is gone with that: the next run of the script draws a new one.

    An empty value would not do: Streamlit keeps what the browser sent until it sends something else.
    """
    typed: str = st.session_state.get(key) or ""
    st.session_state[key] = ""
    st.session_state[TAKEN] = st.session_state.get(TAKEN, 0) + 1
    return typed


# What was done.


@deed
def undo(_where: str) -> None:
    """Takes back what was done last."""
    done = st.session_state.get(_UNDO)
    if not done:
        return
    change("That is taken back.", **done)
    if "base_urls" in done:
        for provider in PROVIDERS:
            _ask_anew(provider)


def dismiss() -> None:
    """Takes the notice away."""
    st.session_state.pop(NOTICE, None)


def change(text: str, **fields: Any) -> None:
    """Changes preferences and says so, with the way back."""
    before = preferences().model_dump(mode="json", include=set(fields))
    runs.manager().models.change(**fields)
    st.session_state[_UNDO] = before
    _say(text, undo=True)


def _say(text: str, *, undo: bool = False) -> None:
    st.session_state[NOTICE] = {"text": text, "undo": undo}


def preferences() -> Preferences:
    """What the person prefers now."""
    return runs.manager().models.preferences


def _ask_anew(provider: str) -> None:
    """What was found out with another key or at another address says nothing any more."""
    asking.forget(f"test_{provider}", f"list_{provider}")
