"""Lets a callback do all that it was asked, whatever the browser asks meanwhile.

Streamlit ends a script at its next look at the session's state once the browser has asked for something else, and a callback
as well: between what it did and the address that shows it. Knows Streamlit's queue of requests and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from streamlit.runtime.scriptrunner import get_script_run_ctx

P = ParamSpec("P")
_YIELD = "on_scriptrunner_yield"


def uninterrupted(callback: Callable[P, None]) -> Callable[P, None]:
    """The callback, during which no other request of the same browser tab is looked at. They are kept, and come next."""

    @wraps(callback)
    def whole(*args: P.args, **kwargs: P.kwargs) -> None:
        context = get_script_run_ctx()
        requests = context.script_requests if context else None
        if requests is None or _YIELD in vars(requests):  # without a browser, or inside of another callback
            callback(*args, **kwargs)
            return
        setattr(requests, _YIELD, _nothing_asked)
        try:
            callback(*args, **kwargs)
        finally:
            delattr(requests, _YIELD)

    return whole


def _nothing_asked() -> None:
    return None
