"""A session's log read as a record that a model can answer from: its model calls, with requests and answers.

A fold over log entries.
"""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from google.genai import types

from agents.event import Event
from agents.llm.contents import history_for, without_own_id
from agents.log import EVENT_KIND, LogEntry
from agents.model import LlmResponse
from agents.models.faults import FAULT_MARK
from agents.models.replay.record import REPLAYED, RecordedCall, RecordedFailure, RecordedRun, Recording
from agents.models.replay.request import SentRequest, content_key, without_ids
from agents.models.simulated.model import SIMULATED_MARK
from agents.runs.requests import text_of
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.storage.sessions.incoming import is_message

_PAGE = 1000
_RESPONSE_FIELDS = tuple(name for name in LlmResponse.model_fields if name != "partial")
_NOT_TOLD_AGAIN = {"invocation_id", "agent", "branch", "timestamp", "call", REPLAYED}
"""Fields of a note that are new when it is replayed."""


async def read_recording(service: BaseSessionService, key: SessionKey) -> Recording:
    """Reads a session's log as a record of its model calls.

    An answer is the event that it became: after the `after_model_callback`, not before it.

    Args:
        service: Where the log is.
        key: The session. One that is still running is read up to its last entry.

    Raises:
        SessionNotFoundError: There is no such session.
    """
    entries = await read_entries(service, key)
    fold = await asyncio.to_thread(_folded, entries)
    fold.past.texts = await service.read_texts(sorted(fold.hashes))
    return Recording(key.pipeline, key.session_id, fold.runs())


async def read_entries(service: BaseSessionService, key: SessionKey) -> list[LogEntry]:
    """A session's whole log.

    Raises:
        SessionNotFoundError: There is no such session.
    """
    entries: list[LogEntry] = []
    while page := await service.read_log(
        **key.name,
        after=entries[-1].seq if entries else 0,
        limit=_PAGE,
    ):
        entries += page
    return entries


def asked_by(record: Mapping[str, Any]) -> str:
    """The caller in a `model_started` record: the label of the request, else the agent."""
    return str(record.get("label") or record.get("agent") or "")


@dataclass(slots=True)
class _Past:
    """The session's events and the texts that its records name by hash."""

    seqs: list[int] = field(default_factory=list[int])
    events: list[Event] = field(default_factory=list[Event])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    keys: dict[int, str] = field(default_factory=dict[int, str])
    """Of messages that are events' own and so last, by their identity."""

    def add(self, seq: int, event: Event) -> None:
        self.seqs.append(seq)
        self.events.append(event)
        if event.content is not None:
            self.keys[id(event.content)] = ""

    def sent(self, started: Mapping[str, Any]) -> SentRequest:
        """The request, computed from a `model_started` record."""
        settings = self.texts.get(started.get("config") or "")
        return SentRequest(
            without_ids(self.texts.get(started.get("instruction") or "", "")),
            tuple(map(self._key, self._contents(started))),
            tuple(started.get("tools") or ()),
            json.loads(settings) if settings else {},
        )

    def _contents(self, started: Mapping[str, Any]) -> Iterable[types.Content | dict[str, Any]]:
        rule: dict[str, Any] = started.get("contents") or {}
        if "select" not in rule:
            return json.loads(self.texts.get(rule.get("text") or "", "[]"))
        seen = self.events[: bisect_right(self.seqs, rule.get("until") or 0)]
        agent, branch = str(started.get("agent")), started.get("branch")
        return history_for(seen, agent_name=agent, branch=branch, include_contents=rule["select"])

    def _key(self, content: types.Content | dict[str, Any]) -> str:
        known = self.keys.get(id(content))
        if known is None:
            return content_key(content)
        if not known:
            known = self.keys[id(content)] = content_key(content)
        return known


@dataclass(slots=True)
class _Call:
    """A call while it is built."""

    started: dict[str, Any]
    position: int
    finished: dict[str, Any] = field(default_factory=dict[str, Any])
    answer: Event | None = None
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])

    @property
    def place(self) -> tuple[Any, ...]:
        """Where the event of its answer comes from."""
        return self.started.get("invocation_id"), self.started.get("agent"), self.started.get("branch")

    @property
    def was_answered(self) -> bool:
        """Whether the model gave a whole answer; only then its tokens were counted."""
        return bool(self.finished.get("usage"))

    def response(self, texts: Mapping[str, str]) -> LlmResponse | None:
        """The answer, if it is known: the event that it became, or a text if it became none."""
        if (written := texts.get(self.finished.get("answer") or "")) is not None:
            return LlmResponse.model_validate_json(written)
        if self.answer is None:
            return None
        response = LlmResponse(**{name: getattr(self.answer, name) for name in _RESPONSE_FIELDS})
        if (content := response.content) is not None and content.parts:
            response.content = types.Content(role=content.role, parts=[without_own_id(part) for part in content.parts])
        return response

    def failure(self, codes: Mapping[str, str]) -> RecordedFailure | None:
        """The model's failure, if any."""
        error = str(self.finished.get("error") or "")
        if self.was_answered or error in ("", "cancelled"):
            return None
        kind, _, message = error.partition(": ")
        code = self.finished.get("error_code") or codes.get(message) or codes.get(error) or ""
        return RecordedFailure(kind, message, str(code))


