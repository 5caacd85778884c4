"""The errors of a replay: a recorded failure raised again, and a record without an answer."""

from __future__ import annotations

from typing import Any

from agents import errors
from agents.errors import (
    ApiKeyError,
    EmptyResponseError,
    InjectedFaultError,
    ModelTimeoutError,
    PlaygroundError,
    ProviderError,
    known,
)
from agents.models.replay.record import RecordedFailure, Recording

REPLAY_ENDED = "REPLAY_ENDED"
"""The code of the error for a request that the record has no answer to."""

_AGAIN = {made.__name__: made for made in (ApiKeyError, EmptyResponseError, InjectedFaultError, ModelTimeoutError)}
_MESSAGE_LENGTH = 80


def failure_again(failure: RecordedFailure) -> ProviderError:
    """A recorded failure as the same error; if it was not a provider's, as a `ProviderError` with its code and text."""
    usual_code = _code_of(failure.kind)
    message = f"{failure.kind}: {failure.message}" if usual_code is None else failure.message
    return _AGAIN.get(failure.kind, ProviderError)(message, code=failure.code or usual_code or failure.kind)


def _code_of(kind: str) -> str | None:
    """The usual code of an error of ours; None for any other."""
    made: Any = getattr(errors, kind, None)
    if not isinstance(made, type):
        return None
    return made.code if issubclass(made, PlaygroundError) else None


def no_such_run(recording: Recording, number: int) -> ProviderError:
    """The record has fewer runs than the session that replays it."""
    return _ended(f"{_of(recording)} has {_count(len(recording.runs), 'run')}, and this would be run {number}.", recording)


def no_more_answers(recording: Recording, number: int, agent: str) -> ProviderError:
    """The record has no more answers for an agent, or never had any."""
    run = recording.run(number)
    calls = run.calls if run else ()
    mine = sum(call.agent == agent for call in calls)
    if mine:
        what = f"asked for {_count(mine, 'answer')} there, and all were given again"
    else:
        what = f"asked for none there; those who did are {known(sorted({call.agent for call in calls}))}"
    return _ended(f"{_of(recording)} has no more answers for agent {agent!r} in run {number}: it {what}.", recording, number)


def no_answer(recording: Recording, number: int, agent: str, position: int) -> ProviderError:
    """The recorded call was cancelled before it was answered."""
    run = recording.run(number)
    how = f"the run was {run.status}" if run and run.status in ("stopped", "interrupted") else "it was broken off"
    return _ended(
        f"{_of(recording)} has no answer to call {position} of agent {agent!r} in run {number}: {how} before it came.",
        recording,
        number,
    )


def _ended(what: str, recording: Recording, number: int | None = None) -> ProviderError:
    run = recording.run(number) if number is not None else None
    said = " ".join(run.message.split()) if run else ""
    said = said if len(said) <= _MESSAGE_LENGTH else said[: _MESSAGE_LENGTH - 1] + "…"
    again = f"send what was recorded, {said!r}, in a new session" if said else "replay it in a new session"
    return ProviderError(f"{what} Choose another model to go on, or {again}.", code=REPLAY_ENDED)


def _of(recording: Recording) -> str:
    return f"The record of session {recording.session_id!r} of {recording.pipeline!r}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
