"""The command `playground`: serves the app, runs a pipeline in the terminal, lists pipelines and sessions.

Reads the command line and nothing else; what takes long to import is imported by the command that needs it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from agents.errors import MessageError, PersonError, PlaygroundError, StateInputError

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
DEFAULT_PORT = 8501
LAST_PORT = 65535

_EXAMPLES = """\
examples:
  playground                                          open the app in the browser
  playground --port 9000 --no-browser --db demo.db    serve it on another port, with sessions in demo.db
  playground pipelines                                what can be run
  playground run iterative_writing "a lighthouse"     run it here
  playground run iterative_writing - < topic.txt      the same, with the message from a file
  playground run my_agent "hello" --agents ./mine     a pipeline of your own
  playground sessions                                 what was run
"""

_RUN_EXAMPLES = """\
examples:
  playground run iterative_writing "a lighthouse keeper"
  playground run iterative_writing "shorter" --session 3f2a…            continue a session
  playground run status_poller "watch" --state count=3 --state 'place="Oslo"'
  playground run iterative_writing "the sea" --json | tail -n 1         status, calls and tokens

exit code: 0 the run completed · 1 it failed or was stopped · 2 bad input · 130 Ctrl-C
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: Arguments; those of the process by default.

    Returns:
        The exit code.
    """
    try:
        try:
            arguments = _parser().parse_args(argv)
            code = _COMMANDS[arguments.command](arguments)
        finally:
            sys.stdout.flush()
    except PlaygroundError as error:
        print(f"playground: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to be flushed goes nowhere
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="playground",
        description="Watch agents work, event by event. Without a command: serve the app and open it in the browser.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version)
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--port", type=_port, default=DEFAULT_PORT, help="port to serve on (%(default)s); 0 for any that is free"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (%(default)s: this machine alone)")
    _add_places(parser, default=None)
    parser.set_defaults(command="serve")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_run(commands)
    pipelines = commands.add_parser("pipelines", help="list what can be run", description="Lists the pipelines.")
    pipelines.set_defaults(command="pipelines")
    sessions = commands.add_parser("sessions", help="list what was run", description="Lists the sessions, newest first.")
    sessions.add_argument("--pipeline", metavar="NAME", help="only those of this pipeline")
    sessions.set_defaults(command="sessions")
    for listing in (pipelines, sessions):
        listing.add_argument("--json", action="store_true", help="one JSON object a line")
        _add_places(listing, default=argparse.SUPPRESS)
    return parser


def _add_run(commands: Any) -> None:
    run = commands.add_parser(
        "run",
        help="run a pipeline in the terminal",
        description="Runs a pipeline and prints its events as they come.",
        epilog=_RUN_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.set_defaults(command="run")
    run.add_argument("pipeline", metavar="PIPELINE", help="its name; see `playground pipelines`")
    run.add_argument("message", metavar="MESSAGE", help='what to say; "-" reads standard input')
    run.add_argument("--model", metavar="NAME", help="the model for agents that name none (simulated)")
    run.add_argument("--session", metavar="ID", help="continue this session, instead of a new one")
    run.add_argument(
        "--state", metavar="KEY=JSON", action="append", default=[], help="set a state value; may be given several times"
    )
    run.add_argument("--json", action="store_true", help="one JSON object a line: each event, then a summary")
    _add_places(run, default=argparse.SUPPRESS)


def _add_places(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    """The options that every command has; a command's parser must not overwrite what came before the command."""
    parser.add_argument(
        "--db", metavar="FILE", default=default, help="where sessions are kept (PLAYGROUND_DB, or the user data folder)"
    )
    parser.add_argument("--agents", metavar="DIR", default=default, help="folder with more pipelines")


def _serve(arguments: argparse.Namespace) -> int:
    from ui.server import serve

    serve(
        host=arguments.host,
        port=arguments.port,
        database=_database(arguments),
        agents_dir=_agents_dir(arguments),
        open_browser=not arguments.no_browser,
    )
    return 0


def _run(arguments: argparse.Namespace) -> int:
    state = dict(map(_state_value, arguments.state))
    message = _standard_input() if arguments.message == "-" else arguments.message
    from ui.headless import Order, run_once

    return run_once(
        Order(
            pipeline=arguments.pipeline,
            message=message,
            database=_database(arguments),
            database_given=arguments.db,
            agents_dir=_agents_dir(arguments),
            model=arguments.model,
            session_id=arguments.session,
            state=state,
            as_json=arguments.json,
        )
    )


def _pipelines(arguments: argparse.Namespace) -> int:
    from ui.listings import list_pipelines

    return list_pipelines(_agents_dir(arguments), as_json=arguments.json)


def _sessions(arguments: argparse.Namespace) -> int:
    from ui.listings import list_sessions

    return list_sessions(_database(arguments), _agents_dir(arguments), pipeline=arguments.pipeline, as_json=arguments.json)


_COMMANDS = {"serve": _serve, "run": _run, "pipelines": _pipelines, "sessions": _sessions}


class _Version(argparse.Action):
    """`--version`; the number is looked up only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"agent-playground {version('agent-playground')}")
        parser.exit()


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one from 1 to {LAST_PORT}, e.g. {DEFAULT_PORT}")
    return int(text)


def _database(arguments: argparse.Namespace) -> Path:
    from agents.config import database_path

    return Path(arguments.db).expanduser() if arguments.db else database_path()


def _agents_dir(arguments: argparse.Namespace) -> Path | None:
    if arguments.agents is None:
        return None
    folder = Path(arguments.agents).expanduser()
    if not folder.is_dir():
        raise PersonError(f"There is no folder {arguments.agents!r}. Give --agents the folder that holds your pipelines.")
    return folder


def _state_value(text: str) -> tuple[str, Any]:
    """KEY=JSON as a key and a value."""
    key, separator, value = text.partition("=")
    example = f"""Write --state {key.strip() or "key"}=3, or --state '{key.strip() or "key"}="some text"'."""
    if not separator or not key.strip():
        raise StateInputError(f"--state takes KEY=JSON, not {text!r}. {example}")
    try:
        return key.strip(), json.loads(value)
    except (ValueError, RecursionError) as error:
        raise StateInputError(
            f"The value of --state {key.strip()} is not JSON ({error}). Text needs quotes of its own. {example}"
        ) from None


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise MessageError(
            f"The message on standard input is not UTF-8 (byte {error.start}). Save the file as UTF-8 and try again."
        ) from None


if __name__ == "__main__":
    sys.exit(main())
