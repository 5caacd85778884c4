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


_NUMBERS = "widget_numbers"
"""By name: how many widgets of that name were replaced."""


def key_for(name: str, value: Any) -> str:
    """The key of the widget that is drawn next under a name, and shows a value that other widgets change, too.

    Where the widget has another value, a new one takes its place. A request that the browser sent before it got the value
    still has the old one, which Streamlit takes for a choice of the user. Callbacks read `chosen_now`, so that such a
    request changes nothing.
    """
    key = current_key(name)
    if key not in st.session_state:
        st.session_state[key] = value
    elif st.session_state[key] != value or type(st.session_state[key]) is not type(value):
        numbers = st.session_state.setdefault(_NUMBERS, {})
        numbers[name] = numbers.get(name, 0) + 1
        key = current_key(name)
        st.session_state[key] = value
    return key


def current_key(name: str) -> str:
    """The key of the widget that has a name now."""
    number = st.session_state.get(_NUMBERS, {}).get(name, 0)
    return f"{name}#{number}" if number else name


def chosen_now(name: str) -> Any:
    """What the widget that has a name now shows; None if it is not drawn."""
    return st.session_state.get(current_key(name))


def show_value(key: str, value: Any) -> None:
    """Has the widget with this key, which is drawn next, show a value.

    A value that is set is sent to the browser, where it replaces what a person has chosen since the run began. So it is set
    only if the widget has another one.
    """
    if key not in st.session_state or st.session_state[key] != value or type(st.session_state[key]) is not type(value):
        st.session_state[key] = value
