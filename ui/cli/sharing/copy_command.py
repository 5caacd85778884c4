"""`playground copy`: copies all that a database keeps to another one."""

from __future__ import annotations

import argparse
import shlex
import sys
import time

from ui.cli.command_line import Command
from ui.text.visible_text import visible, visible_line

_EXAMPLES = """\
examples:
  playground copy playground.db copy.db
  playground copy old/playground.db playground.db     also into a database that has other sessions
  playground copy playground.db postgresql://ana@db.example/play
  playground copy postgresql://ana@db.example/play playground.db

FROM is only read, also while it is in use, and may be of an earlier version. If the copy is interrupted, the same
command goes on. Each record is read back and compared. Files beside FROM, e.g. cases and runs of the Lab, are not copied.
"""
_REDRAW = 0.1


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("source", metavar="FROM", help="the database that is copied: a file, or postgresql://…")
    command.add_argument("target", metavar="TO", help="the other one; a file is made if it is missing")


def _copy(arguments: argparse.Namespace) -> int:
    from agents.runs import parse_database
    from agents.workspace import Workspace

    source, target = parse_database(arguments.source), parse_database(arguments.target)
    progress = Progress()
    try:
        with Workspace(source) as workspace:
            copied = workspace.copy_to(target, progress)
    except KeyboardInterrupt:
        progress.end()
        print("Interrupted. What was copied is whole; the same command goes on.", file=sys.stderr)
        raise
    finally:
        progress.end()
    print(visible_line(f"Copied {source} to {target}:"))
    for kind, added, found, _ in copied:
        print(f"    {kind:<12} {added:>9,} copied {found:>9,} there before")
    print("Each of them has the same SHA-256 in both.")
    if running := sum(one.running for one in copied):
        print(f"Sessions that were being run, copied as they were at that moment: {running:,}")
    print(visible(f"    playground --db {shlex.quote(str(target))}"))
    return 0


class Progress:
    """One line on a terminal's standard error with the progress; nothing where there is no terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._drawn, self._width = 0.0, 0

    def __call__(self, kind: str, done: int, total: int) -> None:
        """Draws how many of a kind are done."""
        if self._is_shown and (done == total or time.monotonic() - self._drawn > _REDRAW):
            text = f"{kind}: {done:,} of {total:,}"
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._drawn, self._width = time.monotonic(), len(text)

    def end(self) -> None:
        """Ends the line."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0


COPY = Command(
    name="copy",
    summary="copy a database to another one",
    description="Copies sessions, playbooks, files, state and preferences of a database to another one.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_copy,
)
