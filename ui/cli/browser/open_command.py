"""`playground open`: a session in the browser."""

from __future__ import annotations

import argparse

from ui.cli.browser import serving
from ui.cli.command_line import Command


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("pipeline", metavar="PIPELINE", help="its pipeline; see `playground sessions`")
    command.add_argument("session", metavar="SESSION", help="its id")
    command.add_argument("event", metavar="EVENT", nargs="?", help="the number of an event in it")
    serving.add_options(command)


def _open(arguments: argparse.Namespace) -> int:
    from urllib.parse import urlencode

    at = {} if arguments.event is None else {"at": arguments.event}
    return serving.serve(
        arguments, path=f"/?{urlencode({'pipeline': arguments.pipeline, 'session': arguments.session, **at})}"
    )


OPEN = Command(
    name="open",
    summary="open a session in the browser",
    description="Serves the app and opens a session in the browser.",
    add_arguments=_add_arguments,
    execute=_open,
)
