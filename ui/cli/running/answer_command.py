"""`playground answer`: answers a call that a paused run waits for, and shows how the run goes on."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from agents import AnswerError
from ui.cli.command_line import Command, add_showing, agent_models, database

if TYPE_CHECKING:
    from agents.runs import PendingCall, Run, RunManager

_EXAMPLES = """\
examples:
  playground answer 3f2a… adk-91c0… --approve
  playground answer 3f2a… adk-91c0… --approve --args '{"amount": 80}'    approve it with other arguments
  playground answer 3f2a… adk-91c0… --reject "too much"
  playground answer 3f2a… 77d1… --choose 2                               the second of the options that are offered
  playground answer 3f2a… 77d1… --response '{"result": "granted"}'       the result of a tool that takes its time

exit code: as for `playground run`
"""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help="the session that waits")
    command.add_argument("call", metavar="CALL_ID", help="the call that waits")
    said = command.add_mutually_exclusive_group(required=True)
    said.add_argument("--approve", action="store_true", help="let the call be made")
    said.add_argument("--reject", metavar="REASON", help="refuse it, and say why")
    said.add_argument("--choose", metavar="OPTION", help="one of the options that are offered, or its number")
    said.add_argument("--response", metavar="JSON", help="the result of a tool that is not confirmed but answered")
    command.add_argument("--args", metavar="JSON", help="with --approve: change these arguments, and leave the others")
    add_showing(command, model="another model for agents that name none (the one that the run began with)")


def _answer(arguments: argparse.Namespace) -> int:
    if arguments.args is not None and not arguments.approve:
        raise AnswerError("--args belongs to --approve: only a call that is approved is made.")
    response = _response(arguments)
    from agents.runs import is_stored, option_of

    if not is_stored(place := database(arguments)):
        raise AnswerError(
            f"Nothing waits for an answer: there are no sessions in {place}. "
            "Give --db the file that the run was started with."
        )
    models = agent_models(arguments)
    from ui.cli.running.run import show_run

    def go_on(manager: RunManager) -> Run:
        asked = _asked(manager, arguments.session, arguments.call)
        return manager.answer(
            asked.pipeline,
            arguments.session,
            arguments.call,
            response if arguments.choose is None else {"result": option_of(asked, arguments.choose)},
            model=arguments.model,
            agent_models=models,
        )

    return show_run(arguments, go_on)


def _asked(manager: RunManager, session_id: str, call_id: str) -> PendingCall:
    waiting = [call for call in manager.pending() if call.session_id == session_id]
    asked = next((call for call in waiting if call.call_id == call_id), None)
    if asked is None:
        known = ", ".join(call.call_id for call in waiting)
        what = f"the calls that wait there are: {known}" if known else "nothing waits there"
        raise AnswerError(
            f"No call {call_id!r} waits for an answer in session {session_id!r}; {what}. "
            "`playground pending` lists all calls that wait, with the command that answers each."
        )
    return asked


def _response(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the arguments say; the number of an option is not looked up yet."""
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


ANSWER = Command(
    name="answer",
    summary="answer a run that waits, and let it go on",
    description="Answers a call that a paused run waits for. The run goes on where it was. See `playground pending`.",
    examples=_EXAMPLES,
    add_arguments=_add_arguments,
    execute=_answer,
)
