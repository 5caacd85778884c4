"""`playground grade`: what the submissions of a class are worth, by the verdicts of the page."""

from __future__ import annotations

import argparse
import csv
import logging
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

from ui.cli import command_line
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from pathlib import Path

    from agents.lessons import Grade
    from agents.pipelines import Catalog

UNREADABLE = 1
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_EXAMPLES = """\
examples:
  playground grade submissions                each learner's folder has answers.toml, and a folder for each changed team
  playground grade submissions --csv > grades.csv

exit code: 0 all submissions were graded · 1 one cannot be read · 2 bad input
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="FOLDER", help="the submissions: a folder for each learner")
    command.add_argument("--csv", action="store_true", help="a table for a spreadsheet")


def _grade(arguments: argparse.Namespace) -> int:
    import asyncio

    from agents.pipelines import Catalog
    from agents.runs import expanded

    logging.getLogger("agents").addHandler(logging.NullHandler())
    grades = asyncio.run(_all(expanded(arguments.folder), Catalog(command_line.agents_dir(arguments))))
    if arguments.csv:
        _print_csv(grades)
    else:
        for grade in grades:
            print(_lines(grade))
    return UNREADABLE if any(grade.error for grade in grades) else 0


async def _all(folder: Path, catalog: Catalog) -> list[Grade]:
    from agents.lessons import grade_folder

    async with aclosing(grade_folder(folder, catalog)) as found:
        return [grade async for grade in found]


def _lines(grade: Grade) -> str:
    if grade.error:
        return f"! {visible_line(f'{grade.learner}: {grade.error}')}"
    steps = ", ".join(f"{name} {points}" for name, points in grade.points.items())
    head = f"{visible_line(grade.learner)}: {grade.total} of {grade.most} points in {grade.lesson} ({steps})"
    return "\n".join([head, *(f"    {visible_line(f'{name}: {hint}')}" for name, hint in grade.hints.items())])


def _print_csv(grades: list[Grade]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("learner", "lesson", "points", "of", "steps", "error"))
    for grade in grades:
        steps = " ".join(f"{name}={points}" for name, points in grade.points.items())
        row = (grade.learner, grade.lesson, grade.total, grade.most, steps, grade.error)
        writer.writerow([visible_line(f"'{cell}" if str(cell).startswith(_FORMULA) else str(cell)) for cell in row])


GRADE = Command(
    "grade",
    "say what a class's submissions are worth",
    "Grades a folder of submissions with the verdicts of the page. Nothing of a submission is run but its teams' YAML.",
    _add_arguments,
    _grade,
    _EXAMPLES,
)
