"""Why the last action on the Lab page was not done: said where the user clicked."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

from ui.state.notices import NOTICE
from ui.text.labels import plain

P = ParamSpec("P")
Place = Literal["page", "form", "answer"]
_PLACED = "lab_notice_placed"


def said_in(place: Place) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """For actions of a part of the page: what they could not do is said there, and of others at the top."""

    def decorate(action: Callable[P, None]) -> Callable[P, None]:
        @wraps(action)
        def callback(*args: P.args, **kwargs: P.kwargs) -> None:
            action(*args, **kwargs)
            st.session_state[_PLACED] = (place, st.session_state.get(NOTICE))

        return callback

    return decorate


def show(place: Place = "page") -> None:
    """Draws it, if there is something to say in this part of the page."""
    if (said := st.session_state.get(NOTICE)) is None:
        return
    placed, what = st.session_state.get(_PLACED, ("page", None))
    if (placed if what is said else "page") != place:
        return
    if said.kind == "error":
        st.error(plain(said.text), icon=":material/block:")
    else:
        st.info(plain(said.text), icon=":material/info:")
