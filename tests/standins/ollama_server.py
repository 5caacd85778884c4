"""A stand-in for Ollama: speaks the wire format of its own chat API.

    with OllamaStandIn() as server:
        server.will(says("Hello ", "world"))
        … Ollama(model="ollama/small", base_url=server.url) …
        assert server.received[0].body["messages"]

What it has, and what its models can do, is always told. `server.py` says how it is ordered about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.standins.server import CUT, PAUSE, Answer, Mark, Received, StandIn, Step, late

__all__ = ["CUT", "PAUSE", "Answer", "OllamaStandIn", "Received", "late"]

COUNTS = {"prompt_eval_count": 7, "eval_count": 5}
CHAT = "/api/chat"


def chunk(**message: Any) -> dict[str, Any]:
    """One streamed chunk."""
    return {"model": "small", "message": {"role": "assistant", "content": "", **message}, "done": False}


def end(reason: str = "stop") -> dict[str, Any]:
    """The last chunk."""
    return {**chunk(), "done": True, "done_reason": reason, **COUNTS}


def says(*texts: str, finish: str = "stop") -> Answer:
    """Texts, a chunk each, then the end."""
    return Answer((*(chunk(content=text) for text in texts), end(finish)))


def thinks_and_says(thought: str, *texts: str) -> Answer:
    """A thought in two chunks, then texts."""
    half = len(thought) // 2
    return Answer((*(chunk(thinking=piece) for piece in (thought[:half], thought[half:])), *says(*texts).steps))


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> Answer:
    """Function calls, a chunk each; Ollama gives them no ids."""
    said = [chunk(content=text)] if text else []
    parts = [chunk(tool_calls=[{"function": {"name": name, "arguments": arguments}}]) for name, arguments in made]
    return Answer((*said, *parts, end()))


def empty() -> Answer:
    """No message."""
    return Answer(({"model": "small", "done": True},))


def pauses(*before: str, then: Answer | None = None) -> Answer:
    """Texts, then nothing until `release()`; with no texts the first byte is late."""
    return Answer((*(chunk(content=text) for text in before), PAUSE, *(then or says("released")).steps))


def cut(*before: str) -> Answer:
    """Texts, then the connection is dropped in mid-answer."""
    return Answer((*(chunk(content=text) for text in before), CUT))


def malformed(*before: str) -> Answer:
    """Texts, then bytes that are not JSON."""
    return Answer((*(chunk(content=text) for text in before), b'{"message": {"content": '))


def fails(status: int, message: str, **headers: str) -> Answer:
    """An error as Ollama writes it; `retry_after="3"` is its header `Retry-After`."""
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(({"error": message},), status, sent)


def over_quota() -> Answer:
    """429 that says how long to wait."""
    return fails(429, "too many requests", retry_after="37")


def bad_key() -> Answer:
    """What a wrong key gets from a proxy before it."""
    return fails(401, "unauthorized")


def overloaded() -> Answer:
    """503."""
    return fails(503, "server busy, please try again. maximum pending requests exceeded")


def internal() -> Answer:
    """500."""
    return fails(500, "llama runner process has terminated")


def unknown_model() -> Answer:
    """404."""
    return fails(404, "model 'small' not found, try pulling it first")


def refuses_tools() -> Answer:
    """What it says of a model without tools."""
    return fails(400, "registry.ollama.ai/library/small:latest does not support tools")


@dataclass
class OllamaStandIn(StandIn):
    """The server.

    Attributes:
        can: What its models can do; None as older ones, which do not say.
        context: How many tokens its models can hold.
    """

    can: tuple[str, ...] | None = ("completion", "tools", "vision", "thinking")
    context: int = 32768

    def reset(self) -> None:
        super().reset()
        self.can, self.context = ("completion", "tools", "vision", "thinking"), 32768

    @property
    def chats(self) -> list[Received]:
        """The requests for answers."""
        return [received for received in self.received if received.path == CHAT]

    def own_answer(self, received: Received) -> Answer | None:
        if received.path == "/api/show":
            said = {} if self.can is None else {"capabilities": list(self.can)}
            return Answer(({**said, "model_info": {"llama.context_length": self.context}},))
        if received.path != "/api/tags":
            return None
        return Answer(({"models": [{"name": name, "model": name} for name in ("small:latest", "large:7b")]},))

    def on_wire(self, answer: Answer, received: Received) -> tuple[str, Iterable[bytes | Mark]]:
        if received.path == CHAT and received.body.get("stream") and answer.status == 200:
            return "application/x-ndjson", map(_as_line, answer.steps)
        return "application/json; charset=utf-8", [_as_bytes(step) for step in _in_one(answer.steps)]


def _as_bytes(step: Step) -> bytes | Mark:
    return json.dumps(step).encode() if isinstance(step, dict) else step


def _as_line(step: Step) -> bytes | Mark:
    sent = _as_bytes(step)
    return sent if isinstance(sent, Mark) else sent + b"\n"


def _in_one(steps: tuple[Step, ...]) -> list[Step]:
    """The same answer for a request that does not stream: the chunks as one, where nothing else is sent after them."""
    chunks = [step for step in steps if isinstance(step, dict)]
    others = [step for step in steps if not isinstance(step, dict)]
    if any(other is not PAUSE for other in others):
        return others
    whole = {name: value for one in chunks for name, value in one.items()}
    said = [one["message"] for one in chunks if "message" in one]
    if said:
        texts = {name: "".join(one.get(name, "") for one in said) for name in ("content", "thinking")}
        made = [call for one in said for call in one.get("tool_calls", [])]
        named = {name: text for name, text in texts.items() if text or name == "content"}
        whole["message"] = {"role": "assistant", **named, **({"tool_calls": made} if made else {})}
    return [*others, whole]
