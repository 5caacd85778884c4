"""The served app: `playground` and `streamlit run ui/app.py` both serve this `app`.

Puts the parts together: the script that draws pages, the session feed, the files that agents saved, the guard in front of
all, and the run manager's life. Knows no widget.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from agents import PlaygroundError
from ui.state import runs
from ui.web import announcement, appearance, warmup
from ui.web.guard import Guard
from ui.web.owner import owner_route
from ui.web.routes.artifacts import artifact_route
from ui.web.routes.page_shell import shell_route
from ui.web.routes.playbooks import playbook_route
from ui.web.streamlit_sessions import close_gone_tabs


async def log(websocket: WebSocket) -> None:
    """The session feed. Whoever comes first waits for its imports, in a thread: everybody else is served meanwhile."""
    route = await asyncio.to_thread(_feed)
    await route.endpoint(websocket)


def _feed() -> WebSocketRoute:
    from ui.web.routes.feed import log_route  # brings the runtime, a second of imports

    with suppress(PlaygroundError):  # the feed says what is wrong
        runs.manager()
    return log_route(runs.manager)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncGenerator[None, None]:
    """Makes the run manager once the port answers, and closes it at the end."""
    announcement.warn_at_start()
    close_gone_tabs(app)
    warming: list[threading.Thread] = []
    timer = asyncio.get_running_loop().call_later(warmup.DELAY, lambda: warming.append(warmup.start()))
    try:
        yield
    finally:
        timer.cancel()
        await asyncio.to_thread(_close, warming)


def _close(warming: list[threading.Thread]) -> None:
    for thread in warming:  # an interpreter that ends in the middle of an import aborts
        thread.join(warmup.PATIENCE)
    runs.close()


app = st.App(
    Path(__file__).with_name("pages") / "main.py",
    routes=[
        WebSocketRoute("/api/log", log),
        artifact_route(runs.manager),
        playbook_route(runs.manager),
        owner_route(),
        *map(shell_route, ("/gallery", "/playbook", "/settings")),
    ],
    middleware=[Middleware(Guard)],
    lifespan=lifespan,
)
appearance.apply()  # for `streamlit run` from another folder, where Streamlit finds no settings
