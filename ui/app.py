"""The served app: `playground` and `streamlit run ui/app.py` both serve this `app`.

It joins the page script, the session feed, artifacts, the guard in front of all routes, and the run manager's lifetime.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from agents import PlaygroundError
from ui.access import identity, visitor_key
from ui.access.guard import Guard
from ui.access.identity import Identity
from ui.access.owner import owner_route
from ui.access.quotas import Quotas
from ui.access.ways_in import configured
from ui.api.adk.routes import adk_routes
from ui.api.ag_ui.routes import ag_ui_routes
from ui.api.mcp.route import endpoint as mcp_endpoint
from ui.api.mcp.route import mcp_route
from ui.api.openai.routes import openai_routes
from ui.api.unknown_paths import UnknownRoute
from ui.classroom.opening import announce
from ui.classroom.pages import class_pages, class_route
from ui.dependencies.streamlit_private import (
    answer_each_request,
    remember_theme,
    send_in_bulk,
    trust_header,
    without_agent_api,
)
from ui.shell import appearance
from ui.sign_in.routes import SignIn
from ui.state import runs
from ui.web import announcement, base_path, warmup
from ui.web.base_path import BasePath
from ui.web.routes.artifacts import artifact_route
from ui.web.routes.code import code_route
from ui.web.routes.collection import collection_route
from ui.web.routes.components import components_route
from ui.web.routes.documents import list_route, page_route
from ui.web.routes.exports import export_route
from ui.web.routes.page_shell import shell_route
from ui.web.routes.playbooks import playbook_route
from ui.web.routes.sessions import sessions_route
from ui.web.routes.shared_link import shared_route
from ui.web.routes.texts import texts_route
from ui.web.static_files import StaticFiles
from ui.web.streamlit_sessions import close_gone_tabs


async def log(websocket: WebSocket) -> None:
    """The session feed. The first request waits for its imports in a thread, so that others are served meanwhile."""
    route = await asyncio.to_thread(_feed)
    await route.endpoint(websocket)


def _feed() -> WebSocketRoute:
    from ui.web.routes.feed import log_route  # brings the runtime, a second of imports

    with suppress(PlaygroundError):  # the feed reports the error
        runs.manager()
    return log_route(runs.manager)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncGenerator[None, None]:
    """Makes the run manager once the port is open, and closes it at the end."""
    base_path.give_back(_BASE)
    trust_header(identity.HEADER, identity.FIELD)
    visitor_key.keep_beside(_database_file())
    remember_theme()
    answer_each_request()
    send_in_bulk()
    announcement.warn_at_start()
    close_gone_tabs(app)
    opening = asyncio.create_task(asyncio.to_thread(announce))
    warming: list[threading.Thread] = []
    timer = asyncio.get_running_loop().call_later(warmup.DELAY, lambda: warming.append(warmup.start()))
    try:
        yield
    finally:
        timer.cancel()
        await mcp_endpoint.close()
        await opening
        await asyncio.to_thread(_close, warming)


def _database_file() -> Path:
    """The database's file; for PostgreSQL one that need not exist, in the data folder."""
    from agents.runs import folder_beside

    database = runs.database()
    return folder_beside(database) / (database.name if isinstance(database, Path) else "postgresql")


def _close(warming: list[threading.Thread]) -> None:
    for thread in warming:  # an interpreter that exits during an import aborts
        thread.join(warmup.PATIENCE)
    runs.close()


appearance.apply()  # `streamlit run` from another folder finds no settings
without_agent_api()
_BASE = base_path.take()
ways = cache(configured)
_ROUTES = [
    WebSocketRoute("/api/log", log),
    sessions_route(runs.manager),
    artifact_route(runs.manager),
    playbook_route(runs.manager),
    collection_route(runs.manager),
    texts_route(runs.manager),
    code_route(runs.manager),
    components_route(),
    export_route(runs.manager),
    owner_route(),
    shared_route(runs.manager),
    *SignIn(lambda: runs.manager().accounts, ways).routes(),
    class_route(),
    *class_pages(),
    mcp_route(),
    list_route(),
    page_route(),
    *adk_routes(),
    *ag_ui_routes(),
    *openai_routes(),
    *map(
        shell_route,
        ("/", "/gallery", "/lessons", "/build", "/playbook", "/sessions", "/lab", "/settings", "/demo", "/help"),
    ),
]
app = st.App(
    Path(__file__).with_name("pages") / "main.py",
    routes=[*_ROUTES, UnknownRoute(_ROUTES)],
    middleware=[
        Middleware(BasePath, base=_BASE),
        Middleware(Guard),
        Middleware(Identity, tokens=lambda: runs.manager().tokens, accounts=lambda: runs.manager().accounts, ways=ways),
        Middleware(Quotas, use=lambda: runs.manager().use),
        Middleware(StaticFiles),
    ],
    lifespan=lifespan,
)
