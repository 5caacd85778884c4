"""A stand-in for the Gemini Developer API: speaks its wire format on loopback, with answers and faults to order.

    with GeminiStandIn() as gemini:
        gemini.will(says("Hello ", "world"))
        … Gemini(base_url=gemini.url, api_key=SecretStr("k")) …
        assert gemini.received[0].body["contents"]

Its list of models is always there, unless a failure is what is ordered next. `server.py` says how it is ordered about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from tests.standins.server import CUT, PAUSE, Answer, Mark, Received, StandIn, Step, late

__all__ = ["CUT", "PAUSE", "Answer", "GeminiStandIn", "Received", "late"]

USAGE = {"promptTokenCount": 7, "candidatesTokenCount": 5, "totalTokenCount": 12}
MODELS = (
    ("models/gemini-2.5-flash", ("generateContent", "countTokens")),
    ("models/gemini-2.5-pro", ("generateContent", "countTokens")),
    ("models/gemini-embedding-001", ("embedContent",)),
    ("models/gemma-3-27b-it", ("generateContent",)),
    ("models/gemini-3-pro", ("generateContent",)),
)


def usage_of(*, cached: int = 0, thoughts: int = 0) -> dict[str, int]:
    """Usage of an answer that was thought about, or whose request was partly known already."""
    more = {"cachedContentTokenCount": cached, "thoughtsTokenCount": thoughts}
    total = USAGE["totalTokenCount"] + thoughts
    return {**USAGE, **{name: count for name, count in more.items() if count}, "totalTokenCount": total}


def chunk(
    *parts: dict[str, Any], finish: str | None = None, usage: bool | dict[str, int] = False, **candidate: Any
) -> dict[str, Any]:
    """One `GenerateContentResponse` on the wire."""
    made: dict[str, Any] = {"index": 0, **candidate}
    if parts:
        made["content"] = {"role": "model", "parts": list(parts)}
    if finish:
        made["finishReason"] = finish
    response: dict[str, Any] = {"candidates": [made], "modelVersion": "gemini-stand-in"}
    if not usage:
        return response
    return {**response, "usageMetadata": USAGE if usage is True else usage}


def says(*texts: str, finish: str = "STOP", usage: dict[str, int] = USAGE) -> Answer:
    """Texts, a chunk each, then the end with the usage."""
    return Answer((*(chunk({"text": text}) for text in texts), chunk(finish=finish, usage=usage)))


def thinks_and_says(thought: str, *texts: str) -> Answer:
    """A thought in two chunks, then texts."""
    half = len(thought) // 2
    thoughts = [chunk({"text": piece, "thought": True}) for piece in (thought[:half], thought[half:])]
    return Answer((*thoughts, *says(*texts, usage=usage_of(thoughts=3)).steps))


def calls(*made: tuple[str, dict[str, Any]], text: str = "", ids: str = "") -> Answer:
    """Function calls, a chunk each. Older models give them no ids; newer ones do: `ids` is how theirs begin."""
    said = [chunk({"text": text})] if text else []
    written = [{"name": name, "args": args} | ({"id": f"{ids}{n}"} if ids else {}) for n, (name, args) in enumerate(made, 1)]
    return Answer((*said, *(chunk({"functionCall": one}) for one in written), chunk(finish="STOP", usage=True)))


def blocked(reason: str = "SAFETY") -> Answer:
    """A prompt that is not answered."""
    return Answer(({"promptFeedback": {"blockReason": reason}, "usageMetadata": USAGE},))


def empty() -> Answer:
    """No candidate, and no reason for that."""
    return Answer(({"usageMetadata": USAGE, "modelVersion": "gemini-stand-in"},))


def pauses(*before: str, then: Answer | None = None) -> Answer:
    """Texts, then nothing until `release()`; with no texts the first byte is late."""
    return Answer((*(chunk({"text": text}) for text in before), PAUSE, *(then or says("released")).steps))


def drips(*texts: str) -> Answer:
    """Texts one by one: `release(n)` lets n of them out, and one more the end."""
    slow = [step for text in texts for step in (PAUSE, chunk({"text": text}))]
    return Answer((*slow, PAUSE, chunk(finish="STOP", usage=True)))


def cut(*before: str) -> Answer:
    """Texts, then the connection is dropped in mid-answer."""
    return Answer((*(chunk({"text": text}) for text in before), CUT))


def malformed(*before: str) -> Answer:
    """Texts, then bytes that are not JSON."""
    return Answer((*(chunk({"text": text}) for text in before), b'{"candidates": [{"content": '))


def fails(status: int, word: str, message: str, *details: dict[str, Any], **headers: str) -> Answer:
    """An error as Google's servers write it; `retry_after="3"` is its header `Retry-After`."""
    error: dict[str, Any] = {"code": status, "message": message, "status": word}
    sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(({"error": {**error, "details": list(details)} if details else error},), status, sent)


