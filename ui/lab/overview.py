"""All runs of the Lab, and the form that begins a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.lab import actions, active_runs, files
from ui.lab.presets import presets
from ui.lab.recorded import recorded_list
from ui.playbook.delta_effect import many
from ui.state import navigation
from ui.text.labels import plain
from ui.web import owner

if TYPE_CHECKING:
    from agents.lab import RunInfo
    from ui.state.address import Address

ABOUT = (
    "What is a playbook worth? A run asks the same questions several times, each time with another **arm**: without a "
    "playbook, with one that learns, with a text that is rewritten. All arms get the questions in the same order, and "
    "pay for every call of a model."
)
CLOSED = (
    "The sets that come along are a closed world, made for the simulated model: they show how a playbook works, not how "
    "good a model is. For that, take your own questions and a real model."
)
STATUS = {"waiting": "○ not begun", "running": "◔ not finished", "finished": "✓ finished"}
MOST_RUNS = 50
_PRESET, _FILE = "lab_preset", "lab_file"


def draw(here: Address) -> None:
    """Draws the runs and the form."""
    with st.container(key="lab_head"):
        st.header("Lab", anchor=False)
    st.markdown(ABOUT)
    navigation.to_demo("→ Guided demos, a minute or two each", here)
    found = active_runs.lab().runs()
    if found:
        _runs(found, here)
    recorded_list.draw()
    st.subheader("New run", anchor=False)
    _form()


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


def _form() -> None:
    with st.container(key="lab_form", gap="small"):
        titles = [preset.title for preset in presets()]
        st.pills("Begin with", titles, key=_PRESET, default=titles[0], required=True, on_change=_take_preset)
        chosen = next((one for one in presets() if one.title == st.session_state.get(_PRESET)), presets()[0])
        st.session_state.setdefault(actions.DESCRIPTION, chosen.text)
        st.markdown(chosen.about)
        text, side = st.columns([3, 2], gap="medium")
        with text:
            st.text_area(
                "Description (TOML)",
                key=actions.DESCRIPTION,
                height=320,
                help="Data, pipeline, model, seeds, arms with their switches, limits. It is kept with the results.",
            )
        with side:
            _data_file()
        locked = not owner.is_owner()
        st.button("▶ Begin", key="lab_begin", type="primary", disabled=locked, on_click=actions.begin)
        st.caption(CLOSED)


def _data_file() -> None:
    st.file_uploader(
        "Your own data",
        type=[suffix[1:] for suffix in files.SUFFIXES],
        key=_FILE,
        on_change=actions.upload,
        args=(_FILE,),
        help="JSON lines with question and answer, or context and target; or CSV.",
        disabled=not owner.is_owner(),
    )
    if name := st.session_state.get(actions.KEPT):
        st.success(f'Kept. Name it in the description: `file = "{plain(name)}"`', icon=":material/check:")
    if there := files.kept():
        names = ", ".join(f"`{plain(name)}`" for name in there[:MOST_RUNS])
        st.caption(f"Files that can be named: {names}")


def _take_preset() -> None:
    chosen = next((one for one in presets() if one.title == st.session_state[_PRESET]), presets()[0])
    st.session_state[actions.DESCRIPTION] = chosen.text
