"""Who asks: one ASGI middleware decides it for every route and socket, Streamlit's own included.

A browser with the owner's cookie is the owner's; one that is signed in is its account's. Where ways in are configured, or on
a network there are accounts, everybody else is a stranger, who gets the page to sign in and what links share, nothing else.
Without them, a browser of this machine is the owner's, unless the app is open to others; all others are visitors, each with
an id in a signed cookie. A request that came through a proxy is never the owner's by its address: the proxy's address says
nothing about who uses it. While a class is held, strangers are learners, who come no further than its door until they have
joined it; see `Door`. Other programs show an API token, see `ui.access.api_access`.

Streamlit's script learns who asks from a header that only this middleware sets (`server.trustedUserHeaders`), routes from a
context variable, which threads of `anyio.to_thread` share. An account is looked up again at each message and each action.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from dataclasses import replace

import anyio.to_thread
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agents import PlaygroundError
from agents.access import (
    ACCOUNT_PREFIX,
    OWNER,
    VIEWER_PREFIX,
    Account,
    Accounts,
    ApiTokens,
    Role,
    User,
    learner,
    user_of,
    visitor,
)
from ui.access import door, owner_token, sign_ins, visitor_key
from ui.access.api_access import api_user, is_api_path
from ui.access.guard import Reach, current_reach
from ui.access.refusals import NOBODY, refused, unavailable
from ui.access.sign_ins import KEPT_SECONDS, is_https
from ui.access.ways_in import WaysIn
from ui.dependencies.streamlit_private import has_script, user_field

HEADER = "x-playground-user"
"""The header for Streamlit's script; a client's own is removed."""
FIELD = "playground_user"
"""Key of its value in `st.user`."""
_PROXY = ("x-forwarded", "forwarded", "via", "x-real-ip", "x-original-", "cf-connecting-ip", "true-client-ip")
"""How the names of headers begin that only proxies add."""
_asking: ContextVar[User | None] = ContextVar("asking", default=None)
_noting: ContextVar[Callable[[str], object] | None] = ContextVar("noting", default=None)


class Identity:
    """Decides who asks, and refuses what they may not ask for by HTTP.

    Args:
        app: The app.
        reach: Who may use it; None for Streamlit's settings, see `Guard`.
        tokens: Returns the API tokens, from any thread; None if there are none.
        accounts: Returns the accounts, from any thread; None if there are none.
        ways: Returns the ways in. It may raise `PlaygroundError`.
    """

    def __init__(
        self,
        app: ASGIApp,
        reach: Reach | None = None,
        *,
        tokens: Callable[[], ApiTokens] | None = None,
        accounts: Callable[[], Accounts] | None = None,
        ways: Callable[[], WaysIn] = WaysIn,
    ) -> None:
        self._app = app
        self._reach = reach
        self._tokens = tokens
        self._accounts = accounts
        self._ways = ways

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves or refuses one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        _process.serves = True
        connection = HTTPConnection(scope)
        ways = WaysIn()
        try:
            ways = self._ways()
            user = await self._user(connection)
        except PlaygroundError as error:
            user, refusal = NOBODY, unavailable(scope, str(error))
        else:
            if self._tokens is not None and scope["type"] == "http" and is_api_path(scope["path"]):
                found = await api_user(connection, user, self._tokens)
                user, refusal = (user, found) if isinstance(found, Response) else (found, None)
            else:
                refusal = refused(user, scope, connection.headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        removed = {HEADER, *([ways.proxy.header] if ways.proxy else [])}
        headers = [pair for pair in scope["headers"] if pair[0].decode("latin-1").lower().replace("_", "-") not in removed]
        headers.append((HEADER.encode(), user.id.encode()))
        if scope["type"] == "websocket" and user.id.startswith(ACCOUNT_PREFIX):
            receive, send = self._while_signed_in(user, connection, receive, send)
        is_known = user.role is not Role.VISITOR and user.role is not Role.LEARNER
        known = is_known or user.id.startswith(ACCOUNT_PREFIX) or user_in(connection.cookies) == user
        before = _asking.set(replace(user, came_from=_address_of(connection)))
        if (tell := _noting.get()) is not None:
            tell(user.id)
        try:
            await self._app({**scope, "headers": headers}, receive, send if known else _with_cookie(send, user, connection))
        finally:
            _asking.reset(before)

    async def _user(self, connection: HTTPConnection) -> User:
        """Who asks, but for API tokens."""
        if owner_token.is_token(connection.cookies.get(owner_token.cookie_name(), "")):
            return OWNER
        reach = self._reach or current_reach()
        is_local = not reach.is_shared and _is_local(connection.scope) and not came_through_proxy(connection.headers)
        ways, sign_in = self._ways(), sign_ins.told_by(connection)
        if self._accounts is not None and (sign_in or ways.are_configured or not is_local):
            accounts = await _fresh(self._accounts)
            account = sign_ins.account_of(sign_in, accounts) if sign_in else None
            if account is None and ways.proxy is not None:
                account = await anyio.to_thread.run_sync(ways.of_proxy, connection, accounts)
            if account is not None and not account.is_disabled:
                if accounts.is_unseen(account):  # asked at each message of a socket: seldom worth a thread
                    await anyio.to_thread.run_sync(accounts.seen, account.id)
                return account.user
            if door.current() is None and (ways.are_configured or (not is_local and accounts.are_in_use)):
                seen = user_in(connection.cookies)  # who has opened a link, and is nobody else here
                return seen if seen is not None and seen.id.startswith(VIEWER_PREFIX) else NOBODY
        found = user_in(connection.cookies)
        if door.current() is not None:
            return found if found is not None and found.role is not Role.VISITOR else learner(secrets.token_hex(8))
        return OWNER if is_local else found or visitor(secrets.token_hex(8))

    def _while_signed_in(self, user: User, connection: HTTPConnection, receive: Receive, send: Send) -> tuple[Receive, Send]:
        """A socket's two directions, which end at the first message after the account's sign-in or role has ended."""
        is_open = True

        async def ends() -> bool:
            nonlocal is_open
            try:
                is_open = is_open and await self._user(connection) == user
            except PlaygroundError:
                is_open = False
            return not is_open

        async def received() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and is_open and await ends():
                await send({"type": "websocket.close", "code": 1008, "reason": "Sign in again."})
            return message if is_open else {"type": "websocket.disconnect", "code": 1008}

        async def sent(message: Message) -> None:
            if not is_open:
                return
            if message["type"] == "websocket.send" and await ends():
                message = {"type": "websocket.close", "code": 1008, "reason": "Sign in again."}
            await send(message)

        return received, sent


class _Process:
    """Whether this process serves requests: then a script without the header is nobody's. And its accounts, once read."""

    serves = False
    accounts: Accounts | None = None


