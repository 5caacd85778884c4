"""`/v1/responses`."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import PlaygroundError, RunFinished, SessionNotFoundError
from agents.runs import Run, RunManager, answering
from ui.api import followed_run
from ui.api.event_stream import EventStream, frame, while_there
from ui.api.followed_run import RunEnd
from ui.api.json_body import json_body
from ui.api.openai.asked import (
    Asked,
    asked_in,
    call_part,
    client_request,
    parts_of,
    result_part,
    schema_of,
    settings_of,
)
from ui.api.openai.chat import failure_of
from ui.api.openai.conversation import Began, begin, named_in, response_id, told, whole
from ui.api.openai.errors import ParameterError, answering_errors, error_body
from ui.api.openai.spoken import Spoken
from ui.web.threads import in_thread

MOST_ITEMS = 2000
_ECHOED: Mapping[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
"""The fields of a request that its response repeats, and what they are without one."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore")
    model: str = Field(min_length=1, max_length=300)
    input: str | list[dict[str, Any]] = Field(max_length=16 * 1024 * 1024)
    stream: bool | None = None
    background: bool | None = None
    previous_response_id: str | None = Field(default=None, max_length=2000)
    instructions: str | None = None


def asked_of(body: Mapping[str, Any]) -> Asked:
    """The request in a body.

    Raises:
        ValidationError: It has another form.
        ParameterError: Something in it cannot be done.
    """
    read = _Body.model_validate(body)
    if read.background:
        raise ParameterError("background", "Responses in the background are not made. Stream the response, or wait for it.")
    items = [{"role": "user", "content": read.input}] if isinstance(read.input, str) else read.input
    if len(items) > MOST_ITEMS:
        raise ParameterError("input", f"The input has {len(items)} items; at most {MOST_ITEMS} can be.")
    instruction = [read.instructions] if read.instructions else []
    contents: list[types.Content] = []
    for number, item in enumerate(items):
        param = f"input.{number}"
        match item:
            case {"role": "system" | "developer", "content": content}:
                instruction += [part.text for part in parts_of(content, param) if part.text]
            case {"role": "user" | "assistant" as role, "content": content}:
                made = "model" if role == "assistant" else "user"
                contents.append(types.Content(role=made, parts=parts_of(content, f"{param}.content")))
            case {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}:
                contents.append(types.Content(role="model", parts=[call_part(call_id, name, arguments, param)]))
            case {"type": "function_call_output", "call_id": call_id, "output": output}:
                contents.append(types.Content(role="user", parts=[result_part(call_id, output, param)]))
            case {"type": "reasoning"}:
                pass
            case _:
                kind = str(item.get("type") or item.get("role"))[:40]
                raise ParameterError(param, f"Input of type {kind!r} is not taken: only messages, calls and their results.")
    wanted: Any = body.get("text")
    wanted = cast("dict[str, Any]", wanted).get("format") if isinstance(wanted, dict) else None
    client = client_request(
        "\n\n".join(instruction),
        body.get("tools"),
        body.get("tool_choice"),
        schema_of(wanted, "text.format"),
        settings_of(body),
    )
    echoed = {name: value for name in _ECHOED if (value := body.get(name)) is not None}
    return asked_in(read.model, contents, client, body, previous=read.previous_response_id or "", echoed=echoed)


@answering_errors
async def create(request: Request) -> Response:
    """Answers one request."""
    asked = asked_of(await json_body(request))
    began = await begin(asked)
    headers = {"X-Playground-Session": began.run.session_id, "Cache-Control": "no-store"}
    if asked.stream:
        return EventStream(_events(began, asked), headers)
    spoken = await while_there(request, whole(began, asked))
    return JSONResponse(_response(began.run, asked.model, asked.echoed, spoken, at=time.time()), headers=headers)


@answering_errors
async def retrieve(request: Request) -> Response:
    """A response that was given before, as the log has it."""
    if request.query_params.get("stream") == "true":
        raise ParameterError("stream", "A response is streamed once, as it is made. Retrieve it without stream.")
    pipeline, session, invocation = named_in(request.path_params["response"])
    manager = await followed_run.manager()
    found = await in_thread(_from_log, manager, pipeline, session, invocation)
    if found is None:
        raise SessionNotFoundError(f"There is no response {request.path_params['response'][:100]!r} here.")
    spoken, run, at = found
    return JSONResponse(_response(run, pipeline, {}, spoken, at=at), headers={"Cache-Control": "no-store"})


def _from_log(manager: RunManager, pipeline: str, session: str, invocation: str) -> tuple[Spoken, Run, float] | None:
    spoken = Spoken(answering(manager.catalog.get(pipeline).root_agent), None)
    at = 0.0
    for entry in manager.sessions.log(pipeline, session):
        if f'"{invocation}"' not in entry.body:
            continue
        record = entry.of(RunFinished)
        at = at or entry.fields().get("timestamp", 0.0)
        spoken.take(entry if record is None else RunEnd(record, followed_run.waiting_now(manager, pipeline, session)))
    return (spoken, Run(pipeline, session, invocation, "", manager.user.id), at) if at else None


