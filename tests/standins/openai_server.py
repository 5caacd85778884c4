"""A stand-in for servers that speak as OpenAI's chat completions: llama.cpp's, vLLM and others.

    with OpenAIStandIn() as server:
        server.will(says("Hello ", "world"))
        … Llama(base_url=server.url) …
        assert server.received[0].body["messages"]

Its list of models is always there; `lists` orders another answer to that. `server.py` says how it is ordered about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.standins.server import CUT, PAUSE, Answer, Mark, Received, StandIn, Step, late

__all__ = ["CUT", "PAUSE", "Answer", "OpenAIStandIn", "Received", "late"]

USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One streamed chunk."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c-1", "object": "chat.completion.chunk", "model": "stand-in", "choices": [choice]}


def usage(**counts: Any) -> dict[str, Any]:
    """The last chunk, which has the usage and no choice."""
    return {"id": "c-1", "object": "chat.completion.chunk", "model": "stand-in", "choices": [], "usage": {**USAGE, **counts}}


def says(*texts: str, finish: str = "stop") -> Answer:
    """Texts, a chunk each, then the end and the usage."""
    return Answer((chunk(role="assistant"), *(chunk(content=text) for text in texts), chunk(finish), usage()))


def thinks_and_says(thought: str, *texts: str) -> Answer:
    """A thought in two chunks, then texts."""
    half = len(thought) // 2
    thoughts = [chunk(reasoning_content=piece) for piece in (thought[:half], thought[half:])]
    return Answer((*thoughts, *says(*texts).steps))


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> Answer:
    """Function calls with ids, the arguments of each in two chunks."""
    said = [chunk(content=text)] if text else []
    parts: list[Step] = []
    for index, (name, arguments) in enumerate(made):
        written = json.dumps(arguments)
        half = len(written) // 2
        first = {"id": f"call_{index + 1}", "type": "function", "function": {"name": name, "arguments": written[:half]}}
        parts.append(chunk(tool_calls=[{"index": index, **first}]))
        parts.append(chunk(tool_calls=[{"index": index, "function": {"arguments": written[half:]}}]))
    return Answer((*said, *parts, chunk("tool_calls"), usage()))


def empty() -> Answer:
    """No choice at all."""
    return Answer((usage(),))


def pauses(*before: str, then: Answer | None = None) -> Answer:
    """Texts, then nothing until `release()`; with no texts the first byte is late."""
    return Answer((*(chunk(content=text) for text in before), PAUSE, *(then or says("released")).steps))


def cut(*before: str) -> Answer:
    """Texts, then the connection is dropped in mid-answer."""
    return Answer((*(chunk(content=text) for text in before), CUT))


def malformed(*before: str) -> Answer:
    """Texts, then bytes that are not JSON."""
    return Answer((*(chunk(content=text) for text in before), b'{"choices": [{"delta": '))


def fails(status: int, kind: str, message: str, **headers: str) -> Answer:
    """An error as such servers write it; `retry_after="3"` is its header `Retry-After`."""
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(({"error": {"code": status, "message": message, "type": kind}},), status, sent)


def over_quota() -> Answer:
    """429 that says how long to wait."""
    return fails(429, "rate_limit_exceeded", "Rate limit reached.", retry_after="37")


def bad_key() -> Answer:
    """What a wrong key gets, and no key."""
    return fails(401, "authentication_error", "Invalid API Key")


def overloaded() -> Answer:
    """503."""
    return fails(503, "overloaded_error", "The engine is overloaded.")


def loading() -> Answer:
    """What llama.cpp says while it reads its model."""
    return fails(503, "unavailable_error", "Loading model")


def internal() -> Answer:
    """500."""
    return fails(500, "server_error", "Something broke.")


def unknown_model() -> Answer:
    """404."""
    return fails(404, "NotFoundError", "The model `none` does not exist.")


def too_long() -> Answer:
    """More than the context holds."""
    message = "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it"
    return fails(400, "exceed_context_size_error", message)


def refuses_tools() -> Answer:
    """What llama.cpp says of tools where its templates are off."""
    return fails(500, "server_error", "tools param requires --jinja flag")


def refuses_max_tokens() -> Answer:
    """What OpenAI's newer models say of the setting's older name."""
    told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return fails(400, "invalid_request_error", told)


@dataclass
class OpenAIStandIn(StandIn):
    """The server.

    Attributes:
        owner: Whom it says its models are owned by: llama.cpp's says "llamacpp".
        key: The one key that it takes; None for any, and for none.
        lists: The answer to who asks for its models; None for the list.
    """

    owner: str = "vllm"
    key: str | None = None
    lists: Answer | None = None

    def reset(self) -> None:
        super().reset()
        self.owner, self.key, self.lists = "vllm", None, None

    def own_answer(self, received: Received) -> Answer | None:
        if self.key is not None and received.headers.get("authorization") != f"Bearer {self.key}":
            return bad_key()
        if received.method != "GET":
            return None
        listed = [{"id": name, "object": "model", "owned_by": self.owner} for name in ("small", "large")]
        return self.lists or Answer(({"object": "list", "data": listed},))

    def on_wire(self, answer: Answer, received: Received) -> tuple[str, Iterable[bytes | Mark]]:
        if received.body.get("stream") and answer.status == 200:
            wanted = received.body.get("stream_options", {}).get("include_usage")
            steps = [step for step in answer.steps if wanted or not _has_only_usage(step)]
            return "text/event-stream", [*map(_as_event, steps), b"data: [DONE]\n\n"]
        steps = [_as_bytes(step) for step in _in_one(answer.steps)]
        is_page = any(isinstance(step, bytes) and step.startswith(b"<") for step in steps)
        return "text/html" if is_page else "application/json", steps


def _has_only_usage(step: Step) -> bool:
    return isinstance(step, dict) and "usage" in step and not step.get("choices")


def _as_bytes(step: Step) -> bytes | Mark:
    return json.dumps(step).encode() if isinstance(step, dict) else step


def _as_event(step: Step) -> bytes | Mark:
    sent = _as_bytes(step)
    return sent if isinstance(sent, Mark) else b"data: " + sent + b"\n\n"


def _in_one(steps: tuple[Step, ...]) -> list[Step]:
    """The same answer for a request that does not stream: the chunks as one, where nothing else is sent after them."""
    chunks = [step for step in steps if isinstance(step, dict)]
    others = [step for step in steps if not isinstance(step, dict)]
    if any(other is not PAUSE for other in others) or not chunks or "error" in chunks[0]:
        return [*others, *chunks] if all(other is PAUSE for other in others) else others
    message: dict[str, Any] = {"role": "assistant", "content": None}
    made: dict[int, dict[str, Any]] = {}
    finish = None
    for choice in (choice for one in chunks for choice in one.get("choices", [])):
        delta = choice["delta"]
        finish = choice["finish_reason"] or finish
        for name in ("content", "reasoning_content"):
            if name in delta:
                message[name] = (message.get(name) or "") + delta[name]
        for call in delta.get("tool_calls", []):
            held = made.setdefault(call["index"], {**call, "function": {"name": "", "arguments": ""}})
            held["function"]["name"] += call["function"].get("name", "")
            held["function"]["arguments"] += call["function"]["arguments"]
    if made:
        message["tool_calls"] = [{name: held[name] for name in ("id", "type", "function")} for held in made.values()]
    whole: dict[str, Any] = {name: value for one in chunks for name, value in one.items() if name != "choices"}
    has_choice = any(one.get("choices") for one in chunks)
    choices = [{"index": 0, "message": message, "finish_reason": finish}] if has_choice else []
    return [*others, {**whole, "object": "chat.completion", "choices": choices}]
