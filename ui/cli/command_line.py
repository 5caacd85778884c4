"""The command line's grammar: commands, options, examples, and how each value is read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from agents import AnswerError, PersonError, StateInputError
from ui.cli import command_examples
from ui.cli.lab import grammar as lab_grammar
from ui.cli.sharing import code_command, export_command, import_command
from ui.text.visible_text import visible

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8501
LAST_PORT = 65535
_DIGITS = 9


def parser() -> argparse.ArgumentParser:
    """The parser. Its result has `command` and that command's arguments."""
    top = _Parser(
        prog="playground",
        description="Watch agents work, event by event. Without a command: serve the app and open it in the browser.",
        epilog=command_examples.COMMANDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version)
    _add_serving(top)
    top.set_defaults(no_browser=False, port=DEFAULT_PORT, host=DEFAULT_HOST)
    _add_places(top, default=None)
    top.set_defaults(command="serve")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    _add_run(commands)
    _add_answer(commands)
    _add_listings(commands)
    for command in (export_command, import_command, code_command):
        _add_places(command.add_to(commands), default=argparse.SUPPRESS)
    _add_trace(commands)
    _add_models(commands)
    _add_check(commands)
    lab_grammar.add_to(commands, partial(_add_places, default=argparse.SUPPRESS))
    _add_open(commands)
    _add_demo(commands)
    return top


def state_value(text: str) -> tuple[str, Any]:
    """Reads KEY=JSON into a key and a value.

    Raises:
        StateInputError: The text does not have this form.
    """
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
            f"--agent-model takes AGENT=MODEL, not {text!r}. Write e.g. --agent-model CriticAgent=gemini-2.5-flash; "
            "`playground models` lists models."
        )
    return agent, model


