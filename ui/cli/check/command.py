"""`playground check`: runs the cases of a folder, prints a table, and keeps the runs that do not hold."""

from __future__ import annotations

import argparse
import logging
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from agents import PersonError, PlaygroundError
from ui.cli import command_line
from ui.cli.command_line import Command, positive
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.cases import CaseResult, Check, StoredCase
    from agents.runs import RunManager

FAILED = 1
_SIGNS = {"held": "✓", "failed": "✗", "error": "!"}
_NAME = 60


_EXAMPLES = """\
examples:
  playground check                                    the cases of this playground
  playground check --agents ./mine                    those in ./mine/cases
  playground check cases --model local/qwen2.5-coder-1.5b-instruct --repeat 5
  playground check cases --junit results.xml          for a build server

A run that does not hold is kept as a session; the command below it opens it at the first event that differs.

exit code: 0 all hold · 1 one does not, or a file cannot be read · 2 bad input
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="FOLDER", nargs="?", help="where the cases are (cases, beside the agents)")
    command.add_argument("--pipeline", metavar="NAME", default="", help="the pipeline of ADK's eval cases that name none")
    command.add_argument("--model", metavar="NAME", help="the model for cases that name none; see `playground models`")
    command.add_argument("--repeat", metavar="N", type=positive, default=1, help="run each case so often (1)")
    command.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML, too")


def _check(arguments: argparse.Namespace) -> int:
    from agents.cases import Check, outcomes, read_cases
    from agents.runs import expanded
    from ui.cli.check.junit import junit_xml

    logging.getLogger("agents").addHandler(logging.NullHandler())  # what goes wrong is in the table
    workspace = command_line.workspace(arguments)
    folder = expanded(arguments.folder) if arguments.folder else workspace.cases_folder
    found = read_cases(folder, pipeline=arguments.pipeline)
    results: list[CaseResult] = []
    seconds: list[float] = []
    with workspace:
        manager = workspace.runs
        preferences = manager.models.preferences
        checker = Check(
            manager.catalog,
            playbooks=manager.playbooks("default"),
            model=arguments.model or preferences.model,
            prices=preferences.price_table,
        )
        for stored in found.cases:
            began = time.perf_counter()
            result = _checked(manager, checker, stored, arguments.repeat)
            seconds.append(time.perf_counter() - began)
            results.append(result)
            _print(manager, result, command_line.options(arguments))
    for problem in found.problems:
        print(f"! file    {visible_line(str(problem))}")
    for sentence in found.left_out:
        print(f"- not checked    {visible_line(sentence)}")
    counts = [f"{number} {outcome}" for outcome, number in outcomes(results).items() if number]
    unread = [f"{len(found.problems)} unread"] if found.problems else []
    print(f"\n{len(results)} case{'' if len(results) == 1 else 's'}: {', '.join([*counts, *unread]) or 'none'}")
    if arguments.junit:
        _write(expanded(arguments.junit), junit_xml(results, seconds, found.problems))
    return 0 if not found.problems and all(result.outcome == "held" for result in results) else FAILED


def _checked(manager: RunManager, checker: Check, stored: StoredCase, repeat: int) -> CaseResult:
    return manager.work(lambda _: checker.run(stored.case, repeat=repeat, path=stored.path))


def _print(manager: RunManager, result: CaseResult, options: str) -> None:
    times = f"  {result.held} of {len(result.runs)}" if len(result.runs) > 1 else ""
    name = visible_line(result.case.name)[:_NAME]
    print(
        f"{_SIGNS[result.outcome]} {result.outcome:<7} {name:<{_NAME}}  {visible_line(result.case.pipeline)}{times}".rstrip()
    )
    wrong = result.first_wrong
    if wrong is None:
        return
    print(f"    {visible_line(wrong.why)}")
    from agents.cases import keep_run

    try:
        kept = manager.work(lambda services: keep_run(services.sessions, result.case, wrong, user_id=manager.user.id))
    except PlaygroundError as error:
        print(f"    Its session cannot be kept: {visible_line(str(error))}")
        return
    if kept is not None:
        first = wrong.differences[0].event if wrong.differences and not wrong.error else 0
        at = f" {first}" if first else ""
        print(f"    playground{options} open {shlex.quote(result.case.pipeline)} {kept}{at}")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PersonError(
            f"The results cannot be written to {str(path)!r}: {error.strerror}. Give --junit another file."
        ) from None


CHECK = Command(
    name="check",
    summary="run the cases of a folder",
    description="Runs cases: sessions that were right, kept as tests. Each gets a copy of its playbook.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_check,
)
