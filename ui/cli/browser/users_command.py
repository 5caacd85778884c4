"""`playground users`: the users' file of a server, with names, roles and passwords."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.cli.command_line import Command
from ui.text.visible_text import visible_line

if TYPE_CHECKING:
    from agents.access import Login, UsersFile

ROLES = ("owner", "author", "user", "learner", "viewer")
_ACTIONS = {
    "add": "add a user; the password is asked for, or read from standard input",
    "list": "list the users",
    "passwd": "give a user another password, which signs them out",
    "disable": "let a user in no more",
    "enable": "let a user in again",
    "remove": "remove a user",
}
_EXAMPLES = """\
examples:
  playground users add ann --role author --users team.toml
  playground users list --users team.toml
  playground --host 0.0.0.0 --users team.toml         serve it to them

A role is changed in the file. A server reads it again when it changes: who is removed or disabled is signed out at the next
click.
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(title="what to do", metavar="ACTION", required=True)
    for name, summary in _ACTIONS.items():
        own = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        own.set_defaults(users_action=name)
        if name != "list":
            own.add_argument("name", metavar="NAME", help="what the user types to sign in")
        if name in {"add", "role"}:
            own.add_argument(
                "--role", choices=ROLES, default="user", help="what the user may do (user); see Help › Security"
            )
        add_users(own)


def add_users(command: argparse.ArgumentParser) -> None:
    """Adds the option that names the users' file."""
    command.add_argument(
        "--users", metavar="FILE", default=argparse.SUPPRESS, help="file with names, roles and passwords (PLAYGROUND_USERS)"
    )


def use_users_file(arguments: argparse.Namespace) -> None:
    """Takes the users of --users.

    Raises:
        PersonError: The file cannot be read, or is no users' file.
    """
    from agents.access import UsersFile
    from agents.runs import expanded, use_users_file

    if getattr(arguments, "users", None) is not None:
        path = expanded(arguments.users).absolute()
        UsersFile(path).read()
        use_users_file(path)


def _users(arguments: argparse.Namespace) -> int:
    from agents import PersonError
    from agents.access import UsersFile
    from agents.runs import expanded, users_file

    given = getattr(arguments, "users", None)
    path = expanded(given) if given else users_file()
    if path is None:
        raise PersonError("Which users' file? Name it with --users FILE, or in PLAYGROUND_USERS.")
    file = UsersFile(path)
    if arguments.users_action == "list":
        for login in file.read().values():
            print(f"{visible_line(login.name)}\t{login.role}{'  disabled' if login.is_disabled else ''}")
        return 0
    print(_changed(file, arguments))
    return 0


def _changed(file: UsersFile, arguments: argparse.Namespace) -> str:
    from agents import PersonError
    from agents.access import Login, Role, hashed

    name, do = arguments.name, arguments.users_action
    if do == "add":
        if file.path.exists() and file.find(name) is not None:
            raise PersonError(f"There is a user {name!r} already. Give another password with: playground users passwd")
        file.put(Login(name=name, role=Role(arguments.role), password=hashed(_password())))
        return f"{visible_line(name)} may sign in, with the role {arguments.role}."
    known = _known(file, name)
    match do:
        case "passwd":
            file.put(replace(known, password=hashed(_password())))
            return f"{visible_line(known.name)} has another password, and is signed out everywhere."
        case "remove":
            file.remove(known.name)
            return f"{visible_line(known.name)} is removed."
        case _:
            file.put(replace(known, is_disabled=do == "disable"))
            return f"{visible_line(known.name)} is let in {'no more' if do == 'disable' else 'again'}."


def _known(file: UsersFile, name: str) -> Login:
    from agents import PersonError

    if (known := file.find(name)) is None:
        raise PersonError(f"The users' file {file.path} has no user {name!r}. See: playground users list")
    return known


def _password() -> str:
    """A password typed twice without being shown, or a line of standard input."""
    from getpass import getpass

    from agents import PersonError

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    typed = getpass("Password: ")
    if getpass("Again: ") != typed:
        raise PersonError("The two are not the same. Nothing is changed.")
    return typed


USERS = Command(
    name="users",
    summary="who may sign in with a password",
    description="Writes the users' file that `playground --users FILE` serves to: names, roles, and hashes of passwords.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_users,
)
