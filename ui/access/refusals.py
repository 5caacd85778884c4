"""What is answered to a request that is not passed on: a stranger's, a learner's at the door, and what may not be sent."""

from __future__ import annotations

import re
from urllib.parse import quote

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope
from starlette.websockets import WebSocketClose

from agents.access import ACCOUNT_PREFIX, Action, Role, User, permits
from ui.access import door
from ui.access.guard import same_origin
from ui.dependencies.streamlit_private import uploads_held

MOST_UPLOADED = 400_000_000
"""Most bytes of all uploads that are held at a time."""
NOBODY = User(f"{ACCOUNT_PREFIX}nobody", Role.VIEWER)
"""A stranger: who is not signed in where everybody has to be, or whose account has ended."""
SIGN_IN, SIGN_OUT, INVITATION = "/sign-in", "/sign-out", "/invitation"
"""The pages of those who are not signed in."""
OPEN_PATHS = {SIGN_IN, f"{SIGN_IN}/openid", f"{SIGN_IN}/back", INVITATION, SIGN_OUT, "/owner", "/health", "/ready"}
"""What strangers may ask for. A server that watches this one does, too."""

SHARED = "/shared/"
"""The path of links begins with it; see `ui.sign_in.shared_link`."""

_LENGTH = re.compile(r"[0-9]{1,15}")
_READS = {"GET", "HEAD", "OPTIONS"}
_FORMS = {SIGN_IN, INVITATION, SIGN_OUT}
_UPLOADS = "/_stcore/upload_file/"


def refused(user: User, scope: Scope, headers: Headers) -> Response | WebSocketClose | None:
    """The answer to a request that is not passed on.

    It is a stranger's, one of a learner who has not joined the class, or it sends something that it may not, or too much.
    """
    if user == NOBODY and scope["path"] not in OPEN_PATHS and not scope["path"].startswith(SHARED):
        return _to_sign_in(scope, headers)
    gate = door.current()
    if gate is not None and user.role is Role.LEARNER and not gate.lets(user.id, scope["path"]):
        return _to_the_door(scope, headers)
    return _unsent(user, scope, headers) if scope["type"] == "http" and scope["method"] not in _READS else None


def _unsent(user: User, scope: Scope, headers: Headers) -> Response | None:
    """The answer to what is sent by HTTP and not taken."""
    if scope["method"] == "POST" and scope["path"] in _FORMS:
        return None if _is_of_this_page(headers) else _of_no_page()
    if not user.is_owner and not (scope["path"].startswith(_UPLOADS) and permits(user, Action.UPLOAD)):
        cure = "Ask the owner."
        if user.role is Role.VISITOR:
            cure = "Ask the owner to add the file, or open the owner's link, which was printed when the playground started."
        return PlainTextResponse(
            f"A {user.role} may not upload files, which are kept in this machine's memory, nor send anything else by HTTP "
            f"but GET, HEAD and OPTIONS. {cure}\n",
            status_code=403,
        )
    if user.id.startswith(ACCOUNT_PREFIX) and not _is_of_this_page(headers):
        return _of_no_page()
    length = headers.get("content-length", "")
    size = int(length) if _LENGTH.fullmatch(length) else st.get_option("server.maxUploadSize") * 1024 * 1024
    if scope["method"] in {"PUT", "POST"} and uploads_held() + size > MOST_UPLOADED:
        return PlainTextResponse(
            f"All uploads together may have {MOST_UPLOADED // 1_000_000} MB, and this one would be more. Close other "
            "tabs of the playground that hold files, or choose a smaller file.\n",
            status_code=413,
        )
    return None


def _is_of_this_page(headers: Headers) -> bool:
    """Whether a page of the playground sends something: browsers name the origin, or the kind of site, with all but GET."""
    origin = headers.get("origin")
    if origin is not None:
        return same_origin(origin, headers.get("host"))
    return headers.get("sec-fetch-site") == "same-origin"


def _of_no_page() -> Response:
    return PlainTextResponse(
        "Only the playground's own pages may send this: open the page again, and send it from there.\n", status_code=403
    )


def _to_sign_in(scope: Scope, headers: Headers) -> Response | WebSocketClose:
    if scope["type"] == "websocket":
        return WebSocketClose(code=1008, reason="Sign in first.")
    if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
        query = scope["query_string"].decode("latin-1")
        wanted = quote(scope["path"] + (f"?{query}" if query else ""), safe="/")
        return RedirectResponse(f"{'../' * (scope['path'].count('/') - 1)}sign-in?next={wanted}", status_code=303)
    return PlainTextResponse("Sign in first: open the page sign-in.\n", status_code=401)


def unavailable(scope: Scope, said: str) -> Response | WebSocketClose:
    """The answer while it cannot be told who asks."""
    if scope["type"] == "websocket":
        return WebSocketClose(code=1011, reason="The accounts cannot be read.")
    return PlainTextResponse(f"The accounts cannot be read, so nobody is let in: {said}\n", status_code=503)


def _to_the_door(scope: Scope, headers: Headers) -> Response | WebSocketClose:
    if scope["type"] == "websocket":
        return WebSocketClose(code=1008, reason="Join the class first.")
    if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
        return RedirectResponse("../" * (scope["path"].count("/") - 1) + "join", status_code=303)
    return PlainTextResponse("Join the class first: open the page join.\n", status_code=403)
