"""All runs of the Lab, and the form that begins a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.lab import active_runs
from ui.lab.new_run import form
from ui.lab.recorded import recorded_list
from ui.state import navigation
from ui.text.labels import many, plain

if TYPE_CHECKING:
    from agents.lab import RunInfo
    from ui.state.address import Address

ABOUT = (
    "What is a playbook worth? A run asks the same questions several times, each time with another **arm**: without a "
    "playbook, with one that learns, with a text that is rewritten. All arms get the questions in the same order, and "
    "pay for every call of a model."
)
STATUS = {"waiting": "○ not begun", "running": "◔ not finished", "finished": "✓ finished"}
MOST_RUNS = 50


def draw(here: Address) -> None:
    """Draws the runs and the form."""
    with st.container(key="lab_head"):
        st.header("Lab", anchor=False)
    st.markdown(ABOUT)
    navigation.to_demo("→ Guided demos, a minute or two each", here)
    found = sorted(active_runs.lab().runs(), key=lambda info: -info.begun)  # the newest first
    if found:
        _runs(found, here)
    recorded_list.draw()
    st.subheader("New run", anchor=False)
    form.show()


def _runs(found: list[RunInfo], here: Address) -> None:
    st.subheader("Runs", anchor=False)
    with st.container(key="lab_runs", border=True, gap="xsmall"):
        for info in found[:MOST_RUNS]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                navigation.to_lab(f"**{plain(info.name)}**", here, run=info.name)
                if info.problem:
                    st.markdown(f":orange[⚠ {plain(info.problem)}]", width="content")
                    continue
                work = active_runs.work_on(info.name)
                status = "● running" if work is not None and work.goes_on else STATUS[info.status]
                st.markdown(f":gray[{status} · {many(info.samples, 'answer')}]", width="content")
                st.markdown(f":gray[{plain(' · '.join(info.arms))}]", width="content")
    if len(found) > MOST_RUNS:
        st.caption(f"… and {len(found) - MOST_RUNS:,} more in the folder {plain(str(active_runs.lab().folder))}.")
