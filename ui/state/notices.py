"""Notices: what the last action has to tell its user. They stay in the browser tab until the next action."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, NamedTuple, ParamSpec

import streamlit as st

from agents import PlaygroundError
from ui.state.quick_input import uninterrupted

P = ParamSpec("P")
NOTICE = "notice"
"""The last action's `Notice`, if it left one."""
DELETED = "deleted"
"""The session that can be brought back: `Deleted`."""


class Notice(NamedTuple):
    """Something that a person has to know: plain text, never Markdown; of an error, with its code."""

    kind: Literal["error", "info"]
    text: str
    code: str = ""


class Deleted(NamedTuple):
    """The session that was deleted last, to offer it back."""

    pipeline: str
    session: str
    title: str


def action(do: Callable[P, None]) -> Callable[P, None]:
    """Clears the last notice, and turns an expected error of `do` into one. Nothing else begins before it is over."""

    @uninterrupted
    @wraps(do)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        st.session_state.pop(NOTICE, None)
        try:
            do(*args, **kwargs)
        except PlaygroundError as error:
            st.session_state[NOTICE] = Notice("error", str(error), error.code)

    return callback
