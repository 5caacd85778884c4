"""The Lab page, top to bottom: all runs and the way to a new one, or one run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from agents import PlaygroundError
from agents.access import Action
from ui.access import owner
from ui.lab import actions, run_view
from ui.lab.new_run import form
from ui.lab.recorded import recorded_list
from ui.shell import styles
from ui.shell.page_scripts import top_of_page
from ui.state import navigation, notices, places, runs
from ui.state.address import Address
from ui.text.labels import many, plain

if TYPE_CHECKING:
    from agents.lab import RunInfo

_STYLE = Path(__file__).with_name("lab.css")
ABOUT = (
    "What is a playbook worth? A run asks the same questions several times, each time with another **arm**: without a "
    "playbook, with one that learns, with a text that is rewritten. All arms get the questions in the same order, and "
    "pay for every call of a model."
)
STATUS = {"waiting": "○ not begun", "running": "◔ not finished", "finished": "✓ finished"}
NEWEST, MOST_RUNS = 3, 50
"""Runs above the form, so that it is in sight at once, and those that are listed after them."""


def show(here: Address) -> None:
    """Draws the page."""
    if (opened := st.session_state.pop(actions.OPENED, None)) is not None:
        navigation.to_playground(Address(pipeline=opened[0], session=opened[1], model=here.model))
    places.manager()  # says what is wrong with the database, if something is
    styles.apply(_STYLE)
    with st.container(key="lab_page", gap="small"):
        top_of_page(here.run or "")
        owner.show_notice(Action.USE_LAB)
        if here.run is None:
            notices.show()
            _overview(here)
            return
        try:
            run = runs.workspace().lab.open(here.run)
        except PlaygroundError as error:  # there is none of that name, or its database is damaged
            st.warning(plain(str(error)), icon=":material/search_off:")
            navigation.to_lab("→ All runs", here)
            return
        with run:
            run_view.draw(run, here)


def _overview(here: Address) -> None:
    """Draws the runs and the form."""
    with st.container(key="lab_head", horizontal=True, vertical_alignment="center"):
        st.header("Lab", anchor=False)
    st.markdown(ABOUT)
    navigation.to_demo("→ Guided demos, a minute or two each", here)
    _deleted()
    found = sorted(runs.workspace().lab.runs(), key=lambda info: -info.begun)  # the newest first
    if found:
        _runs(found, here)
    st.subheader("New run", anchor=False)
    form.show(found)
    recorded_list.draw()


def _runs(found: list[RunInfo], here: Address) -> None:
    st.subheader("Runs", anchor=False)
    with st.container(key="lab_runs", border=True, gap="xsmall"):
        _rows(found[:NEWEST], here)
        if earlier := found[NEWEST:]:
            with st.expander(many(len(earlier), "earlier run"), type="compact"):
                _rows(earlier[:MOST_RUNS], here)
                if len(earlier) > MOST_RUNS:
                    folder = plain(str(runs.workspace().lab.folder))
                    st.caption(f"… and {len(earlier) - MOST_RUNS:,} more in the folder {folder}.")


def _rows(found: list[RunInfo], here: Address) -> None:
    for info in found:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _run(info, here)


def _run(info: RunInfo, here: Address) -> None:
    work = runs.workspace().lab_jobs.of(info.name)
    is_running = work is not None and work.goes_on
    navigation.to_lab(f"**{plain(info.name)}**", here, run=info.name)
    if info.problem:
        st.markdown(f":orange[⚠ {plain(info.problem)}]", width="content")
    else:
        status = "● running" if is_running else STATUS[info.status]
        st.markdown(f":gray[{status} · {many(info.samples, 'answer')}]", width="content")
        st.markdown(f":gray[{plain(' · '.join(info.arms))}]", width="content")
    st.space("stretch")
    st.button(
        "Delete",
        key=f"lab_delete_{info.name}",
        type="tertiary",
        icon=":material/delete:",
        help="Stop it first" if is_running else f"Delete {plain(info.name)}; this can be undone",
        disabled=is_running or not owner.is_owner(),
        on_click=actions.delete,
        args=(info.name,),
    )


def _deleted() -> None:
    """Draws what the last deletion did, with its undo."""
    gone: actions.Deleted | None = st.session_state.get(actions.DELETED)
    if gone is None:
        return
    with st.container(key="lab_deleted", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Deleted the run **{plain(gone.name)}**.", width="stretch")
        st.button("Undo", key="lab_undo", type="tertiary", on_click=actions.restore, args=(gone,))
        st.button("✕", key="lab_dismiss", type="tertiary", help="Close", on_click=actions.dismiss)
