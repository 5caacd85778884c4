"""`playground export`: a session as JSON lines, as ADK's JSON, as ATIF, or as a page that replays it."""

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
    from agents.runs import RunManager

FORMATS = ("jsonl", "adk", "html", "atif")
_EXAMPLES = """\
examples:
  playground export 3f2a… -o session.jsonl                 all of it, to be imported again: playground import session.jsonl
  playground export 3f2a… --format html -o session.html    a page that replays it in any browser, with no server
  playground export 3f2a… --format adk -o session.json     for google-adk: events and state
  playground export 3f2a… --format atif -o session.json    an agent trajectory (ATIF 1.8)
  playground export 3f2a… --scopes session | gzip > a.gz   without state that other sessions share

--scopes takes session, user and app, separated by commas. State that was written into a message or a request stays there.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help="its id; see `playground sessions`")
    command.add_argument("--format", choices=FORMATS, default="jsonl", help="jsonl (all of it), adk, html or atif")
    command.add_argument("-o", "--output", metavar="FILE", help="where to; standard output without it")
    command.add_argument("--scopes", metavar="NAMES", help="the scopes of state that go along (session,user,app)")


def _export(arguments: argparse.Namespace) -> int:
    scopes, output = _scopes(arguments.scopes), arguments.output
    with command_line.workspace(arguments) as workspace:
        if not workspace.is_stored:
            raise _not_found(arguments.session)
        text = _text(workspace.runs, arguments.session, scopes, arguments.format)
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        Path(output).expanduser().write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PersonError(f"{output} cannot be written: {error.strerror or error}. Choose another file with -o.") from None
    print(visible_line(f"Wrote {output}: {len(text.encode()):,} bytes."), file=sys.stderr)
    return 0


def _text(manager: RunManager, session_id: str, scopes: tuple[str, ...], format: str) -> str:
    from agents.sharing import export_session as read_session

    found = manager.sessions.find(None, session_id)
    if found is None:
        raise _not_found(session_id)
    from ui.sharing.formats import written

    file = read_session(manager, found.app_name, found.id).within(scopes)
    return written(manager, file, format, session=found.id)


def _scopes(text: str | None) -> tuple[str, ...]:
    from agents.sharing import SCOPES

    names = SCOPES if text is None else tuple(filter(None, (name.strip() for name in text.split(","))))
    if unknown := [name for name in names if name not in SCOPES]:
        raise PersonError(f"There is no state scope {unknown[0]!r}. --scopes takes {', '.join(SCOPES)}, e.g. session,user.")
    return names


def _not_found(session_id: str) -> SessionNotFoundError:
    return SessionNotFoundError(
        f"There is no session {session_id!r} here. `playground sessions` lists all; --db names another database."
    )


EXPORT = Command(
    name="export",
    summary="write a session to a file",
    description="Writes a session to a file, or to standard output.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_export,
)
