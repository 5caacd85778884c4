"""Serves the app: opens the port, loads Streamlit, prints the URL, and then opens the browser."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import PersonError, PortTakenError
from agents.runs import base_path as configured_base_path
from agents.runs import drain_seconds, log_format, read_run_limits, run_limits
from ui.access.ways_in import configured
from ui.shell import appearance
from ui.state import runs
from ui.text.visible_text import visible
from ui.web import announcement, base_path, descriptors, frozen
from ui.web.operations import readiness
from ui.web.shutdown import Shutdown

if TYPE_CHECKING:
    from agents.runs import Database
    from ui.web.connection_limits import Limits

SEARCHED_PORTS = 100
LAST_PORT = 65535
GRACE = 1
"""Seconds for responses under way when the server ends."""
SWITCH_SECONDS = 0.0005
"""How long a thread may compute while another one waits; Python's own is ten times as long. Loops that answer viewers take
turns with threads that draw pages: with fifty users who press Run at once, 95 % of the entries reach their viewer within
0.26 s instead of 0.51 s, and of the pages within 1.5 s instead of 1.7 s (two cores, medians of seven and eight rounds)."""


def serve(
    *,
    host: str,
    port: int,
    database: Database | None,
    agents_dir: Path | None,
    open_browser: bool,
    path: str = "",
    base: str | None = None,
    limits: Limits | None = None,
    isolate: bool = False,
    take_over: bool = False,
) -> None:
    """Serves until Ctrl-C or a termination signal.

    Args:
        host: Address to listen on; any but a loopback address opens the app to the network.
        port: TCP port; 0 for any free one.
        database: Where sessions are kept; None for the default place.
        agents_dir: Folder with more pipelines, or None.
        open_browser: Whether to open the app in the user's browser.
        path: What to open of it: a path with its query, or "".
        base: Path of the URL that a reverse proxy serves the app below, e.g. "/playground"; None for what
            `STREAMLIT_SERVER_BASE_URL_PATH` or Streamlit's setting `server.baseUrlPath` says.
        limits: Time limits of clients; None for the defaults of `Limits`.
        isolate: See `Workspace`.
        take_over: Whether runs whose server is gone are resumed; see `runs.configure`.

    Raises:
        PortTakenError: Another program listens there.
        PersonError: The address cannot be listened on.
    """
    json_logs, drain = _settings()
    descriptors.allow_many()
    sys.setswitchinterval(SWITCH_SECONDS)
    frozen.watch()
    listener = listen(host, port)
    try:
        port = listener.getsockname()[1]
        runs.configure(database=database, agents_dir=agents_dir, isolate=isolate, take_over=take_over)
        _configure_streamlit(host, port, base)
        url = announcement.url_of(host, port) + base_path.base_path()
        announcement.leave_to_command()

        def answering() -> None:
            announcement.announce(url, host)
            if path:
                print(f"  Open {visible(url + path)}\n", flush=True)
            if open_browser:
                threading.Thread(target=webbrowser.open, args=(url + path,), daemon=True).start()

        shutdown = Shutdown(drain=drain, drained=_drained)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has ended cleanly and raises the signal again
            _run(listener, answering, shutdown, limits, json_logs=json_logs)
        shutdown.done()
    finally:
        listener.close()


def _settings() -> tuple[bool, float]:
    """Whether the log is JSON, and the seconds that runs have at the end. What any setting tells wrongly ends the start."""
    try:
        told = log_format() == "json", drain_seconds()
    except ValueError as error:
        raise PersonError(str(error)) from None
    read_run_limits(run_limits())
    configured()
    return told


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        PortTakenError: Another program listens there.
        PersonError: The address cannot be listened on.
    """
    if not 0 <= port <= LAST_PORT:  # the system would wrap the number around
        raise PersonError(f"There is no port {port}. Choose one from 1 to {LAST_PORT}, e.g. --port 8501.")
    try:
        return _bound(host, port)
    except socket.gaierror as error:
        raise PersonError(
            f"There is no address {host!r} on this machine ({error.strerror}). Use --host 127.0.0.1 for this machine "
            "alone, or --host 0.0.0.0 to be reachable from others."
        ) from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            free = _free_port(host, port)
            hint = f"--port {free}, which is free" if free else "another --port"
            raise PortTakenError(
                f"Port {port} is taken: another program, perhaps another playground, listens there. "
                f"Close it, or start with {hint}."
            ) from error
        if error.errno in {errno.EACCES, errno.EPERM}:
            raise PersonError(
                f"This account may not listen on port {port}; ports below 1024 are kept for system services. "
                "Choose a higher one, e.g. --port 8501."
            ) from error
        raise PersonError(
            f"The address {host!r}, port {port}, cannot be listened on ({error.strerror}). Use --host 127.0.0.1."
        ) from error


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name != "nt":  # on Windows this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
        listener.set_inheritable(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _free_port(host: str, taken: int) -> int | None:
    for port in range(taken + 1, min(taken + SEARCHED_PORTS, LAST_PORT) + 1):
        with contextlib.suppress(OSError):
            _bound(host, port).close()
            return port
    return None


def _configure_streamlit(host: str, port: int, base: str | None) -> None:
    """Applies the project's settings, then the command line's. They override files in the working folder."""
    from ui.dependencies.streamlit_private import load_options

    settings = appearance.settings() | {
        "server.address": host,
        "server.port": port,
        "server.headless": True,  # this module opens the browser
        "server.fileWatcherType": "none",  # a reload would import the modules again
        "browser.gatherUsageStats": False,
    }
    base = configured_base_path() if base is None else base
    if base is not None:
        settings["server.baseUrlPath"] = base
    load_options(settings)


def _drained() -> bool:
    """Says that this server is about to end, and refuses new runs; whether those at work have ended."""
    readiness.end()
    if not runs.is_ready():
        return True
    manager = runs.workspace().runs
    manager.drain()
    return not sum(manager.load)


def _run(
    listener: socket.socket,
    answering: Callable[[], None],
    shutdown: Shutdown,
    limits: Limits | None,
    *,
    json_logs: bool,
) -> None:
    import uvicorn

    from ui.app import app
    from ui.dependencies.uvicorn_private import Server
    from ui.web.connection_limits import Limits, uvicorn_options

    options: dict[str, Any] = {
        **uvicorn_options(limits or Limits()),
        "ws_max_size": 64 * 1024 * 1024,
        "ws_per_message_deflate": False,  # most browsers are on this machine, where compression costs more than it saves
        "access_log": False,
        "proxy_headers": False,  # the peer's own address tells whether a request is from this machine
        "log_level": "warning",
        **({"log_config": None} if json_logs else {}),  # its loggers pass on what they are told
        "timeout_graceful_shutdown": GRACE,
        "server_header": False,
    }
    server = Server(uvicorn.Config(app, **options), on_answering=answering, on_signal=shutdown.signal)
    server.run(sockets=[listener])
