"""A case's run, kept as a session of the user's, so that it can be opened. Playbooks and shared state stay as they are."""

from __future__ import annotations

from contextlib import suppress

from agents.config import USER_ID
from agents.errors import SessionNotFoundError
from agents.experiments.cases.case import Case
from agents.experiments.cases.check import CaseRun
from agents.log import TraceRecord
from agents.session import BaseSessionService


async def keep_run(service: BaseSessionService, case: Case, run: CaseRun, *, about: str = "") -> str | None:
    """Stores the session of a run; its id, or None if the run did not get as far as a session.

    Args:
        service: Where the user's sessions are.
        case: The case.
        run: One of its runs.
        about: What was special about it, in a few words.

    Raises:
        DatabaseError: It cannot be stored.
    """
    if not run.entries:
        return None
    place = {"app_name": case.pipeline, "user_id": USER_ID}
    empty = await service.create_session(app_name=case.pipeline, user_id=USER_ID)  # a fork needs an origin
    try:
        kept = await service.fork_session(empty, entries=run.entries, records=[], state=run.state)
    finally:
        with suppress(SessionNotFoundError):
            await service.delete_session(**place, session_id=empty.id)
    record = TraceRecord("case_run", data={"case": case.name, "outcome": run.outcome, "what": run.why, "about": about})
    await service.append(kept, [record], texts=run.texts)
    title = f"Case: {case.name}" + (f" ({about})" if about else "")
    await service.rename_session(**place, session_id=kept.id, title=title)
    return kept.id
