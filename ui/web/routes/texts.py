"""Texts that records name by hash over HTTP: `/api/texts?names=`.

The session view reads what a model was sent: instructions, tool declarations, schemas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio.from_thread
from starlette.routing import Route

from ui.web.answers import json_route

if TYPE_CHECKING:
    from agents.runs import RunManager

PATH = "/api/texts"
MOST = 100
"""Most names in a URL."""

_NAME = re.compile(r"[0-9a-f]{32}")


def texts_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves texts.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """
    return json_route(path, lambda query: _read(runs, query), cache="no-cache")  # another database may not have the text


def _read(runs: Callable[[], RunManager], query: Mapping[str, str]) -> dict[str, Any]:
    names = query.get("names", "").split(",")
    if len(names) > MOST or not all(map(_NAME.fullmatch, names)):
        raise ValueError(f"The URL of texts needs names=: at most {MOST} names of 32 hexadecimal digits, with commas.")
    return {"texts": anyio.from_thread.run(runs().sessions.texts, names)}