def over_quota(delay: str = "37s") -> Answer:
    """429 that says how long to wait."""
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", info)


def bad_key() -> Answer:
    """What a wrong key gets: a 400."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    return fails(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info)


def overloaded(**headers: str) -> Answer:
    """503."""
    return fails(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", **headers)


def internal() -> Answer:
    """500."""
    return fails(500, "INTERNAL", "An internal error has occurred.")


def unknown_model() -> Answer:
    """404."""
    return fails(404, "NOT_FOUND", "models/gemini-none is not found for API version v1.")


@dataclass
class GeminiStandIn(StandIn):
    """The server.

    Attributes:
        key: The one key that it takes; None for any.
    """

    key: str | None = None

    def reset(self) -> None:
        super().reset()
        self.key = None

    def own_answer(self, received: Received) -> Answer | None:
        if self.key is not None and received.headers.get("x-goog-api-key") != self.key:
            return bad_key()
        ordered = self.next_ordered()
        if received.method != "GET" or (ordered and ordered.status != 200):
            return None
        return _list_of_models(received.query)

    def on_wire(self, answer: Answer, received: Received) -> tuple[str, Iterable[bytes | Mark]]:
        if ":streamGenerateContent" in received.path and answer.status == 200:
            return "text/event-stream", map(_as_event, answer.steps)
        steps = [_as_bytes(step) for step in _in_one(answer.steps)]
        is_page = any(isinstance(step, bytes) and step.startswith(b"<") for step in steps)
        return "text/html" if is_page else "application/json; charset=UTF-8", steps


def _list_of_models(query: str) -> Answer:
    """A page of the list: two models, whatever size was asked for, as a server may."""
    begin = int(parse_qs(query).get("pageToken", ["0"])[0])
    page = MODELS[begin : begin + 2]
    listed = [{"name": name, "version": "1", "supportedGenerationMethods": list(methods)} for name, methods in page]
    more = {"nextPageToken": str(begin + 2)} if begin + 2 < len(MODELS) else {}
    return Answer(({"models": listed, **more},))


def _as_bytes(step: Step) -> bytes | Mark:
    return json.dumps(step).encode() if isinstance(step, dict) else step


def _as_event(step: Step) -> bytes | Mark:
    sent = _as_bytes(step)
    return sent if isinstance(sent, Mark) else b"data: " + sent + b"\r\n\r\n"


def _in_one(steps: tuple[Step, ...]) -> list[Step]:
    """The same answer for a request that does not stream: the chunks as one, where nothing else is sent after them."""
    chunks = [step for step in steps if isinstance(step, dict)]
    others = [step for step in steps if not isinstance(step, dict)]
    if any(other is not PAUSE for other in others) or not chunks:
        return others
    whole: dict[str, Any] = {}
    parts: list[Any] = []
    for one in chunks:
        candidates = one.get("candidates", [])
        parts += [part for candidate in candidates for part in candidate.get("content", {}).get("parts", [])]
        held = whole.get("candidates", [{}])
        whole |= one
        if candidates:
            whole["candidates"] = [{**held[0], **candidates[0]}]
    if parts:
        whole["candidates"][0]["content"] = {"role": "model", "parts": parts}
    return [*others, whole]
