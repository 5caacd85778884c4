"""The drafts of a new run: one for each preset, as TOML. They are stored beside the runs, so that a reload keeps them.

Streamlit forgets what a browser tab had when it is reloaded, and the text of a field that a script run does not draw.
"""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from pydantic import TypeAdapter

from ui.access import owner
from ui.lab.actions import DESCRIPTION
from ui.lab.new_run.presets import Preset, presets
from ui.state import runs
from ui.state.quick_input import chosen_now, key_for

PRESET, TEXT = "lab_preset", "lab_toml"
_DRAFTS, _OF, _BEFORE = "lab_drafts", "lab_draft_of", "lab_draft_before"
_FILE = ".drafts.json"


@dataclass(slots=True)
class Draft:
    """A draft.

    Attributes:
        text: The description, as TOML; it may be wrong while it is written.
        valid: The newest text that described a run; "" for that of the preset.
        order: The titles of all arms that have a card, in their order.
        off: The tables of the arms that were switched off, by title.
    """

    text: str
    valid: str = ""
    order: list[str] = field(default_factory=list[str])
    off: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])


@dataclass(slots=True)
class _Stored:
    """What is stored: the preset that is chosen, and the drafts by preset."""

    chosen: str = ""
    drafts: dict[str, Draft] = field(default_factory=dict[str, Draft])


class _Before(NamedTuple):
    """What *Undo* brings back: the title of a preset and its draft."""

    title: str
    draft: Draft


def chosen() -> Preset:
    """The preset that the form begins with."""
    return _named(st.session_state.get(_OF))


def draft() -> Draft:
    """The draft of the chosen preset."""
    preset = chosen()
    return _drafts().setdefault(preset.title, Draft(preset.text))


def fill() -> None:
    """Takes the draft of the chosen preset for the description."""
    _drafts()  # it also chooses the preset that was chosen before a reload
    preset = chosen()
    st.session_state[_OF] = preset.title
    st.session_state.setdefault(PRESET, preset.title)
    st.session_state[DESCRIPTION] = draft().text


def keep() -> None:
    """Keeps what the field says now."""
    if (typed := chosen_now(TEXT)) is not None and typed != draft().text:
        draft().text = st.session_state[DESCRIPTION] = typed
        st.session_state.pop(_BEFORE, None)
        _store()


def take_chosen() -> None:
    """Takes the preset that was chosen, as the user left it."""
    if (typed := chosen_now(TEXT)) is not None:
        draft().text = typed
    st.session_state[_OF] = _named(st.session_state[PRESET]).title
    _show()


def remember() -> None:
    """Remembers the draft as it is, for *Undo*."""
    st.session_state[_BEFORE] = _Before(chosen().title, deepcopy(draft()))


def replace(text: str) -> None:
    """Puts another description in the place of the draft's."""
    draft().text = text
    _show()


def is_changed() -> bool:
    """Whether the draft says something else than its preset."""
    return st.session_state.get(DESCRIPTION) != chosen().text


def can_be_undone() -> bool:
    """Whether the last change of this draft can be undone."""
    before: _Before | None = st.session_state.get(_BEFORE)
    return before is not None and before.title == chosen().title


def reset() -> None:
    """Takes the preset as it comes along."""
    remember()
    _drafts().pop(chosen().title, None)
    _show()


def undo() -> None:
    """Brings the draft back that was there before the last change of the form."""
    if can_be_undone():
        before: _Before = st.session_state.pop(_BEFORE)
        _drafts()[before.title] = before.draft
        _show()


def _show() -> None:
    st.session_state[DESCRIPTION] = draft().text
    key_for(TEXT, draft().text)  # what else is in this request is no change of this text
    _store()


def _named(title: str | None) -> Preset:
    return next((one for one in presets() if one.title == title), presets()[0])


def _drafts() -> dict[str, Draft]:
    if _DRAFTS not in st.session_state:
        stored = _stored() if owner.is_owner() else _Stored()
        st.session_state[_DRAFTS] = stored.drafts
        st.session_state.setdefault(_OF, stored.chosen)
    return st.session_state[_DRAFTS]


def _path() -> Path:
    return runs.workspace().lab.folder / _FILE


def _stored() -> _Stored:
    """What is stored; nothing if it cannot be read."""
    try:
        return TypeAdapter(_Stored).validate_json(_path().read_bytes())
    except (OSError, ValueError):
        return _Stored()


def _store() -> None:
    """Stores the draft of the chosen preset; those of the others stay as another tab may have left them."""
    if not owner.is_owner():
        return
    title = chosen().title
    found = _Stored(title, {**_stored().drafts, title: draft()})
    path = _path()
    with suppress(OSError):  # a draft that cannot be stored is still in the tab
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(asdict(found)), encoding="utf-8")
        new.replace(path)
