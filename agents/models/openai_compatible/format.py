"""Requests in the format of OpenAI's chat completions, which most servers and llama.cpp itself understand.

Pure. A model without native tools is sent the same conversation with the JSON protocol of `tool_protocol.py` in it.
`OpenAIAnswer` reads the answers.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Iterator
from typing import Any, Literal, cast

from google.genai import types
from pydantic import TypeAdapter

from agents.model import LlmRequest
from agents.models.abilities.attachments import is_text
from agents.models.openai_compatible.tool_protocol import (
    added_limits,
    bounded,
    instruction_of,
    parameters_of,
    result_text,
    schema_of,
    written,
)

Protocol = Literal["native", "json"]
"""How tools are offered: natively by the server, or by the JSON protocol of `tool_protocol.py`."""

_Message = dict[str, Any]

_GO_ON = "Continue with your task as instructed."
_OWN_ID = "adk-"  # prefix of generated ids
_ID_LENGTH = 9  # letters and digits: some chat templates take no other id, and no server minds
_MODE = types.FunctionCallingConfigMode


def declared_tools(request: LlmRequest) -> list[types.FunctionDeclaration]:
    """The tools that a request offers; none where its `tool_config` forbids calls."""
    if _calling_mode(request) is _MODE.NONE:
        return []
    held = [tool for tool in cast("list[Any]", cast("Any", request.config).tools or []) if isinstance(tool, types.Tool)]
    return [declared for tool in held for declared in tool.function_declarations or []]


def must_call(request: LlmRequest) -> bool:
    """Whether the request requires a tool call."""
    return _calling_mode(request) is _MODE.ANY


def _calling_mode(request: LlmRequest) -> types.FunctionCallingConfigMode | None:
    settings = request.config.tool_config and request.config.tool_config.function_calling_config
    return settings.mode if settings else None


# -- the conversation


def messages_of(request: LlmRequest, *, protocol: Protocol = "native") -> list[_Message]:
    """The system instruction and the conversation as messages, ending with the user, as chat templates want it.

    Args:
        request: What to send.
        protocol: "json" tells of the tools in the instruction, and writes calls and results as the protocol has them.
    """
    system = _system_of(request, protocol)
    messages: list[_Message] = [{"role": "system", "content": system}] if system else []
    ids = _Ids()
    tools_in_words = protocol == "json" and bool(declared_tools(request))
    for content in request.contents:
        parts = [part for part in content.parts or [] if not part.thought or part.function_call]
        if content.role == "model":
            made = _assistant_message(parts, ids, protocol, in_protocol=tools_in_words)
            _join(messages, [made] if made else [])
        else:
            _join(messages, _user_messages(parts, ids, protocol))
    if messages[-1:] == [] or messages[-1]["role"] in ("assistant", "system"):
        messages.append({"role": "user", "content": _GO_ON})
    return messages


def _system_of(request: LlmRequest, protocol: Protocol) -> str:
    texts = [request.system_instruction]
    tools = declared_tools(request)
    if tools and protocol == "json":
        texts.append(instruction_of(tools, must_call=must_call(request)))
    if (schema := answer_schema(request.config)) is not None:
        where = 'in "response" ' if tools and protocol == "json" else ""
        texts.append(f"Answer {where}with JSON only, fitting this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}")
    return "\n\n".join(text for text in texts if text)


class _Ids:
    """Gives each call an id, and each result that of its call; the same in every request for the same conversation."""

    def __init__(self) -> None:
        self._made = 0
        self._waiting: list[tuple[str | None, str]] = []

    def of_call(self, call: types.FunctionCall) -> str:
        self._made += 1
        sent = call.id if call.id and not call.id.startswith(_OWN_ID) else _short(call.id or f"call {self._made}")
        self._waiting.append((None if call.id else call.name, sent))
        return sent

    def of_result(self, result: types.FunctionResponse) -> str:
        if result.id:
            return _short(result.id) if result.id.startswith(_OWN_ID) else result.id
        for waiting in self._waiting:
            if waiting[0] == result.name:
                self._waiting.remove(waiting)
                return waiting[1]
        return _short(f"result {result.name}")


def _short(text: str) -> str:
    return hashlib.blake2s(text.encode()).hexdigest()[:_ID_LENGTH]


def _assistant_message(parts: list[types.Part], ids: _Ids, protocol: Protocol, *, in_protocol: bool) -> _Message | None:
    text = "".join(part.text for part in parts if part.text)
    calls = [part.function_call for part in parts if part.function_call]
    if protocol == "json":
        said = written(text, calls) if calls or in_protocol else text
        return {"role": "assistant", "content": said} if said else None
    if not calls:
        return {"role": "assistant", "content": text} if text else None
    made = [
        {
            "id": ids.of_call(call),
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.args or {}, ensure_ascii=False, default=str)},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": made}


def _user_messages(parts: list[types.Part], ids: _Ids, protocol: Protocol) -> Iterator[_Message]:
    """Results first, each a message of its own where tools are native; then all else as one."""
    results = [part.function_response for part in parts if part.function_response]
    shown = [part for part in parts if not part.function_response]
    if protocol == "json":
        shown = [*(types.Part(text=result_text(result)) for result in results), *shown]
    else:
        for result in results:
            told = json.dumps(result.response, ensure_ascii=False, default=str)
            yield {"role": "tool", "tool_call_id": ids.of_result(result), "content": told}
    pieces = [_piece_of(part) for part in shown]
    if any(piece["type"] != "text" for piece in pieces):
        yield {"role": "user", "content": pieces}
    elif text := "\n\n".join(piece["text"] for piece in pieces if piece["text"]):
        yield {"role": "user", "content": text}


def _piece_of(part: types.Part) -> dict[str, Any]:
    if part.text is not None:
        return {"type": "text", "text": part.text}
    if (blob := part.inline_data) is not None and blob.data and (blob.mime_type or "").startswith("image/"):
        address = f"data:{blob.mime_type};base64,{base64.b64encode(blob.data).decode()}"
        return {"type": "image_url", "image_url": {"url": address}}
    if blob is not None and blob.data and is_text(blob.mime_type):
        return {"type": "text", "text": f"{blob.display_name or 'File'}:\n{blob.data.decode(errors='replace')}"}
    held = part.inline_data or part.file_data
    kind = (held.mime_type if held else None) or "unknown kind"
    return {"type": "text", "text": f"[A part was left out here ({kind}): only text and images can be sent to this model.]"}


def _join(messages: list[_Message], more: Iterator[_Message] | list[_Message]) -> None:
    """Adds messages; two texts of the same role become one, since many chat templates take turns strictly."""
    for message in more:
        last = messages[-1] if messages else {}
        plain = isinstance(last.get("content"), str) and isinstance(message["content"], str)
        if plain and last["role"] == message["role"] != "tool" and not last.get("tool_calls"):
            messages[-1] = {**message, "content": f"{last['content']}\n\n{message['content']}"}
        else:
            messages.append(message)


# -- the settings


def body_of(
    request: LlmRequest,
    *,
    model: str,
    stream: bool,
    protocol: Protocol = "native",
    constrained: bool = True,
    bounds: bool = False,
    max_output_tokens: int | None = None,
) -> dict[str, Any]:
    """The body of a request.

    Args:
        request: What to send.
        model: The model's name on the server.
        stream: Whether pieces are wanted.
        protocol: How tools are offered.
        constrained: Whether the server is to hold the answer to a schema; in words it is told either way.
        bounds: Whether texts and lists that the schema does not limit get a greatest length, as llama.cpp's grammar needs.
        max_output_tokens: The limit where the request has none.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": messages_of(request, protocol=protocol),
        "stream": stream,
        **settings_of(request.config, max_output_tokens=max_output_tokens),
    }
    if stream:
        body["stream_options"] = {"include_usage": True}
    tools = declared_tools(request)
    if tools and protocol == "native":
        body["tools"] = [_function(tool) for tool in tools]
        if must_call(request):
            body["tool_choice"] = "required"
    if constrained and (schema := reply_schema(request, protocol, bounds=bounds)) is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    elif constrained and request.config.response_mime_type == "application/json":
        body["response_format"] = {"type": "json_object"}
    return body


