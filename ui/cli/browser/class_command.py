"""`playground class`: a class on this machine; learners join with their phones."""

from __future__ import annotations

import argparse

from ui.cli.browser import serving
from ui.cli.command_line import Command

_EXAMPLES = """\
examples:
  playground class --host 0.0.0.0               learners of this network join; the last class goes on
  playground class --host 0.0.0.0 --new         a new class, with a new code
  playground class                              try it on this machine alone

The desk opens in your browser. Put the page /wall on the projector; learners open the address on it, or point their phone's
camera at the picture, and type the code and a nickname. Of a learner the nickname is stored, the answers, and what they run
themselves.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--new", action="store_true", help="begin a new class; otherwise the last one goes on")
    serving.add_options(command)


def _class(arguments: argparse.Namespace) -> int:
    from ui.access import door, owner_token

    door.build(new=arguments.new)
    return serving.serve(arguments, path=owner_token.link(""))


CLASS = Command(
    name="class",
    summary="hold a class",
    description="Serves the app to a class: learners join with their phones, answer questions about a run, play agents, and "
    "write a playbook together.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_class,
)
