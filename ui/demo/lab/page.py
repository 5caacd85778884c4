"""The page of the lab demos, at `/demo?demo=&run=&step=`: the bar, and the board below it.

A step changes nothing but the URL, unless it has an action. The board is read from the run, again and again while it is
worked on; until its end the first step is shown.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agents import PlaygroundError
from agents.lab import LabRun
from ui.access import owner
from ui.demo import frame, opening, overview
from ui.demo.focus import keep_focus
from ui.demo.frame import BACK, END, LAST, NEXT
from ui.demo.lab import work
from ui.demo.lab.board import component
from ui.demo.lab.demo import LabDemo
from ui.demo.lab.demos import LAB_DEMOS
from ui.demo.preset import preset
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
        owner.show_notice()
        notices.show()
        try:
            if here.run is None and opening.demo() == demo.name:
                address.go(Address(demo=demo.name, run=work.of_process(demo), step="1", model=here.model))
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
    _bar(demo, run, number, is_done=is_done)
    keep_focus(NEXT if number < len(demo.steps) else LAST, number, ready=is_done)
    if is_done:
        component.show(demo.steps[number - 1].picture(run))
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
            component.show(demo.steps[0].picture(run))
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


def _bar(demo: LabDemo, run: LabRun, number: int, *, is_done: bool) -> None:
    step, count, locked = demo.steps[number - 1], len(demo.steps), not owner.is_owner()
    with frame.row():
        with frame.words():
            frame.heading(number, count, step.title, step.look_for)
            if number == count:
                _links(run)
        with frame.buttons():
            if not is_done and not _goes_on(run.name):  # it takes seconds; on the Lab page it can be stopped
                st.button("Go on", key="demo_resume", disabled=locked, on_click=_resume, args=(demo.name, run.name))
                st.button("Begin anew", key="demo_anew", disabled=locked, on_click=_begin, args=(demo.name,))
            st.button("Back", key=BACK, disabled=number == 1, on_click=_go, args=(number - 1,))
            if number < count:
                following = demo.steps[number].action
                blocked = not is_done or (locked and following is not None and not following.is_done(run))
                order = (demo.name, run.name, number + 1)
                st.button("Next", key=NEXT, type="primary", disabled=blocked, on_click=_go_on, args=order)
            kind = "primary" if number == count else "secondary"
            st.button("End", key=LAST, type=kind, disabled=not is_done, on_click=_end)


def _links(run: LabRun) -> None:
    with frame.links():
        navigation.to_lab("→ This run in the Lab", address.current(), run=run.name)


def _ended(demo: LabDemo, run: LabRun, here: Address) -> None:
    with frame.row():
        with frame.words():
            st.markdown(f"**The demo has ended.** The run “{plain(run.name)}” is kept, with every answer and revision:")
            with frame.links():
                navigation.to_lab("→ This run in the Lab", here, run=run.name)
                navigation.to_demo("→ The other demos", here)
        with frame.buttons():
            about = "With a new run. The figures will be the same ones."
            locked = not owner.is_owner()
            st.button("Begin anew", key="demo_anew", help=about, disabled=locked, on_click=_begin, args=(demo.name,))
            st.button("Back", key=BACK, on_click=_go, args=(len(demo.steps),))
    component.show(demo.steps[-1].picture(run))


def _problem(demo: LabDemo, why: str) -> None:
    with frame.row():
        with frame.words():
            st.markdown(f"**The demo cannot be shown.** {plain(why)}")
        with frame.buttons():
            blocked = not owner.is_owner()
            st.button(
                "Begin a new one", key="demo_anew", type="primary", disabled=blocked, on_click=_begin, args=(demo.name,)
            )


def _invitation(demo: LabDemo) -> None:
    with frame.row():
        with frame.words():
            st.markdown(f"**Demo “{demo.name}”**: {preset(demo.name).about}.")
            st.markdown(f"{len(demo.steps)} steps, and a lab run of a few seconds with the simulated model.")
        with frame.buttons():
            blocked = not owner.is_owner()
            st.button("Begin", key=NEXT, type="primary", disabled=blocked, on_click=_begin, args=(demo.name,))
    keep_focus(NEXT, demo.name, ready=True)


@action
def _begin(name: str) -> None:
    address.go(Address(demo=name, run=work.begin(LAB_DEMOS[name]), step="1", model=address.current().model))


@action
def _resume(name: str, run: str) -> None:
    work.resume(LAB_DEMOS[name], run)


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