def _function(tool: types.FunctionDeclaration) -> dict[str, Any]:
    described = {"description": tool.description} if tool.description else {}
    return {"type": "function", "function": {"name": tool.name, **described, "parameters": parameters_of(tool)}}


def settings_of(config: types.GenerateContentConfig, *, max_output_tokens: int | None = None) -> dict[str, Any]:
    """The generation settings that are set, by their names in the format."""
    limit = config.max_output_tokens if config.max_output_tokens is not None else max_output_tokens
    given: dict[str, Any] = {
        "temperature": config.temperature,
        "top_p": config.top_p,
        "top_k": int(config.top_k) if config.top_k is not None else None,
        "seed": config.seed,
        "stop": config.stop_sequences or None,
        "presence_penalty": config.presence_penalty,
        "frequency_penalty": config.frequency_penalty,
        "max_tokens": limit,
    }
    return {name: value for name, value in given.items() if value is not None}


def reply_schema(request: LlmRequest, protocol: Protocol, *, bounds: bool = False) -> dict[str, Any] | None:
    """The schema of the whole reply, None for any reply; `bounds` as in `body_of`."""
    wanted = answer_schema(request.config)
    if protocol == "json" and (tools := declared_tools(request)):
        return schema_of(tools, wanted, must_call=must_call(request), bounds=bounds)
    return bounded(wanted) if wanted is not None and bounds else wanted


def say_bounds(request: LlmRequest, protocol: Protocol) -> None:
    """Tells the call's observer which limits `bounds` adds to the schema of the reply, if any."""
    plain, limited = reply_schema(request, protocol), reply_schema(request, protocol, bounds=True)
    if request.observer is not None and (limits := added_limits(plain, limited)):
        request.observer.limit_answer(limits)


def asks_for_json(request: LlmRequest) -> bool:
    """Whether JSON was asked for; then no part of the answer is taken for a tool call."""
    config = request.config
    return request.json_in_words or config.response_mime_type == "application/json" or answer_schema(config) is not None


def answer_schema(config: types.GenerateContentConfig) -> dict[str, Any] | None:
    """The JSON schema that the answer must fit, however the request gives it; None for no schema."""
    given: Any = config.response_json_schema if config.response_schema is None else config.response_schema
    if given is None:
        return None
    if isinstance(given, dict):
        held = cast("dict[str, Any]", given)
        if not str(held.get("type", "")).isupper():
            return held
        given = types.Schema.model_validate(held)
    if isinstance(given, types.Schema):
        return given.json_schema.model_dump(mode="json", by_alias=True, exclude_none=True)
    try:
        return _schema_of_type(given)
    except TypeError:  # one that cannot be a key
        return TypeAdapter(given).json_schema()


@functools.lru_cache(maxsize=64)
def _schema_of_type(kind: Any) -> dict[str, Any]:
    return TypeAdapter(kind).json_schema()
