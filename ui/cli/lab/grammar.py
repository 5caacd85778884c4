"""The grammar of `playground lab`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

EXAMPLES = """\
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
the extra: uv run --extra lab playground). --ray needs the extra ray. Ctrl-C stops a run
after the samples that are being worked on; a second one at once. Runs are kept in the
folder lab beside the database.

exit code: 0 the run ended · 1 it was stopped · 2 bad input
"""

_COMMANDS = {
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


def add_to(commands: Any, add_places: Callable[[argparse.ArgumentParser], None]) -> None:
    """Adds the command and its own commands.

    Args:
        commands: The commands of the parser.
        add_places: Adds the options that say where things are.
    """
    lab = commands.add_parser(
        "lab",
        help="measure what a playbook is worth",
        description="Measures pipelines and playbooks on a data set: arms, seeds, intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lab.set_defaults(command="lab")
    add_places(lab)
    actions = lab.add_subparsers(title="commands", metavar="COMMAND", dest="action", required=True)
    for name, (about, metavar, what) in _COMMANDS.items():
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
