"""`playground backup` and `playground restore`: one file with a database and the folders beside it, and back."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli.command_line import Command, workspace
from ui.cli.sharing.copy_command import Progress
from ui.text.visible_text import visible, visible_line

if TYPE_CHECKING:
    from agents.workspace import Manifest

_BACKUP_EXAMPLES = """\
examples:
  playground backup monday.zip
  playground backup backups --json          into a folder, named by the time: for cron and other schedulers
  playground backup b.zip --db play.db      of another database

It may be in use meanwhile. The exit code is 0 if the backup is whole; else there is no file of that name.
Keys of the environment and the file of MCP servers, which may hold keys, are not in it.
"""
_RESTORE_EXAMPLES = """\
examples:
  playground restore monday.zip --db restored/playground.db

Everything is compared with the hashes in the backup before it gets its name. Nothing is overwritten.
"""


def _add_target(command: argparse.ArgumentParser) -> None:
    command.add_argument("target", metavar="FILE|DIR", help="the file to make, or a folder for one named by the time")
    command.add_argument("--json", action="store_true", help="say the result as one JSON object")


def _add_source(command: argparse.ArgumentParser) -> None:
    command.add_argument("source", metavar="FILE", help="the backup")
    command.add_argument("--json", action="store_true", help="say the result as one JSON object")


def _back_up(arguments: argparse.Namespace) -> int:
    from agents.runs import expanded

    begun, progress = time.monotonic(), Progress()
    with workspace(arguments) as here:
        try:
            file, made = here.back_up(expanded(arguments.target), progress)
        finally:
            progress.end()
    if arguments.json:
        _print_json(file, made, begun)
        return 0
    print(visible(f"The backup is in {file} ({file.stat().st_size / 1e6:,.1f} MB):"))
    _print_contents(made)
    print(visible(f"    playground restore {shlex.quote(str(file))} --db NEW"))
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from agents.runs import expanded, files_folder, folder_beside

    begun, progress, file = time.monotonic(), Progress(), expanded(arguments.source)
    if not file.is_file():
        print(visible(f"playground: There is no backup {file}. Check the path."), file=sys.stderr)
        return 2
    with workspace(arguments) as here:
        try:
            found = here.restore(file, progress)
        finally:
            progress.end()
        place = here.database
    if arguments.json:
        _print_json(file, found, begun, database=str(place))
        return 0
    print(visible(f"Restored {file} to {place}; all of it has the hashes of the backup:"))
    _print_contents(found)
    files = folder_beside(place) / "files" if place else files_folder()
    if "files" in found.folders and files != files_folder():
        print(visible(f"Sessions find their working files with PLAYGROUND_FILES={shlex.quote(str(files))}"))
    print("Keys and the file of MCP servers are in no backup: give them anew.")
    print(visible(f"    playground --db {shlex.quote(str(place))}"))
    return 0


def _print_contents(manifest: Manifest) -> None:
    for kind, count in manifest.records.items():
        print(f"    {kind:<12} {count:>9,}")
    for folder in sorted(manifest.folders):
        files = sum(one.path.startswith(f"{folder}/") for one in manifest.files)
        print(visible_line(f"    {folder + '/':<12} {files:>9,} files"))


def _print_json(file: Path, manifest: Manifest, begun: float, **more: str) -> None:
    said = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "seconds": round(time.monotonic() - begun, 3),
        "made_at": manifest.made_at,
        "records": manifest.records,
        "files": len(manifest.files),
        **more,
    }
    print(json.dumps(said))


BACKUP = Command(
    name="backup",
    summary="write all of a database and the folders beside it to one file",
    description="Writes sessions, playbooks, teams, cases, lab runs and files to one file, also while they are in use.",
    examples=_BACKUP_EXAMPLES,
    add_arguments=_add_target,
    execute=_back_up,
)
RESTORE = Command(
    name="restore",
    summary="restore a backup to a new place, and verify it",
    description="Restores a backup to the database that --db names, which is not there yet, and to the folders beside it.",
    examples=_RESTORE_EXAMPLES,
    add_arguments=_add_source,
    execute=_restore,
)
