"""`playground import`: adds the session of a file to the database, or the sessions of a folder of a coding agent's."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from agents import PersonError
from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible, visible_line

if TYPE_CHECKING:
    from agents.transcripts import ImportedTranscript
    from agents.workspace import Workspace

_EXAMPLES = """\
examples:
  playground import session.jsonl
  playground import session.json --pipeline help_desk    google-adk's JSON, as a session of this pipeline
  playground import ~/.claude/projects                   all sessions of Claude Code in a folder
  playground import ~/.codex/sessions                    the same of Codex
  playground import trajectory.json                      an ATIF trajectory

The session gets a new id, and a playbook of its own. Nothing that is here is changed. In sessions of coding agents, keys,
tokens and passwords are masked by their form, and what was masked is said. Nothing in them is fetched or run.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", metavar="PATH", help="a file of a session, or a folder of coding agents' sessions")
    command.add_argument("--pipeline", metavar="NAME", help="the pipeline that it will be a session of (the file's)")
    command.add_argument("--no-mask", action="store_true", help="keep keys and passwords in coding agents' sessions")


def _import(arguments: argparse.Namespace) -> int:
    from agents.transcripts import is_transcript, transcript_files

    path = Path(arguments.path).expanduser()
    workspace = command_line.workspace(arguments)
    try:
        files = transcript_files(path) if path.is_dir() else [path] if is_transcript(path) else []
    except OSError as error:
        why = error.strerror or error
        raise PersonError(f"{arguments.path} cannot be read: {why}. Name the file of a session.") from None
    if files:
        return _import_transcripts(workspace, files, path if path.is_dir() else path.parent, arguments)
    return _import_session(workspace, path, arguments)


def _import_session(workspace: Workspace, path: Path, arguments: argparse.Namespace) -> int:
    from agents.sharing import import_session, read_shared_file

    try:
        shared = read_shared_file(path)
    except OSError as error:
        why = error.strerror or error
        raise PersonError(f"{arguments.path} cannot be read: {why}. Name the file of a session.") from None
    with workspace:
        added = import_session(workspace.runs, shared, pipeline=arguments.pipeline)
    title = visible_line(added.title) or "(no message yet)"
    print(f"Imported {visible_line(added.session_id)}: {added.events:,} events of {visible_line(added.pipeline)}, {title}")
    for name in added.playbooks:
        print(f"    its playbook is {visible_line(name)}")
    options = command_line.options(arguments)
    print(visible(f"    playground run {shlex.quote(added.pipeline)} … --session {added.session_id}{options}"))
    return 0


def _import_transcripts(workspace: Workspace, files: list[Path], below: Path, arguments: argparse.Namespace) -> int:
    from agents.transcripts import import_folder

    found: list[ImportedTranscript] = []
    with workspace:
        for one in import_folder(workspace.runs, files, below=below, mask=not arguments.no_mask):
            found.append(one)
            print_transcript(one)
    print_summary(found, masks=not arguments.no_mask)
    return 0 if any(one.session_id for one in found) else 1


def print_transcript(one: ImportedTranscript) -> None:
    """Says what became of a file; problems go to standard error."""
    from agents.transcripts import FORMATS

    if one.problem:
        print(visible_line(one.problem), file=sys.stderr)
        return
    what = "Already here" if one.is_known else "Imported"
    name = FORMATS.get(one.format, one.format)
    title = visible_line(one.title) or "(no message yet)"
    print(f"{what} {visible_line(one.session_id)}: {one.events:,} events of {name}, {title}")
    if one.unread:
        print(f"    lines that could not be read, and are kept as they are: {one.unread:,}")
    for encoding, count in one.encodings.items():
        print(f"    lines read as {encoding}: {count:,}")


def print_summary(found: list[ImportedTranscript], *, masks: bool) -> None:
    """Says what was masked, and how many files gave a session."""
    masked = Counter[str]()
    for one in found:
        masked.update({} if one.is_known else one.masked)
    if masks:
        counts = ", ".join(f"{count:,} × {kind}" for kind, count in sorted(masked.items()))
        print(f"Masked: {counts}." if counts else "Masked nothing: no key, token or password was found by its form.")
    if len(found) > 1:
        new = sum(bool(one.session_id) and not one.is_known for one in found)
        known = sum(one.is_known for one in found)
        failed = sum(bool(one.problem) for one in found)
        print(f"{len(found):,} files: {new:,} sessions imported, {known:,} already here, {failed:,} without a session.")


IMPORT = Command(
    name="import",
    summary="add the session of a file, or a folder of coding agents' sessions",
    description="Adds the session of a file (JSON lines from here, ADK's JSON, a session of Claude Code or Codex, ATIF), "
    "or all sessions of coding agents in a folder. All of a session is added, or nothing.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_import,
)
