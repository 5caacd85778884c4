"""Keeps the tab's next request from ending a callback halfway, e.g. between a change and the URL that shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from ui.dependencies.streamlit_private import requests_held

P = ParamSpec("P")


def uninterrupted(callback: Callable[P, None]) -> Callable[P, None]:
    """Wraps a callback: other requests of the same browser tab are held back until it returns."""

    @wraps(callback)
    def whole(*args: P.args, **kwargs: P.kwargs) -> None:
        with requests_held():
            callback(*args, **kwargs)

    return whole
