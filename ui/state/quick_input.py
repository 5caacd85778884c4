"""Input that is faster than the page is drawn: callbacks that nothing ends halfway, and choices that nothing undoes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from ui.dependencies.streamlit_private import requests_held

P = ParamSpec("P")


def uninterrupted(callback: Callable[P, None]) -> Callable[P, None]:
    """Wraps a callback: other requests of the same browser tab are held back until it returns.

    Without it a request could end the callback halfway, e.g. between a change and the URL that shows it.
    """

    @wraps(callback)
    def whole(*args: P.args, **kwargs: P.kwargs) -> None:
        with requests_held():
            callback(*args, **kwargs)

    return whole


def show_value(key: str, value: Any) -> None:
    """Has the widget with this key, which is drawn next, show a value.

    A value that is set is sent to the browser, where it replaces what a person has chosen since the run began. So it is set
    only if the widget has another one.
    """
    if key not in st.session_state or st.session_state[key] != value or type(st.session_state[key]) is not type(value):
        st.session_state[key] = value
