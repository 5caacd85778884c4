"""A session goes back to before an invocation: state and files are as they were then."""

from __future__ import annotations

from typing import Any

from google.genai import types

from agents.artifact import BaseArtifactService, is_shared
from agents.errors import InvocationNotFoundError
from agents.event import Event, EventActions
from agents.flows.run_records import record_start
from agents.history.cursor import StateHistory
from agents.runtime.invocation import InvocationContext
from agents.session import Session
from agents.state import State

_SHARED = (State.APP_PREFIX, State.USER_PREFIX, State.TEMP_PREFIX)


async def rewind(context: InvocationContext, before: str) -> None:
    """Goes back, as a run of its own: so nothing that was asked since waits for an answer any more.

    State keys that were set since become None, and files that were saved since become empty; those of the user and of the
    app stay as they are.

    Args:
        context: The run that goes back; it holds the session's claim.
        before: The invocation before which it goes back.

    Raises:
        InvocationNotFoundError: The session has none of that id.
    """
    session = context.session
    place = next((place for place, event in enumerate(session.events) if event.invocation_id == before), None)
    if place is None:
        raise InvocationNotFoundError(
            f"There is no invocation {before!r} in session {session.id!r} that could be taken back."
        )
    actions = EventActions(rewind_before_invocation_id=before)
    actions.state_delta = await _state_since(context, session.events[place].seq or 0)
    if context.artifact_service is not None:
        actions.artifact_delta = await _files_since(context.artifact_service, session, place)
    record_start(context, is_new=True)
    await context.store(context.sign(Event(author="user", actions=actions)))
    context.record("run_finished", status="completed", calls=0, tokens={"input": 0, "output": 0}, duration=0.0)
    context.usage.close()
    await context.flush()


async def _state_since(context: InvocationContext, seq: int) -> dict[str, Any]:
    session = context.session
    log = await context.session_service.read_log(app_name=session.app_name, user_id=session.user_id, session_id=session.id)
    then = {key: held.value for key, held in StateHistory.of(log).at(seq - 1).items()}
    own = {key: value for key, value in session.state.items() if not key.startswith(_SHARED)}
    delta = {key: then.get(key) for key, value in own.items() if value != then.get(key)}
    return delta | {key: value for key, value in then.items() if key not in own and not key.startswith(_SHARED)}


async def _files_since(service: BaseArtifactService, session: Session, place: int) -> dict[str, int]:
    then: dict[str, int] = {}
    now: dict[str, int] = {}
    for number, event in enumerate(session.events):
        now |= event.actions.artifact_delta
        if number < place:
            then |= event.actions.artifact_delta
    where: dict[str, Any] = {"app_name": session.app_name, "user_id": session.user_id, "session_id": session.id}
    saved: dict[str, int] = {}
    for name, version in now.items():
        if is_shared(name) or version == (before := then.get(name)):
            continue
        file = None if before is None else await service.load_artifact(**where, filename=name, version=before)
        saved[name] = await service.save_artifact(**where, filename=name, artifact=file or types.Part(text=""))
    return saved
