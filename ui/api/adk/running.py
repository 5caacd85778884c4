"""Runs in ADK's contract: `/run` answers with all events at the end, `/run_sse` sends each as it comes."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any, cast

from google.genai import types
from starlette.requests import Request
from starlette.responses import Response

from agents import REQUEST_CONFIRMATION, AnswerError, Event, LogEntry, MessageError, PlaygroundError
from agents.runs import Partial, Run, RunManager
from ui.api import followed_run
from ui.api.adk.answering import adk_endpoint, json_answer, manager_of, read, refused
from ui.api.adk.wire import RunAgentRequest, event_json, partial_json, shown
from ui.api.event_stream import EventStream, frame, while_there
from ui.api.followed_run import RunEnd
from ui.web.threads import in_thread

_Responses = list[types.FunctionResponse]


@adk_endpoint
async def run(request: Request) -> Response:
    """Runs, and answers with the events."""
    asked = await read(request, RunAgentRequest)
    manager = await manager_of(asked.user_id)
    begun, rest = await _begin(manager, asked)
    events = await while_there(request, _all_of(manager, begun, rest))
    if events and "error" in events[-1]:
        return refused(events[-1]["error"], 500)
    return json_answer(events)


async def _all_of(manager: RunManager, run: Run, rest: _Responses) -> list[dict[str, Any]]:
    async with aclosing(_events(manager, run, rest, streaming=False)) as events:
        return [event async for event in events]


@adk_endpoint
async def run_sse(request: Request) -> Response:
    """Runs, and sends each event as it comes."""
    asked = await read(request, RunAgentRequest)
    manager = await manager_of(asked.user_id)
    begun, rest = await _begin(manager, asked)
    return EventStream(_frames(manager, begun, rest, asked))


async def _frames(manager: RunManager, run: Run, rest: _Responses, asked: RunAgentRequest) -> AsyncGenerator[str, None]:
    async with aclosing(_events(manager, run, rest, streaming=asked.streaming)) as events:
        async for event in events:
            for sent in [event] if asked.function_call_event_id else _apart(event):
                yield frame(sent)


def _apart(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Text and files in an event each, where one has both: ADK's page shows files twice otherwise."""
    saved = event.get("actions", {}).get("artifactDelta")
    if not saved or not event.get("content", {}).get("parts"):
        return [event]
    text = {**event, "actions": {**event["actions"], "artifactDelta": {}}}
    return [text, {name: value for name, value in event.items() if name != "content"}]


async def _begin(manager: RunManager, asked: RunAgentRequest) -> tuple[Run, _Responses]:
    """Starts or resumes a run; the answers that are left for when it pauses again.

    Raises:
        SessionNotFoundError: There is no such session.
        MessageError: There is nothing to do.
        PlaygroundError: As for `RunManager.start` and `RunManager.answer`.
    """
    pipeline, session_id, state = asked.app_name, asked.session_id, asked.state_delta or {}
    parts = (asked.new_message and asked.new_message.parts) or []
    answers = [part.function_response for part in parts if part.function_response is not None]
    message = "".join(part.text for part in parts if part.text and not part.thought)
    files = [part for part in parts if part.inline_data is not None]

    def begin() -> tuple[Run, _Responses]:
        manager.sessions.state(pipeline, session_id)  # a run would make a session that is not there
        if answers:
            if state:
                manager.sessions.set_state(pipeline, session_id, state)
            return _answer(manager, pipeline, session_id, answers[0]), answers[1:]
        if asked.new_message is None and asked.invocation_id is not None:
            return manager.resume(pipeline, session_id, asked.invocation_id), []
        if not message and not files:
            raise MessageError("newMessage is missing, or has no text: say what the agents should work on.")
        return manager.start(pipeline, message, session_id=session_id, state=state, files=files), []

    return await in_thread(begin)


def _answer(manager: RunManager, pipeline: str, session_id: str, answer: types.FunctionResponse) -> Run:
    if not answer.id:
        raise AnswerError("A functionResponse needs the id of the call that it answers.")
    return manager.answer(pipeline, session_id, answer.id, _unwrapped(answer))


def _unwrapped(answer: types.FunctionResponse) -> dict[str, Any]:
    """The response; ADK's page sends that to a confirmation as JSON in a field of its own."""
    given = answer.response or {}
    if answer.name != REQUEST_CONFIRMATION or list(given) != ["response"] or not isinstance(given["response"], str):
        return given
    try:
        found = json.loads(given["response"])
    except (ValueError, RecursionError):
        return given
    return cast("dict[str, Any]", found) if isinstance(found, dict) else given


async def _events(
    manager: RunManager, run: Run, rest: _Responses, *, streaming: bool
) -> AsyncGenerator[dict[str, Any], None]:
    """What agents said and did; last, an `error` where the run failed and no event has said why."""
    try:
        for answer in (None, *rest):
            if answer is not None:
                run = await in_thread(_answer, manager, run.pipeline, run.session_id, answer)
            async with aclosing(_of_run(manager, run, streaming=streaming)) as events:
                async for event in events:
                    yield event
                    if "error" in event:
                        return
    except PlaygroundError as error:
        yield {"error": str(error)}


async def _of_run(manager: RunManager, run: Run, *, streaming: bool) -> AsyncGenerator[dict[str, Any], None]:
    """The same of one run, up to its end or pause."""
    told, sent = False, Counter[tuple[str, bool]]()
    async with aclosing(followed_run.follow(manager, run)) as news:
        async for item in news:
            match item:
                case Partial() if streaming:
                    sent[item.id, item.thought] += len(item.text)
                    yield partial_json(item, run.invocation_id, time.time())
                case LogEntry() if (event := _said(item, run)) is not None:
                    told = told or event.error_code is not None
                    for piece in _unsent(event, sent) if streaming else ():
                        yield partial_json(piece, run.invocation_id, event.timestamp)
                    yield event_json(event)
                case RunEnd(record=end) if end.status not in {"completed", "paused"} and not told:
                    yield {"error": end.error_message or f"The run is {end.status}."}
                case _:
                    pass


def _unsent(event: Event, sent: Counter[tuple[str, bool]]) -> Iterator[Partial]:
    """The rest of a text whose last pieces came with the whole: clients may add the pieces up."""
    for thought in (True, False):
        text = "".join(part.text for part in event.parts if part.text and bool(part.thought) is thought)
        known = sent.pop((event.id, thought), 0)
        if known < len(text):
            yield Partial(event.id, event.author, event.branch, known, text[known:], thought)


def _said(entry: LogEntry, run: Run) -> Event | None:
    event = shown(entry)
    return event if event is not None and event.invocation_id == run.invocation_id and event.author != "user" else None
