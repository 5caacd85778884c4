"""Who asks: one ASGI middleware decides it for every route and socket, Streamlit's own included.

A browser with the owner's cookie is the owner's, and so is one of this machine, unless the app is open to others. A request
that came through a proxy is never the owner's by its address: the proxy's address says nothing about who uses it. All others
are visitors, each with an id in a signed cookie. While a class is held they are learners, who come no further than its
door until they have joined it; see `Door`. Other programs show an API token, see `ui.access.api_access`.

Streamlit's script learns who asks from a header that only this middleware sets (`server.trustedUserHeaders`), routes from a
context variable, which threads of `anyio.to_thread` share.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from agents.access import OWNER, ApiTokens, Role, User, learner, user_of, visitor
from ui.access import door, owner_token, visitor_key
from ui.access.api_access import api_user, is_api_path
from ui.access.guard import Reach, current_reach
from ui.dependencies.streamlit_private import has_script, uploads_held, user_field

HEADER = "x-playground-user"
"""The header for Streamlit's script; a client's own is removed."""
FIELD = "playground_user"
"""Key of its value in `st.user`."""
MOST_UPLOADED = 400_000_000
"""Most bytes of all uploads that are held at a time."""
KEPT_SECONDS = 30 * 24 * 3600
"""How long a browser keeps a learner's cookie: a phone may close it between two lessons."""

_PROXY = ("x-forwarded", "forwarded", "via", "x-real-ip", "x-original-", "cf-connecting-ip", "true-client-ip")
"""How the names of headers begin that only proxies add."""
_LENGTH = re.compile(r"[0-9]{1,15}")
_READS = {"GET", "HEAD", "OPTIONS"}
_asking: ContextVar[User | None] = ContextVar("asking", default=None)
_noting: ContextVar[Callable[[str], object] | None] = ContextVar("noting", default=None)


