"""A stand-in for the Gemini Developer API: speaks its wire format on loopback, with answers and faults to order.

    with GeminiStandIn() as gemini:
        gemini.will(says("Hello ", "world"))
        … Gemini(base_url=gemini.url, api_key=SecretStr("k")) …
        assert gemini.received[0].body["contents"]

Answers are given in the order in which they were ordered, one a request. A request that nothing was ordered for is
answered 500. `pause()` in an answer waits for `release()` or for the client to go away: tests wait for events, not for time.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Self

import uvicorn

USAGE = {"promptTokenCount": 7, "candidatesTokenCount": 5, "totalTokenCount": 12}


@dataclass(frozen=True)
class Mark:
    """A point in an answer at which something else happens than data being sent."""

    what: str


PAUSE = Mark("pause")
CUT = Mark("cut")

Step = dict[str, Any] | bytes | Mark


@dataclass(frozen=True)
class Answer:
    """What one request gets: a status, and chunks, raw bytes and marks in order."""

    steps: tuple[Step, ...]
    status: int = 200


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    query: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def streamed(self) -> bool:
        return ":streamGenerateContent" in self.path


def chunk(*parts: dict[str, Any], finish: str | None = None, usage: bool = False, **candidate: Any) -> dict[str, Any]:
    """One `GenerateContentResponse` on the wire."""
    made: dict[str, Any] = {"index": 0, **candidate}
    if parts:
        made["content"] = {"role": "model", "parts": list(parts)}
    if finish:
        made["finishReason"] = finish
    response: dict[str, Any] = {"candidates": [made], "modelVersion": "gemini-stand-in"}
    return {**response, "usageMetadata": USAGE} if usage else response


def says(*texts: str, finish: str = "STOP") -> Answer:
    """Texts, a chunk each, then the end with the usage."""
    return Answer((*(chunk({"text": text}) for text in texts), chunk(finish=finish, usage=True)))


def thinks_and_says(thought: str, *texts: str) -> Answer:
    """A thought in two chunks, then texts."""
    half = len(thought) // 2
    thoughts = [chunk({"text": piece, "thought": True}) for piece in (thought[:half], thought[half:])]
    return Answer((*thoughts, *says(*texts).steps))


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> Answer:
    """Function calls, a chunk each; Gemini gives them no ids."""
    said = [chunk({"text": text})] if text else []
    parts = [chunk({"functionCall": {"name": name, "args": args}}) for name, args in made]
    return Answer((*said, *parts, chunk(finish="STOP", usage=True)))


def blocked(reason: str = "SAFETY") -> Answer:
    """A prompt that is not answered."""
    return Answer(({"promptFeedback": {"blockReason": reason}, "usageMetadata": USAGE},))


def empty() -> Answer:
    """No candidate, and no reason for that."""
    return Answer(({"usageMetadata": USAGE, "modelVersion": "gemini-stand-in"},))


def pauses(*before: str, then: Answer | None = None) -> Answer:
    """Texts, then nothing until `release()`; with no texts the first byte is late."""
    return Answer((*(chunk({"text": text}) for text in before), PAUSE, *(then or says("released")).steps))


def cut(*before: str) -> Answer:
    """Texts, then the connection is dropped in mid-answer."""
    return Answer((*(chunk({"text": text}) for text in before), CUT))


def malformed(*before: str) -> Answer:
    """Texts, then bytes that are not JSON."""
    return Answer((*(chunk({"text": text}) for text in before), b'{"candidates": [{"content": '))


def fails(status: int, word: str, message: str, *details: dict[str, Any]) -> Answer:
    """An error as Google's servers write it."""
    error: dict[str, Any] = {"code": status, "message": message, "status": word}
    return Answer(({"error": {**error, "details": list(details)} if details else error},), status)


def over_quota(delay: str = "37s") -> Answer:
    """429 that says how long to wait."""
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", info)


