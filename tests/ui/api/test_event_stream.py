"""Answers that go on for a while: what a client gets, and what happens when it leaves."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from tests.ui.stage import finish
from ui.api import event_stream
from ui.api.event_stream import EventStream, while_there
from ui.api.json_body import ClientGoneError
from ui.api.openai.routes import openai_routes

pytestmark = pytest.mark.anyio
SCOPE = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}


class Client:
    """A client of an ASGI app, which leaves when it has got what it waits for."""

    def __init__(self, leaves_after: bytes | None = None, body: bytes = b"") -> None:
        self.got: list[bytes] = []
        self.status = 0
        self._left = asyncio.Event()
        self._leaves_after = leaves_after
        self._body: list[bytes] = [body]

    async def receive(self):
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.status = message.get("status", self.status)
        self.got.append(message.get("body", b""))
        if self._leaves_after is not None and self._leaves_after in message.get("body", b""):
            self._left.set()

    @property
    def text(self) -> str:
        return b"".join(self.got).decode()


async def test_frames_are_sent_as_they_come_and_the_answer_ends():
    async def frames():
        yield "data: 1\n\n"
        yield "data: é \ud800\n\n"

    client = Client()
    await EventStream(frames(), {"X-A": "b"})(SCOPE, client.receive, client.send)
    assert client.text == "data: 1\n\ndata: é ?\n\n"


async def test_the_generator_is_closed_when_the_client_leaves():
    closed = asyncio.Event()

    async def frames():
        try:
            yield "data: 1\n\n"
            await asyncio.Event().wait()
        finally:
            closed.set()

    client = Client(leaves_after=b"data: 1")
    await EventStream(frames())(SCOPE, client.receive, client.send)
    assert closed.is_set()


async def test_a_silent_stream_is_kept_open(monkeypatch):
    monkeypatch.setattr(event_stream, "QUIET_SECONDS", 0.001)

    async def frames():
        await asyncio.Event().wait()
        yield ""

    client = Client(leaves_after=b": still at work\n\n")
    await EventStream(frames())(SCOPE, client.receive, client.send)
    assert ": still at work\n\n" in client.text


async def test_work_is_cancelled_when_the_client_leaves():
    client = Client()
    client._left.set()
    request = Request(SCOPE, client.receive)
    await request.body()
    cancelled = asyncio.Event()

    async def work():
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(ClientGoneError):
        await while_there(request, work())
    assert cancelled.is_set()


async def test_work_that_ends_is_the_answer():
    client = Client()
    request = Request(SCOPE, client.receive)
    await request.body()
    assert await while_there(request, asyncio.sleep(0, "done")) == "done"


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
@pytest.mark.parametrize(("stops", "status"), [(False, "completed"), (True, "stopped")])
async def test_the_run_of_a_client_that_leaves_in_mid_stream_goes_on_or_stops(manager, stops, status, path):
    manager.models.change(stops_with_client=stops, simulated_speed=300)
    said = (
        {"input": "a lighthouse"} if path == "/v1/responses" else {"messages": [{"role": "user", "content": "a lighthouse"}]}
    )
    client = Client(leaves_after=b"data: ", body=json.dumps({"model": "iterative_writing", "stream": True, **said}).encode())
    await Starlette(routes=openai_routes())({**SCOPE, "path": path}, client.receive, client.send)
    [row] = manager.sessions.each()
    await asyncio.to_thread(finish, manager, "iterative_writing", row.id)
    assert manager.sessions.find("iterative_writing", row.id).status == status
    assert "[DONE]" not in client.text
    assert "response.completed" not in client.text
