"""The calls that a paused run waits for, found in its session's log, and answers to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, cast

from google.genai import types

from agents.config import MAX_MESSAGE_BYTES
from agents.errors import AnswerError, known
from agents.event import REQUEST_ANSWER, Event
from agents.log import EVENT_KIND, LogEntry
from agents.models.you.answer import check_answer
from agents.records import RunStarted
from agents.runs.loops.loop_thread import LoopThread
from agents.runs.values import PendingCall, SessionKey
from agents.runtime.confirmation import REQUEST_CONFIRMATION
from agents.runtime.position import position_of
from agents.session import BaseSessionService
from agents.session_list import SessionSummary
from agents.tools.user_choice import USER_CHOICE

_PAGE = 1000


async def read_pending(service: BaseSessionService, key: SessionKey, *, title: str = "") -> list[PendingCall]:
    """The calls of a session's last run that wait for an answer, in the order in which they were made.

    Raises:
        SessionNotFoundError: There is no such session.
    """
    waiting: dict[str, PendingCall] = {}
    last_run: list[LogEntry] = []
    async for entry in _entries(service, key):
        if (started := entry.of(RunStarted)) is not None and not started.resumed:
            waiting.clear()  # a new message cancels what the run before it waited for
            last_run.clear()
        elif entry.kind == EVENT_KIND and ('"function_response"' in entry.body or '"long_running_tool_ids"' in entry.body):
            _follow(waiting, entry.event(), key, title)
        last_run.append(entry)
    invocation_id = next((call.invocation_id for call in waiting.values()), "")
    still = position_of(invocation_id, last_run).pending  # the run itself may have cancelled some
    return [call for call in waiting.values() if call.call_id in still]


class PendingCalls:
    """The calls that wait in stored sessions, for callers in any thread.

    A whole log is not read again for each page that is drawn: what was found in it holds until the session changes.

    Args:
        thread: The loop in which they are read.
        service: The sessions.
    """

    def __init__(self, thread: LoopThread, service: BaseSessionService) -> None:
        self._thread, self._service = thread, service
        self._known: dict[SessionKey, tuple[float, list[PendingCall]]] = {}

    def of(self, sessions: Iterable[SessionSummary]) -> list[PendingCall]:
        """The calls of listed sessions, in their order.

        Raises:
            SessionNotFoundError: One of them is not there.
            DatabaseError: A log cannot be read.
        """
        return [call for found in sessions if found.status == "paused" for call in self._in(found)]

    def _in(self, found: SessionSummary) -> list[PendingCall]:
        key = SessionKey(found.app_name, found.id, found.user_id)
        known = self._known.get(key)
        if known is None or known[0] != found.updated_at:
            calls = self._thread.call(read_pending, self._service, key, title=found.title)
            known = self._known[key] = (found.updated_at, calls)
        return known[1]


def call_to_answer(call_id: str, pending: Sequence[PendingCall]) -> PendingCall:
    """The call of that id.

    Raises:
        AnswerError: No such call waits.
    """
    if (found := next((call for call in pending if call.call_id == call_id), None)) is not None:
        return found
    raise AnswerError(
        f"No call {call_id!r} waits for an answer in this session. It may have been answered already, or a later "
        f"message gave it up. Calls that wait: {known(waiting.call_id for waiting in pending)}."
    )


def options_of(call: PendingCall) -> tuple[str, ...]:
    """The options of a call of `get_user_choice`; none for other calls."""
    given = call.args.get("options") if call.tool == USER_CHOICE and not call.is_confirmation else None
    return tuple(map(str, cast("list[Any]", given))) if isinstance(given, list) else ()


def option_of(call: PendingCall, chosen: str) -> str:
    """The option chosen by its text, or by its number from 1.

    Raises:
        AnswerError: There is no such option, or the call offers none.
    """
    options = options_of(call)
    if not options:
        raise AnswerError(f"{call.tool} offers no options to choose from. Answer it with --approve, --reject or --response.")
    if chosen in options:
        return chosen
    if chosen.isdecimal() and 1 <= int(chosen[:9]) <= len(options):
        return options[int(chosen[:9]) - 1]
    raise AnswerError(f"{chosen[:60]!r} is none of the options. Choose one of them, or its number: {known(options)}.")


def answer_to(call: PendingCall, response: Mapping[str, Any]) -> types.Content:
    """An answer as the message that resumes a run.

    Args:
        call: The call.
        response: The answer. Of a confirmation, "args" are the edited arguments; the others stay as they are.

    Raises:
        AnswerError: JSON cannot hold the answer, or it has the wrong form.
    """
    given = dict(response)
    if call.is_confirmation and isinstance(edits := given.get("args"), dict):
        given["args"] = {**call.args, **cast("dict[str, Any]", edits)}
    try:
        size = len(json.dumps(given, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise AnswerError(
            f"The answer cannot be sent: JSON in UTF-8 cannot hold it ({error}). Use text, numbers and lists."
        ) from None
    if size > MAX_MESSAGE_BYTES:
        raise AnswerError(
            f"The answer has {size / 1024:.1f} KiB; at most {MAX_MESSAGE_BYTES // 1024} KiB can be sent. Shorten it."
        )
    if call.is_confirmation and not isinstance(given.get("confirmed"), bool):
        raise AnswerError(
            'A confirmation is answered with {"confirmed": true} or {"confirmed": false}, and perhaps "reason" or "args".'
        )
    if call.tool == REQUEST_ANSWER:
        check_answer(call.args, given)
    name = REQUEST_CONFIRMATION if call.is_confirmation else call.tool
    answer = types.FunctionResponse(id=call.call_id, name=name, response=given)
    return types.Content(role="user", parts=[types.Part(function_response=answer)])


async def _entries(service: BaseSessionService, key: SessionKey) -> AsyncIterator[LogEntry]:
    seq = 0
    while entries := await service.read_log(**key.name, after=seq, limit=_PAGE):
        seq = entries[-1].seq
        for entry in entries:
            yield entry


def _follow(waiting: dict[str, PendingCall], event: Event, key: SessionKey, title: str) -> None:
    for response in event.get_function_responses():
        waiting.pop(response.id or "", None)
    later = event.long_running_tool_ids or ()
    for call in event.get_function_calls():
        if call.id is not None and call.id in later:
            waiting[call.id] = _pending_call(call.id, call, event, key, title)


def _pending_call(call_id: str, call: types.FunctionCall, event: Event, key: SessionKey, title: str) -> PendingCall:
    args: dict[str, Any] = call.args or {}
    tool, hint, is_confirmation = call.name, "", call.name == REQUEST_CONFIRMATION
    if is_confirmation:
        asked: dict[str, Any] = args.get("originalFunctionCall") or {}
        about: dict[str, Any] = args.get("toolConfirmation") or {}
        tool, args, hint = asked.get("name"), asked.get("args", {}), about.get("hint") or ""
    return PendingCall(
        pipeline=key.pipeline,
        session_id=key.session_id,
        invocation_id=event.invocation_id,
        title=title,
        call_id=call_id,
        agent=event.speaker,
        tool=tool or "",
        args=args,
        hint=hint,
        is_confirmation=is_confirmation,
        asked_at=event.timestamp,
    )
