"""What a command is, and the options that several commands have."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents import PersonError
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.pipelines import Catalog
    from agents.runs import Database
    from agents.workspace import Workspace

_DIGITS = 9


class Command(NamedTuple):
    """A command of the terminal. Its module is imported for every `--help`, so `execute` imports what is slow.

    Attributes:
        name: What is typed after `playground`.
        summary: What it does, in the list of commands.
        description: What it does, in its own help.
        add_arguments: Adds its arguments, but for those that every command has.
        execute: Does what the arguments say; returns the exit code.
        examples: Shown below its options, line by line as they are; "" for none.
    """

    name: str
    summary: str
    description: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]
    examples: str = ""


def add_places(command: argparse.ArgumentParser, *, default: str | None = argparse.SUPPRESS) -> None:
    """Adds the options of every command; a command's parser must not overwrite options given before the command."""
    command.add_argument(
        "--db",
        metavar="PLACE",
        default=default,
        help="where sessions are kept: a file, or postgresql://USER@HOST/DATABASE (PLAYGROUND_DB, or the data folder)",
    )
    command.add_argument(
        "--data",
        metavar="DIR",
        default=default,
        help="data folder: what is kept beside the sessions (PLAYGROUND_DATA, or the user data folder)",
    )
    command.add_argument("--agents", metavar="DIR", default=default, help="folder with more pipelines")
    command.add_argument(
        "--mcp", metavar="FILE", default=default, help="file with MCP servers for agents (PLAYGROUND_MCP, or mcp.json there)"
    )


def workspace(arguments: argparse.Namespace) -> Workspace:
    """The workspace that a command's options name. Nothing of it is opened yet.

    Raises:
        DatabaseError: Sessions cannot be kept there.
        PersonError: The folder with more pipelines cannot be used.
    """
    from agents.access import OWNER
    from agents.workspace import Workspace

    folder = agents_dir(arguments)
    return Workspace(database(arguments), agents_dir=folder).as_user(replace(OWNER, came_from="terminal"))


def use_mcp_file(arguments: argparse.Namespace) -> None:
    """Takes the MCP servers of --mcp, here and in the worker processes that this one starts.

    Raises:
        PersonError: The file cannot be read, or is no list of servers.
    """
    if arguments.mcp is None:
        return
    from agents.runs import expanded, use_mcp_file
    from agents.toolsets.mcp.server_file import read_servers

    path = expanded(arguments.mcp).absolute()
    read_servers(path)
    use_mcp_file(path)


def use_data_folder(arguments: argparse.Namespace) -> None:
    """Takes the data folder of --data, here and in the worker processes that this one starts.

    Raises:
        PersonError: It cannot be used.
    """
    if arguments.data is None:
        return
    from agents.runs import expanded, folder_problem, use_data_folder

    folder = expanded(arguments.data).absolute()
    if problem := folder_problem(folder, may_be_missing=True):
        raise PersonError(f"The data folder {str(folder)!r} cannot be used: {problem}")
    use_data_folder(folder)


def database(arguments: argparse.Namespace) -> Database:
    """Where sessions are kept.

    Raises:
        DatabaseError: They cannot be kept there.
    """
    from agents.runs import check_database, default_database, parse_database

    place = parse_database(arguments.db) if arguments.db else default_database()
    check_database(place)
    return place


def agents_dir(arguments: argparse.Namespace) -> Path | None:
    """The folder with more pipelines; None if none is given.

    Raises:
        PersonError: It cannot be used.
    """
    if arguments.agents is None:
        return None
    from agents.runs import expanded, folder_problem

    folder = expanded(arguments.agents)
    if problem := folder_problem(folder):
        raise PersonError(
            f"There is no folder {arguments.agents!r} to take pipelines from: {problem} "
            "Give --agents the folder that holds your pipelines."
        )
    return folder


def options(arguments: argparse.Namespace) -> str:
    """The options for another command to find the same sessions and pipelines; a password is left out of the address."""
    from agents.runs import parse_database

    place = arguments.db and str(parse_database(arguments.db))
    given = {"--db": place, "--data": arguments.data, "--agents": arguments.agents, "--mcp": arguments.mcp}
    return "".join(f" {name} {shlex.quote(value)}" for name, value in given.items() if value)


def print_broken(catalog: Catalog) -> None:
    """Says on standard error which pipelines cannot be loaded, or why a folder has none."""
    for name, failure in catalog.broken.items():
        reason = visible_line(failure.reason)
        print(f"playground: the pipeline {visible_line(name)} cannot be loaded: {reason}", file=sys.stderr)
    if reason := catalog.empty_reason:
        print(f"playground: {visible_line(reason)}", file=sys.stderr)


def add_json(command: argparse.ArgumentParser) -> None:
    """Adds the option of a command that lists something."""
    command.add_argument("--json", action="store_true", help="one JSON object a line")


def add_showing(command: argparse.ArgumentParser, *, model: str) -> None:
    """Adds the options of a command that shows a run; `model` says what `--model` names."""
    command.add_argument("--model", metavar="NAME", help=f"{model}; see `playground models`")
    command.add_argument(
        "--agent-model",
        metavar="AGENT=MODEL",
        action="append",
        default=[],
        help="the model of one agent, whatever it has of its own; may be given several times",
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line: each event, then a summary")


def agent_models(arguments: argparse.Namespace) -> dict[str, str] | None:
    """The models of single agents in --agent-model AGENT=MODEL, by agent name; None if there are none.

    Raises:
        PersonError: A text does not have this form.
    """
    return dict(map(_agent_model, arguments.agent_model)) or None


def _agent_model(text: str) -> tuple[str, str]:
    agent, separator, model = (part.strip() for part in text.partition("="))
    if not (agent and separator and model):
        raise PersonError(
            f"--agent-model takes AGENT=MODEL, not {text!r}. Write e.g. --agent-model CriticAgent=gemini-flash-latest; "
            "`playground models` lists models."
        )
    return agent, model


def natural(text: str) -> int:
    """The type of an option that takes a whole number."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number; write e.g. 7")
    return int(text)


def positive(text: str) -> int:
    """The same, without 0."""
    if not (number := natural(text)):
        raise argparse.ArgumentTypeError("0 is too few; write e.g. 60")
    return number
