"""The text printed at the server's start: its URL, and a warning with the owner's token if the network can reach it."""

from __future__ import annotations

import sys
import threading

from ui.state import runs
from ui.text.visible_text import visible

_left_to_command = threading.Event()


def url_of(host: str, port: int, *, scheme: str = "http") -> str:
    """The URL to open in a browser on this machine.

    Args:
        host: The address that the server listens on.
        port: Its port.
        scheme: "https" if the server has a certificate.
    """
    if host in {"", "0.0.0.0", "::"}:  # noqa: S104  compared with, not bound to
        host = "127.0.0.1"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def announce(url: str, host: str) -> None:
    """Prints the URL and the database, and the warning if other machines can reach the app."""
    from agents.runs import allowed_hosts
    from ui.access.guard import reach_of
    from ui.access.ways_in import configured

    print(
        f"\n  Agent Playground is at {url}\n  Sessions are kept in {visible(str(runs.database()))}\n  Ctrl-C ends it.\n",
        flush=True,
    )
    if configured().are_configured:
        _tell_ways(url)
    elif reach_of(host, allowed_hosts()).is_shared:
        _warn(url, host)


def leave_to_command() -> None:
    """Leaves the announcement to the `playground` command, which prints it once the server accepts requests."""
    _left_to_command.set()


def warn_at_start() -> None:
    """Prints the warning for `streamlit run`, which prints only URLs, if other machines can reach the app."""
    import streamlit as st

    from ui.access.guard import current_reach
    from ui.access.ways_in import configured
    from ui.web.base_path import base_path

    if _left_to_command.is_set():
        return
    host: str = st.get_option("server.address")
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    url = url_of(host, st.get_option("server.port"), scheme=scheme) + base_path()
    if configured().are_configured:
        _tell_ways(url)
    elif current_reach().is_shared:
        _warn(url, host)


def _tell_ways(url: str) -> None:
    """Says that users sign in, and how the first owner gets in."""
    from ui.access import owner_token
    from ui.access.ways_in import configured

    ways = configured()
    names = {
        "the users' file": ways.users,
        ways.openid.host if ways.openid else "": ways.openid,
        "the proxy in front of it": ways.proxy,
        "invitations": True,
    }
    print(
        f"  Users sign in by {', '.join(name for name, way in names.items() if way)}; nobody else gets in.\n"
        f"  Open this link to be the owner in your browser: {owner_token.link(url)}\n",
        flush=True,
    )


def _warn(url: str, host: str) -> None:
    from ui.access import door, owner_token
    from ui.access.guard import reach_of

    how = "PLAYGROUND_ALLOWED_HOSTS is set, so others can reach it through a proxy"
    if reach_of(host).network:
        how = f"it listens on {host}, so other machines can reach it"
    who, reads = "visitor", "read your sessions, playbooks and files that agents made; run agents"
    if door.current() is not None:
        who, reads = "learner who joins with the code", "read your playbooks, not your sessions; run agents"
    print(
        f"  Warning: {how}, and no password is asked for. Every {who} can\n"
        f"  {reads} in sessions of their own, with the models,\n"
        "  keys and local model files of this machine, at your cost. What agents do on this machine, they can have\n"
        "  them do. They cannot answer, stop or change your sessions, and what they teach waits for your approval.\n"
        "  Connections, keys, prices, defaults, edits of playbooks, imports, and your sessions need the\n"
        f"  owner's token: {owner_token.token()}\n"
        f"  Open this link to use it in your browser: {owner_token.link(url)}\n",
        file=sys.stderr,
        flush=True,
    )
