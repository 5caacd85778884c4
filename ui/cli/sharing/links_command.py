"""`playground links`: the links that share sessions and playbooks, as lines of text, and their end."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.access import Link

_EXAMPLES = """\
examples:
  playground links                                    list them; a link is made in the app
  playground links --revoke 9f3ac2d1e07b4a55          those who opened it see nothing more
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--revoke", metavar="ID", help="the link that is to end")


def _links(arguments: argparse.Namespace) -> int:
    workspace = command_line.workspace(arguments)
    if not workspace.is_stored:
        print("There are no links: the database is not there yet.")
        return 0
    with workspace:
        links, user = workspace.runs.links, workspace.user
        if arguments.revoke is not None:
            print(f"Revoked: {_line(links.revoke(user, arguments.revoke))}")
            return 0
        found = links.all(user)
    for link in found:
        print(_line(link))
    if not found:
        print("There are no links. In the app, the menu ⋯ of a session and the page Playbook make one.")
    return 0


def _line(link: Link) -> str:
    thing, end = link.thing, time.strftime("%Y-%m-%d %H:%M", time.localtime(link.ends_at))
    what = f"{thing.kind} {thing.app_name} {thing.id}".replace("  ", " ")
    until = f"until {end}" if link.ends_at > time.time() else f"ended {end}"
    return visible_line(f"{link.id}  {link.role:<8}  {until}  opened by {len(link.opened)}  {what}")


LINKS = Command(
    name="links",
    summary="list or revoke links that share sessions and playbooks",
    description="Lists the links that share sessions and playbooks, newest first, or revokes one.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_links,
)
