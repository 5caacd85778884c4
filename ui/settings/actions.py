"""Actions of the Settings page: what all callbacks share, and the callbacks of the section on defaults.

An action that worked leaves a notice, with an undo if there is one. One that failed shows the reason where it was started.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

import streamlit as st

from agents import PersonError, PlaygroundError
from agents.models import endpoints
from agents.runs import Preferences
from ui.settings import questions
from ui.state import address, runs
from ui.state.notices import NOTICE as PLAYGROUND_NOTICE
from ui.state.options import model_choices
from ui.state.quick_input import uninterrupted

P = ParamSpec("P")
NOTICE = "settings_notice"
"""The last action's notice: `{"text", "undo"}`, where `undo` says whether it can be undone."""
_UNDO = "settings_undo"
"""What undoes the last action; None if nothing does."""
PROBLEM = "settings_problem"
"""Why the last action failed: `{"text", "where"}`, where `where` is the part of the page in which it was started."""
LONGEST_NAME = 200


class SettingError(PersonError):
    """A typed value cannot be set."""


def action(do: Callable[Concatenate[str, P], None]) -> Callable[Concatenate[str, P], None]:
    """Clears the last action's notice or problem, and turns an expected error of `do` into a problem.

    The problem is shown in the part of the page that the first argument names. Other requests of the tab wait until the
    action has ended.
    """

    @uninterrupted
    @wraps(do)
    def callback(where: str, *args: P.args, **kwargs: P.kwargs) -> None:
        for said in (NOTICE, PROBLEM, PLAYGROUND_NOTICE):  # a run's error may be about a setting that changes now
            st.session_state.pop(said, None)
        try:
            do(where, *args, **kwargs)
        except PlaygroundError as error:
            st.session_state[PROBLEM] = {"text": str(error), "where": where}

    return callback


@action
def undo(_where: str) -> None:
    """Undoes the last action."""
    if (taken_back := st.session_state.pop(_UNDO, None)) is not None:
        taken_back()


def dismiss() -> None:
    """Removes the notice."""
    st.session_state.pop(NOTICE, None)


def change(text: str, **fields: Any) -> None:
    """Changes preferences, and leaves a notice with an undo."""
    before = preferences().model_dump(mode="json", include=set(fields))
    runs.manager().models.change(**fields)
    say(text, undo=partial(_change_back, before))


def _change_back(before: dict[str, Any]) -> None:
    change("That is taken back.", **before)
    if "base_urls" in before:
        for provider in endpoints():
            forget_answers(provider)


def say(text: str, *, undo: Callable[[], None] | None = None) -> None:
    """Leaves a notice of the action, with what undoes it, if anything does."""
    st.session_state[_UNDO] = undo
    st.session_state[NOTICE] = {"text": text, "undo": undo is not None}


def preferences() -> Preferences:
    """The user's preferences."""
    return runs.manager().models.preferences


def can_be_name(name: str) -> bool:
    """Whether a typed text can be the name of a model."""
    return bool(name) and len(name) <= LONGEST_NAME and name.isprintable()


def forget_answers(provider: str) -> None:
    """Forgets a provider's test results after a change of its key or server."""
    questions.forget(f"test_{provider}", f"list_{provider}")


# The section on defaults.


@action
def prefer_model(_where: str, model: str) -> None:
    """Sets the model of runs that name none."""
    change(f"Runs that choose no other model ask {model_choices.short(model)}.", model=model)


@action
def set_speed(_where: str, speed: float | None) -> None:
    """Sets the speed of simulated models."""
    if speed is not None and speed >= 0:
        said = f"{speed:g} words a second" if speed else "at once"
        change(f"Simulated models speak {said}.", simulated_speed=float(speed))


@action
def forget_speed(_where: str) -> None:
    """Resets the speed to the environment's."""
    change("Simulated models speak as the environment says.", simulated_speed=None)


@action
def prefer_agent_model(_where: str, pipeline: str, agent: str, model: str) -> None:
    """Sets the model of one agent of a pipeline; "" for the run's."""
    known = preferences().agent_models
    models = {name: chosen for name, chosen in known.get(pipeline, {}).items() if name != agent}
    if model:
        models[agent] = model
    others = {name: dict(chosen) for name, chosen in known.items() if name != pipeline}
    said = f"{agent} asks {model_choices.short(model)}." if model else f"{agent} has the run's model again."
    change(said, agent_models={**others, pipeline: models} if models else others)


def look_at_pipeline(pipeline: str) -> None:
    """Shows the agents of another pipeline."""
    address.go(replace(address.current(), pipeline=pipeline))
