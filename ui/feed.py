"""The feed: a session's log over a WebSocket, from any entry on, then live.

Frames are JSON. To the browser: `hello` (session with its number of events, agent tree), `log` (entries in order; `more`
while stored ones are still coming), `partial` (text being written, by offset), `gone` (the session is not there), `error`.
From the browser: nothing. Whoever reconnects asks for what comes after the last entry they have.

Knows no database: everything comes from `subscribe`. Nothing is queued here: the next item is taken when the last one
was sent, and a browser that takes none for a while is let go.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import Any, assert_never

import anyio
import anyio.to_thread
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents.errors import PersonError, PlaygroundError, SessionNotFoundError
from agents.pipeline import describe_tree
from agents.runs import LogBatch, Partial, RunManager
from ui.guard import LOOPBACK_NAMES, host_name, same_origin

PATH = "/api/log"
SEND_SECONDS = 30.0

_POLICY, _TRY_LATER, _NOT_FOUND = 1008, 1013, 4404
_SEQ = re.compile(r"[0-9]{1,18}")
_log = logging.getLogger(__name__)


def same_host(headers: Mapping[str, str], allowed_hosts: Collection[str]) -> bool:
    """Whether a request was addressed to this server and comes from a page of this server.

    Browsers always send `Origin` when they open a WebSocket or post from another site; a request without one comes
    from no page.

    Args:
        headers: The request's, with lower-case names.
        allowed_hosts: Host names without port; "*" allows every one.
    """
    host, origin = headers.get("host"), headers.get("origin")
    if "*" not in allowed_hosts and host_name(host) not in allowed_hosts:
        return False
    return origin is None or same_origin(origin, host)


def log_route(
    runs: Callable[[], RunManager], *, allowed_hosts: Collection[str] = LOOPBACK_NAMES, path: str = PATH
) -> WebSocketRoute:
    """The route that serves the feed.

    Args:
        runs: Gives the process's run manager, from any thread; may take its time the first time, and may fail.
        allowed_hosts: Host names that the server may be called by; "*" for any.
        path: Where it is served; an app below a base path puts that in front.
    """

    async def endpoint(websocket: WebSocket) -> None:
        if not same_host(websocket.headers, allowed_hosts):
            await websocket.close(_POLICY)  # before accepting, so the browser sees 403
            return
        await websocket.accept()
        with suppress(WebSocketDisconnect):
            await _serve(websocket, runs)

    return WebSocketRoute(path, endpoint)


async def _serve(websocket: WebSocket, find: Callable[[], RunManager]) -> None:
    try:
        runs = await anyio.to_thread.run_sync(find)
        pipeline, session, after = _wanted(websocket.query_params)
        await _send(websocket, await anyio.to_thread.run_sync(_hello, runs, pipeline, session))
    except SessionNotFoundError as error:
        await _leave(websocket, _NOT_FOUND, {"type": "gone", "message": str(error)})
    except PlaygroundError as error:
        final = isinstance(error, PersonError) and not _passes(error)
        await _leave(
            websocket, _NOT_FOUND if final else _TRY_LATER, {"type": "error", "message": str(error), "retry": not final}
        )
    else:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_gone, websocket, tasks.cancel_scope)
            await _tell(websocket, runs, pipeline, session, after)
            tasks.cancel_scope.cancel()


def _wanted(query: Mapping[str, str]) -> tuple[str, str, int]:
    pipeline, session, after = query.get("pipeline", ""), query.get("session", ""), query.get("after", "0")
    if not pipeline or not session:
        raise SessionNotFoundError("The address names no session. Open one from the Playground page.")
    return pipeline, session, int(after) if _SEQ.fullmatch(after) else 0


def _hello(runs: RunManager, pipeline: str, session: str) -> str:
    tree = describe_tree(runs.catalog.get(pipeline).root_agent)
    found = next((summary for summary in runs.sessions(pipeline) if summary.id == session), None)
    if found is None:
        raise SessionNotFoundError(
            f"There is no session “{session}” of {pipeline}; it may have been deleted. Choose another, or start a new one."
        )
    about = {"id": session, "pipeline": pipeline, "title": found.title, "events": found.events}
    return _said({"type": "hello", "session": about, "tree": tree})


def _passes(error: PlaygroundError) -> bool:
    """Whether waiting may mend it: a database that is locked now may be free in a second."""
    return error.code == "DATABASE"


async def _tell(websocket: WebSocket, runs: RunManager, pipeline: str, session: str, after: int) -> None:
    """Sends what the subscription gives, until the session is gone, the browser is, or it takes nothing any more."""
    try:
        async with aclosing(runs.subscribe(pipeline, session, after=after)) as items:
            async for item in items:
                await _send(websocket, _frame(item))
        # Either the session was deleted, or the server is going down and the browser should come back.
        await _send(websocket, await anyio.to_thread.run_sync(_hello, runs, pipeline, session))
        await websocket.close(_TRY_LATER)
    except SessionNotFoundError as error:
        await _leave(websocket, _NOT_FOUND, {"type": "gone", "message": str(error)})
    except PlaygroundError as error:
        await _leave(websocket, _TRY_LATER, {"type": "error", "message": str(error), "retry": True})
    except TimeoutError:
        _log.info("A viewer of session %s took nothing for %g s and was let go.", session, SEND_SECONDS)
    except WebSocketDisconnect:
        pass


def _frame(item: LogBatch | Partial) -> str:
    match item:
        case LogBatch(entries=entries, more=more):
            joined = ",".join(entry.to_json() for entry in entries)
            return f'{{"type":"log","entries":[{joined}],"more":{"true" if more else "false"}}}'
        case Partial():
            return _said({"type": "partial", **asdict(item)})
        case _:
            assert_never(item)


def _said(frame: dict[str, Any]) -> str:
    return json.dumps(frame, ensure_ascii=False)


async def _send(websocket: WebSocket, frame: str) -> None:
    with anyio.fail_after(SEND_SECONDS):
        await websocket.send_text(frame)


async def _leave(websocket: WebSocket, code: int, frame: dict[str, Any]) -> None:
    await _send(websocket, _said(frame))
    await websocket.close(code)


async def _until_gone(websocket: WebSocket, scope: anyio.CancelScope) -> None:
    """Waits for the browser to go; then nothing more is sent. What it says meanwhile means nothing."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass
    scope.cancel()