def bad_key() -> Answer:
    """What a wrong key gets: a 400."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    return fails(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info)


def overloaded() -> Answer:
    """503."""
    return fails(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")


def internal() -> Answer:
    """500."""
    return fails(500, "INTERNAL", "An internal error has occurred.")


def unknown_model() -> Answer:
    """404."""
    return fails(404, "NOT_FOUND", "models/gemini-none is not found for API version v1.")


@dataclass
class GeminiStandIn:
    """The server; a context manager that serves from a thread. All of it may be used from any thread."""

    received: list[Received] = field(default_factory=list)
    paused: threading.Event = field(default_factory=threading.Event)
    """Set when an answer has come to its pause."""
    disconnected: threading.Event = field(default_factory=threading.Event)
    """Set when a client went away before its answer was whole."""

    def __post_init__(self) -> None:
        self._ordered: deque[Answer] = deque()
        self._round = 1
        self._released = threading.Event()
        self._wakers: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._socket = socket.create_server(("127.0.0.1", 0))
        settings = uvicorn.Config(
            self._app,
            interface="asgi3",
            lifespan="off",
            ws="none",
            log_config=None,
            log_level="critical",  # a cut connection is meant
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(settings)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/{self._round}"

    def __enter__(self) -> Self:
        self._thread.start()  # the socket listens already: whoever connects now is served soon
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    def will(self, *answers: Answer) -> None:
        """Orders answers."""
        self._ordered.extend(answers)

    def release(self) -> None:
        """Lets answers that pause go on."""
        self._released.set()
        for loop, waker in list(self._wakers):
            loop.call_soon_threadsafe(waker.set)

    def reset(self) -> None:
        """As new, on the same port. Its address changes: a late request to the one before is no longer for this test."""
        self.release()
        self._round += 1
        self._released = threading.Event()
        self._ordered.clear()
        self.received.clear()
        self.paused.clear()
        self.disconnected.clear()

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        _, number, path = scope["path"].split("/", 2)
        if int(number) != self._round:
            return
        received = Received(f"/{path}", scope["query_string"].decode(), headers, json.loads(body or b"{}"))
        self.received.append(received)
        answer = self._ordered.popleft() if self._ordered else fails(500, "INTERNAL", "Nothing was ordered.")
        gone = asyncio.ensure_future(receive())  # returns when the client goes away, or when all is sent
        try:
            if await self._answer(answer, received, send, gone) and int(number) == self._round:
                self.disconnected.set()
        finally:
            gone.cancel()

    async def _answer(self, answer: Answer, received: Received, send: Any, gone: asyncio.Future[Any]) -> bool:
        """Sends an answer; True if the client went away before its end."""
        streams = received.streamed and answer.status == 200
        steps = answer.steps if streams else _in_one(answer.steps)
        begun = False
        for step in steps:
            if step is PAUSE:
                if await self._pause(gone):
                    return True
                continue
            if not begun:
                kind = _content_type(step, streams=streams)
                await send({"type": "http.response.start", "status": answer.status, "headers": [(b"content-type", kind)]})
                begun = True
            if step is CUT:
                await send({"type": "http.response.body", "body": b"", "more_body": True})
                return False  # uvicorn drops the connection of an answer that is not ended
            data = step if isinstance(step, bytes) else json.dumps(step).encode()
            body = b"data: " + data + b"\r\n\r\n" if streams else data
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return False

    async def _pause(self, gone: asyncio.Future[Any]) -> bool:
        """Waits for `release()`; True if the client went away instead."""
        waker = asyncio.Event()
        entry = (asyncio.get_running_loop(), waker)
        self._wakers.add(entry)
        if self._released.is_set():
            waker.set()
        self.paused.set()
        waiting = asyncio.ensure_future(waker.wait())
        try:
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            return gone.done() and not waker.is_set()
        finally:
            waiting.cancel()
            self._wakers.discard(entry)


def _content_type(first: Step, *, streams: bool) -> bytes:
    if streams:
        return b"text/event-stream"
    return b"text/html" if isinstance(first, bytes) and first.startswith(b"<") else b"application/json; charset=UTF-8"


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
