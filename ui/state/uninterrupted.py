"""Lets a callback finish before the tab's next request ends it, e.g. between a change and the URL that shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from ui.dependencies.streamlit_private import requests_held

P = ParamSpec("P")


def uninterrupted(callback: Callable[P, None]) -> Callable[P, None]:
    """The callback, during which other requests of the same browser tab are held back. They come next."""

    @wraps(callback)
    def whole(*args: P.args, **kwargs: P.kwargs) -> None:
        with requests_held():
            callback(*args, **kwargs)

    return whole
