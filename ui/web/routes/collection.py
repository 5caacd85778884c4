"""The sessions that a query finds, over HTTP: `/api/collection?q=&pipeline=&status=&tag=&limit=`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from ui.web.answers import json_route

if TYPE_CHECKING:
    from agents.runs import RunManager

PATH = "/api/collection"
LONGEST = 1000
"""Characters of each parameter; what follows is cut."""

_LIMIT = re.compile(r"[0-9]{1,4}")


def collection_route(runs: Callable[[], RunManager], *, path: str = PATH) -> Route:
    """The route that serves the rows of the Sessions page.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path.
    """
    return json_route(path, lambda query: _read(runs(), query))


def _read(manager: RunManager, query: Mapping[str, str]) -> dict[str, Any]:
    from ui.session_list.listing import Query, listing  # brings the runtime, a second of imports

    names = {"text": "q", "pipeline": "pipeline", "status": "status", "tag": "tag"}
    wanted = {field: query.get(name, "")[:LONGEST] for field, name in names.items()}
    limit = query.get("limit", "")
    return listing(manager, Query(**wanted, limit=int(limit) if _LIMIT.fullmatch(limit) else Query().limit))
