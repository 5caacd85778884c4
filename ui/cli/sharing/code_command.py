"""`playground code`: a session as a Python file that runs it again, on this project's API or on google-adk."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agents import PersonError, SessionNotFoundError
from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.sharing import SessionCode

_EXAMPLES = """\
examples:
  playground code 3f2a…                             shows the file: agents, settings and messages of the session
  playground code 3f2a… --file again.py             writes it, to be run by: uv run python again.py
  playground code 3f2a… --adk --file on_adk.py      for google-adk, or says what its pipeline has that ADK lacks
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help="its id; see `playground sessions`")
    command.add_argument("--adk", action="store_true", help="for google-adk")
    command.add_argument("--file", metavar="FILE", help="a new file to write; standard output without it")


def _code(arguments: argparse.Namespace) -> int:
    file = arguments.file
    code = _read(arguments)
    text, lacks = (code.adk, code.adk_lacks) if arguments.adk else (code.playground, code.playground_lacks)
    if not text:
        what = "for google-adk, because it uses what ADK lacks" if arguments.adk else "as a file"
        raise PersonError("\n".join([f"This session cannot be written {what}:", *(f"  {one}" for one in lacks)]))
    if file is None:
        sys.stdout.write(text)
        return 0
    try:
        with Path(file).expanduser().open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        raise PersonError(f"The file {file!r} is there already and is not overwritten. Give --file another name.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PersonError(f"The file {file!r} cannot be written: {why}. Give --file another name.") from None
    print(visible_line(f"Wrote {file}: {text.count(chr(10)):,} lines."), file=sys.stderr)
    return 0


def _read(arguments: argparse.Namespace) -> SessionCode:
    from agents.sharing import session_code

    with command_line.workspace(arguments) as workspace:
        if workspace.is_stored and (found := workspace.runs.sessions.find(None, arguments.session)) is not None:
            return session_code(workspace.runs, found.app_name, found.id)
    raise SessionNotFoundError(
        f"There is no session {arguments.session!r} here. `playground sessions` lists all; --db names another database."
    )


CODE = Command(
    name="code",
    summary="write a session as Python code",
    description="Writes a session as a Python file that builds its agents and runs its messages with its settings.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_code,
)
