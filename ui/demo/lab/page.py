"""The page of the lab demos, at `/demo?demo=&run=&step=`: the bar, and the board below it.

A step changes nothing but the URL, unless it has an action. The board is read from the run, again and again while it is
worked on; until its end the first step is shown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from agents import LabError, PlaygroundError
from agents.access import Action
from agents.lab import CLOSED_WORLD, LabRun
from ui.access import owner
from ui.demo import frame, opening, overview
from ui.demo.frame import BACK, END, NEXT, keep_focus
from ui.demo.lab.demo import LabDemo
from ui.demo.lab.demos import LAB_DEMOS
from ui.demo.preset import preset
from ui.demo.stage import component
from ui.demo.stage.picture import Picture
from ui.state import address, navigation, notices, places, runs
from ui.state.address import Address
from ui.state.notices import action
from ui.text.labels import plain

REFRESH, IDLE_REFRESH = 0.5, 3.0
"""Seconds between two drawings while this process works on the run, and while another one may."""


def show(here: Address) -> None:
    """Draws the page."""
    places.manager()  # says what is wrong with the database, if something is
    demo = LAB_DEMOS.get(here.demo or "")
    if demo is None:
        overview.show(here)
        return
    with frame.bar():
        owner.show_notice(Action.USE_LAB)
        notices.show()
        try:
            if here.run is None and opening.demo() == demo.name:
                address.go(Address(demo=demo.name, run=of_process(demo), step="1", model=here.model))
                here = address.current()
            if here.run is None:
                _invitation(demo)
                return
            with runs.workspace().lab.open(here.run) as run:
                _draw(demo, run, here)
        except PlaygroundError as error:
            _problem(demo, str(error))


def _draw(demo: LabDemo, run: LabRun, here: Address) -> None:
    """Draws a step, or the end."""
    if run.description.name != f"demo {demo.name}":
        _problem(demo, f"The run {run.name!r} is not of this demo.")
        return
    is_done = run.status == "finished"
    if here.step == END and is_done:
        _ended(demo, run, here)
        return
    number = _number(demo, run, here) if is_done else 1
    _step(demo, run, number, is_done=is_done)
    if is_done:
        _show(demo.steps[number - 1].picture(run))
        return
    # Last, so that no element stands behind those that a fragment run draws anew.
    going = _goes_on(run.name)
    st.fragment(_live, run_every=REFRESH if going else IDLE_REFRESH)(demo, run.name, going)


def _number(demo: LabDemo, run: LabRun, here: Address) -> int:
    """The step that the URL names, but none behind an action that was not done."""
    actions = (at for at, step in enumerate(demo.steps) if step.action is not None and not step.action.is_done(run))
    return frame.number_in(here.step, next(actions, len(demo.steps)))


def _live(demo: LabDemo, name: str, was_going: bool) -> None:
    """Draws the first step of a run that is worked on."""
    try:
        with runs.workspace().lab.open(name) as run:
            if run.status == "finished" or _goes_on(name) != was_going:
                st.rerun()
            _progress(run)
            _show(demo.steps[0].picture(run))
    except PlaygroundError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _progress(run: LabRun) -> None:
    known = runs.workspace().lab_jobs.of(run.name)
    if known is not None and known.problem:
        st.error(f"**It has ended early.** {plain(known.problem)}", icon=":material/error:")
    plan = run.description
    total = len(plan.arms) * int(plan.data["count"]) if isinstance(plan.data, dict) else 1
    done = sum(one.number for one in run.standings())
    st.progress(min(1.0, done / total), text=f"{done:,} of {total:,} answers")


def _goes_on(name: str) -> bool:
    known = runs.workspace().lab_jobs.of(name)
    return known is not None and known.goes_on


def _step(demo: LabDemo, run: LabRun, number: int, *, is_done: bool) -> None:
    locked = not owner.is_owner()
    following = demo.steps[number].action if number < len(demo.steps) else None

    def others() -> None:
        if not is_done and not _goes_on(run.name):  # it takes seconds; on the Lab page it can be stopped
            st.button("Go on", key="demo_resume", disabled=locked, on_click=_resume, args=(demo.name, run.name))
            _button("Begin anew", "demo_anew", demo)

    frame.step(
        demo.steps,
        number,
        on_back=_go,
        on_next=partial(_go_on, demo.name, run.name),
        on_end=_end,
        links=partial(_to_lab, run),
        others=others,
        may_go_on=is_done and not (locked and following is not None and not following.is_done(run)),
        is_over=is_done,
        may_end=is_done,
    )


def _to_lab(run: LabRun) -> None:
    navigation.to_lab("→ This run in the Lab", address.current(), run=run.name)


def _ended(demo: LabDemo, run: LabRun, here: Address) -> None:
    def links() -> None:
        _to_lab(run)
        navigation.to_demo("→ The other demos", here)

    text = f"**The demo has ended.** The run “{plain(run.name)}” is kept, with every answer and revision:"
    with frame.row(text, links=links):
        _button("Begin anew", "demo_anew", demo, help="With a new run. The figures will be the same ones.")
        st.button("Back", key=BACK, on_click=_go, args=(len(demo.steps),))
    _show(demo.steps[-1].picture(run))


def _problem(demo: LabDemo, why: str) -> None:
    with frame.row(f"**The demo cannot be shown.** {plain(why)}"):
        _button("Begin a new one", "demo_anew", demo, kind="primary")


def _invitation(demo: LabDemo) -> None:
    steps = f"{len(demo.steps)} steps, and a lab run of a few seconds with the simulated model."
    with frame.row(f"**Demo “{demo.name}”**: {preset(demo.name).about}.", steps):
        _button("Begin", NEXT, demo, kind="primary")
    keep_focus(NEXT, demo.name, ready=True)


def _button(
    label: str, key: str, demo: LabDemo, *, kind: Literal["primary", "secondary"] = "secondary", help: str | None = None
) -> None:
    """A button that begins a new run."""
    st.button(label, key=key, type=kind, help=help, disabled=not owner.is_owner(), on_click=_begin, args=(demo.name,))


@action
def _begin(name: str) -> None:
    address.go(Address(demo=name, run=begin(LAB_DEMOS[name]), step="1", model=address.current().model))


@action
def _resume(name: str, run: str) -> None:
    resume(LAB_DEMOS[name], run)


@action
def _go_on(name: str, run_name: str, number: int) -> None:
    """Does the action of the next step, if it was not done, and shows it."""
    following = LAB_DEMOS[name].steps[number - 1].action
    if following is not None:
        with runs.workspace().lab.open(run_name) as run:
            if not following.is_done(run):
                following.do(run)
    _go(number)


def _go(number: int) -> None:
    address.go(replace(address.current(), step=str(number)))


def _end() -> None:
    address.go(replace(address.current(), step=END))


def begin(demo: LabDemo) -> str:
    """Begins a new run of a demo, by the first free name, and returns the name.

    Raises:
        PlaygroundError: It cannot be begun, or the user is a visitor.
    """
    return runs.workspace().lab_jobs.begin(demo.description, demo.parts())


def resume(demo: LabDemo, name: str) -> None:
    """Works on a run again.

    Raises:
        PlaygroundError: It cannot be resumed, or the user is a visitor.
    """
    runs.workspace().lab_jobs.resume(name, demo.parts())


def of_process(demo: LabDemo) -> str:
    """The run that this process was started for: one that was cut off goes on, else a new one begins at the first call.

    Raises:
        PlaygroundError: See `begin`; but a visitor is led to a run that has begun.
    """
    lab = runs.workspace().lab

    def make() -> str:
        lab.require()
        return _taken_up(demo) or begin(demo)

    return opening.made_once(make, lambda name: name in lab.names())


def _taken_up(demo: LabDemo) -> str | None:
    """A run of the demo that was cut off, and goes on now; None if there is none."""
    lab = runs.workspace().lab
    for name in reversed(lab.names()):
        with suppress(LabError):  # it is none of ours, or what it was begun with has changed
            if lab.text(name) != demo.description:
                continue
            with lab.open(name) as run:
                is_over = run.status == "finished"
            if not is_over:
                resume(demo, name)
                return name
    return None


def _show(picture: Picture) -> None:
    """Draws a picture, and below it that it is of a closed world."""
    component.draw(replace(picture, note=CLOSED_WORLD))
