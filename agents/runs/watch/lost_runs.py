"""Lost runs: runs whose end could not be stored, and the notice for the user."""

from __future__ import annotations

from agents.errors import DatabaseDamagedError, DatabaseError, DatabaseLostError, SessionNotFoundError
from agents.records import RunFinished, RunStarted
from agents.runs.values import LostRun, Run
from agents.session import BaseSessionService


async def lost_run_of(service: BaseSessionService, run: Run, error: Exception) -> LostRun | None:
    """The notice about a run whose storage failed, and whose end may therefore be lost.

    Args:
        service: Where the run's session is, or was.
        run: The run.
        error: What ended it.

    Returns:
        None if nothing is lost: the log has the run's end, or nothing of the run.
    """
    if isinstance(error, DatabaseDamagedError):  # its content proves nothing
        return LostRun(run.invocation_id, f"{error} How much of session {run.session_id} it still holds is not known.")
    try:
        log = await service.read_log(**run.key.name, after=run.after)
        found = await service.summary(**run.key.name)
    except (DatabaseError, SessionNotFoundError) as unread:
        return LostRun(run.invocation_id, f"{error} {_unread(run, error, unread)}")
    started = any(entry.kind == RunStarted.kind and f'"{run.invocation_id}"' in entry.body for entry in log)
    ended = any(entry.kind == RunFinished.kind and f'"{run.invocation_id}"' in entry.body for entry in log)
    if ended or not started:
        return None
    events = 0 if found is None else found.events
    return LostRun(
        run.invocation_id, f"{error} Session {run.session_id} is stored up to event {events}; what came after it is lost."
    )


def _unread(run: Run, error: Exception, unread: Exception) -> str:
    """The text for a session whose log cannot be read."""
    if isinstance(unread, SessionNotFoundError):
        return f"Session {run.session_id} is not in the file that is there now."
    if isinstance(error, DatabaseLostError):
        return f"Session {run.session_id} was in it."
    return f"Session {run.session_id} cannot be read now either."
