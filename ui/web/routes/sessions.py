"""The list of all sessions over a WebSocket: `/api/sessions`, live.

Frames are JSON. To the browser: `list` (all rows, first), `changes` (rows that are new or differ, and the names of those
that are gone), `error` (the sessions cannot be read). The browser sends nothing; one that reconnects gets a new `list`.

Nothing is queued here. After a change of any session the list is read again and compared with what this browser was sent, so
a slow browser gets fewer and larger frames. Without changes nothing is read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import aclosing, suppress
from time import monotonic
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents import PlaygroundError
from ui.web.routes import frames
from ui.web.routes.frames import TRY_LATER, leave, said, send, until_gone

if TYPE_CHECKING:
    from agents import SessionSummary
    from agents.runs import RunManager

PATH = "/api/sessions"
PAUSE = 0.3
"""Least seconds between two frames to a browser: a run changes its session many times a second."""
REST = 9
"""Least pause after a read, as a multiple of its duration: a list of thousands must not keep a core busy during a run."""

_log = logging.getLogger(__name__)

Sessions = dict[tuple[str, str], "SessionSummary"]
"""Sessions by pipeline and id, last changed first."""


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
        await _tell(websocket, await anyio.to_thread.run_sync(find))
        await websocket.close(TRY_LATER)
    except PlaygroundError as error:
        await leave(websocket, TRY_LATER, {"type": "error", "message": str(error)})
    except TimeoutError:
        _log.info("A list of sessions was not read for %g s and its browser was disconnected.", frames.SEND_SECONDS)
    except WebSocketDisconnect:
        pass


async def _tell(websocket: WebSocket, runs: RunManager) -> None:
    """Sends the list, then its changes."""
    sent: Sessions | None = None
    async with aclosing(runs.sessions.changes()) as changes:
        async for _ in changes:
            begun = monotonic()
            sent, frame = await anyio.to_thread.run_sync(_read, runs, sent)
            spent = monotonic() - begun
            if frame is not None:
                await send(websocket, frame)
            await anyio.sleep(max(PAUSE, REST * spent))


def _read(runs: RunManager, sent: Sessions | None) -> tuple[Sessions, str | None]:
    """The sessions as they are, and the frame that tells a browser so; None if it was sent these."""
    from ui.session_list.rows import row_of  # brings the runtime, a second of imports

    found = {(session.app_name, session.id): session for session in runs.sessions.summaries()}
    if sent is None:
        return found, said({"type": "list", "rows": [row_of(session) for session in found.values()]})
    rows = [row_of(session) for key, session in found.items() if sent.get(key) != session]
    gone = [key for key in sent if key not in found]
    return found, said({"type": "changes", "rows": rows, "gone": gone}) if rows or gone else None
