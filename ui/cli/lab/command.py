"""`playground lab`: begins, resumes and compares lab runs."""

from __future__ import annotations

import argparse
import json
import logging
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import PersonError
from ui.cli import command_line
from ui.cli.command_line import Command, add_places
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.lab import ActiveRun, Lab, Parts

STOPPED = 1
_EXAMPLES = """\
examples:
  playground lab run formulas.toml          begin a run, and work on it to its end
  playground lab resume formulas            go on where it stopped
  playground lab report formulas            accuracy with intervals, calls, tokens, differences
  playground lab report formulas --html formulas.html
  playground lab export formulas folder     description, results, playbooks
  playground lab compare formulas formulas-2
  playground lab list
  playground lab run formulas.toml --ray auto   on a cluster that `ray start` began

A description:
  name = "formulas"
  data = { generate = "formulas", seed = 1, count = 240 }
  [[arms]]
  kind = "none"
  [[arms]]
  kind = "online"

Kinds of arms are none, frozen, online, offline, parallel, rewriting and gepa (which needs
the extra: uv run --extra lab playground). --ray needs the extra ray. On a terminal, a line
shows the progress and what models say. Ctrl-C stops a run after the samples that are
being worked on, and says which; a second one at once. Runs are kept in the folder lab
beside the database.

exit code: 0 the run ended · 1 it was stopped · 2 bad input
"""

_ACTIONS = {
    "run": ("begin a run, and work on it", "FILE", "its description, a TOML file"),
    "resume": ("go on with a run that was stopped or killed", "RUN", "its name; see `playground lab list`"),
    "report": ("print a run's results", "RUN", "its name; see `playground lab list`"),
    "export": (
        "write a run's description, results and playbooks into a new folder",
        "RUN",
        "its name; see `playground lab list`",
    ),
    "compare": ("print the results of two runs, and the differences between arms of the same name", "RUN", "their names"),
    "list": ("list the runs", "", ""),
}
_RAY = (
    "work on the samples on a Ray cluster: its address; auto for that of RAY_ADDRESS, else of this machine's cluster; local "
    "for workers of this machine that end with the run"
)


def _add_arguments(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(title="commands", metavar="COMMAND", dest="action", required=True)
    for name, (about, metavar, what) in _ACTIONS.items():
        action = actions.add_parser(name, help=about, description=f"{about[:1].upper()}{about[1:]}.")
        if metavar:
            action.add_argument("names", metavar=metavar, nargs=2 if name == "compare" else 1, help=what)
        _add_output(action, name)
        add_places(action)


def _add_output(action: argparse.ArgumentParser, name: str) -> None:
    """Adds what says how, or where, a command gives its results."""
    if name == "export":
        action.add_argument("folder", metavar="FOLDER", help="a folder that does not exist yet")
        return
    outputs = action.add_mutually_exclusive_group()
    outputs.add_argument("--json", action="store_true", help="one JSON object a line")
    if name in ("run", "resume"):
        action.add_argument("--ray", metavar="ADDRESS", help=_RAY)
    if name == "report":
        outputs.add_argument("--html", metavar="FILE", help="write a page with plots instead, as one new HTML file")


def _lab(arguments: argparse.Namespace) -> int:
    from agents.lab import export_run, report_page

    logging.getLogger("agents").addHandler(logging.NullHandler())  # what goes wrong with a sample is in its result
    lab = command_line.workspace(arguments).lab
    match arguments.action:
        case "run":
            return _work(arguments, _beginning(lab, Path(arguments.names[0]).expanduser()))
        case "resume":
            return _work(arguments, lambda parts: lab.resume(arguments.names[0], parts=parts))
        case "report" if arguments.html:
            _write_page(arguments.html, report_page(lab, arguments.names[0]))
        case "export":
            export_run(lab, arguments.names[0], Path(arguments.folder).expanduser())
            print(visible_line(f"Wrote {arguments.folder}."), file=sys.stderr)
        case _:
            _print_results(lab, arguments)
    return 0


def _beginning(lab: Lab, path: Path) -> Callable[[Parts], ActiveRun]:
    from agents.lab import LabDescription, read_description

    text = read_description(path)
    LabDescription.from_toml(text, file=str(path))  # its errors name the file
    return lambda parts: lab.begin(text, beside=path.absolute().parent, parts=parts)


def _work(arguments: argparse.Namespace, opened: Callable[[Parts], ActiveRun]) -> int:
    """Works on a run until it ends or is stopped, and prints its results so far."""
    from agents.lab import report_rows
    from ui.cli.lab.progress import worked_on
    from ui.cli.lab.report import report_lines

    with worked_on(opened, ray=arguments.ray) as run:
        _print(report_rows(run) if arguments.json else report_lines(run))
        if run.status == "finished":
            return 0
        again = f"playground lab resume {shlex.quote(run.name)}{command_line.options(arguments)}"
        print(f"Stopped. Go on with: {again}", file=sys.stderr)
        return STOPPED


def _print_results(lab: Lab, arguments: argparse.Namespace) -> None:
    from agents.lab import report_rows
    from ui.cli.lab import report

    match arguments.action:
        case "report":
            with lab.open(arguments.names[0]) as run:
                _print(report_rows(run) if arguments.json else report.report_lines(run))
        case "compare":
            with lab.open(arguments.names[0]) as run, lab.open(arguments.names[1]) as other:
                _print(report.compare_rows(run, other) if arguments.json else report.compare_lines(run, other))
        case _:
            _print(report.list_rows(lab.runs()) if arguments.json else report.list_lines(lab.runs(), lab.folder))


def _write_page(target: str, page: str) -> None:
    try:
        with Path(target).expanduser().open("x", encoding="utf-8", newline="\n") as file:
            file.write(page)
    except FileExistsError:
        raise PersonError(f"{target!r} is there already and is not overwritten. Give --html another name.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PersonError(f"The file {target!r} cannot be written: {why}. Give --html another name.") from None
    print(visible_line(f"Wrote {target}."), file=sys.stderr)


def _print(lines: Iterable[str | dict[str, Any]]) -> None:
    """Prints lines as they are, and rows as JSON."""
    for line in lines:
        print(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False))


LAB = Command(
    name="lab",
    summary="measure what a playbook is worth",
    description="Measures pipelines and playbooks on a data set: arms, seeds, intervals.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_lab,
)
