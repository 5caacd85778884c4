"""Serving the app: its options, and what `playground` does without a command."""

from __future__ import annotations

import argparse
from typing import Any

from ui.cli import command_line
from ui.cli.browser.users_command import add_users, use_users_file

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8501
LAST_PORT = 65535
DEFAULTS = {
    "no_browser": False,
    "port": DEFAULT_PORT,
    "host": DEFAULT_HOST,
    "base_path": None,
    "isolate": False,
    "take_over": False,
    "users": None,
    "limits": None,
}
"""What options are that are given neither before nor after a command."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Adds the options of a command that serves the app; options that are not given keep what the main parser says."""
    command.add_argument("--no-browser", action="store_true", default=argparse.SUPPRESS, help="do not open the browser")
    command.add_argument(
        "--port",
        type=_port,
        default=argparse.SUPPRESS,
        help=f"port to serve on ({DEFAULT_PORT}); 0 for any that is free",
    )
    command.add_argument(
        "--host", default=argparse.SUPPRESS, help=f"address to serve on ({DEFAULT_HOST}: this machine alone)"
    )
    command.add_argument(
        "--base-path",
        metavar="PATH",
        default=argparse.SUPPRESS,
        help="path of the URL below which a reverse proxy serves the app, e.g. /playground (STREAMLIT_SERVER_BASE_URL_PATH)",
    )
    command.add_argument(
        "--isolate",
        action="store_true",
        default=argparse.SUPPRESS,
        help="run all agents of --agents in processes of their own, as those that others start are",
    )
    command.add_argument(
        "--take-over",
        action="store_true",
        default=argparse.SUPPRESS,
        help="resume runs whose server was killed or stood still; on PostgreSQL, servers always do",
    )
    add_users(command)
    command.add_argument(
        "--limits", metavar="FILE", default=argparse.SUPPRESS, help="file with the limits of users (PLAYGROUND_LIMITS)"
    )


def serve(arguments: argparse.Namespace, **more: Any) -> int:
    """Serves the app until it is stopped.

    Args:
        arguments: Those of the command.
        more: Further arguments of `ui.server.serve`.

    Returns:
        The exit code.
    """
    from ui import server

    use_users_file(arguments)
    _use_limits_file(arguments)
    server.serve(
        host=arguments.host,
        port=arguments.port,
        database=command_line.database(arguments),
        agents_dir=command_line.agents_dir(arguments),
        base=arguments.base_path,
        open_browser=not arguments.no_browser,
        isolate=arguments.isolate,
        take_over=arguments.take_over,
        **more,
    )
    return 0


def _use_limits_file(arguments: argparse.Namespace) -> None:
    """Takes the limits of --limits, here and in the worker processes that this one starts.

    Raises:
        PersonError: The file cannot be read, or is no file of limits; so, too, that of PLAYGROUND_LIMITS.
    """
    from agents.runs import expanded, limits_file, read_limits, use_limits_file

    path = limits_file() if arguments.limits is None else expanded(arguments.limits).absolute()
    if path is not None:
        read_limits(path)
        use_limits_file(path)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one from 1 to {LAST_PORT}, e.g. {DEFAULT_PORT}")
    return int(text)
