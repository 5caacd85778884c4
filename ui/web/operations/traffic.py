"""`Traffic`: ASGI middleware in front of everything that counts and times requests, and gives each of them an id."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections import Counter, defaultdict
from contextvars import ContextVar
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.access import identity
from ui.access.api_access import is_api_path

REQUEST_ID = "x-request-id"
"""The header with a request's id: a proxy's own is taken if it is harmless, and the answer has it."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the durations that are counted together, in seconds."""

_HARMLESS = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_KINDS = (
    ("/_stcore", "streamlit"), ("/static", "static"), ("/components", "static"), ("/component", "static"),
    ("/media", "static"), ("/api", "view"), ("/health", "operations"), ("/ready", "operations"), ("/metrics", "operations"),
)  # fmt: skip
_log = logging.getLogger("playground.requests")


@dataclass(slots=True)
class Request:
    """What logs say of a request that is being answered.

    Attributes:
        id: Its id.
        user: The id of the user who asks; "" before that is known.
    """

    id: str
    user: str = ""


@dataclass(slots=True)
class Counts:
    """What was counted; kinds of routes are few, and so are the statuses of answers: 2xx, 3xx, 4xx, 5xx, and "none".

    Attributes:
        durations: Requests by kind of route, status and the index of their bucket, of which the last is above all bounds.
        seconds: Seconds to the beginning of the answers, by kind of route and status.
        sockets: Open WebSockets by kind of route: the viewers.
        messages: Log messages by level.
    """

    durations: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    seconds: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    sockets: Counter[str] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, kind: str, status: str, seconds: float) -> None:
        """Counts a request."""
        with self.lock:
            self.durations[kind, status, sum(seconds > bound for bound in BUCKETS)] += 1
            self.seconds[kind, status] += seconds

    def opened(self, kind: str, change: int) -> None:
        """Counts a WebSocket that opens, 1, or closes, -1."""
        with self.lock:
            self.sockets[kind] += change


counts = Counts()
"""Those of this process, which serves one app."""
_current: ContextVar[Request | None] = ContextVar("request", default=None)


def current() -> Request | None:
    """The request that the calling code answers; None if it answers none."""
    return _current.get()


class MessageCounter(logging.Handler):
    """Counts log messages by level."""

    def emit(self, record: logging.LogRecord) -> None:
        """Counts one."""
        with counts.lock:
            counts.messages[record.levelname.lower()] += 1


class Traffic:
    """The middleware.

    Args:
        app: The app.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        request, kind = Request(_id_of(Headers(scope=scope))), kind_of(scope["path"])
        before, noted = _current.set(request), identity.note(lambda user_id: setattr(request, "user", user_id))
        try:
            await (self._http if scope["type"] == "http" else self._socket)(scope, receive, send, request, kind)
        finally:
            identity.forget(noted)
            _current.reset(before)

    async def _socket(self, scope: Scope, receive: Receive, send: Send, request: Request, kind: str) -> None:
        begun = time.monotonic()
        counts.opened(kind, 1)
        try:
            await self._app(scope, receive, send)
        finally:
            counts.opened(kind, -1)
            _say("websocket", kind, "closed", time.monotonic() - begun)

    async def _http(self, scope: Scope, receive: Receive, send: Send, request: Request, kind: str) -> None:
        begun, status = time.monotonic(), "none"

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = f"{message['status'] // 100}xx"
                MutableHeaders(scope=message)[REQUEST_ID] = request.id
                counts.answered(kind, status, time.monotonic() - begun)
                _say(scope["method"], kind, str(message["status"]), time.monotonic() - begun)
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            if status == "none":
                counts.answered(kind, status, time.monotonic() - begun)


def kind_of(path: str) -> str:
    """The kind of a route: "page", "api" of other programs, "view" of our pages, "static", "streamlit" or "operations"."""
    if is_api_path(path):
        return "operations" if path == "/metrics" else "api"
    return next((kind for begin, kind in _KINDS if path == begin or path.startswith(f"{begin}/")), "page")


def _id_of(headers: Headers) -> str:
    given = headers.get(REQUEST_ID, "")
    return given if _HARMLESS.match(given) else secrets.token_hex(8)


def _say(method: str, kind: str, status: str, seconds: float) -> None:
    """One line for a request. It has no path: paths hold ids of sessions and users, and secrets of links."""
    _log.info("%s %s %s", method, kind, status, extra={"milliseconds": round(seconds * 1000, 1)})