class Identity:
    """Decides who asks, and refuses a visitor's uploads.

    Args:
        app: The app.
        reach: Who may use it; None for Streamlit's settings, see `Guard`.
        tokens: Returns the API tokens, from any thread; None if there are none.
    """

    def __init__(self, app: ASGIApp, reach: Reach | None = None, *, tokens: Callable[[], ApiTokens] | None = None) -> None:
        self._app = app
        self._reach = reach
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves or refuses one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        _process.serves = True
        connection = HTTPConnection(scope)
        user = _user_of(connection, self._reach or current_reach())
        if self._tokens is not None and scope["type"] == "http" and is_api_path(scope["path"]):
            found = await api_user(connection, user, self._tokens)
            user, refusal = (user, found) if isinstance(found, Response) else (found, None)
        else:
            refusal = _refusal(user, scope, connection.headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        headers = [pair for pair in scope["headers"] if pair[0].lower().replace(b"_", b"-") != HEADER.encode()]
        headers.append((HEADER.encode(), user.id.encode()))
        known = user.is_owner or user_in(connection.cookies) == user
        before = _asking.set(user)
        if (tell := _noting.get()) is not None:
            tell(user.id)
        try:
            await self._app({**scope, "headers": headers}, receive, send if known else _with_cookie(send, user, connection))
        finally:
            _asking.reset(before)


class _Process:
    """Whether this process serves requests: then a script without the header is nobody's."""

    serves = False


_process = _Process()


def current() -> User:
    """Who asks: in a script the user of the browser tab, in a route that of the request, elsewhere the owner."""
    if has_script():
        if st.session_state.get(owner_token.IS_OWNER):
            return OWNER
        told = user_field(FIELD)
        if isinstance(told, str) and told:
            return user_of(told)
        return visitor("unknown") if _process.serves or current_reach().is_shared else OWNER
    return _asking.get() or OWNER


def note(tell: Callable[[str], object]) -> Token[Callable[[str], object] | None]:
    """Has `Identity` tell the id of who asks, once that is known, until `forget`."""
    return _noting.set(tell)


def forget(noted: Token[Callable[[str], object] | None]) -> None:
    """Ends what `note` began."""
    _noting.reset(noted)


def user_in(cookies: Mapping[str, str]) -> User | None:
    """The visitor, learner or teacher whose cookie it is; None without a cookie that was signed with our key."""
    name, _, signature = cookies.get(_cookie_name(), "").partition(".")
    if not name or not hmac.compare_digest(signature.encode(), _signature(name).encode()):
        return None
    named = user_of(name)
    return visitor(name) if named.role is Role.VISITOR or named.is_owner else named


def _user_of(connection: HTTPConnection, reach: Reach) -> User:
    if owner_token.is_token(connection.cookies.get(owner_token.cookie_name(), "")):
        return OWNER
    found = user_in(connection.cookies)
    if door.current() is not None:
        return found if found is not None and found.role is not Role.VISITOR else learner(secrets.token_hex(8))
    if not reach.is_shared and _is_local(connection.scope) and not came_through_proxy(connection.headers):
        return OWNER
    return found or visitor(secrets.token_hex(8))


def _is_local(scope: Scope) -> bool:
    client = scope.get("client")
    if client is None:  # a socket of the file system, where proxies connect
        return False
    try:
        address = ipaddress.ip_address(client[0].split("%", 1)[0])
    except ValueError:  # no network: a test's client
        return True
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def came_through_proxy(headers: Headers) -> bool:
    """Whether a proxy has passed the request on, by its headers."""
    return any(name.lower().startswith(_PROXY) for name in headers)


def _refusal(user: User, scope: Scope, headers: Headers) -> Response | WebSocketClose | None:
    """The answer to a request that is not passed on.

    It is a learner's who has not joined the class, one that sends something and is not the owner's, or an upload beyond the
    limit.
    """
    gate = door.current()
    if gate is not None and user.role is Role.LEARNER and not gate.lets(user.id, scope["path"]):
        return _to_the_door(scope, headers)
    if scope["type"] != "http" or scope["method"] in _READS:
        return None
    if not user.is_owner:
        return PlainTextResponse(
            f"A {user.role} may not upload files, which are kept in this machine's memory, nor send anything else by HTTP "
            "but GET, HEAD and OPTIONS. Ask the owner to add the file, or open the owner's link, which was printed when the "
            "playground started.\n",
            status_code=403,
        )
    length = headers.get("content-length", "")
    size = int(length) if _LENGTH.fullmatch(length) else st.get_option("server.maxUploadSize") * 1024 * 1024
    if scope["method"] in {"PUT", "POST"} and uploads_held() + size > MOST_UPLOADED:
        return PlainTextResponse(
            f"All uploads together may have {MOST_UPLOADED // 1_000_000} MB, and this one would be more. Close other "
            "tabs of the playground that hold files, or choose a smaller file.\n",
            status_code=413,
        )
    return None


def _to_the_door(scope: Scope, headers: Headers) -> Response | WebSocketClose:
    if scope["type"] == "websocket":
        return WebSocketClose(code=1008, reason="Join the class first.")
    if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
        return RedirectResponse("../" * (scope["path"].count("/") - 1) + "join", status_code=303)
    return PlainTextResponse("Join the class first: open the page join.\n", status_code=403)


def _with_cookie(send: Send, user: User, connection: HTTPConnection) -> Send:
    """Gives a new visitor a cookie with the first page, before the page asks for anything else."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                cookie = Response()
                give_cookie(cookie, user, connection)
                headers.append("set-cookie", cookie.headers["set-cookie"])
        await send(message)

    return answer


def give_cookie(answer: Response, user: User, connection: HTTPConnection) -> None:
    """Makes the browser that gets this answer the user's."""
    name = user.id.removeprefix(visitor("").id)
    answer.set_cookie(
        _cookie_name(),
        f"{name}.{_signature(name)}",
        max_age=None if user.role is Role.VISITOR else KEPT_SECONDS,
        httponly=True,
        samesite="lax",
        secure=is_https(connection),
    )


def is_https(connection: HTTPConnection) -> bool:
    """Whether the browser asked by HTTPS, perhaps through proxies, of which the first one is the browser's."""
    told = connection.headers.get("x-forwarded-proto", "").partition(",")[0]
    return "https" in (connection.url.scheme, told.strip().lower())


def _signature(name: str) -> str:
    return hmac.new(visitor_key.key(), name.encode(), hashlib.sha256).hexdigest()


def _cookie_name() -> str:
    return f"playground_visitor_{hashlib.sha256(visitor_key.key()).hexdigest()[:12]}"
