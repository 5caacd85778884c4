"""`playground import`: adds the session of a file to the database."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from agents import PersonError
from ui.text.visible_text import visible, visible_line

EXAMPLES = """\
examples:
  playground import session.jsonl
  playground import session.json --pipeline help_desk    google-adk's JSON, as a session of this pipeline

The session gets a new id, and a playbook of its own. Nothing that is here is changed.
"""


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to the parser's commands."""
    command = commands.add_parser(
        "import",
        help="add the session of a file",
        description="Adds the session of a file of JSON lines, or of ADK's JSON. All of it is added, or nothing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(command="import")
    command.add_argument("file", metavar="FILE", help="what `playground export` or google-adk wrote")
    command.add_argument("--pipeline", metavar="NAME", help="the pipeline that it will be a session of (the file's)")
    return command


def import_file(database: Path, agents_dir: Path | None, *, file: str, pipeline: str | None, options: str = "") -> int:
    """Adds the session of a file, and says what was added.

    Args:
        database: Where sessions are kept; made if it is missing.
        agents_dir: A folder with more pipelines.
        file: The file.
        pipeline: The pipeline that it will be a session of; None for the file's.
        options: The options for another command to find the same sessions and pipelines.

    Returns:
        The exit code.

    Raises:
        SessionFileError: The file cannot be read; nothing was added.
        PersonError: There is no such file.
    """
    from agents.experiments import import_session, read_shared
    from agents.runs import RunManager

    try:
        content = Path(file).expanduser().read_bytes()
    except OSError as error:
        raise PersonError(f"{file} cannot be read: {error.strerror or error}. Name the file of a session.") from None
    shared = read_shared(content)
    with RunManager(database=database, agents_dir=agents_dir) as manager:
        added = import_session(manager, shared, pipeline=pipeline)
    title = visible_line(added.title) or "(no message yet)"
    print(f"Imported {visible_line(added.session_id)}: {added.events:,} events of {visible_line(added.pipeline)}, {title}")
    for name in added.playbooks:
        print(f"    its playbook is {visible_line(name)}")
    print(visible(f"    playground run {shlex.quote(added.pipeline)} … --session {added.session_id}{options}"))
    return 0