@dataclass(slots=True)
class _Run:
    """A run while it is built."""

    invocation_id: str
    is_simulated: bool
    message: str | None = None
    status: str = ""
    calls: list[_Call] = field(default_factory=list[_Call])
    codes: dict[str, str] = field(default_factory=dict[str, str])
    """Of errors that ended it, by their message."""

    def finished(self, past: _Past, *, is_marked: bool) -> RecordedRun:
        calls = tuple(self._call(call, past, is_marked=is_marked) for call in self.calls)
        return RecordedRun(self.invocation_id, self.message or "", self.status, calls)

    def _call(self, call: _Call, past: _Past, *, is_marked: bool) -> RecordedCall:
        answer = call.response(past.texts)
        marks: dict[str, Any] = (answer.custom_metadata if answer is not None else None) or {}
        fault = str(marks.get(FAULT_MARK) or "")
        return RecordedCall(
            agent=asked_by(call.started),
            position=call.position,
            model=str(call.started.get("model") or ""),
            sent=partial(past.sent, call.started),
            answer=answer,
            failure=call.failure(self.codes),
            branch=call.started.get("branch"),
            notes=tuple(call.notes),
            is_simulated=bool(marks.get(SIMULATED_MARK)) or (self.is_simulated and (bool(fault) or not is_marked)),
            injected_fault=fault,
        )


def _folded(entries: Iterable[LogEntry]) -> _Fold:
    fold = _Fold()
    for entry in entries:
        if entry.kind == EVENT_KIND:
            fold.event(entry.seq, entry.event())
        elif entry.kind in ("run_started", "run_finished", "model_started", "model_finished") or '"call":' in entry.body:
            fold.record(entry.kind, entry.fields())
    return fold


class _Fold:
    def __init__(self) -> None:
        self.past = _Past()
        self.hashes: set[str] = set()
        self._runs: dict[str, _Run] = {}
        self._open: dict[tuple[str, Any], _Call] = {}
        self._unsaid: dict[tuple[Any, ...], _Call] = {}
        """Calls that were answered and whose event is to come, by its place."""
        self._positions: Counter[tuple[str, str]] = Counter()
        self._is_marked = False

    def runs(self) -> tuple[RecordedRun, ...]:
        """The runs; `past.texts` must be there."""
        return tuple(run.finished(self.past, is_marked=self._is_marked) for run in self._runs.values())

    def event(self, seq: int, event: Event) -> None:
        self.past.add(seq, event)
        run = self._runs.get(event.invocation_id)
        if run is None:
            return
        if event.error_code:
            run.codes[event.error_message or ""] = event.error_code
        if event.author == "user":
            if run.message is None and is_message(event) and event.content is not None:
                run.message = text_of(event.content)
            return
        self._is_marked = self._is_marked or SIMULATED_MARK in (event.custom_metadata or {})
        call = self._unsaid.pop((event.invocation_id, event.author, event.branch), None)
        if call is not None and not _is_another_failure(event, call):
            call.answer = event

    def record(self, kind: str, body: dict[str, Any]) -> None:
        invocation_id, number = str(body.get("invocation_id") or ""), body.get("call")
        if kind == "run_started":
            self._runs.setdefault(invocation_id, _Run(invocation_id, bool(body.get("simulated"))))
        elif (run := self._runs.get(invocation_id)) is None:
            return
        elif kind == "run_finished":
            run.status = str(body.get("status") or "")
        elif kind == "model_started":
            run.calls.append(self._started(body))
            self._open[invocation_id, number] = run.calls[-1]
        elif (call := self._open.get((invocation_id, number))) is None:
            return
        elif kind == "model_finished":
            self._finished(self._open.pop((invocation_id, number)), body)
        elif kind != "replay_drifted":
            call.notes.append((kind, {name: value for name, value in body.items() if name not in _NOT_TOLD_AGAIN}))

    def _started(self, body: dict[str, Any]) -> _Call:
        who = (str(body.get("invocation_id")), asked_by(body))
        self._positions[who] += 1
        contents = cast("dict[str, Any]", body.get("contents") or {})
        self._refer_to(body.get("instruction"), body.get("config"), contents.get("text"))
        return _Call(body, self._positions[who])

    def _finished(self, call: _Call, body: dict[str, Any]) -> None:
        call.finished = body
        self._refer_to(body.get("answer"))
        if call.was_answered and not body.get("answer"):
            self._unsaid[call.place] = call

    def _refer_to(self, *names: str | None) -> None:
        self.hashes.update(name for name in names if name)


def _is_another_failure(event: Event, call: _Call) -> bool:
    """Whether an event is the error that ended the run after an answer, e.g. of a failed callback."""
    return bool(event.error_code) and event.content is None and call.finished.get("stop_reason") not in ("error", "safety")
