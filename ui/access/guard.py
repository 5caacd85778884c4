"""Access control of the served app: ASGI middleware in front of every route, Streamlit's own WebSocket included.

A page of another site must not reach a server on this machine. So a request must name this machine (against DNS
rebinding), must not come from a page of another origin, and must come from this machine, unless the server was opened to
the network.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from agents.runs import allowed_hosts, api_origins
from ui.access.api_access import is_api_path, refusal

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

PAGE_ORIGIN = "x-page-origin"
"""The header of a page's own question why it cannot connect; it names the page's origin."""
ORIGINS = ("origin", PAGE_ORIGIN)
"""Headers that name the page's origin: the browser's, and ours."""

POLICY = (
    "default-src 'self'; "
    # Streamlit's page starts with an inline script; components are loaded from blob: addresses; charts compile
    # expressions.
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "media-src 'self' data: blob:; "
    "font-src 'self' data:; "
    "worker-src 'self' blob:; "
    "frame-src 'self' data: blob:; "
    "connect-src 'self' data: blob: {sockets}; "
    "object-src 'none'; "
    "base-uri 'self'; "
    "form-action 'self'; "
    "frame-ancestors 'self'"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """The machines that may use the app, and the names that it answers to.

    Attributes:
        network: Whether other machines may connect.
        names: Accepted host names besides this machine's own.
    """

    network: bool = False
    names: frozenset[str] = frozenset()

    @property
    def is_shared(self) -> bool:
        """Whether others than the owner are expected: on a network, or through a proxy, which has a name."""
        return self.network or bool(self.names)

    def allows_host(self, host: str | None) -> bool:
        """Whether a `Host` header names this machine.

        On a network a numeric address is safe: DNS rebinding needs a name in the attacker's DNS.
        """
        name = host_name(host)
        if name is None:
            return False
        if name in LOOPBACK_NAMES or name in self.names:
            return True
        return self.network and (_is_address(name) or name in machine_names())

    def allows_client(self, client: tuple[str, int] | None) -> bool:
        """Whether a client at this address may connect; a client without an address is on a local socket."""
        if self.is_shared or client is None or not _is_address(client[0]):
            return True
        address = ipaddress.ip_address(client[0].split("%", 1)[0])
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return (mapped or address).is_loopback


class Guard:
    """Refuses requests by `Host`, `Origin` and peer, and adds headers that keep a page on this machine.

    Args:
        app: The guarded app.
        reach: Who may use it. If None, it is read from Streamlit's settings at each request, because they are loaded after
            the guard is built.
    """

    def __init__(self, app: ASGIApp, reach: Reach | None = None) -> None:
        self._app = app
        self._reach = reach
        self._origins = frozenset(api_origins())
        self._api = CORSMiddleware(app, self._origins, ["*"], ["*"]) if self._origins else app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves or refuses one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers, is_api = Headers(scope=scope), scope["type"] == "http" and is_api_path(scope["path"])
        refused = self._refusal(scope, headers, self._origins if is_api else frozenset())
        if refused is not None:
            status, said = refused
            answer = refusal(status, said, "refused") if is_api else PlainTextResponse(said, status_code=status)
            await (answer if scope["type"] == "http" else WebSocketClose(code=1008))(scope, receive, send)
            return
        await (self._api if is_api else self._app)(
            scope, receive, _with_headers(send, headers) if scope["type"] == "http" else send
        )

    def _refusal(self, scope: Scope, headers: Headers, origins: frozenset[str]) -> tuple[int, str] | None:
        reach = self._reach or current_reach()
        host = headers.get("host")
        if not reach.allows_client(scope.get("client")):
            return 403, (
                "This playground serves its own machine only. To use it from others, start it with --host 0.0.0.0; "
                "anyone who can reach it can then run its agents."
            )
        if not reach.allows_host(host) or len(headers.getlist("host")) > 1:
            return 421, (
                f"This playground does not answer to the host name {_shown(host)}. "
                "Open the URL that it printed at its start, e.g. http://127.0.0.1:8501. If this is the server's own name, "
                "start it with that name in PLAYGROUND_ALLOWED_HOSTS."
            )
        if not all(same_origin(origin, host) or origin in origins for name in ORIGINS for origin in headers.getlist(name)):
            return 403, (
                f"A page of {_shown(headers.get('origin'))} sent this request, and only the playground's own pages may. "
                "Open the playground at its own URL."
            )
        return None


def host_name(host: str | None) -> str | None:
    """The name in a `Host` header, without port and brackets; None if it is missing or malformed."""
    if not host or any(character in host for character in "/?#@\\ \t"):
        return None
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return None
    return name.rstrip(".") if name else None


def same_origin(origin: str, host: str | None) -> bool:
    """Whether an `Origin` header names this host and port."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and host is not None and parts.netloc.lower() == host.lower()


def machine_names() -> frozenset[str]:
    """Names of this machine on the network."""
    name = socket.gethostname().lower().rstrip(".")
    return frozenset({name, f"{name}.local"}) if name else frozenset()


def reach_of(address: str | None, names: Iterable[str] = ()) -> Reach:
    """The reach of a server that listens on an address; None and "" mean local."""
    network = bool(address) and host_name(_bracketed(address or "")) not in LOOPBACK_NAMES and not _is_loopback(address)
    given = {name.strip().lower() for name in names}
    listening = {address.lower()} if network and address and not _is_address(address) else set[str]()
    return Reach(network=network, names=frozenset(given | listening))


def current_reach() -> Reach:
    """The reach from Streamlit's setting `server.address`, with the names of `allowed_hosts` and `server.allowedHosts`."""
    import streamlit as st  # its settings are complete once the server runs

    return reach_of(st.get_option("server.address"), [*allowed_hosts(), *(st.get_option("server.allowedHosts") or ())])


def public_url(host: str | None, scheme: str = "http") -> str:
    """The app's URL for other machines, without a slash at the end: as a browser asked, or this machine's in its network.

    Args:
        host: The `Host` header of a request.
        scheme: Of the request.
    """
    import streamlit as st

    if host_name(host) in {None, *LOOPBACK_NAMES} and current_reach().network:
        host = f"{_network_address()}:{st.get_option('server.port')}"
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{host}" + (f"/{base}" if base else "")


def _network_address() -> str:
    """This machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return probe.getsockname()[0]


def _with_headers(send: Send, request: Mapping[str, str]) -> Send:
    host = request.get("host", "")
    policy = POLICY.format(sockets=f"ws://{host} wss://{host}")

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", policy)
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("X-Frame-Options", "SAMEORIGIN")
            headers.setdefault("Referrer-Policy", "same-origin")
            headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        await send(message)

    return answer


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.split("%", 1)[0])
    except ValueError:
        return False
    return True


def _is_loopback(text: str | None) -> bool:
    return bool(text) and _is_address(text or "") and ipaddress.ip_address((text or "").split("%", 1)[0]).is_loopback


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _shown(value: str | None) -> str:
    return repr(value[:100]) if value else "(none)"