def _response(run: Run, model: str, echoed: Mapping[str, Any], spoken: Spoken | None, *, at: float) -> dict[str, Any]:
    """The object, which is in progress while there is nothing spoken, or no end."""
    status, failure, incomplete = "in_progress", None, None
    if spoken is not None and spoken.end is not None:
        failure = failure_of(spoken)
        reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
        incomplete = {"reason": reasons[spoken.finish_reason]} if spoken.finish_reason in reasons else None
        status = "failed" if failure else "incomplete" if incomplete else "completed"
        if spoken.end.status == "stopped":
            status, failure = "cancelled", None
    return {
        "id": response_id(run),
        "object": "response",
        "created_at": int(at),
        "status": status,
        "background": False,
        "conversation": {"id": run.session_id},
        "error": {"code": "server_error", "message": failure["message"]} if failure else None,
        "incomplete_details": incomplete,
        "model": model,
        "output": _output(run, spoken),
        **_ECHOED,
        **echoed,
        "usage": None if status == "in_progress" or spoken is None else _usage(spoken),
    }


def _output(run: Run, spoken: Spoken | None) -> list[dict[str, Any]]:
    if spoken is None:
        return []
    items = [_message(run, spoken.text)] if spoken.text or not spoken.calls else []
    return [*items, *(_call(run, index, spoken) for index in range(len(spoken.calls)))]


def _message(run: Run, text: str, status: str = "completed") -> dict[str, Any]:
    content = [_text(text)] if status == "completed" else []
    return {"id": f"msg_{run.invocation_id}", "type": "message", "status": status, "role": "assistant", "content": content}


def _text(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call(run: Run, index: int, spoken: Spoken, status: str = "completed") -> dict[str, Any]:
    call = spoken.calls[index]
    arguments = json.dumps(dict(call.args), ensure_ascii=False) if status == "completed" else ""
    head = {"id": f"fc_{run.invocation_id}_{index}", "type": "function_call", "status": status}
    return {**head, "call_id": call.call_id, "name": call.tool, "arguments": arguments}


def _usage(spoken: Spoken) -> dict[str, Any]:
    tokens = spoken.tokens
    return {
        "input_tokens": tokens["input"],
        "input_tokens_details": {"cached_tokens": tokens["cached"], "cache_write_tokens": 0},
        "output_tokens": tokens["output"],
        "output_tokens_details": {"reasoning_tokens": tokens["thoughts"]},
        "total_tokens": tokens["input"] + tokens["output"],
    }


@dataclass(slots=True)
class _Stream:
    """Typed events of one response, each with its number."""

    run: Run
    numbers: count[int] = field(default_factory=count)
    has_text: bool = False

    def of(self, spoken: Spoken, added: str) -> Iterator[str]:
        """The events of what comes to the answer; all that are left at its end."""
        is_last = spoken.end is not None
        if not self.has_text and (added or (is_last and not spoken.calls and spoken.failure is None)):
            self.has_text = True
            yield from self.message_begins()
        if added:
            yield self.piece(added)
        if is_last and self.has_text:
            yield from self.message_ends(spoken.text)
        for index in range(len(spoken.calls) if is_last else 0):
            yield from self.call(spoken, index, index + self.has_text)

    def event(self, kind: str, **more: Any) -> str:
        return frame({"type": kind, "sequence_number": next(self.numbers), **more}, event=kind)

    def message_begins(self) -> list[str]:
        item = _message(self.run, "", "in_progress")
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        return [
            self.event("response.output_item.added", output_index=0, item=item),
            self.event("response.content_part.added", **place, part=_text("")),
        ]

    def piece(self, text: str) -> str:
        place = {"item_id": f"msg_{self.run.invocation_id}", "output_index": 0, "content_index": 0}
        return self.event("response.output_text.delta", **place, delta=text, logprobs=[])

    def message_ends(self, text: str) -> list[str]:
        item = _message(self.run, text)
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        return [
            self.event("response.output_text.done", **place, text=text, logprobs=[]),
            self.event("response.content_part.done", **place, part=_text(text)),
            self.event("response.output_item.done", output_index=0, item=item),
        ]

    def call(self, spoken: Spoken, index: int, output_index: int) -> list[str]:
        item = _call(self.run, index, spoken)
        place = {"item_id": item["id"], "output_index": output_index}
        begun = _call(self.run, index, spoken, "in_progress")
        arguments = item["arguments"]
        return [
            self.event("response.output_item.added", output_index=output_index, item=begun),
            self.event("response.function_call_arguments.delta", **place, delta=arguments),
            self.event("response.function_call_arguments.done", **place, arguments=arguments, name=item["name"]),
            self.event("response.output_item.done", output_index=output_index, item=item),
        ]


async def _events(began: Began, asked: Asked) -> AsyncGenerator[str, None]:
    run, at = began.run, time.time()
    stream = _Stream(run)
    for kind in ("response.created", "response.in_progress"):
        yield stream.event(kind, response=_response(run, asked.model, asked.echoed, None, at=at))
    try:
        async with aclosing(told(began, asked)) as pieces:
            async for spoken, added in pieces:
                for frame in stream.of(spoken, added):
                    yield frame
                if spoken.end is not None:
                    response = _response(run, asked.model, asked.echoed, spoken, at=at)
                    kind = "failed" if response["status"] == "cancelled" else response["status"]
                    yield stream.event(f"response.{kind}", response=response)
    except PlaygroundError as error:
        said = error_body(error)
        yield stream.event("error", code=said["code"], message=said["message"], param=None)
