"""`playground new`: a package of agents to begin with, from a pattern."""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import shlex
import shutil
import sys
import unicodedata
from importlib.metadata import packages_distributions
from pathlib import Path

from agents import PersonError
from ui.cli.authoring.new_file import write_new_file
from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

PATTERNS = ("agent", "sequence", "parallel", "loop", "transfer", "hierarchy", "approval", "graph", "app")
"""The folders below `patterns`, in the order of `--list`; the first is the default."""
PLACEHOLDER = "new_package"
"""Stands for the package's name in the files of the patterns."""
LONGEST = 60
"""Most characters of a package's name."""

_FOLDER = Path(__file__).parent / "patterns"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORD = re.compile(r"[A-Za-z0-9]+")
_TAKEN = {"user", "agents", "ui"}
_EXAMPLES = """\
examples:
  playground new --list                                     the patterns
  playground new trip_planner                               one agent with a tool, in ./trip_planner
  playground new planner --pattern loop --agents ./mine     a loop, in ./mine/planner

exit code: 0 the package was written · 2 bad input; nothing is overwritten
"""


def about(pattern: str) -> str:
    """What a pattern is, in one sentence: the docstring of its agents."""
    return ast.get_docstring(ast.parse((_FOLDER / pattern / "agent.py").read_text(encoding="utf-8"))) or ""


def new_package(name: str, parent: Path, pattern: str) -> Path:
    """Writes a package of agents.

    Args:
        name: Its name.
        parent: The folder to put it in, which is made if it is not there.
        pattern: One of `PATTERNS`.

    Returns:
        Its folder.

    Raises:
        PersonError: The name cannot be used, there is something of that name already, or a file cannot be written.
    """
    folder = parent / name
    if problem := _name_problem(name, pattern):
        raise PersonError(problem)
    if folder.exists() or folder.is_symlink():
        raise PersonError(f"There is a {folder} already, and nothing is written over it. Choose another name.")
    try:
        parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        raise PersonError(f"The folder {folder} cannot be made: {error.strerror}.") from None
    try:
        for file in (_FOLDER / "README.md", *sorted((_FOLDER / pattern).glob("*.py"))):
            text = file.read_text(encoding="utf-8").replace("About.", about(pattern)).replace(PLACEHOLDER, name)
            write_new_file(folder / file.name.replace(PLACEHOLDER, name), text)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _name_problem(name: str, pattern: str) -> str:
    """Why no package can have a name, with one that it can have; "" if it can have it."""
    from agents.pipelines import BUILT_IN

    shown = visible_line(name[:LONGEST])
    if len(name) > LONGEST:
        why = f"The name {shown}… has {len(name)} characters, and a package's name has at most {LONGEST}."
    elif not _NAME.fullmatch(name):
        why = (
            f"{shown!r} cannot name a package: it is the name of a Python module, typed in commands and shown in addresses, "
            "so use the letters a to z, digits and underscores, and begin with a letter. Titles, descriptions and "
            "instructions may be in any language."
        )
    elif keyword.iskeyword(name) or name in _TAKEN or name in sys.stdlib_module_names or name in packages_distributions():
        why = f"{name!r} has a meaning of its own in Python or in the playground, such as a module of that name."
    elif name in BUILT_IN:
        why = f"A pipeline called {name!r} comes with the playground."
    else:
        return ""
    return f"{why} Try {_proposal(name, pattern)}."


def _proposal(name: str, pattern: str) -> str:
    """A name that can be used, and that keeps what it can of another one."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    words = "_".join(_WORD.findall(plain))[: LONGEST - len("my_") - len(pattern) - 1].lower().strip("_")
    if words and _NAME.fullmatch(words) and words != name.lower():
        return words
    return f"my_{words or pattern}"


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", nargs="?", help="the package's name, e.g. trip_planner")
    command.add_argument("--pattern", choices=PATTERNS, default=PATTERNS[0], help=f"what to begin with ({PATTERNS[0]})")
    command.add_argument("--list", action="store_true", help="list the patterns")


def _new(arguments: argparse.Namespace) -> int:
    from agents.runs import expanded

    if arguments.list:
        for pattern in PATTERNS:
            print(f"{pattern:<{max(map(len, PATTERNS))}}  {about(pattern)}")
        return 0
    if arguments.name is None:
        raise PersonError("Name the package: playground new trip_planner. `playground new --list` lists the patterns.")
    folder = new_package(arguments.name, expanded(arguments.agents or "."), arguments.pattern)
    print(f"Wrote {', '.join(visible_line(str(path)) for path in sorted(folder.iterdir()))}.")
    print(f"Open it: playground --agents {shlex.quote(visible_line(arguments.agents or str(folder)))}")
    return 0


NEW = Command(
    "new",
    "begin a package of agents from a pattern",
    "Writes a package of agents that runs as it is, with a test: here and in Google's Agent Development Kit. It is put in "
    "the folder that --agents names, else in the current one.",
    _add_arguments,
    _new,
    _EXAMPLES,
)
