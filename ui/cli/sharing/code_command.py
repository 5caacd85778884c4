"""`playground code`: a session as a Python file that runs it again, on this project's API or on google-adk."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import PersonError, SessionNotFoundError
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.experiments import SessionCode

EXAMPLES = """\
examples:
  playground code 3f2a…                             shows the file: agents, settings and messages of the session
  playground code 3f2a… --file again.py             writes it, to be run by: uv run python again.py
  playground code 3f2a… --adk --file on_adk.py      for google-adk, or says what its pipeline has that ADK lacks
"""


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to the parser's commands."""
    code = commands.add_parser(
        "code",
        help="write a session as Python code",
        description="Writes a session as a Python file that builds its agents and runs its messages with its settings.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    code.set_defaults(command="code")
    code.add_argument("session", metavar="SESSION", help="its id; see `playground sessions`")
    code.add_argument("--adk", action="store_true", help="for google-adk")
    code.add_argument("--file", metavar="FILE", help="a new file to write; standard output without it")
    return code


def write_code(database: Path, agents_dir: Path | None, *, session_id: str, adk: bool, file: str | None) -> int:
    """Writes a session's code.

    Args:
        database: Where sessions are kept.
        agents_dir: A folder with more pipelines.
        session_id: The session.
        adk: Whether it is for google-adk.
        file: The file; None for standard output.

    Returns:
        The exit code.

    Raises:
        SessionNotFoundError: There is no such session.
        PersonError: The session cannot be written as code, or the file cannot be written.
    """
    code = _read(database, agents_dir, session_id)
    text, lacks = (code.adk, code.adk_lacks) if adk else (code.playground, code.playground_lacks)
    if not text:
        what = "for google-adk, because it uses what ADK lacks" if adk else "as a file"
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


def _read(database: Path, agents_dir: Path | None, session_id: str) -> SessionCode:
    from agents.experiments import session_code
    from agents.runs import RunManager

    if database.exists():  # opening it would create the file
        with RunManager(database=database, agents_dir=agents_dir) as manager:
            found = next((row for row in manager.sessions.summaries() if row.id == session_id), None)
            if found is not None:
                return session_code(manager, found.app_name, found.id)
    raise SessionNotFoundError(
        f"There is no session {session_id!r} here. `playground sessions` lists all; --db names another database."
    )
