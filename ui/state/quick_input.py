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


_NUMBERS, _DRAWN = "widget_numbers", "widget_values"
"""By name: how many widgets of that name were replaced, and the value that the last one was drawn with."""


def key_for(name: str, value: Any) -> str:
    """The key of the widget that is drawn next under a name, and shows a value that other widgets change, too.

    Where the widget has another value, a new one takes its place. A request that the browser sent before it got the value
    still has the old one, which Streamlit takes for a choice of the user. Callbacks are those of `if_chosen`, or read
    `chosen_now`, so that such a request changes nothing.

    A value that a widget has is not set again: it would replace what the user has chosen since the run began.
    """
    st.session_state.setdefault(_DRAWN, {})[name] = value
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


def if_chosen(do: Callable[..., None]) -> Callable[..., None]:
    """The callback of a widget of `key_for`. Its first argument is the widget's name; `do` gets the others, then the choice.

    Nothing is done for a late request, which has no choice but the value that was shown before.
    """

    @wraps(do)
    def callback(name: str, *args: Any) -> None:
        chosen, drawn = chosen_now(name), st.session_state.get(_DRAWN, {})
        if current_key(name) in st.session_state and (name not in drawn or chosen != drawn[name]):
            drawn[name] = chosen
            do(*args, chosen)

    return callback
