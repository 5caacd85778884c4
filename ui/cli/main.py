"""The command `playground`: its commands, how they are read, and how the process ends."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from agents import PlaygroundError
from ui.cli import diagnostics, help_command, listings, mcp_command
from ui.cli.activity import command as activity_command
from ui.cli.authoring import new_command, review_command
from ui.cli.browser import class_command, demo_command, open_command, serving, users_command
from ui.cli.check import command as check_command
from ui.cli.command_line import add_places, use_data_folder, use_mcp_file
from ui.cli.lab import command as lab_command
from ui.cli.lessons import grade_command, lesson_command
from ui.cli.models import command as models_command
from ui.cli.running import answer_command, run_command
from ui.cli.sharing import code_command, copy_command, export_command, import_command, learn_command, links_command
from ui.cli.trace import command as trace_command
from ui.text.visible_text import visible

COMMANDS = (
    run_command.RUN,
    answer_command.ANSWER,
    listings.PIPELINES,
    listings.SESSIONS,
    listings.PENDING,
    export_command.EXPORT,
    import_command.IMPORT,
    learn_command.LEARN_FROM,
    code_command.CODE,
    copy_command.COPY,
    links_command.LINKS,
    trace_command.TRACE,
    activity_command.USAGE,
    activity_command.AUDIT,
    models_command.MODELS,
    check_command.CHECK,
    new_command.NEW,
    review_command.REVIEW,
    lesson_command.LESSON,
    grade_command.GRADE,
    lab_command.LAB,
    open_command.OPEN,
    demo_command.DEMO,
    class_command.CLASS,
    users_command.USERS,
    mcp_command.MCP,
    help_command.HELP,
)
"""In the order of `playground --help`."""

_EXAMPLES = """\
examples:
  playground                                          open the app in the browser
  playground --port 9000 --no-browser --db demo.db    serve it on another port, with sessions in demo.db
  playground pipelines                                what can be run
  playground run iterative_writing "a lighthouse"     run it here
  playground run iterative_writing - < topic.txt      the same, with the message from a file
  playground run my_agent "hello" --agents ./mine     a pipeline of your own
  playground sessions                                 what was run
  playground pending                                  what waits for you
  playground export 3f2a… --format html -o it.html    a session as a page that replays it
  playground code 3f2a…                               a session as a Python file that runs it again
  playground trace 3f2a…                              a session as OpenTelemetry spans: shown, sent or in a file
  playground copy play.db new.db                      all of a database to another file
  playground usage                                    what users use of their limits
  playground audit --what "was refused"               who changed what, and what was refused
  playground models                                   what can answer: simulated, with a key, from a file or a server
  playground check                                    run the cases: sessions that were right, kept as tests
  playground new trip_planner --pattern loop          a package of agents to begin with
  playground lesson test iterative_writing            a lesson's solutions pass, wrong ones get their hints
  playground grade submissions                        what the answers of a class are worth
  playground review ./mine                            what is wrong with your agents, before they run
  playground lab run formulas.toml                    measure what a playbook is worth
  playground demo ace                                 a guided run to step through in the browser
  playground demo learn                               watch the share of right answers climb
  playground demo collapse                            a lab run to step through; also world, poison, race
  playground class --host 0.0.0.0                     a class: learners join with their phones
  playground users add ann --users team.toml          who may sign in; serve it to them with --users team.toml
  playground mcp                                      serve other programs: the Model Context Protocol on standard input
  playground help models                              a page of the documents
"""
BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What a system says where no more can be written: a full disk, a quota, a limit of files' sizes."""

GRACE = 2.0
"""Seconds that threads have to end by themselves."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: Arguments; by default those of the process, which is then ended afterwards.

    Returns:
        The exit code.
    """
    if argv is not None:
        return _main(argv)
    diagnostics.install()
    code = _main(None)
    end_in_time(code)
    return code


def end_in_time(code: int) -> None:
    """Makes the process end soon with this exit code. Call it last: it returns, or ends the process.

    An interpreter that exits during an import may crash, and it waits for threads without a limit. So the process ends at
    once if a package is still being imported, and after `GRACE` if threads still run.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    imports = sys.modules.get("agents.pipelines.loading.package_import")  # None: no package was imported
    if imports is not None and imports.unfinished():
        os._exit(code)
    end = threading.Timer(GRACE, os._exit, (code,))
    end.daemon = True
    end.start()


def _main(argv: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        try:
            arguments = parser().parse_args(argv)
            use_data_folder(arguments)
            use_mcp_file(arguments)
            code = arguments.execute(arguments)
        finally:
            sys.stdout.flush()
    except PlaygroundError as error:
        print(f"playground: {visible(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        if error.errno in _FULL:
            where = str(error.filename or "the file or the terminal that the output goes to")
            print(
                f"playground: The disk is full: {visible(where)} cannot be written ({error.strerror}). "
                "What was stored before is safe. Free some space and try again.",
                file=sys.stderr,
            )
        elif not isinstance(error, BrokenPipeError):
            raise
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is still to be flushed
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def parser() -> argparse.ArgumentParser:
    """The parser. Its result has `execute`, which takes that result and returns the exit code."""
    top = _Parser(
        prog="playground",
        description="Watch agents work, event by event. Without a command: serve the app and open it in the browser.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version)
    serving.add_options(top)
    top.set_defaults(**serving.DEFAULTS, execute=serving.serve)
    add_places(top, default=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        own = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.description,
            epilog=command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter if command.examples else argparse.HelpFormatter,
        )
        own.set_defaults(execute=command.execute)
        command.add_arguments(own)
        add_places(own)
    return top


class _Parser(argparse.ArgumentParser):
    """Makes arguments in error messages safe to print; parsers of commands have the same class."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


class _Version(argparse.Action):
    """`--version`; the number is looked up only when it is needed."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"multi-agent-playground {version('multi-agent-playground')}")
        parser.exit()
