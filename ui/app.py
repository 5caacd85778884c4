"""The served app: `playground` and `streamlit run ui/app.py` both serve this `app`.

It joins the page script, the session feed, artifacts, the guard in front of all routes, and the run manager's lifetime.
"""

from __future__ import annotations

import asyncio
import logging
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
from agents.runs import log_format
from ui.access import identity, owner_token, visitor_key
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
    pass_on_in_bulk,
    remember_theme,
    send_in_bulk,
    trust_header,
    without_agent_api,
)
from ui.shell import appearance
from ui.sign_in.routes import SignIn
from ui.sign_in.shared_link import shared_route
from ui.state import runs
from ui.web import announcement, base_path, warmup
from ui.web.base_path import BasePath
from ui.web.operations import json_logs
from ui.web.operations.routes import operation_routes
from ui.web.operations.traffic import MessageCounter, Traffic
from ui.web.routes.artifacts import artifact_route
from ui.web.routes.code import code_route
from ui.web.routes.collection import collection_route
from ui.web.routes.components import components_route
from ui.web.routes.documents import list_route, page_route
from ui.web.routes.exports import export_route
from ui.web.routes.page_shell import shell_route
from ui.web.routes.playbooks import playbook_route
from ui.web.routes.sessions import sessions_route
from ui.web.routes.texts import texts_route
from ui.web.static_files import StaticFiles
from ui.web.streamlit_sessions import close_gone_tabs

_log = logging.getLogger(__name__)


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
    await _keep_key()
    remember_theme()
    answer_each_request()
    send_in_bulk()
    pass_on_in_bulk()
    if log_format() == "json":
        json_logs.install()
    else:
        logging.root.addHandler(MessageCounter())
        if logging.lastResort is not None:  # what Python prints warnings with, while the root has no handler
            logging.root.addHandler(logging.lastResort)
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


async def _keep_key() -> None:
    """Says where the key of cookies is: beside a SQLite file, or in the database that several servers share."""
    if isinstance(database := runs.database(), Path):
        visitor_key.keep_beside(database)
        return
    visitor_key.share(lambda: runs.manager().accounts.signing_key("cookies"))
    try:
        await asyncio.to_thread(_share_keys)
    except PlaygroundError as error:  # of the cookies' key the first request asks again
        _log.warning("Until it is started again, this server has an owner's token of its own: %s", error)


def _share_keys() -> None:
    """Takes the keys of cookies and of the owner's token from the database, where all of its servers find them."""
    visitor_key.key()
    owner_token.share(runs.manager().accounts.signing_key("owner"))


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
    *operation_routes(),
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
        Middleware(Traffic),
        Middleware(Guard),
        Middleware(Identity, tokens=lambda: runs.manager().tokens, accounts=lambda: runs.manager().accounts, ways=ways),
        Middleware(Quotas, use=lambda: runs.manager().use),
        Middleware(StaticFiles),
    ],
    lifespan=lifespan,
)