def response_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The answer in the arguments of `playground answer`.

    Raises:
        AnswerError: The text is not a valid answer.
    """
    if arguments.choose is not None:
        return {"result": arguments.choose}
    if arguments.response is not None:
        return _json_object("--response", arguments.response, '{"result": "granted"}')
    if arguments.reject is not None:
        return {"confirmed": False, "reason": arguments.reject} if arguments.reject.strip() else {"confirmed": False}
    if arguments.args is None:
        return {"confirmed": True}
    return {"confirmed": True, "args": _json_object("--args", arguments.args, '{"amount": 80}')}


def _json_object(option: str, text: str, example: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"What {option} was given is not JSON ({error}). Write {option} '{example}'.") from None
    if not isinstance(given, dict):
        raise AnswerError(f"{option} takes a JSON object, not {text[:60]!r}. Write {option} '{example}'.")
    return given


def _add_run(commands: Any) -> None:
    run = commands.add_parser(
        "run",
        help="run a pipeline in the terminal",
        description="Runs a pipeline and prints its events as they come.",
        epilog=command_examples.RUN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.set_defaults(command="run")
    run.add_argument("pipeline", metavar="PIPELINE", help="its name; see `playground pipelines`")
    run.add_argument("message", metavar="MESSAGE", help='what to say; "-" reads standard input')
    run.add_argument("--session", metavar="ID", help="continue this session, instead of a new one")
    run.add_argument(
        "--state", metavar="KEY=JSON", action="append", default=[], help="set a state value; may be given several times"
    )
    run.add_argument(
        "--fault",
        metavar="TARGET:KIND:CALL",
        action="append",
        default=[],
        help="make something go wrong on purpose; may be given several times",
    )
    _add_showing(run, model="the model for agents that name none (simulated)")


def _add_answer(commands: Any) -> None:
    answer = commands.add_parser(
        "answer",
        help="answer a run that waits, and let it go on",
        description="Answers a call that a paused run waits for. The run goes on where it was. See `playground pending`.",
        epilog=command_examples.ANSWER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    answer.set_defaults(command="answer")
    answer.add_argument("session", metavar="SESSION", help="the session that waits")
    answer.add_argument("call", metavar="CALL_ID", help="the call that waits")
    said = answer.add_mutually_exclusive_group(required=True)
    said.add_argument("--approve", action="store_true", help="let the call be made")
    said.add_argument("--reject", metavar="REASON", help="refuse it, and say why")
    said.add_argument("--choose", metavar="OPTION", help="one of the options that are offered, or its number")
    said.add_argument("--response", metavar="JSON", help="the result of a tool that is not confirmed but answered")
    answer.add_argument("--args", metavar="JSON", help="with --approve: make the call with these arguments instead")
    _add_showing(answer, model="another model for agents that name none (the one that the run began with)")


def _add_listings(commands: Any) -> None:
    pipelines = commands.add_parser("pipelines", help="list what can be run", description="Lists the pipelines.")
    pipelines.set_defaults(command="pipelines")
    sessions = commands.add_parser("sessions", help="list what was run", description="Lists the sessions, newest first.")
    sessions.set_defaults(command="sessions")
    pending = commands.add_parser(
        "pending", help="list what waits for you", description="Lists the calls that paused runs wait for."
    )
    pending.set_defaults(command="pending")
    for listing in (sessions, pending):
        listing.add_argument("--pipeline", metavar="NAME", help="only those of this pipeline")
    for listing in (pipelines, sessions, pending):
        listing.add_argument("--json", action="store_true", help="one JSON object a line")
        _add_places(listing, default=argparse.SUPPRESS)


def _add_trace(commands: Any) -> None:
    trace = commands.add_parser(
        "trace",
        help="show or send a session as OpenTelemetry spans",
        description="Makes OpenTelemetry spans of a session's log: runs, agents, model calls, tools and playbook changes.",
        epilog=command_examples.TRACE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    trace.set_defaults(command="trace")
    trace.add_argument("session", metavar="SESSION", help="its id; see `playground sessions`")
    where = trace.add_mutually_exclusive_group()
    where.add_argument("--send", action="store_true", help="send them to the collector that OTEL_… variables name")
    where.add_argument("--endpoint", metavar="URL", help="send them to this collector")
    where.add_argument("--file", metavar="FILE", help='write them to a new file as OTLP JSON; "-" is standard output')
    trace.add_argument("--content", action="store_true", help="with messages, instructions, arguments and results")
    _add_places(trace, default=argparse.SUPPRESS)


def _add_models(commands: Any) -> None:
    models = commands.add_parser(
        "models",
        help="list what can answer, or fetch a model file",
        description="Lists the models that can be used now, and those that only lack something.",
        epilog=command_examples.MODELS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    models.set_defaults(command="models", pull=None)
    models.add_argument("--json", action="store_true", help="one JSON object a line")
    _add_places(models, default=argparse.SUPPRESS)
    actions = models.add_subparsers(title="commands", metavar="COMMAND")
    pull = actions.add_parser(
        "pull",
        help="fetch a model file from the model hub",
        description="Fetches a model file into the models folder, compares its checksum, and goes on where an earlier try "
        "was cut off.",
    )
    pull.add_argument("pull", metavar="NAME", help="a known name, see `playground models`, or OWNER/REPOSITORY/FILE.gguf")


def _add_check(commands: Any) -> None:
    check = commands.add_parser(
        "check",
        help="run the cases of a folder",
        description="Runs cases: sessions that were right, kept as tests. Each gets a copy of its playbook.",
        epilog=command_examples.CHECK,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.set_defaults(command="check")
    check.add_argument("folder", metavar="FOLDER", nargs="?", help="where the cases are (cases, beside the agents)")
    check.add_argument("--model", metavar="NAME", help="the model for cases that name none; see `playground models`")
    check.add_argument("--repeat", metavar="N", type=_positive, default=1, help="run each case so often (1)")
    check.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML, too")
    _add_places(check, default=argparse.SUPPRESS)


def _add_open(commands: Any) -> None:
    shown = commands.add_parser(
        "open", help="open a session in the browser", description="Serves the app and opens a session in the browser."
    )
    shown.set_defaults(command="open")
    shown.add_argument("pipeline", metavar="PIPELINE", help="its pipeline; see `playground sessions`")
    shown.add_argument("session", metavar="SESSION", help="its id")
    shown.add_argument("event", metavar="EVENT", nargs="?", help="the number of an event in it")
    _add_serving(shown)
    _add_places(shown, default=argparse.SUPPRESS)


def _add_demo(commands: Any) -> None:
    demo = commands.add_parser(
        "demo",
        help="a demo in the browser",
        description="Serves the app with a demo in it: a guided story, step by step; sixty questions played at a speed; or "
        "a lab run and the moments to look at.",
        epilog=command_examples.DEMO,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    demo.set_defaults(command="demo")
    demo.add_argument(
        "demo",
        metavar="NAME",
        nargs="?",
        help="which one: ace, a playbook that grows across sessions; learn, its share of right answers; of the Lab: "
        "collapse, world, poison, race",
    )
    demo.add_argument("--figures", action="store_true", help="no browser: measure it, and print the figures")
    demo.add_argument("--seed", metavar="N", type=_natural, help="of ace, with --figures: which questions are drawn (1)")
    demo.add_argument("--queries", metavar="N", type=_positive, help="of ace, with --figures: how many are asked (240)")
    _add_serving(demo)
    _add_places(demo, default=argparse.SUPPRESS)


def _add_serving(command: argparse.ArgumentParser) -> None:
    """Adds the options of a command that serves the app; options that are not given keep the main parser's defaults."""
    command.add_argument("--no-browser", action="store_true", default=argparse.SUPPRESS, help="do not open the browser")
    command.add_argument(
        "--port",
        type=_port,
        default=argparse.SUPPRESS,
        help=f"port to serve on ({DEFAULT_PORT}); 0 for any that is free",
    )
    command.add_argument(
        "--host", default=argparse.SUPPRESS, help=f"address to serve on ({DEFAULT_HOST}: this machine alone)"
    )


def _add_showing(command: argparse.ArgumentParser, *, model: str) -> None:
    """Adds the options of a command that shows a run."""
    command.add_argument("--model", metavar="NAME", help=f"{model}; see `playground models`")
    command.add_argument(
        "--agent-model",
        metavar="AGENT=MODEL",
        action="append",
        default=[],
        help="the model of one agent, whatever it has of its own; may be given several times",
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line: each event, then a summary")
    _add_places(command, default=argparse.SUPPRESS)


def _add_places(command: argparse.ArgumentParser, *, default: str | None) -> None:
    """Adds the options of every command; a command's parser must not overwrite options given before the command."""
    command.add_argument(
        "--db", metavar="FILE", default=default, help="where sessions are kept (PLAYGROUND_DB, or the user data folder)"
    )
    command.add_argument("--agents", metavar="DIR", default=default, help="folder with more pipelines")


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


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number; write e.g. 7")
    return int(text)


def _positive(text: str) -> int:
    if not (number := _natural(text)):
        raise argparse.ArgumentTypeError("0 is too few; write e.g. 60")
    return number


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one from 1 to {LAST_PORT}, e.g. {DEFAULT_PORT}")
    return int(text)
