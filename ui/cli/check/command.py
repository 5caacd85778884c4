"""`playground check`: runs the cases of a folder, prints a table, and keeps the runs that do not hold."""

from __future__ import annotations

import logging
import shlex
import time
from dataclasses import dataclass
from pathlib import Path

from agents import PersonError, PlaygroundError
from agents.experiments import CaseResult, Check, StoredCase, cases_folder, keep_run, outcomes, read_cases
from agents.pipelines import Catalog
from agents.runs import RunManager, expanded
from ui.cli.check.junit import junit_xml
from ui.text.visible_text import visible_line

FAILED = 1
_SIGNS = {"held": "✓", "failed": "✗", "error": "!"}
_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be checked.

    Attributes:
        database: Where playbooks are, and where runs that do not hold are kept.
        agents_dir: A folder with more pipelines.
        folder: Where the cases are; None for the usual place.
        model: For cases that name none; None for the user's preference.
        repeat: How often each is run.
        junit: A file for the results.
        options: The options for another command to find the same sessions and pipelines.
    """

    database: Path
    agents_dir: Path | None
    folder: str | None
    model: str | None
    repeat: int
    junit: str | None
    options: str


def check(wanted: Wanted) -> int:
    """Runs the cases and prints what comes of them.

    Returns:
        The exit code: 0 only if each case held and each file could be read.

    Raises:
        CaseError: There is no such folder, or it has no cases.
        PersonError: The results cannot be written.
        DatabaseError: The database cannot be used.
    """
    logging.getLogger("agents").addHandler(logging.NullHandler())  # what goes wrong is in the table
    folder = expanded(wanted.folder) if wanted.folder else cases_folder(wanted.database, wanted.agents_dir)
    found = read_cases(folder)
    results: list[CaseResult] = []
    seconds: list[float] = []
    with RunManager(database=wanted.database, catalog=Catalog(wanted.agents_dir)) as manager:
        preferences = manager.models.preferences
        checker = Check(
            manager.catalog,
            playbooks=manager.playbooks("default"),
            model=wanted.model or preferences.model,
            prices=preferences.price_table,
        )
        for stored in found.cases:
            began = time.perf_counter()
            result = _checked(manager, checker, stored, wanted.repeat)
            seconds.append(time.perf_counter() - began)
            results.append(result)
            _print(manager, result, wanted.options)
    for problem in found.problems:
        print(f"! file    {visible_line(str(problem))}")
    for sentence in found.left_out:
        print(f"- not checked    {visible_line(sentence)}")
    counts = [f"{number} {outcome}" for outcome, number in outcomes(results).items() if number]
    unread = [f"{len(found.problems)} unread"] if found.problems else []
    print(f"\n{len(results)} case{'' if len(results) == 1 else 's'}: {', '.join([*counts, *unread]) or 'none'}")
    if wanted.junit:
        _write(expanded(wanted.junit), junit_xml(results, seconds, found.problems))
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
    try:
        kept = manager.work(lambda services: keep_run(services.sessions, result.case, wrong))
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
