"""A server on loopback that stands in for a model provider's: it answers as it is ordered to, faults included.

Knows no provider's wire format: a stand-in says in `on_wire` what the steps of an answer are as bytes.

Answers are given in the order in which they were ordered, one a request; then what `always` was ordered, if anything,
else 500. `PAUSE` in an answer waits for `release()` or for the client to go away: tests wait for events, not for time.
A stand-in is used through its `url`, from any process; it is ordered about from any thread of this one.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import uvicorn


@dataclass(frozen=True)
class Mark:
    """A point in an answer at which something else happens than data being sent."""

    what: str


PAUSE = Mark("pause")
CUT = Mark("cut")

Step = dict[str, Any] | bytes | Mark


@dataclass(frozen=True)
class Answer:
    """What one request gets: a status, headers, and chunks, raw bytes and marks in order."""

    steps: tuple[Step, ...]
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    query: str
    headers: dict[str, str]
    body: dict[str, Any]
    method: str = "POST"


def late(answer: Answer) -> Answer:
    """The same, but nothing of it, its status neither, before `release()`."""
    return Answer((PAUSE, *answer.steps), answer.status, answer.headers)


@dataclass
class StandIn:
    """The server; a context manager that serves from a thread."""

    received: list[Received] = field(default_factory=list)
    paused: threading.Event = field(default_factory=threading.Event)
    """Set when an answer has come to its pause."""
    disconnected: threading.Event = field(default_factory=threading.Event)
    """Set when a client went away before its answer was whole."""

    def __post_init__(self) -> None:
        self._ordered: deque[Answer] = deque()
        self._always: Callable[[Received], Answer] | None = None
        self._round = 1
        self._gate = Gate()
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

    def on_wire(self, answer: Answer, received: Received) -> tuple[str, Iterable[bytes | Mark]]:
        """The content type of an answer, and its steps as they are sent."""
        raise NotImplementedError

    def own_answer(self, received: Received) -> Answer | None:
        """What is answered before any order is looked at; None for what is ordered."""
        return None

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

    def always(self, answer: Answer | Callable[[Received], Answer]) -> None:
        """Orders an answer, or a way to one, for all requests that nothing else is ordered for."""
        self._always = answer if callable(answer) else lambda _: answer

    def release(self, steps: int | None = None) -> None:
        """Lets answers that pause go on: all of them to their ends, or past `steps` pauses in sum, also later ones."""
        self._gate.open(steps)

    def reset(self) -> None:
        """As new, on the same port. Its address changes: a late request to the one before is no longer for this test."""
        self.release()
        self._round += 1
        self._gate = Gate()
        self._ordered.clear()
        self._always = None
        self.received.clear()
        self.paused.clear()
        self.disconnected.clear()

    def next_ordered(self) -> Answer | None:
        """The answer that is ordered next, and stays so."""
        return self._ordered[0] if self._ordered else None

    def _take(self, received: Received) -> Answer:
        if (own := self.own_answer(received)) is not None:
            return own
        if self._ordered:
            return self._ordered.popleft()
        nothing = Answer(({"error": {"code": 500, "message": "Nothing was ordered.", "status": "INTERNAL"}},), 500)
        return self._always(received) if self._always else nothing

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
        query = scope["query_string"].decode()
        received = Received(f"/{path}", query, headers, json.loads(body or b"{}"), scope["method"])
        self.received.append(received)
        gone = asyncio.ensure_future(receive())  # returns when the client goes away, or when all is sent
        try:
            if await self._send(self._take(received), received, send, gone) and int(number) == self._round:
                self.disconnected.set()
        finally:
            gone.cancel()

    async def _send(self, answer: Answer, received: Received, send: Any, gone: asyncio.Future[Any]) -> bool:
        """Sends an answer; True if the client went away before its end."""
        gate = self._gate
        kind, steps = self.on_wire(answer, received)
        headers = [(name.encode(), value.encode()) for name, value in (("content-type", kind), *answer.headers)]
        begun = False
        for step in steps:
            if step is PAUSE:
                self.paused.set()
                if not await gate.passed(gone):
                    return True
                continue
            if not begun:
                await send({"type": "http.response.start", "status": answer.status, "headers": headers})
                begun = True
            data = b"" if isinstance(step, Mark) else step
            await send({"type": "http.response.body", "body": data, "more_body": True})
            if step is CUT:
                return False  # uvicorn drops the connection of an answer that is not ended
        await send({"type": "http.response.body", "body": b""})
        return False


class Gate:
    """What pauses wait at. Closed at first; opened for good, or for some to pass."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._permits = 0.0
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def open(self, passes: int | None = None) -> None:
        """Lets `passes` through, or all from now on."""
        with self._lock:
            self._permits += float("inf") if passes is None else passes
            waiting = list(self._waiting)
        for loop, waker in waiting:
            loop.call_soon_threadsafe(waker.set)

    async def passed(self, gone: asyncio.Future[Any]) -> bool:
        """Waits until it may pass; False if `gone` was done first."""
        waker = asyncio.Event()
        entry = (asyncio.get_running_loop(), waker)
        with self._lock:
            self._waiting.add(entry)
        try:
            while not self._take():
                if gone.done():
                    return False
                waiting = asyncio.ensure_future(waker.wait())
                await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                waker.clear()
            return True
        finally:
            with self._lock:
                self._waiting.discard(entry)

    def _take(self) -> bool:
        with self._lock:
            if self._permits < 1:
                return False
            self._permits -= 1
            return True
