"""`playground run`: runs a pipeline in the terminal."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from agents import MessageError, SessionNotFoundError, StateInputError
from ui.cli.command_line import Command, add_showing, agent_models

if TYPE_CHECKING:
    from agents.runs import Run, RunManager

_EXAMPLES = """\
examples:
  playground run iterative_writing "a lighthouse keeper"
  playground run iterative_writing "shorter" --session 3f2a…            continue a session
  playground run status_poller "build" --state count=3 --state 'place="Oslo"'
  playground run iterative_writing "the sea" --fault CriticAgent:fail_before:2
  playground run iterative_writing "the sea" --json | tail -n 1         status, calls and tokens
  playground run iterative_writing "the sea" --model local/qwen2.5-coder-1.5b-instruct --agent-model CriticAgent=simulated

--fault takes TARGET:KIND or TARGET:KIND:CALL. TARGET is an agent, a model or * for all. KIND is fail_before, fail_after,
delay, malformed_json, unknown_tool or refuse. CALL counts the target's model calls from 1; 0 is every one. A delay may
have seconds: Writer:delay:1:5.

exit code: 0 the run completed · 1 it failed or was stopped · 2 bad input · 3 it waits for an answer · 130 Ctrl-C
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("pipeline", metavar="PIPELINE", help="its name; see `playground pipelines`")
    command.add_argument("message", metavar="MESSAGE", help='what to say; "-" reads standard input')
    command.add_argument("--session", metavar="ID", help="continue this session, instead of a new one")
    command.add_argument(
        "--state", metavar="KEY=JSON", action="append", default=[], help="set a state value; may be given several times"
    )
    command.add_argument(
        "--fault",
        metavar="TARGET:KIND:CALL",
        action="append",
        default=[],
        help="make something go wrong on purpose; may be given several times",
    )
    add_showing(command, model="the model for agents that name none (simulated)")


def _run(arguments: argparse.Namespace) -> int:
    state = dict(map(_state_value, arguments.state))
    message = _standard_input() if arguments.message == "-" else arguments.message
    from agents.pipelines import Fault
    from ui.cli.running.run import show_run

    faults = tuple(map(Fault.parse, arguments.fault))
    models = agent_models(arguments)

    def begin(manager: RunManager) -> Run:
        try:
            return manager.start(
                arguments.pipeline,
                message,
                session_id=arguments.session,
                model=arguments.model,
                agent_models=models,
                state=state,
                faults=faults,
            )
        except SessionNotFoundError as error:
            raise _not_found(manager, arguments.pipeline, arguments.session) or error from None

    return show_run(arguments, begin, pipeline=arguments.pipeline)


def _not_found(manager: RunManager, pipeline: str, session_id: str | None) -> SessionNotFoundError | None:
    """What to say of a session that is not there; None if another one is missing: the one to replay."""
    from agents import SessionFilter

    if session_id is None:
        return None
    others = sorted({found.app_name for found in manager.sessions.each(SessionFilter(session_id=session_id))})
    if pipeline in others:
        return None
    belongs = f" It is a session of {', '.join(others)}." if others else ""
    return SessionNotFoundError(
        f"There is no session {session_id!r} of {pipeline!r}.{belongs} `playground sessions` lists all there are; leave "
        "--session out to begin a new one."
    )


def _state_value(text: str) -> tuple[str, Any]:
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


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise MessageError(
            f"The message on standard input is not UTF-8 (byte {error.start}). Save the file as UTF-8 and try again."
        ) from None


RUN = Command(
    name="run",
    summary="run a pipeline in the terminal",
    description="Runs a pipeline and prints its events as they come.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_run,
)
