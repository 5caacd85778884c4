"""`playground import`: adds the session of a file to the database."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from agents import PersonError
from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible, visible_line

_EXAMPLES = """\
examples:
  playground import session.jsonl
  playground import session.json --pipeline help_desk    google-adk's JSON, as a session of this pipeline

The session gets a new id, and a playbook of its own. Nothing that is here is changed.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="what `playground export` or google-adk wrote")
    command.add_argument("--pipeline", metavar="NAME", help="the pipeline that it will be a session of (the file's)")


def _import(arguments: argparse.Namespace) -> int:
    from agents.sharing import import_session, read_shared_file

    workspace = command_line.workspace(arguments)
    try:
        shared = read_shared_file(Path(arguments.file).expanduser())
    except OSError as error:
        why = error.strerror or error
        raise PersonError(f"{arguments.file} cannot be read: {why}. Name the file of a session.") from None
    with workspace:
        added = import_session(workspace.runs, shared, pipeline=arguments.pipeline)
    title = visible_line(added.title) or "(no message yet)"
    print(f"Imported {visible_line(added.session_id)}: {added.events:,} events of {visible_line(added.pipeline)}, {title}")
    for name in added.playbooks:
        print(f"    its playbook is {visible_line(name)}")
    options = command_line.options(arguments)
    print(visible(f"    playground run {shlex.quote(added.pipeline)} … --session {added.session_id}{options}"))
    return 0


IMPORT = Command(
    name="import",
    summary="add the session of a file",
    description="Adds the session of a file of JSON lines, or of ADK's JSON. All of it is added, or nothing.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_import,
)
