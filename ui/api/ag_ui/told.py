"""A run as AG-UI's events, as dictionaries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import (
    EVENT_KIND,
    REQUEST_ANSWER,
    REQUEST_CONFIRMATION,
    REQUEST_INPUT,
    AgentFinished,
    AgentStarted,
    Event,
    LogEntry,
    RunFinished,
)
from agents.models import redact
from agents.runs import Partial, PendingCall
from ui.api.followed_run import News, RunEnd

Told = dict[str, Any]
_QUESTIONS = {REQUEST_ANSWER, REQUEST_CONFIRMATION, REQUEST_INPUT}
"""Calls that are interrupts, and no tool's."""
_MESSAGES = {
    False: ("TEXT_MESSAGE", "assistant"),
    True: ("REASONING_MESSAGE", "reasoning"),
}
"""Of a text and of a thought: how the types of its events begin, and its role."""


@dataclass(slots=True)
class Telling:
    """A fold over a run.

    Attributes:
        thread_id: The session.
        run_id: The run, as the front end calls it.
        functions: Names of the front end's functions.
    """

    thread_id: str
    run_id: str
    functions: frozenset[str]
    _sent: dict[tuple[str, bool], int] = field(default_factory=dict[tuple[str, bool], int])
    _steps: list[str] = field(default_factory=list[str])

    def begin(self, state: Mapping[str, Any]) -> Iterator[Told]:
        """The first events."""
        yield {"type": "RUN_STARTED", "threadId": self.thread_id, "runId": self.run_id}
        yield {"type": "STATE_SNAPSHOT", "snapshot": dict(state)}

    def take(self, item: News) -> Iterator[Told]:
        """What an item of the run says."""
        match item:
            case Partial():
                yield from self._piece(item.id, item.author, item.text, thought=item.thought)
            case LogEntry():
                yield from self._entry(item)
            case RunEnd(record=record, waiting=waiting):
                yield from self._end(record, waiting)

    def _entry(self, entry: LogEntry) -> Iterator[Told]:
        if entry.kind == EVENT_KIND:
            yield from self._event(entry.event())
        elif (began := entry.of(AgentStarted)) is not None and began.agent not in self._steps:
            self._steps.append(began.agent)
            yield {"type": "STEP_STARTED", "stepName": began.agent}
        elif (ended := entry.of(AgentFinished)) is not None and ended.agent in self._steps:
            self._steps.remove(ended.agent)
            yield {"type": "STEP_FINISHED", "stepName": ended.agent}

    def _piece(self, event: str, author: str, text: str, *, thought: bool) -> Iterator[Told]:
        start, role = _MESSAGES[thought]
        message = f"{event}-thoughts" if thought else event
        if (event, thought) not in self._sent:
            if thought:
                yield {"type": "REASONING_START", "messageId": message}
            named = {} if thought else {"name": author}
            yield {"type": f"{start}_START", "messageId": message, "role": role, **named}
        self._sent[event, thought] = self._sent.get((event, thought), 0) + len(text)
        if text:
            yield {"type": f"{start}_CONTENT", "messageId": message, "delta": text}

    def _event(self, event: Event) -> Iterator[Told]:
        if event.author != "user" and not event.is_of_person:
            for thought in (True, False):
                yield from self._whole(event, thought=thought)
            for call in event.get_function_calls():
                if call.name not in _QUESTIONS:
                    yield from self._call(event, call.id or "", call.name or "", call.args or {})
        for answer in event.get_function_responses():
            if answer.name not in _QUESTIONS and answer.name not in self.functions:
                yield {
                    "type": "TOOL_CALL_RESULT",
                    "messageId": f"{event.id}-{answer.id}",
                    "toolCallId": answer.id or "",
                    "content": json.dumps(answer.response or {}, ensure_ascii=False, default=str),
                    "role": "tool",
                }
        if event.actions.state_delta:
            delta = [_operation(key, value) for key, value in event.actions.state_delta.items()]
            yield {"type": "STATE_DELTA", "delta": delta}

    def _whole(self, event: Event, *, thought: bool) -> Iterator[Told]:
        """The rest of a text that was streamed, or all of it; and its end."""
        text = "".join(part.text for part in event.parts if part.text and bool(part.thought) is thought)
        known = self._sent.get((event.id, thought), 0)
        if not text and not known:
            return
        yield from self._piece(event.id, event.author, text[known:], thought=thought)
        message = f"{event.id}-thoughts" if thought else event.id
        del self._sent[event.id, thought]
        yield {"type": f"{_MESSAGES[thought][0]}_END", "messageId": message}
        if thought:
            yield {"type": "REASONING_END", "messageId": message}

    def _call(self, event: Event, call_id: str, name: str, args: Mapping[str, Any]) -> Iterator[Told]:
        yield {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name, "parentMessageId": event.id}
        arguments = json.dumps(dict(args), ensure_ascii=False, default=str)
        yield {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": arguments}
        yield {"type": "TOOL_CALL_END", "toolCallId": call_id}

    def _end(self, record: RunFinished, waiting: tuple[PendingCall, ...]) -> Iterator[Told]:
        for event, thought in list(self._sent):  # of a run that was stopped in the middle of a text
            message = f"{event}-thoughts" if thought else event
            yield {"type": f"{_MESSAGES[thought][0]}_END", "messageId": message}
            if thought:
                yield {"type": "REASONING_END", "messageId": message}
        yield from ({"type": "STEP_FINISHED", "stepName": name} for name in reversed(self._steps))
        usage = _usage(record.tokens)
        if record.status in {"failed", "interrupted"}:
            code = record.error_code or f"run_{record.status}"
            said = record.error_message or f"The run was {record.status}."
            yield {"type": "RUN_ERROR", "message": redact(said), "code": code, **usage}
            return
        finished = {"type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id, **usage}
        yield {**finished, "outcome": self._outcome(record, waiting)}

    def _outcome(self, record: RunFinished, waiting: tuple[PendingCall, ...]) -> Told:
        if record.status not in {"completed", "paused"}:
            return {"type": "cancelled"}
        asked = [call for call in waiting if call.tool not in self.functions or call.is_confirmation]
        if asked:
            return {"type": "interrupt", "interrupts": [_interrupt(call) for call in asked]}
        return {"type": "success", **({"pendingToolCallIds": [call.call_id for call in waiting]} if waiting else {})}


def _operation(key: str, value: Any) -> Told:
    """A change of state as JSON Patch (RFC 6902)."""
    path = f"/{key.replace('~', '~0').replace('/', '~1')}"
    return {"op": "add", "path": path, "value": value}


def _interrupt(call: PendingCall) -> Told:
    answer = {"type": "object", "properties": {"confirmed": {"type": "boolean"}}, "required": ["confirmed"]}
    about = {"agent": call.agent, "tool": call.tool, "args": dict(call.args)}
    return {
        "id": call.call_id,
        "reason": "confirmation" if call.is_confirmation else "input_required",
        "message": call.hint or f"{call.agent} waits for the result of {call.tool}.",
        **({"responseSchema": answer} if call.is_confirmation else {}),
        "metadata": about,
    }


def _usage(tokens: Mapping[str, Any]) -> Told:
    if not tokens:
        return {}
    thoughts = tokens.get("thoughts", 0)
    read, said = tokens.get("input", 0), tokens.get("output", 0) + thoughts
    return {"usage": [{"inputTokens": read, "outputTokens": said, "reasoningTokens": thoughts, "totalTokens": read + said}]}