_process = _Process()


async def _fresh(accounts: Callable[[], Accounts]) -> Accounts:
    """The accounts, read in a thread where it takes a moment."""
    known = _process.accounts

    def read() -> Accounts:
        found = accounts()
        if found.is_stale:
            found.refresh()
        return found

    if known is None or known.is_stale:
        known = _process.accounts = await anyio.to_thread.run_sync(read)
    return known


def current() -> User:
    """Who asks: in a script the user of the browser tab, in a route that of the request, elsewhere the owner."""
    if has_script():
        if st.session_state.get(owner_token.IS_OWNER):
            return OWNER
        told = user_field(FIELD)
        if isinstance(told, str) and told:
            if told.startswith(ACCOUNT_PREFIX):
                return (_process.accounts and _process.accounts.user(told)) or NOBODY
            return user_of(told)
        return visitor("unknown") if _process.serves or current_reach().is_shared else OWNER
    return _asking.get() or OWNER


def came_from() -> str:
    """The address that who asks comes from, for the audit list."""
    if has_script():
        told = st.context.ip_address
        return told if isinstance(told, str) else ""  # None on this machine
    asking = _asking.get()
    return "" if asking is None else asking.came_from


def note(tell: Callable[[str], object]) -> Token[Callable[[str], object] | None]:
    """Has `Identity` tell the id of who asks, once that is known, until `forget`."""
    return _noting.set(tell)


def forget(noted: Token[Callable[[str], object] | None]) -> None:
    """Ends what `note` began."""
    _noting.reset(noted)


def account() -> Account | None:
    """The account that asks; None if it is the owner by address or link, a visitor, or of a class."""
    asking = current()
    return _process.accounts.account(asking.id) if _process.accounts else None


def sign_out(sign_in: sign_ins.SignIn) -> None:
    """Ends a sign-in. It may raise `DatabaseError`."""
    if _process.accounts is not None:
        _process.accounts.sign_out(sign_in.id, sign_in.until)


def user_in(cookies: Mapping[str, str]) -> User | None:
    """The visitor, learner or teacher whose cookie it is; None without a cookie that was signed with our key."""
    name, _, signature = cookies.get(_cookie_name(), "").partition(".")
    if not name or not hmac.compare_digest(signature.encode(), _signature(name).encode()):
        return None
    named = user_of(name)
    return visitor(name) if named.role is Role.VISITOR or named.is_owner else named


def _address_of(connection: HTTPConnection) -> str:
    """The client's address; of a request that came through a proxy, also what that says it is, which anybody can say."""
    told = connection.headers.get("x-forwarded-for", "").partition(",")[0].strip()
    host = connection.client.host if connection.client is not None else "a local socket"
    return f"{told[:60]} through {host}" if told.isprintable() and told else host


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


def _signature(name: str) -> str:
    return hmac.new(visitor_key.key(), name.encode(), hashlib.sha256).hexdigest()


def _cookie_name() -> str:
    return f"playground_visitor_{hashlib.sha256(visitor_key.key()).hexdigest()[:12]}"
