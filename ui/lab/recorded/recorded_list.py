"""The list of recorded runs on the Lab page."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from ui.access import owner
from ui.state import address, runs
from ui.state.address import Address
from ui.state.notices import action
from ui.text.labels import plain

_SHOWN_OF_SUM = 12
_ABOUT = "recording.toml"


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


class Recording(NamedTuple):
    """A run that was recorded.

    Attributes:
        folder: The run's folder, with its data and playbooks.
        title: What it is called.
        about: What it shows.
        model: The model that answered.
        sha256: Of the model's weights.
        day: When it was recorded.
    """

    folder: Path
    title: str
    about: str
    model: str
    sha256: str
    day: date


@cache
def recordings() -> tuple[Recording, ...]:
    """All of them, by the names of their folders."""
    found = sorted(Path(__file__).parent.glob(f"*/{_ABOUT}"))
    return tuple(Recording(folder=path.parent, **tomllib.loads(path.read_text(encoding="utf-8"))) for path in found)


def opened(recording: Recording) -> str:
    """Puts a recorded run beside the playground's own runs, if it is not there yet; the name that it has there.

    Raises:
        PlaygroundError: It cannot be written there, or the user may not.
    """
    return runs.workspace().lab.add_copy(recording.folder, f"recorded-{recording.folder.name}")
