"""The section on data: where sessions, files and models are kept, their size, and how to keep them elsewhere."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agents.models import models_folder
from agents.runs import RunManager, files_folder
from ui.state import runs
from ui.text.amounts import bytes_in_words, size_of
from ui.text.labels import many


def show(manager: RunManager) -> None:
    """Draws a card for each location."""
    sessions = manager.sessions.page(limit=0).found
    database = runs.database()
    size = sum(size_of(database.with_name(database.name + ending))[0] for ending in ("", "-wal", "-shm"))
    _place(
        "Sessions, playbooks and what you set here",
        database,
        f"{many(sessions, 'session')}, {bytes_in_words(size)}" if database.exists() else f"{many(sessions, 'session')}",
        "Another file: `playground --db FILE`, or `PLAYGROUND_DB`. Keys are never in it.",
    )
    _folder("Working files of sessions", files_folder(), "Another folder: `PLAYGROUND_FILES`.")
    _folder("Model files", models_folder(), "Another folder: `PLAYGROUND_MODELS`.")


def _folder(title: str, folder: Path, how: str) -> None:
    size, number = size_of(folder)
    _place(title, folder, f"{many(number, 'file')}, {bytes_in_words(size)}" if number else "Nothing there yet", how)


def _place(title: str, where: Path, holds: str, how: str) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(title, anchor=False, width="content")
            st.caption(holds, width="content")
        st.code(str(where), language=None, wrap_lines=True)
        st.caption(how)
