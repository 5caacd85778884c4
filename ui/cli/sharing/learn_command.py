"""`playground learn-from`: imports sessions of a coding agent, and makes a skill of what went wrong in them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents import PersonError
from ui.cli import command_line
from ui.cli.command_line import Command
from ui.cli.sharing.import_command import print_summary, print_transcript
from ui.text.visible_text import visible, visible_line

if TYPE_CHECKING:
    from agents.transcripts import ImportedTranscript, Trial
    from agents.workspace import Workspace

_EXAMPLES = """\
examples:
  playground learn-from --example                                sessions that come with the playground
  playground learn-from ~/.claude/projects --skill ~/.claude/skills
  playground learn-from ~/.codex/sessions --samples samples.jsonl    the failures and repairs, as samples for the Lab

Failures and repairs are found by stated rules, without a model. A bullet is made of the earlier sessions, and passes if
cases made of the later ones fail without it and hold with it. Bullets that only a model can write are left out: teach a
playbook from the samples. --model asks another model than the simulated one for the cases.
"""
_MOST_PLACES = 3


def _many(count: int, what: str) -> str:
    from ui.text.labels import many  # imports Streamlit

    return many(count, what)


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="FOLDER", nargs="?", help="a folder of coding agents' sessions, or a file")
    command.add_argument("--example", action="store_true", help="take the sessions that come with the playground")
    command.add_argument(
        "--name", metavar="NAME", default="lessons", help="the name of the playbook and the skill (lessons)"
    )
    command.add_argument("--skill", metavar="DIR", help="the folder in which the skill's folder is made")
    command.add_argument("--samples", metavar="FILE", help="a new file for the failures and repairs, as JSON lines")
    command.add_argument("--model", metavar="NAME", help="what answers the cases (the simulated model)")
    command.add_argument("--no-mask", action="store_true", help="keep keys and passwords in the sessions")


def _learn(arguments: argparse.Namespace) -> int:
    import asyncio  # takes a moment

    from agents.models import SIMULATED
    from agents.transcripts import EXAMPLE, lessons_of, read_places, samples_of, transcript_files, try_lessons

    if (arguments.folder is None) != arguments.example:
        raise PersonError("Name a folder of sessions, such as ~/.claude/projects, or give --example.")
    path = EXAMPLE if arguments.example else Path(arguments.folder).expanduser()
    skill = None if arguments.skill is None else Path(arguments.skill).expanduser()
    try:
        files = transcript_files(path) if path.is_dir() else [path]
    except OSError as error:
        raise PersonError(f"{path} cannot be read: {error.strerror or error}. Name a folder of sessions.") from None
    workspace = command_line.workspace(arguments)
    with workspace:
        sessions = _imported(workspace, files, path if path.is_dir() else path.parent, masks=not arguments.no_mask)
        lessons = lessons_of(read_places(workspace.runs, sessions))
        if arguments.samples:
            _write_new(Path(arguments.samples).expanduser(), "".join(f"{line}\n" for line in samples_of(lessons)))
        count = sum(len(one.places) for one in lessons)
        print(f"\nFailures that were repaired: {count:,}, of {_many(len(lessons), 'kind')}")
        trials = asyncio.run(try_lessons(workspace.catalog, lessons, model=arguments.model or SIMULATED))
        _print(trials)
        if not any(one.passed for one in trials):
            print("\nNo bullet passed, so nothing was written. More sessions with the same failure give cases to try it on.")
            return 1
        _keep(workspace, trials, arguments.name, skill)
    return 0


def _imported(workspace: Workspace, files: Sequence[Path], below: Path, *, masks: bool) -> list[str]:
    from agents.transcripts import import_folder

    found: list[ImportedTranscript] = []
    for one in import_folder(workspace.runs, files, below=below, mask=masks):
        found.append(one)
        print_transcript(one)
    print_summary(found, masks=masks)
    return [one.session_id for one in found if one.session_id]


def _print(trials: Sequence[Trial]) -> None:
    for one in trials:
        lesson, repair = one.lesson, one.lesson.places[-1].repair
        print()
        print(visible_line(f"{_many(lesson.sessions, 'session')} · {repair.tried}: {repair.problem} → {repair.repair}"))
        for place in lesson.places[:_MOST_PLACES]:
            print(f"    session {place.session_id}, entries {place.repair.failed_at} and {place.repair.repaired_at}")
        if lesson.bullet:
            print(f"    {visible_line(f'{lesson.bullet_id}: {lesson.bullet}')}")
        held = f"of {_many(one.cases, 'held-out case')}, {one.before} held without it and {one.alone} with it"
        print(f"    passed: {held}" if one.passed else f"    not passed: {one.why}")


def _keep(workspace: Workspace, trials: Sequence[Trial], name: str, skill: Path | None) -> None:
    """Keeps the bullets that passed as a playbook, and as a skill."""
    from agents.ace import is_playbook_name, skill_name
    from agents.transcripts import keep_passed, learned_skill

    if not is_playbook_name(name):
        raise PersonError(f"{name!r} cannot be the name of a playbook. Give another one with --name.")
    new = keep_passed(workspace.runs, trials, name)
    count = _many(sum(one.passed for one in trials), "bullet")
    print()
    print(visible_line(f"The playbook {name} has {count} that passed, {new:,} of them new."))
    print("MCP clients read it from `playground mcp`.")
    if skill is not None:
        folder = skill / skill_name(name)
        for path, text in learned_skill(trials, name=folder.name).items():
            _write(folder / path, text)
        print(visible(f"The skill is in {folder}"))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PersonError(f"{path} cannot be written: {error.strerror or error}. Choose another folder.") from None


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        raise PersonError(f"The file {path} is there already and is not overwritten. Choose another name.") from None
    except OSError as error:
        raise PersonError(f"{path} cannot be written: {error.strerror or error}. Choose another file.") from None
    print(visible_line(f"Wrote {path}: {text.count(chr(10)):,} samples."), file=sys.stderr)


LEARN_FROM = Command(
    name="learn-from",
    summary="make a skill of what went wrong in coding agents' sessions",
    description="Imports sessions of coding agents, finds what went wrong and was repaired, and keeps the bullets that "
    "would have prevented it in sessions that were held out.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_learn,
)
