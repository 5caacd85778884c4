"""A list of sessions over a WebSocket: `/api/sessions?pipeline=&words=&limit=`, live.

Without a pipeline the sessions of all of them are listed; `words` have to be in the title. Frames are JSON. To the browser:
`list` (the first rows, last changed first, and how many were found), `changes` (rows that are new or differ, the names of
those that are gone, and how many there are now), `error` (the sessions cannot be read). The browser sends nothing; one that
wants more rows, or others, connects again.

Nothing is queued here: a slow browser gets fewer and larger frames. Tabs look at changes at the same moments, and a row that
changed is read and written as JSON once for all of them. Without changes nothing is read.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import anyio
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents import PlaygroundError
from ui.web.routes import frames
from ui.web.routes.frames import TRY_LATER, leave, send, until_gone
from ui.web.routes.threads import in_thread

if TYPE_CHECKING:
    from agents import SessionFilter, SummaryPage
    from agents.runs import ListChanges, RunManager

PATH = "/api/sessions"
PAUSE = 0.3
"""Seconds between the moments at which tabs look at changes: a run changes its session many times a second."""
REST = 9
"""Least pause after a read of the list, as a multiple of its duration: a search must not keep a core busy during a run."""
LIMIT, MOST_ROWS = 100, 1000
"""Rows that are sent first, and most rows that a browser may ask for."""
LONGEST = 1000
"""Characters of each parameter; what follows is cut."""

_NUMBER = re.compile(r"[0-9]{1,4}")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Listed:
    """What a browser lists, and what it was sent.

    Attributes:
        wanted: Which sessions.
        limit: Rows of the list.
        page: The list that it was sent last; None before the first.
        known: The sessions that are counted in `found`.
        found: How many sessions it was told there are.
    """

    wanted: SessionFilter
    limit: int
    page: SummaryPage | None = None
    known: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    found: int = 0


def sessions_route(runs: Callable[[], RunManager], *, path: str = PATH) -> WebSocketRoute:
    """The route that serves the list.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path, without the app's base path.
    """

    async def endpoint(websocket: WebSocket) -> None:
        await websocket.accept()
        with suppress(WebSocketDisconnect):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(until_gone, websocket, tasks.cancel_scope)
                await _serve(websocket, runs)
                tasks.cancel_scope.cancel()

    return WebSocketRoute(path, endpoint)


async def _serve(websocket: WebSocket, find: Callable[[], RunManager]) -> None:
    """Sends frames until the server ends, the sessions cannot be read, or the browser stops reading."""
    try:
        await _tell(websocket, await in_thread(find), await in_thread(_listed, websocket.query_params))
        await websocket.close(TRY_LATER)
    except PlaygroundError as error:
        await leave(websocket, TRY_LATER, {"type": "error", "message": str(error)})
    except TimeoutError:
        _log.info("A list of sessions was not read for %g s and its browser was disconnected.", frames.SEND_SECONDS)
    except WebSocketDisconnect:
        pass


def _listed(query: Mapping[str, str]) -> Listed:
    from agents import SessionFilter  # brings the runtime, a second of imports

    limit = query.get("limit", "")
    wanted = SessionFilter(app_name=query.get("pipeline", "")[:LONGEST] or None, title=query.get("words", "")[:LONGEST])
    return Listed(wanted, min(int(limit), MOST_ROWS) if _NUMBER.fullmatch(limit) else LIMIT)


async def _tell(websocket: WebSocket, runs: RunManager, listed: Listed) -> None:
    """Sends the list, then its changes."""
    async with aclosing(runs.sessions.changes()) as changes:
        async for change in changes:
            begun = monotonic()
            is_read = change.everything or bool(listed.wanted.title)
            frame = await (_list(runs, listed) if is_read else _changes(runs, listed, change))
            now = monotonic()
            if frame is not None:
                await send(websocket, frame)
            await anyio.sleep(max(_until_next(now), REST * (now - begun) if is_read else 0))


def _until_next(now: float) -> float:
    """Seconds until the next moment at which tabs look: the same for all, at least half a pause away."""
    if not PAUSE:
        return 0
    left = PAUSE - now % PAUSE
    return left if left >= PAUSE / 2 else left + PAUSE


async def _list(runs: RunManager, listed: Listed) -> str | None:
    """The frame with the first rows; None if the browser was sent these."""
    from ui.session_list.rows import row_json

    page = await runs.sessions.listed(listed.wanted, limit=listed.limit)
    if page == listed.page:
        return None
    listed.page, listed.found = page, page.found
    listed.known = {(row.app_name, row.id) for row in page.rows}
    return f'{{"type": "list", "rows": [{", ".join(map(row_json, page.rows))}], "found": {page.found}}}'


async def _changes(runs: RunManager, listed: Listed, change: ListChanges) -> str | None:
    """The frame with single rows; None if none of them is listed."""
    from ui.session_list.rows import row_json

    app_name = listed.wanted.app_name
    rows = [row for row in change.rows if app_name in (None, row.app_name)]
    gone = [key[:2] for key in change.gone if app_name in (None, key.pipeline)]
    if not rows and not gone:
        return None
    listed.page = None  # the browser has more than that list now
    if gone or any((row.app_name, row.id) not in listed.known for row in rows):
        listed.found = (await runs.sessions.listed(listed.wanted, limit=0)).found
    listed.known.update((row.app_name, row.id) for row in rows)
    listed.known.difference_update(gone)
    encoded, names = ", ".join(map(row_json, rows)), json.dumps(gone, ensure_ascii=False)
    return f'{{"type": "changes", "rows": [{encoded}], "gone": {names}, "found": {listed.found}}}'
