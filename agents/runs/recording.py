"""A session's log read as a record that a model can answer from, and how far another session has replayed it.

Folds over log entries. Knows no run that is at work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, cast

from google.genai import types

from agents.config import USER_ID
from agents.contents import history_for, without_own_id
from agents.copies import copy_with
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.model import LlmResponse
from agents.models.faulty import FAULT_MARK
from agents.models.replay_record import REPLAY_MARK, RecordedCall, RecordedFailure, RecordedRun, Recording
from agents.models.replay_request import SentRequest, content_key, without_ids
from agents.models.simulated import SIMULATED_MARK
from agents.runs.requests import text_of
from agents.runs.values import SessionKey
from agents.session import BaseSessionService
from agents.sessions.incoming import is_message

_PAGE = 1000
_OF_A_RECORD = {"invocation_id", "agent", "branch", "timestamp", "call", "replayed"}
"""What a note is given anew where it is told again."""


async def read_recording(service: BaseSessionService, key: SessionKey) -> Recording:
    """Reads a session's log as a record of its model calls.

    A call is known by what was sent, worked out again from the log; its answer is the event that it became, so what an
    `after_model_callback` made of it is recorded, not what the model said before.

    Args:
        service: Where the log is.
        key: The session. One that runs right now is read as far as it is.

    Raises:
        SessionNotFoundError: There is no such session.
    """
    entries = await read_entries(service, key)
    fold = await asyncio.to_thread(_folded, entries)
    texts = await service.read_texts(sorted(fold.hashes))
    runs = tuple(run.finished(fold.events, texts) for run in fold.runs.values())
    return Recording(key.pipeline, key.session_id, runs)


async def read_entries(service: BaseSessionService, key: SessionKey) -> list[LogEntry]:
    """A session's whole log."""
    entries: list[LogEntry] = []
    while page := await service.read_log(
        app_name=key.pipeline,
        user_id=USER_ID,
        session_id=key.session_id,
        after=entries[-1].seq if entries else 0,
        limit=_PAGE,
    ):
        entries += page
    return entries


@dataclass(slots=True)
class _Call:
    """A recorded call while it is put together."""

    body: dict[str, Any]
    agent: str
    position: int
    run_is_simulated: bool
    finished: dict[str, Any] | None = None
    answer: Event | None = None
    failed_with: Event | None = None
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])

    @property
    def was_raised(self) -> bool:
        """Whether the model failed; a response that is an error has no class before its message."""
        ended = self.finished or {}
        return "error_code" in ended or (ended.get("stop_reason") == "error" and not ended.get("usage"))

    def made(self, events: Sequence[Event], texts: Mapping[str, str]) -> RecordedCall:
        """The call as others are given it."""
        ended = self.finished or {}
        answer = self._answer(texts)
        marks = (answer.custom_metadata if answer else None) or {}
        return RecordedCall(
            agent=self.agent,
            position=self.position,
            model=str(self.body.get("model") or ""),
            sent=partial(_sent, self.body, events, texts),
            answer=answer,
            failure=self._failure(),
            branch=self.body.get("branch"),
            notes=tuple(self.notes),
            is_simulated=bool(marks.get(SIMULATED_MARK, self.run_is_simulated)),
            injected_fault=str(marks.get(FAULT_MARK) or ""),
            first_token=ended.get("first_token"),
            duration=float(ended.get("duration") or 0.0),
        )
