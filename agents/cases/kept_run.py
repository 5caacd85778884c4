"""A case's run, kept as a session of the user's, so that it can be opened. Playbooks and shared state stay as they are."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from agents.cases.case import Case
from agents.cases.check import CaseRun
from agents.log import TraceRecord
from agents.session import BaseSessionService, ImportedLog, SessionImport
from agents.state import split_by_scope


async def keep_run(service: BaseSessionService, case: Case, run: CaseRun, *, user_id: str, about: str = "") -> str | None:
    """Stores the session of a run; its id, or None if the run did not get as far as a session.

    Args:
        service: Where the user's sessions are.
        case: The case.
        run: One of its runs.
        user_id: Whose session it becomes.
        about: What was special about it, in a few words.

    Raises:
        DatabaseError: It cannot be stored.
    """
    record = TraceRecord("case_run", data={"case": case.name, "outcome": run.outcome, "what": run.why, "about": about})
    title = f"Case: {case.name}" + (f" ({about})" if about else "")
    return await keep_log(service, run, app_name=case.pipeline, user_id=user_id, title=title, records=[record])


async def keep_log(
    service: BaseSessionService,
    run: CaseRun,
    *,
    app_name: str,
    user_id: str,
    title: str,
    records: Sequence[TraceRecord] = (),
) -> str | None:
    """Stores the log of a run as a session; its id, or None if there is none.

    Args:
        service: Where the user's sessions are.
        run: The run.
        app_name: The pipeline that it is shown with.
        user_id: Whose session it becomes.
        title: The session's title.
        records: Trace records that come after the log.

    Raises:
        DatabaseError: It cannot be stored.
    """
    if not run.entries:
        return None
    own_state, _, _ = split_by_scope(run.state)
    log = ImportedLog(
        entries=run.entries,
        timestamps={entry.seq: float(entry.fields()["timestamp"]) for entry in run.entries},
        records=list(records),
        state=own_state,
    )
    kept = SessionImport(
        app_name=app_name,
        user_id=user_id,
        id=str(uuid.uuid4()),
        title=title,
        texts=run.texts,
        log=log,
        beside=lambda _: None,
    )
    return (await service.import_session(kept)).id
