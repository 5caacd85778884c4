"""Which session a request goes on with, and the run that answers it.

By what the client says, in this order: a conversation or `metadata.session_id`, a previous response, its user, else the
history that it sends. A history is known again by its hash, while this process lives; one that is not known, or that another
request has gone on with already, begins a session of its own, which holds it. So does a response that is not the last one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

from google.genai import types

from agents import EVENT_KIND, Event, RunFinished, SessionNotFoundError
from agents.pipelines import Pipeline
from agents.runs import Answering, ClientRequest, PendingCall, Run, RunManager, answering
from ui.api import followed_run
from ui.api.history import begin_session, events_of
from ui.api.openai.asked import Asked
from ui.api.openai.errors import ParameterError
from ui.api.openai.spoken import Spoken
from ui.state import runs
from ui.web.threads import in_thread

MOST_KNOWN = 10_000
"""Histories that are known again."""

Key = tuple[str, str, str]
"""User, pipeline, hash."""


@dataclass(slots=True)
class Known:
    """Histories, and the sessions that hold them. Each is given out once: then the session has gone on."""

    _sessions: OrderedDict[Key, str] = field(default_factory=OrderedDict[Key, str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Key) -> str | None:
        """The session that holds a history and nothing more."""
        with self._lock:
            return self._sessions.pop(key, None)

    def put(self, key: Key, session_id: str) -> None:
        """A session holds this history now."""
        with self._lock:
            self._sessions[key] = session_id
            while len(self._sessions) > MOST_KNOWN:
                self._sessions.popitem(last=False)


_known = Known()


@dataclass(frozen=True, slots=True)
class Began:
    """A run that answers a request.

    Attributes:
        manager: Of the user who asks.
        run: The run.
        answering: Who answers in it.
    """

    manager: RunManager
    run: Run
    answering: Answering


async def begin(asked: Asked) -> Began:
    """Starts the run that answers a request, or resumes the one that waits for the client's results.

    Raises:
        PlaygroundError: It cannot begin.
    """
    return await (_resumed(asked) if asked.results else in_thread(_started, asked))


def _started(asked: Asked) -> Began:
    """One call for all that blocks: each change of the thread waits for its turn."""
    manager = runs.manager()
    who = answering(manager.catalog.get(asked.pipeline).root_agent)
    run = manager.start(
        asked.pipeline,
        asked.message,
        session_id=_session_for(manager, asked, who),
        model=asked.agents_model,
        files=asked.files,
        client=None if asked.client == ClientRequest() else asked.client,
    )
    return Began(manager, run, who)


async def told(began: Began, asked: Asked) -> AsyncGenerator[tuple[Spoken, str], None]:
    """Follows the run to its end.

    Yields:
        What is said so far, and what came to it.
    """
    spoken = Spoken(began.answering, frozenset(function.name for function in asked.client.functions))
    async with aclosing(followed_run.follow(began.manager, began.run)) as news:
        async for item in news:
            added = spoken.take(item)
            if spoken.end is not None and spoken.failure is None:
                _remember(began, asked, spoken)
            yield spoken, added


async def whole(began: Began, asked: Asked) -> Spoken:
    """What the run has said at its end."""
    async with aclosing(told(began, asked)) as pieces:
        async for spoken, _ in pieces:
            if spoken.end is not None:
                return spoken
    raise AssertionError("a run that is followed ends")


def response_id(run: Run) -> str:
    """The id of a response: it names pipeline, session and run, so that it is known after a restart too."""
    named = json.dumps([run.pipeline, run.session_id, run.invocation_id], separators=(",", ":"))
    return f"resp_{base64.urlsafe_b64encode(named.encode()).decode().rstrip('=')}"


def named_in(response: str) -> tuple[str, str, str]:
    """Pipeline, session and run that a response's id names.

    Raises:
        SessionNotFoundError: It is no such id.
    """
    coded = response.removeprefix("resp_")
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)))
        pipeline, session, run = cast("list[str]", found)
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise SessionNotFoundError(f"There is no response {response[:100]!r} here.") from None
    return str(pipeline), str(session), str(run)


def _session_for(manager: RunManager, asked: Asked, who: Answering) -> str | None:
    """The session to go on with; None for a new one."""
    if asked.previous:
        return _after_response(manager, asked, who)
    of = "" if manager.user.is_owner else f" of {manager.user.id}"  # accounts may give their users the same names
    if chosen := asked.session or (asked.user and f"user {asked.user}{of}"):
        begin_session(manager, asked.pipeline, chosen, asked.history)
        return chosen
    if not asked.history:
        return None
    held = _known.take(_key(manager, asked.pipeline, asked.history))
    if held is not None and manager.sessions.find(asked.pipeline, held) is not None:
        return held
    events = events_of(manager, asked.pipeline, asked.history)
    made = manager.sessions.create(asked.pipeline)
    manager.sessions.add_history(asked.pipeline, made, events)
    return made


def _after_response(manager: RunManager, asked: Asked, who: Answering) -> str:
    """The session of the previous response; if it has gone on since, a new one with what was said up to there."""
    pipeline, session, invocation = named_in(asked.previous)
    log = manager.sessions.log(pipeline, session) if manager.sessions.find(pipeline, session) is not None else []
    ends = [entry for entry in log if entry.kind == RunFinished.kind]
    last = next((entry.seq for entry in reversed(ends) if entry.fields().get("invocation_id") == invocation), None)
    if pipeline != asked.pipeline or last is None:
        raise SessionNotFoundError(f"There is no response {asked.previous[:100]!r} of {asked.pipeline!r} here.")
    if ends[-1].fields().get("invocation_id") == invocation:
        return session
    said = [entry.event() for entry in log if entry.kind == EVENT_KIND and entry.seq < last]
    kept = [Event(author=e.author, content=e.content) for e in said if e.text and e.author in {"user", *who.agents}]
    made = manager.sessions.create(pipeline)
    manager.sessions.add_history(pipeline, made, kept)
    return made


async def _resumed(asked: Asked) -> Began:
    """The run that goes on with the client's results; each but the last is answered and waits on at once."""
    manager = await followed_run.manager()
    pipeline, waiting = await in_thread(_waiting, manager, asked)
    answers = [(call, {"result": asked.results[call.call_id]}) for call in waiting]
    run = await followed_run.answer_all(manager, answers, client=asked.client)
    if run is None:
        raise ParameterError("messages", "No call with these ids waits for a result: it has been answered, or given up.")
    return Began(manager, run, answering(pipeline.root_agent))


def _waiting(manager: RunManager, asked: Asked) -> tuple[Pipeline, list[PendingCall]]:
    """The calls that the client has answered."""
    pipeline = manager.catalog.get(asked.pipeline)
    waiting = manager.pending(asked.pipeline)
    return pipeline, [call for call in waiting if call.call_id in asked.results and not call.is_confirmation]


def _remember(began: Began, asked: Asked, spoken: Spoken) -> None:
    """The session is found again by the history that the client sends next."""
    said = [types.Content(role="user", parts=[types.Part(text=asked.message)])] if asked.message else []
    if spoken.calls:  # it is found by the ids of the calls, and the history goes on after it
        return
    answer = types.Content(role="model", parts=[types.Part(text=spoken.text)])
    _known.put(_key(began.manager, asked.pipeline, [*asked.history, *said, answer]), began.run.session_id)


def _key(manager: RunManager, pipeline: str, history: Sequence[types.Content]) -> Key:
    """What is said counts, not what functions gave, nor white space around it."""
    texts = [
        [content.role or "", text]
        for content in history
        if (text := "\n\n".join(part.text.strip() for part in content.parts or () if part.text))
    ]
    return manager.user.id, pipeline, hashlib.sha256(json.dumps(texts).encode()).hexdigest()
