"""Notices: what the last action has to tell its user. They stay in the browser tab until the next action.

On a page with several parts, a notice is shown in the part where the user clicked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, NamedTuple, ParamSpec

import streamlit as st

from agents import PlaygroundError
from ui.state.quick_input import uninterrupted
from ui.text.labels import plain

P = ParamSpec("P")
NOTICE = "notice"
"""The last action's `Notice`, if it left one."""
DELETED = "deleted"
"""The session that can be brought back: `Deleted`."""
Part = Literal["page", "form", "answer"]
"""A part of a page that shows notices."""
_PLACED = "notice_placed"


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


def said_in(part: Part) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """For actions of a part of the page: what they could not do is said there, and of others at the top."""

    def decorate(action: Callable[P, None]) -> Callable[P, None]:
        @wraps(action)
        def callback(*args: P.args, **kwargs: P.kwargs) -> None:
            action(*args, **kwargs)
            st.session_state[_PLACED] = (part, st.session_state.get(NOTICE))

        return callback

    return decorate


def show(part: Part = "page") -> None:
    """Draws it, if there is something to say in this part of the page."""
    if (said := st.session_state.get(NOTICE)) is None:
        return
    placed, what = st.session_state.get(_PLACED, ("page", None))
    if (placed if what is said else "page") != part:
        return
    if said.kind == "error":
        st.error(plain(said.text), icon=":material/block:")
    else:
        st.info(plain(said.text), icon=":material/info:")
