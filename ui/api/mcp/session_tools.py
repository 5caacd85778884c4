"""Tools that read sessions: lists, events, the state and the prompt at an event, and a search."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from mcp_types import ToolAnnotations

from agents import EVENT_KIND, LogEntry, ModelStarted, PersonError, SessionFilter, SessionSummary
from agents.history import at
from agents.runs import RunManager
from agents.telemetry import Content, text_names
from agents.workspace import Workspace
from ui.web.threads import in_thread

MOST_ROWS = 100
MOST_CHARACTERS = 20_000
"""Of one text in an answer; the rest is left out, and the answer says so."""

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)


class SessionTools:
    """The tools.

    Args:
        workspace: Returns the workspace of the user who asks.
    """

    OFFERED: ClassVar[Mapping[str, ToolAnnotations]] = dict.fromkeys(
        ("list_sessions", "search_sessions", "read_session", "state_at", "prompt_at"), READS
    )

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def list_sessions(self, pipeline: str = "", limit: int = 20) -> dict[str, Any]:
        """Lists sessions, last changed first: id, pipeline, title, status, model, number of events."""

        def read() -> dict[str, Any]:
            wanted = SessionFilter(app_name=pipeline or None)
            page = self._workspace().runs.sessions.page(wanted, limit=_bounded(limit))
            return {"sessions": [row(one) for one in page.rows], "found": page.found}

        return await in_thread(read)

    async def search_sessions(self, text: str, limit: int = 20) -> dict[str, Any]:
        """Finds sessions by words in any of their texts, last changed first, each with the place where they stand."""

        def read() -> dict[str, Any]:
            runs = self._workspace().runs
            result = runs.collection.search(text)
            keys = result.sessions[: _bounded(limit)]
            excerpts = runs.collection.excerpts(text, keys)
            found = [{"pipeline": key[0], "session": key[1], "excerpt": excerpts.get(key, "")} for key in keys]
            return {"sessions": found, "found": len(result.sessions)}

        return await in_thread(read)

    async def read_session(self, pipeline: str, session: str, after: int = 0, limit: int = 50) -> dict[str, Any]:
        """Reads the events of a session in order: who said what, calls, their results, changes of state.

        Events are numbered by `entry`; pass the last one as `after` for the next page.
        """

        def read() -> dict[str, Any]:
            entries = [one for one in self._log(pipeline, session) if one.kind == EVENT_KIND and one.seq > after]
            shown = entries[: _bounded(limit)]
            return {"events": [event(one) for one in shown], "more": len(entries) - len(shown)}

        return await in_thread(read)

    async def state_at(self, pipeline: str, session: str, entry: int) -> dict[str, Any]:
        """The state of a session right after an entry: each key with its value, the entry that set it, and its author."""

        def read() -> dict[str, Any]:
            moment = at(self._entries_to(pipeline, session, entry), entry)
            state = {
                key: {"value": cut(one.value), "entry": one.seq, "author": one.author} for key, one in moment.state.items()
            }
            return {"state": state, "running": [one.agent for one in moment.running]}

        return await in_thread(read)

    async def prompt_at(self, pipeline: str, session: str, entry: int) -> dict[str, Any]:
        """What the model was sent in the call that an entry belongs to: instruction, messages, tools; and its model."""

        def read() -> tuple[list[LogEntry], ModelStarted, RunManager]:
            log = self._entries_to(pipeline, session, entry)
            call = at(log, entry).call
            if call is None:
                raise PersonError(f"Entry {entry} belongs to no call of a model. Take that of an agent's answer.")
            before = [one for one in log if one.seq <= call.started]
            started = before[-1].of(ModelStarted)
            assert started is not None
            return before, started, self._workspace().runs

        before, started, runs = await in_thread(read)
        texts = await runs.sessions.texts(text_names(before[-1:], content=True))
        sent = Content(before, texts).sent(started)
        return {
            "agent": started.agent,
            "model": started.model,
            "instruction": cut(texts.get(started.instruction or "", "")),
            "messages": cut(json.loads(sent["gen_ai.input.messages"] or "[]")),
            "tools": started.tools,
        }

    def _log(self, pipeline: str, session: str) -> list[LogEntry]:
        return self._workspace().runs.sessions.log(pipeline, session)

    def _entries_to(self, pipeline: str, session: str, entry: int) -> list[LogEntry]:
        log = self._log(pipeline, session)
        if not log or not log[0].seq <= entry <= log[-1].seq:
            raise PersonError(f"The session has no entry {entry}. Its entries are {log[0].seq} to {log[-1].seq}.")
        return log


def row(summary: SessionSummary) -> dict[str, Any]:
    """A session in a list."""
    return {
        "session": summary.id,
        "pipeline": summary.app_name,
        "title": summary.title[:200],
        "status": summary.status,
        "model": summary.model,
        "simulated": summary.simulated,
        "events": summary.events,
        "updated_at": summary.updated_at,
    }


def event(entry: LogEntry) -> dict[str, Any]:
    """An event, without what is empty."""
    found = entry.event()
    calls = [{"name": call.name, "args": cut(call.args)} for call in found.get_function_calls()]
    results = [{"name": one.name, "result": cut(one.response)} for one in found.get_function_responses()]
    told = {
        "text": cut(found.text),
        "calls": calls,
        "results": results,
        "state": {key: cut(value) for key, value in found.actions.state_delta.items()},
        "transfer_to": found.actions.transfer_to_agent,
        "error": found.error_message,
    }
    return {"entry": entry.seq, "author": found.author, **{key: value for key, value in told.items() if value}}


def cut(value: Any) -> Any:
    """A value of limited length."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= MOST_CHARACTERS:
        return value
    return f"{text[:MOST_CHARACTERS]} … ({len(text):,} characters)"


def _bounded(limit: int) -> int:
    return max(1, min(limit, MOST_ROWS))
