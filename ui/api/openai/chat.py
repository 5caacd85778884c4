"""`/v1/chat/completions`."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Literal, cast

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from agents import LimitReachedError, PlaygroundError
from agents.models import redact
from agents.runs import Run
from ui.api.event_stream import EventStream, frame, while_there
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
from ui.api.openai.conversation import Began, begin, told, whole
from ui.api.openai.errors import answering_errors, error_body
from ui.api.openai.spoken import Spoken
from ui.api.status import TOO_MANY

MOST_MESSAGES = 2000


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Any = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


class _StreamOptions(BaseModel):
    include_usage: bool = False


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore")
    model: str = Field(min_length=1, max_length=300)
    messages: list[_Message] = Field(min_length=1, max_length=MOST_MESSAGES)
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    n: Literal[1] | None = None
    logprobs: Literal[False] | None = None


def asked_of(body: Mapping[str, Any]) -> Asked:
    """The request in a body.

    Raises:
        ValidationError: It has another form.
        ParameterError: Something in it cannot be done.
    """
    read = _Body.model_validate(body)
    instruction: list[str] = []
    contents: list[types.Content] = []
    for number, message in enumerate(read.messages):
        param = f"messages.{number}"
        parts = parts_of(message.content, f"{param}.content") if message.role != "tool" else []
        match message.role:
            case "system" | "developer":
                instruction += [part.text for part in parts if part.text]
                continue
            case "tool":
                parts = [result_part(message.tool_call_id, message.content, param)]
            case "assistant":
                for call in message.tool_calls or ():
                    named = cast("dict[str, Any]", call.get("function") or {})
                    parts.append(call_part(call.get("id"), named.get("name"), named.get("arguments"), param))
            case "user":
                pass
        contents.append(types.Content(role="model" if message.role == "assistant" else "user", parts=parts))
    schema = schema_of(body.get("response_format"), "response_format")
    client = client_request("\n\n".join(instruction), body.get("tools"), body.get("tool_choice"), schema, settings_of(body))
    with_usage = read.stream_options is not None and read.stream_options.include_usage
    return asked_in(read.model, contents, client, body, with_usage=with_usage)


@answering_errors
async def chat_completions(request: Request) -> Response:
    """Answers one request."""
    asked = asked_of(await json_body(request))
    began = await begin(asked)
    headers = {"X-Playground-Session": began.run.session_id, "Cache-Control": "no-store"}
    if asked.stream:
        return EventStream(_chunks(began, asked), headers)
    spoken = await while_there(request, whole(began, asked))
    if (failure := failure_of(spoken)) is not None:
        is_limit = failure["code"] == LimitReachedError.code.lower()
        return JSONResponse({"error": failure}, status_code=TOO_MANY if is_limit else 500, headers=headers)
    return JSONResponse(_completion(began.run, asked, spoken), headers=headers)


def failure_of(spoken: Spoken) -> dict[str, Any] | None:
    """The error of a run that failed, in OpenAI's shape."""
    if (failure := spoken.failure) is None:
        return None
    code, message = failure
    return {"message": redact(message), "type": "server_error", "param": None, "code": code.lower()}


def _head(run: Run, asked: Asked, kind: str) -> dict[str, Any]:
    head = {"id": f"chatcmpl-{run.invocation_id}", "object": kind, "created": int(time.time()), "model": asked.model}
    return {**head, "service_tier": "default", "system_fingerprint": None}


def _completion(run: Run, asked: Asked, spoken: Spoken) -> dict[str, Any]:
    message = {"role": "assistant", "content": spoken.text or (None if spoken.calls else ""), "refusal": None}
    message["annotations"] = []
    if spoken.calls:
        message["tool_calls"] = _calls(spoken)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": spoken.finish_reason}
    return {**_head(run, asked, "chat.completion"), "choices": [choice], "usage": _usage(spoken)}


def _calls(spoken: Spoken) -> list[dict[str, Any]]:
    return [
        {
            "id": call.call_id,
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(dict(call.args), ensure_ascii=False)},
        }
        for call in spoken.calls
    ]


def _usage(spoken: Spoken) -> dict[str, Any]:
    tokens = spoken.tokens
    return {
        "prompt_tokens": tokens["input"],
        "completion_tokens": tokens["output"],
        "total_tokens": tokens["input"] + tokens["output"],
        "prompt_tokens_details": {"cached_tokens": tokens["cached"], "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": tokens["thoughts"],
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


async def _chunks(began: Began, asked: Asked) -> AsyncGenerator[str, None]:
    head = _head(began.run, asked, "chat.completion.chunk")
    usage = {"usage": None} if asked.with_usage else {}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return frame({**head, "choices": [choice], **usage})

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    try:
        async with aclosing(told(began, asked)) as pieces:
            async for spoken, added in pieces:
                if added:
                    yield chunk({"content": added})
                if spoken.end is None:
                    continue
                if (failure := failure_of(spoken)) is not None:
                    yield frame({"error": failure})
                    break
                for index, call in enumerate(_calls(spoken)):
                    yield chunk({"tool_calls": [{"index": index, **call}]})
                yield chunk({}, spoken.finish_reason)
                if asked.with_usage:
                    yield frame({**head, "choices": [], "usage": _usage(spoken)})
    except PlaygroundError as error:
        yield frame({"error": error_body(error)})
    yield "data: [DONE]\n\n"
