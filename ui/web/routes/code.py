"""A session as Python files over HTTP: `/api/code?pipeline=&session=`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from agents import SessionNotFoundError
from ui.web.answers import json_route

if TYPE_CHECKING:
    from agents.runs import RunManager

PATH = "/api/code"
LONGEST = 300
"""Most characters of a name in the URL."""


def code_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves the code of a session; it is written at each request.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """
    return json_route(path, lambda query: _written(runs, query))  # not kept: the next message is part of it


def _written(runs: Callable[[], RunManager], query: Mapping[str, str]) -> dict[str, Any]:
    from agents.sharing import session_code  # brings the runtime, a second of imports

    pipeline, session = query.get("pipeline", ""), query.get("session", "")
    if not (pipeline and session) or max(len(pipeline), len(session)) > LONGEST:
        raise SessionNotFoundError("The URL names no session. Open one from the Playground page.")
    return {"pipeline": pipeline, **asdict(session_code(runs(), pipeline, session))}
