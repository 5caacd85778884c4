"""Converts requests and answers between OpenAI's chat API and Ollama's.

Pure functions over values.
"""

from __future__ import annotations

import json
from typing import Any, cast

from agents.model import LlmRequest
from agents.models.openai_compatible.format import Protocol, body_of, reply_schema

LEAST_CONTEXT = 4096
"""The smallest context that is asked for, in tokens."""

_CHARACTERS_PER_TOKEN = 3  # careful: English has four, other languages fewer
_TOKENS_PER_IMAGE = 1500
_SAME_NAMES = ("temperature", "top_p", "top_k", "seed", "stop", "presence_penalty", "frequency_penalty")
_LEFT_OUT = "[An image was left out here: this model cannot see.]"


def ollama_body(
    request: LlmRequest,
    *,
    model: str,
    stream: bool,
    protocol: Protocol = "native",
    constrained: bool = True,
    max_output_tokens: int,
    longest_context: int | None = None,
    sees: bool = True,
    thinks: bool = False,
) -> dict[str, Any]:
    """The body of a request to `/api/chat`.

    Args:
        request: What to send.
        model: The model's name in Ollama.
        stream: Whether pieces are wanted.
        protocol: How tools are offered.
        constrained: Whether Ollama is to hold the answer to a schema.
        max_output_tokens: The limit where the request has none.
        longest_context: What the model can hold, in tokens; None if that is not known.
        sees: Whether it is sent images.
        thinks: Whether it can think aloud.
    """
    given = body_of(request, model=model, stream=stream, protocol=protocol, max_output_tokens=max_output_tokens)
    messages = _messages(given["messages"], sees=sees)
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "stream": stream,
        "truncate": False,  # what does not fit is to be refused, not to be forgotten
        "options": {name: given[name] for name in _SAME_NAMES if name in given},
    }
    body["options"]["num_predict"] = limit = given["max_tokens"]
    if tools := given.get("tools"):
        body["tools"] = tools
    if constrained and "response_format" in given:
        body["format"] = reply_schema(request, protocol) or "json"
    if thinks:
        thinking = request.config.thinking_config
        body["think"] = thinking is None or thinking.thinking_budget != 0
    body["options"]["num_ctx"] = _context(messages, tools, limit, longest_context)
    return body


def _context(messages: list[dict[str, Any]], tools: Any, limit: int, longest: int | None) -> int:
    """A context that holds the request and its answer; powers of two, since a model is loaded again for each other one."""
    images = sum(len(message.get("images", ())) for message in messages)
    texts = [{name: value for name, value in message.items() if name != "images"} for message in messages]
    characters = len(json.dumps([texts, tools or []], ensure_ascii=False))
    needed = characters // _CHARACTERS_PER_TOKEN + images * _TOKENS_PER_IMAGE + limit
    size = LEAST_CONTEXT
    while size < needed:
        size *= 2
    return min(size, longest) if longest else size


def _messages(given: list[dict[str, Any]], *, sees: bool) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in given:
        made: dict[str, Any] = {"role": message["role"], "content": message["content"] or ""}
        if isinstance(message["content"], list):
            made.update(_pieces(cast("list[dict[str, Any]]", message["content"]), sees=sees))
        if calls := message.get("tool_calls"):
            names |= {call["id"]: call["function"]["name"] for call in calls}
            made["tool_calls"] = [
                {"function": {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}}
                for call in calls
            ]
        if message["role"] == "tool":
            made["tool_name"] = names.get(message["tool_call_id"], "")
        messages.append(made)
    return messages


def _pieces(pieces: list[dict[str, Any]], *, sees: bool) -> dict[str, Any]:
    texts = [
        piece["text"] if piece["type"] == "text" else _LEFT_OUT for piece in pieces if piece["type"] == "text" or not sees
    ]
    images = [piece["image_url"]["url"].partition("base64,")[2] for piece in pieces if piece["type"] != "text" and sees]
    return {"content": "\n\n".join(texts), **({"images": images} if images else {})}


def as_openai(chunk: dict[str, Any]) -> dict[str, Any]:
    """A chunk of Ollama's as OpenAI would have sent it."""
    made: dict[str, Any] = {"model": chunk.get("model")}
    said: Any = chunk.get("message")
    if isinstance(said, dict):
        message = cast("dict[str, Any]", said)
        delta = {
            "content": message.get("content"),
            "reasoning_content": message.get("thinking"),
            "tool_calls": _calls(message.get("tool_calls")),
        }
        made["choices"] = [{"delta": delta, "finish_reason": _reason(chunk)}]
    if chunk.get("done") and ("eval_count" in chunk or "prompt_eval_count" in chunk):
        sent, received = chunk.get("prompt_eval_count"), chunk.get("eval_count")
        made["usage"] = {"prompt_tokens": sent, "completion_tokens": received}
    return made


def _calls(listed: Any) -> list[Any]:
    """The calls without their numbers: each comes whole, and a later chunk may begin again at 0."""
    calls = cast("list[Any]", listed) if isinstance(listed, list) else []
    given = [cast("dict[str, Any]", call) for call in calls if isinstance(call, dict)]
    return [{"id": call.get("id"), "function": call.get("function")} for call in given]


def _reason(chunk: dict[str, Any]) -> str | None:
    if not chunk.get("done"):
        return None
    reason = chunk.get("done_reason")
    return reason if isinstance(reason, str) and reason and reason not in ("load", "unload") else "stop"
