"""The list of recorded runs on the Lab page."""

from __future__ import annotations

import streamlit as st

from ui.access import owner
from ui.lab.recorded.recordings import Recording, opened, recordings
from ui.state import address
from ui.state.address import Address
from ui.state.notices import action
from ui.text.labels import plain

_SHOWN_OF_SUM = 12


def draw() -> None:
    """Draws it."""
    st.subheader("Recorded runs", anchor=False)
    with st.container(key="lab_recorded", border=True, gap="small"):
        for recording in recordings():
            _draw(recording)


def _draw(recording: Recording) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"Recorded: {plain(recording.title)}",
            key=f"lab_recorded_{recording.folder.name}",
            icon=":material/history:",
            help="Opens the recorded answers, read only. No model is asked.",
            disabled=not owner.is_owner(),
            on_click=open_recording,
            args=(recording.folder.name,),
        )
        st.badge(plain(recording.model), color="blue", help=f"SHA-256 of its weights: {recording.sha256}")
        weights = f"weights {recording.sha256[:_SHOWN_OF_SUM]}…"
        st.markdown(f":gray[recorded on {recording.day:%Y-%m-%d} · {weights}]", width="content")
    st.caption(plain(recording.about))


@action
def open_recording(name: str) -> None:
    """Shows a recorded run."""
    recording = next(one for one in recordings() if one.folder.name == name)
    address.go(Address(run=opened(recording), model=address.current().model))
