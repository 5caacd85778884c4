"""The bar above the page during a demo: the step, what to look for, the buttons Back, Next and End, and the board.

The URL names the demo and the step (`?demo=&step=`), so a reload, a second tab and the browser's Back show the same.
A step's actions are done only when a button is pressed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ui.demo import frame, opening, preset
from ui.demo.board.picture import picture, totals
from ui.demo.frame import END
from ui.demo.opening import PIPELINE
from ui.demo.play import Demo
from ui.demo.script import SESSIONS, day
from ui.demo.stage import component
from ui.demo.watch import entry
from ui.state import address, navigation, places, run_actions, runs
from ui.state.address import Address
from ui.state.notices import action
from ui.state.options import control_values
from ui.state.places import Place
from ui.text.labels import plain

if TYPE_CHECKING:
    from agents.runs import RunManager

TAB = "playbook"


def lead() -> None:
    """Redirects from the root URL to the beginning of the process's demo, if it has one."""
    here = address.of_playground()
    if here != Address():
        return
    match opening.demo():
        case preset.STORY:
            manager = places.manager()
            address.go(_at_step(Demo(manager, opening.made_once(lambda: opening.new_playbook(manager))), 1, here))
        case preset.WATCH:
            navigation.to_playbook_page(entry.of_process(places.manager(), here.model))
        case None:
            pass
        case name:
            navigation.to_demo_page(Address(demo=name, model=here.model))


def show(place: Place) -> None:
    """Draws the bar, if the URL names a demo."""
    if place.address.demo is None:
        return
    demo = Demo(place.manager, place.address.demo)
    with frame.bar():
        if not demo.is_there():
            _missing(demo)
        elif place.address.step == END:
            _ended(demo, place.address)
        else:
            _step(demo, place)


def _step(demo: Demo, place: Place) -> None:
    here = place.address
    number = frame.number_in(here.step, demo.reached())
    step, there = demo.steps[number - 1], _at_step(demo, number, here)
    is_here = (here.pipeline, here.session) == (there.pipeline, there.session)
    busy = place.running if is_here else demo.is_running()  # the view reports the end of the run that it shows

    def others() -> None:
        if busy and there.session:
            st.button("Stop", key="demo_stop", on_click=run_actions.stop, args=(PIPELINE, there.session))
        elif is_here and demo.has_failed(step):
            st.button("Ask again", key="demo_again", on_click=run_actions.run_again, args=(PIPELINE, there.session))
        if not is_here:
            st.button("Show this step", key="demo_show", type="tertiary", on_click=_go, args=(demo.playbook, number))

    frame.step(
        demo.steps,
        number,
        on_back=partial(_go, demo.playbook),
        on_next=partial(_go_on, demo.playbook),
        on_end=_end,
        links=partial(_links, demo, here),
        others=others,
        may_go_on=not (busy or place.is_blocked),
        is_over=not busy,
    )
    _board(demo, number, fills=step.curve and is_here)


def _ended(demo: Demo, here: Address) -> None:
    text = f"**The demo has ended.** Playbook “{plain(demo.playbook)}”: {totals(demo)}. All of it is kept:"
    with frame.row(text, links=partial(_links, demo, here)):
        st.button("Begin anew", key="demo_anew", on_click=_anew, help="With another, empty playbook.")
        st.button("Close", key="demo_close", on_click=_close)
    if demo.answers():
        _board(demo, len(demo.steps), fills=False)


def _board(demo: Demo, number: int, *, fills: bool) -> None:
    """Draws the board; the style sheet hides the session where the board fills the page."""
    with st.container(key="demo_full" if fills else "demo_board"):
        component.draw(picture(demo, number, fills=fills))


def _missing(demo: Demo) -> None:
    elsewhere = "The link may be from another machine, or from another database."
    with frame.row(f"**There is no demo “{plain(demo.playbook[:80])}” here.** {elsewhere}"):
        st.button("Begin a new one", key="demo_anew", type="primary", on_click=_anew)


def _links(demo: Demo, here: Address) -> None:
    navigation.to_playbook(f"→ Playbook “{plain(demo.playbook)}”", demo.playbook, here)
    for name in SESSIONS:
        if demo.has(name):
            navigation.to_session(f"→ {day(name)}", PIPELINE, demo.session_id(name), here)


def _at_step(demo: Demo, number: int, here: Address) -> Address:
    """The address of a step: its session, with the step's event selected if later questions were asked there."""
    step = demo.steps[number - 1]
    shown = step.shown
    turn = demo.turn(shown) if shown else None
    session = demo.session_id(shown.session) if shown and demo.has(shown.session) else None
    seq = 0
    if turn and turn.learned and step.at_delta:
        seq = turn.learned.seq
    elif turn and not demo.is_last(turn):
        seq = turn.ended_at
    return Address(
        pipeline=PIPELINE,
        session=session,
        at=str(demo.manager.sessions.event_number(PIPELINE, session, seq)) if session else None,
        tab=TAB,
        model=here.model,
        settings=() if session else control_values.write({"playbook_name": demo.playbook}),
        demo=demo.playbook,
        step=str(number),
    )


@action
def _go(playbook: str, number: int) -> None:
    """Shows a step that was reached already."""
    address.go(_at_step(Demo(runs.manager(), playbook), number, address.of_playground()))


@action
def _go_on(playbook: str, number: int) -> None:
    """Does the remaining actions of the next step, and shows it."""
    here = address.of_playground()
    demo = Demo(runs.manager(), playbook)
    if demo.reached() < number:
        demo.do(number, model=here.model)
    address.go(_at_step(demo, number, here))


def _end() -> None:
    address.go(replace(address.of_playground(), at=address.NO_EVENT, step=END))


def _close() -> None:
    address.go(replace(address.of_playground(), demo=None, step=None))


@action
def _anew() -> None:
    address.go(beginning(runs.manager(), address.of_playground()))


def beginning(manager: RunManager, here: Address) -> Address:
    """The first step of a demo with a new playbook."""
    return _at_step(Demo(manager, opening.new_playbook(manager)), 1, here)
