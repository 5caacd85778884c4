"""What was typed into the description of a new run: kept for each preset while the browser tab is open.

Streamlit forgets the text of a field that a script run does not draw, so the drafts are kept beside it.
"""

from __future__ import annotations

import streamlit as st

from ui.lab.actions import DESCRIPTION
from ui.lab.new_run.presets import Preset, presets

PRESET = "lab_preset"
_DRAFTS, _OF = "lab_drafts", "lab_draft_of"
_OWN = "My own questions"
_FILE_OF_PRESET = '"questions.jsonl"'


def chosen() -> Preset:
    """The preset that the field begins with."""
    return _named(st.session_state.get(_OF))


def fill() -> None:
    """Puts the draft into the field, if it is not there, and chooses its preset."""
    preset = chosen()
    st.session_state[_OF] = preset.title
    st.session_state.setdefault(PRESET, preset.title)
    st.session_state.setdefault(DESCRIPTION, _drafts().get(preset.title, preset.text))


def keep() -> None:
    """Keeps what the field says now."""
    if (typed := st.session_state.get(DESCRIPTION)) is not None:
        _drafts()[chosen().title] = typed


def take_chosen() -> None:
    """Takes the preset that was chosen, as the user left it."""
    _take(_named(st.session_state[PRESET]))


def is_changed() -> bool:
    """Whether the field says something else than the preset."""
    return st.session_state.get(DESCRIPTION) != chosen().text


def reset() -> None:
    """Takes the preset as it comes along."""
    _drafts().pop(chosen().title, None)
    st.session_state[DESCRIPTION] = chosen().text


def use_file(name: str) -> None:
    """Takes the description for own questions, with this file."""
    preset = _named(_OWN)
    _take(preset)
    st.session_state[PRESET] = preset.title
    st.session_state[DESCRIPTION] = preset.text.replace(_FILE_OF_PRESET, quoted(name))
    keep()


def quoted(name: str) -> str:
    """The name of a file as a string of TOML."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _take(preset: Preset) -> None:
    keep()
    st.session_state[_OF] = preset.title
    st.session_state[DESCRIPTION] = _drafts().get(preset.title, preset.text)


def _named(title: str | None) -> Preset:
    return next((one for one in presets() if one.title == title), presets()[0])


def _drafts() -> dict[str, str]:
    return st.session_state.setdefault(_DRAFTS, {})
