"""A session's log read as a record that a model can answer from: its model calls, with requests and answers."""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from google.genai import types

from agents.event import Event
from agents.history.nodes import ModelCall, Node, Run
from agents.history.run_tree import RunTree, read
from agents.llm.contents import history_for, without_own_id
from agents.llm.model_call import WAITED
from agents.log import LogEntry
from agents.model import LlmResponse
from agents.models.faults import FAULT_MARK
from agents.models.replay.record import REPLAYED, RecordedCall, RecordedFailure, RecordedRun, Recording
from agents.models.replay.request import SentRequest, content_key, without_ids
from agents.models.simulated.model import SIMULATED_MARK
from agents.records import ModelFinished, ModelStarted, Record, ReplayDrifted, RunStarted
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
    fold.history.texts = await service.read_texts(sorted(fold.hashes))
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


@dataclass(slots=True)
class _History:
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

    def sent(self, started: ModelStarted) -> SentRequest:
        """The request, computed from its record."""
        settings = self.texts.get(started.config or "")
        return SentRequest(
            without_ids(self.texts.get(started.instruction or "", "")),
            tuple(map(self._key, self._contents(started))),
            tuple(started.tools),
            json.loads(settings) if settings else {},
        )

    def _contents(self, started: ModelStarted) -> Iterable[types.Content | dict[str, Any]]:
        rule = started.contents
        if "select" not in rule:
            return json.loads(self.texts.get(rule.get("text") or "", "[]"))
        seen = self.events[: bisect_right(self.seqs, rule.get("until") or 0)]
        select = rule["select"] or "default"
        return history_for(seen, agent_name=started.agent, branch=started.branch, include_contents=select)

    def _key(self, content: types.Content | dict[str, Any]) -> str:
        known = self.keys.get(id(content))
        if known is None:
            return content_key(content)
        if not known:
            known = self.keys[id(content)] = content_key(content)
        return known


def _response(call: ModelCall, answer: Event | None, texts: Mapping[str, str]) -> LlmResponse | None:
    """The answer of a call, if it is known: the event that it became, or a text if it became none."""
    if call.finished is not None and (written := texts.get(call.finished.answer or "")) is not None:
        return LlmResponse.model_validate_json(written)
    if answer is None:
        return None
    response = LlmResponse(**{name: getattr(answer, name) for name in _RESPONSE_FIELDS})
    if (content := response.content) is not None and content.parts:
        response.content = types.Content(role=content.role, parts=[without_own_id(part) for part in content.parts])
    return response


def _failure(finished: ModelFinished | None, codes: Mapping[str, str]) -> RecordedFailure | None:
    """The model's failure, if any."""
    error = "" if finished is None else finished.error or ""
    if finished is None or finished.usage or error in ("", "cancelled"):
        return None
    kind, _, message = error.partition(": ")
    code = finished.error_code or codes.get(message) or codes.get(error) or ""
    return RecordedFailure(kind, message, code)


@dataclass(slots=True)
class _About:
    """What events say of a run beside its calls."""

    message: str | None = None
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    """That was set with the message."""
    codes: dict[str, str] = field(default_factory=dict[str, str])
    """Of errors that ended it, by their message."""


def _folded(entries: Iterable[LogEntry]) -> _Fold:
    fold = _Fold()
    for entry in entries:
        fold.take(entry)
    return fold


class _Fold:
    def __init__(self) -> None:
        self.history = _History()
        self.hashes: set[str] = set()
        self._tree = RunTree()
        self._about: dict[str, _About] = {}
        self._answers: dict[ModelCall, Event] = {}
        self._notes: dict[ModelCall, list[tuple[str, dict[str, Any]]]] = {}
        self._is_marked = False

    def take(self, entry: LogEntry) -> None:
        """Takes in the next entry."""
        item = read(entry)
        if isinstance(item, Record) and item.invocation_id not in self._tree.runs and not isinstance(item, RunStarted):
            return
        node = self._tree.take(entry.seq, item)
        match item, node:
            case dict(), _:
                self._event(entry, node)
            case ModelStarted(), _:
                self.hashes.update(name for name in item.texts if name not in (item.declarations, item.schema))
            case ModelFinished(), _:
                self.hashes.update({item.answer} if item.answer else ())
            case Record(), ModelCall() if not isinstance(item, ReplayDrifted):
                told = {name: value for name, value in entry.fields().items() if name not in _NOT_TOLD_AGAIN}
                self._notes.setdefault(node, []).append((entry.kind, told))
            case _:
                pass

    def runs(self) -> tuple[RecordedRun, ...]:
        """The runs; `history.texts` must be there."""
        positions: Counter[tuple[str, str]] = Counter()
        return tuple(self._run(run, positions) for run in self._tree.runs.values())

    def _event(self, entry: LogEntry, call: Node | None) -> None:
        event = entry.event()
        self.history.add(entry.seq, event)
        if event.invocation_id not in self._tree.runs:
            return
        about = self._about.setdefault(event.invocation_id, _About())
        if event.error_code:
            about.codes[event.error_message or ""] = event.error_code
        if event.author == "user":
            if about.message is None and is_message(event) and event.content is not None:
                about.message, about.state = text_of(event.content), event.actions.state_delta
            return
        self._is_marked = self._is_marked or SIMULATED_MARK in (event.custom_metadata or {})
        if isinstance(call, ModelCall) and call.finished is not None and _has_answer(event, call.finished):
            self._answers[call] = event

    def _run(self, run: Run, positions: Counter[tuple[str, str]]) -> RecordedRun:
        about = self._about.get(run.invocation_id, _About())
        calls: list[RecordedCall] = []
        for call in run.calls:
            if call.finished is not None and call.finished.error == WAITED:
                continue  # it was made again, with the user's answer
            positions[run.invocation_id, call.started.caller] += 1
            calls.append(self._call(call, about, positions[run.invocation_id, call.started.caller]))
        status = "" if run.ended is None else run.ended.status
        return RecordedRun(run.invocation_id, about.message or "", status, tuple(calls), about.state)

    def _call(self, call: ModelCall, about: _About, position: int) -> RecordedCall:
        answer = _response(call, self._answers.get(call), self.history.texts)
        marks: dict[str, Any] = (answer.custom_metadata if answer is not None else None) or {}
        fault = str(marks.get(FAULT_MARK) or "")
        is_simulated_run = call.run.started is not None and call.run.started.simulated
        return RecordedCall(
            agent=call.started.caller,
            position=position,
            model=call.started.model or "",  # a record may hold null
            sent=partial(self.history.sent, call.started),
            answer=answer,
            failure=_failure(call.finished, about.codes),
            branch=call.started.branch,
            notes=tuple(self._notes.get(call, ())),
            is_simulated=bool(marks.get(SIMULATED_MARK)) or (is_simulated_run and (bool(fault) or not self._is_marked)),
            injected_fault=fault,
        )


def _has_answer(event: Event, finished: ModelFinished) -> bool:
    """Whether an event is what a model answered, not an error that ended the run after it, e.g. of a failed callback."""
    is_failure = bool(event.error_code) and event.content is None and finished.stop_reason not in ("error", "safety")
    return finished.becomes_event and not is_failure
