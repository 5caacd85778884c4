"""What can be done on the Lab page: the callbacks of its buttons. A callback that fails leaves a notice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from agents import PersonError
from agents.sharing import import_session
from ui.lab.shown import Shown
from ui.sharing.dialogs import say_imported
from ui.state import address, notices, runs
from ui.state.address import Address
from ui.state.notices import action
from ui.state.quick_input import chosen_now, key_for

OPENED = "lab_opened"
"""The session to switch to."""
SWITCHED = "lab_switched"
"""The last bullet that was switched off: the answer's place, the bullet's id, and what came of it."""
CLOSED, NUMBER = "lab_closed", "lab_question"
"""How often an answer was closed, and the number of the question to go to."""
DELETED = "lab_deleted"
"""The run that was deleted last, to offer it back: `Deleted`."""
DESCRIPTION = "lab_description"
"""The description in the form, as TOML."""


class Deleted(NamedTuple):
    """A deleted run.

    Attributes:
        folder: What brings it back, see `Lab.restore`.
        name: Its name.
    """

    folder: str
    name: str


class NotKeptError(PersonError):
    """A session that a run did not keep."""


@notices.said_in("form")
@action
def begin() -> None:
    """Begins a run as it is described in the form, and shows it."""
    name = runs.workspace().lab_jobs.begin(st.session_state.get(DESCRIPTION) or "")
    address.go(Address(run=name, model=address.current().model))


@action
def resume(name: str) -> None:
    """Works on a run again."""
    runs.workspace().lab_jobs.resume(name)


@action
def stop(name: str) -> None:
    """Stops a run."""
    runs.workspace().lab_jobs.stop(name)


@action
def delete(name: str) -> None:
    """Deletes a run, and remembers it so that it can be brought back."""
    st.session_state[DELETED] = Deleted(runs.workspace().lab.delete(name), name)


@action
def restore(gone: Deleted) -> None:
    """Brings the run back that was deleted last."""
    runs.workspace().lab.restore(gone.folder, gone.name)
    dismiss()


def dismiss() -> None:
    """Removes the notice of a deletion; the run stays deleted."""
    st.session_state.pop(DELETED, None)


@action
def put_beside(name: str) -> None:
    """Draws another run beside this one; with "", none."""
    address.go(replace(address.current(), beside=name or None))


@action
def show_of(name: str, sample: str) -> None:
    """Shows an answer of the run beside this one: the two change places."""
    here = address.current()
    address.go(replace(here, run=name, beside=here.run, sample=sample))


@action
def show(sample: str | None) -> None:
    """Shows an answer; with None, none."""
    if sample is None:
        st.session_state[CLOSED] = closed() + 1
    address.go(replace(address.current(), sample=sample))


@action
def show_question(number: int) -> None:
    """Shows the answer of the same arm to the question whose number was typed."""
    _show_question(number)


@action
def step(by: int) -> None:
    """Shows the answer of the same arm to a question before or after the one whose number was typed, or is shown."""
    key_for(NUMBER, _show_question(chosen_now(NUMBER) + by))


def _show_question(number: int) -> int:
    """Shows the answer of the arm to a question, or the nearest one that it has answered; its number."""
    here = address.current()
    if here.run is None or (shown := Shown.read(here.sample)) is None:
        return number
    with runs.workspace().lab.open(here.run) as run:
        done = run.standing(shown.arm, shown.seed).number
    there = max(1, min(done, number))
    address.go(replace(here, sample=str(shown._replace(question=there))))
    return there


def is_led_away(name: str) -> bool:
    """Whether another place than a run is to be shown: a session, or another run."""
    return OPENED in st.session_state or address.current().run != name


def closed() -> int:
    """How often an answer was closed in this browser tab."""
    return st.session_state.get(CLOSED, 0)


@notices.said_in("answer")
@action
def switch_off(name: str, sample: str, bullet_id: str) -> None:
    """Answers a question of a run once more without a bullet, to show both answers."""
    shown = Shown.read(sample)
    assert shown is not None
    again = runs.workspace().lab.answer_again(name, shown.arm, shown.seed, shown.question - 1, without=[bullet_id])
    st.session_state[SWITCHED] = ((name, sample), bullet_id, asyncio.run(again))


@notices.said_in("answer")
@action
def open_session(name: str, arm: str, seed: int, number: int) -> None:
    """Adds the session of an answer to the playground, and leads there."""
    with runs.workspace().lab.open(name) as run:
        file, keep = run.session(arm, seed, number), run.description.keep
    if file is None:
        raise NotKeptError(
            f'The session of this answer was not kept: the run keeps "{keep}". With keep = "all" in the description, a new '
            "run keeps all of them."
        )
    added = import_session(runs.manager(), file)
    say_imported(added)
    st.session_state[OPENED] = (added.pipeline, added.session_id)
