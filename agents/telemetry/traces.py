"""A session's log as traces: one a run, a pause and what came after it included."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from agents.access import Action
from agents.history.run_tree import read
from agents.log import LogEntry
from agents.records import Forked, Record, RunStarted
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
    key = manager.key(Action.EXPORT, pipeline, session_id)

    async def read(services: Services) -> tuple[list[LogEntry], dict[str, str]]:
        entries = await read_entries(services.sessions, key)
        names = await asyncio.to_thread(text_names, entries, content=content)
        return entries, await services.sessions.read_texts(names)

    entries, texts = manager.in_store(read, action=Action.EXPORT)
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
    origin = ""
    for entry in entries:
        if (fork := entry.of(Forked)) is not None:
            origin = fork.origin
        elif invocation_id is None or invocation_id in entry.body:  # else it is not parsed: a long session has many runs
            item = read(entry)
            run = item.invocation_id if isinstance(item, Record) else str(item.get("invocation_id") or "")
            if not run or (invocation_id is not None and run != invocation_id):
                continue
            if isinstance(item, RunStarted) and run not in runs:
                runs[run] = RunFold(pipeline, session_id, item, entry.seq, texts=texts, content=told)
            if run in runs:
                runs[run].take(entry.seq, item)
    traces = [run.trace() for run in runs.values()]
    if origin:
        for trace in traces:
            trace.spans[0].set({"playground.forked_from": short(origin)})
    return traces
