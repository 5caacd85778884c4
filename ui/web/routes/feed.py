"""The feed: a session's log over a WebSocket, from any entry on, then live.

Frames are JSON. To the browser: `hello` (session with its number of events, agent tree), `tail` (of a long log the last
entries, to show while the others load, and `events`, the number of the last event in them), `log` (entries in order; `more`
while stored ones follow), `partial` (streamed text, by offset), `waiting` (runs wait for the database, or `queued` this
session's for its turn; "" when they do no more), `lost` (the run ended and its end could not be stored), `gone` (the session
does not exist), `error`. The browser sends nothing. A view that reconnects asks for the entries after its last one.

Nothing is queued here: the next item is taken when the last one was sent, and a browser that stops reading is disconnected.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import assert_never

import anyio
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents import DatabaseError, LogEntry, PersonError, PlaygroundError, SessionNotFoundError, SessionSummary
from agents.runs import LogBatch, LostRun, Partial, RunManager, Waiting
from ui.web.routes import frames
from ui.web.routes.frames import TRY_LATER, leave, said, send, until_gone
from ui.web.threads import in_thread

PATH = "/api/log"
TAIL = 150
"""Entries sent first: more than a screen shows."""
LONG = 400
"""Events from which on a log's end is sent first."""

_NOT_FOUND = 4404
_SEQ = re.compile(r"[0-9]{1,18}")
_log = logging.getLogger(__name__)


def log_route(runs: Callable[[], RunManager], *, path: str = PATH) -> WebSocketRoute:
    """The route that serves the feed.

    Args:
        runs: Returns the process's run manager, from any thread; the first call may be slow, and a call may fail.
        path: The route's path, without the app's base path.
    """

    async def endpoint(websocket: WebSocket) -> None:
        await websocket.accept()
        with suppress(WebSocketDisconnect):
            await _serve(websocket, runs)

    return WebSocketRoute(path, endpoint)


async def _serve(websocket: WebSocket, find: Callable[[], RunManager]) -> None:
    runs: RunManager | None = None
    try:
        runs = await in_thread(find)
        pipeline, session, after = _wanted(websocket.query_params)
        found = await in_thread(_summary, runs, pipeline, session)
        await send(websocket, _hello(runs, found))
        if not after and found.events >= LONG:
            await send(websocket, await _tail(runs, pipeline, session))
    except SessionNotFoundError as error:
        await leave(websocket, _NOT_FOUND, {"type": "gone", "message": str(error)})
    except DatabaseError as error:
        await _leave_database(websocket, runs, error)
    except PlaygroundError as error:
        final = isinstance(error, PersonError)
        await leave(
            websocket, _NOT_FOUND if final else TRY_LATER, {"type": "error", "message": str(error), "retry": not final}
        )
    else:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(until_gone, websocket, tasks.cancel_scope)
            await _tell(websocket, runs, pipeline, session, after)
            tasks.cancel_scope.cancel()


def _wanted(query: Mapping[str, str]) -> tuple[str, str, int]:
    pipeline, session, after = query.get("pipeline", ""), query.get("session", ""), query.get("after", "0")
    if not pipeline or not session:
        raise SessionNotFoundError("The URL names no session. Open one from the Playground page.")
    return pipeline, session, int(after) if _SEQ.fullmatch(after) else 0


def _summary(runs: RunManager, pipeline: str, session: str) -> SessionSummary:
    runs.pipeline_of(pipeline, session)
    found = runs.sessions.find(pipeline, session)
    if found is None:
        raise SessionNotFoundError(
            f"There is no session “{session}” of {pipeline}; it may have been deleted. Choose another, or start a new one."
        )
    return found


def _hello(runs: RunManager, found: SessionSummary) -> str:
    about = {"id": found.id, "pipeline": found.app_name, "title": found.title, "events": found.events}
    tree = runs.pipeline_of(found.app_name, found.id).tree
    return said({"type": "hello", "session": about, "tree": tree})


async def _tail(runs: RunManager, pipeline: str, session: str) -> str:
    """The end of a log. Its events are counted, since more may have come since the greeting."""
    entries = await runs.sessions.newest(pipeline, session, limit=TAIL)
    events = await in_thread(runs.sessions.event_number, pipeline, session, entries[-1].seq)
    return f'{{"type":"tail","entries":[{_joined(entries)}],"events":{events}}}'


async def _leave_database(websocket: WebSocket, runs: RunManager | None, error: DatabaseError) -> None:
    """Sends the database's error, and `lost` if the session's run has ended. The database may work again in a second."""
    query = websocket.query_params
    lost = None if runs is None else runs.lost_run(query.get("pipeline", ""), query.get("session", ""))
    if lost is not None:
        await send(websocket, _frame(lost))
    await leave(websocket, TRY_LATER, {"type": "error", "message": str(error), "retry": True})


async def _tell(websocket: WebSocket, runs: RunManager, pipeline: str, session: str, after: int) -> None:
    """Sends the subscription's items until the session is deleted or the browser disconnects or stops reading."""
    try:
        async with aclosing(runs.subscribe(pipeline, session, after=after)) as items:
            async for item in items:
                await send(websocket, _frame(item))
        # Either the session was deleted, or the server is ending and the browser should reconnect.
        await send(websocket, _hello(runs, await in_thread(_summary, runs, pipeline, session)))
        await websocket.close(TRY_LATER)
    except SessionNotFoundError as error:
        await leave(websocket, _NOT_FOUND, {"type": "gone", "message": str(error)})
    except DatabaseError as error:
        await _leave_database(websocket, runs, error)
    except PlaygroundError as error:
        await leave(websocket, TRY_LATER, {"type": "error", "message": str(error), "retry": True})
    except TimeoutError:
        _log.info("A viewer of session %s read nothing for %g s and was disconnected.", session, frames.SEND_SECONDS)
    except WebSocketDisconnect:
        pass


def _frame(item: LogBatch | Partial | Waiting | LostRun) -> str:
    match item:
        case LogBatch(entries=entries, more=more):
            return f'{{"type":"log","entries":[{_joined(entries)}],"more":{"true" if more else "false"}}}'
        case Partial():
            return said({"type": "partial", **asdict(item)})
        case Waiting(reason=reason, is_queued=queued):
            return said({"type": "waiting", "message": reason, "queued": queued})
        case LostRun(invocation_id=invocation_id, message=message):
            return said({"type": "lost", "invocation": invocation_id, "message": message})
        case _:
            assert_never(item)


def _joined(entries: Sequence[LogEntry]) -> str:
    return ",".join(entry.to_json() for entry in entries)
