"""Why the last action on the Lab page was not done: said where the user clicked."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from ui.playground.actions import NOTICE
from ui.text.labels import plain

P = ParamSpec("P")
_OF_FORM = "lab_notice_of_form"


def of_form(action: Callable[P, None]) -> Callable[P, None]:
    """An action of the form that begins runs: what it could not do is said there."""

    @wraps(action)
    def callback(*args: P.args, **kwargs: P.kwargs) -> None:
        action(*args, **kwargs)
        st.session_state[_OF_FORM] = st.session_state.get(NOTICE)

    return callback


def show(*, in_form: bool = False) -> None:
    """Draws it, if there is something to say here."""
    said = st.session_state.get(NOTICE)
    if said is not None and (said is st.session_state.get(_OF_FORM)) == in_form:
        st.error(plain(said.text), icon=":material/block:")
