"""A session's log as traces: one a run, a pause and what came after it included."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agents.access import Action
from agents.log import LogEntry
from agents.runs.manager import RunManager
from agents.runs.recordings.recording import read_entries
from agents.runs.services import Services
from agents.telemetry.content import Content, text_names
from agents.telemetry.run_fold import RunFold
from agents.telemetry.span import Trace, short


def read_traces(
    manager: RunManager, pipeline: str, session_id: str, *, content: bool = False, invocation_id: str | None = None
) -> list[Trace]:
    """The runs of a stored session, in order.

    Args:
        manager: Where it is.
        pipeline: Its pipeline.
        session_id: The session.
        content: Whether messages, arguments, results and errors in words are wanted.
        invocation_id: Only this run.

    Raises:
        SessionNotFoundError: There is no such session.
        DatabaseError: Its log cannot be read.
    """
    key = manager.key(Action.READ_SESSION, pipeline, session_id)

    async def read(services: Services) -> tuple[list[LogEntry], dict[str, str]]:
        entries = await read_entries(services.sessions, key)
        names = await asyncio.to_thread(text_names, entries, content=content)
        return entries, await services.sessions.read_texts(names)

    entries, texts = manager.in_store(read, action=Action.READ_SESSION)
    return traces_of(entries, texts, pipeline, session_id, content=content, invocation_id=invocation_id)


def traces_of(
    entries: Sequence[LogEntry],
    texts: Mapping[str, str],
    pipeline: str,
    session_id: str,
    *,
    content: bool = False,
    invocation_id: str | None = None,
) -> list[Trace]:
    """The runs of a session's log; a pure function. See `read_traces`.

    Args:
        entries: The log, in order.
        texts: The texts that its records name, by hash; see `text_names`.
        pipeline: The session's pipeline.
        session_id: The session.
        content: See `read_traces`.
        invocation_id: See `read_traces`.
    """
    told = Content(entries, texts) if content else None
    runs: dict[str, RunFold] = {}
    origin: Any = None
    for entry in entries:
        if invocation_id is not None and invocation_id not in entry.body and entry.kind != "forked":
            continue  # not parsed: a long session has many runs
        body = entry.fields()
        run = str(body.get("invocation_id") or "")
        if entry.kind == "forked":
            origin = body.get("origin")
        if not run or (invocation_id is not None and run != invocation_id):
            continue
        if run not in runs:
            if entry.kind != "run_started":
                continue
            runs[run] = RunFold(pipeline, session_id, entry, texts=texts, content=told)
        runs[run].take(entry, body)
    traces = [run.trace() for run in runs.values()]
    if origin:
        for trace in traces:
            trace.spans[0].set({"playground.forked_from": short(origin)})
    return traces
