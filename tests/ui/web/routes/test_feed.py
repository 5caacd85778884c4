"""The feed as a browser sees it: frames over a WebSocket, driven here through the ASGI interface."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import anyio
import pytest

from agents.errors import DatabaseError, PipelineNotFoundError, SessionNotFoundError
from agents.log import LogEntry
from agents.runs import LogBatch, LostRun, Partial, RunManager, Waiting
from agents.runtime.fault import Fault
from ui.web.routes import feed, frames
from ui.web.routes.feed import log_route


@dataclass
class FakeRuns:
    """Gives what it is told to give."""

    give: Callable[[int], AsyncIterator[Any]]
    known: bool = True
    events: int = 2
    closed: bool = False
    taken: int = 0
    lost: LostRun | None = None

    @property
    def catalog(self) -> Any:
        def get(name: str) -> Any:
            if name != "p":
                raise PipelineNotFoundError(f"There is no pipeline “{name}”. There are: p.")
            return SimpleNamespace(tree={"name": "Root"})

        return SimpleNamespace(get=get)

    def pipeline_of(self, name: str, _session: str) -> Any:
        return self.catalog.get(name)

    @property
    def sessions(self) -> FakeRuns:
        return self

    def find(self, pipeline: str, session: str) -> Any:
        found = SimpleNamespace(app_name="p", id="s", title="tea", events=self.events)
        return found if self.known and session == "s" else None

    def lost_run(self, pipeline: str, session_id: str) -> LostRun | None:
        return self.lost

    async def newest(self, pipeline: str, session_id: str, *, limit: int) -> list[LogEntry]:
        return [entry(seq) for seq in range(self.events - limit + 1, self.events + 1)]

    def event_number(self, pipeline: str, session_id: str, seq: int) -> int:
        return seq + 2

    async def subscribe(self, pipeline: str, session_id: str, *, after: int = 0) -> AsyncGenerator[Any, None]:
        try:
            async for item in self.give(after):
                self.taken += 1
                yield item
        finally:
            self.closed = True


class Browser:
    """One end of a WebSocket, without the network."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.stalled: anyio.Event | None = None
        self.done = anyio.Event()

    async def send(self, message: Any) -> None:
        if self.stalled is not None and message["type"] == "websocket.send":
            await self.stalled.wait()
        await self.outbox.put(message)

    async def say(self, text: str) -> None:
        await self.inbox.put({"type": "websocket.receive", "text": text})

    async def leave(self) -> None:
        await self.inbox.put({"type": "websocket.disconnect", "code": 1001})

    async def next(self) -> dict[str, Any]:
        with anyio.fail_after(10):
            return await self.outbox.get()

    async def frame(self) -> dict[str, Any]:
        message = await self.next()
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])


@asynccontextmanager
async def connected(runs: Any, **query: Any) -> AsyncIterator[Browser]:
    browser = Browser()
    scope = {
        "type": "websocket",
        "path": feed.PATH,
        "query_string": urlencode({"pipeline": "p", "session": "s", **query}).encode(),
        "headers": [],
        "client": ("127.0.0.1", 5000),
        "scheme": "ws",
        "subprotocols": [],
    }
    find: Any = runs if callable(runs) else lambda: runs
    route = log_route(find)

    async def serve() -> None:
        await route.app(scope, browser.inbox.get, browser.send)
        browser.done.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        await browser.inbox.put({"type": "websocket.connect"})
        yield browser
        await browser.leave()
        with anyio.fail_after(10):
            await browser.done.wait()


def entry(seq: int) -> LogEntry:
    return LogEntry(seq, "event", json.dumps({"id": f"e{seq}", "author": "A", "content": {"parts": [{"text": "ä🍌"}]}}))


def giving(*items: Any, then: Callable[[], Any] | None = None) -> Callable[[int], AsyncIterator[Any]]:
    async def give(after: int) -> AsyncIterator[Any]:
        for item in items:
            yield item
        if then is None:
            await anyio.sleep_forever()
        else:
            then()

    return give


def raising(error: Exception) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


@pytest.mark.anyio
async def test_what_is_wrong_with_the_database_is_told() -> None:
    runs = FakeRuns(giving(Waiting("Waiting for it."), Waiting(""), LostRun("i1", "It is gone.")))
    async with connected(runs) as browser:
        await browser.next()
        await browser.frame()
        assert [await browser.frame() for _ in range(3)] == [
            {"type": "waiting", "message": "Waiting for it.", "queued": False},
            {"type": "waiting", "message": "", "queued": False},
            {"type": "lost", "invocation": "i1", "message": "It is gone."},
        ]


@pytest.mark.anyio
async def test_a_run_that_ended_with_its_database_is_told_before_what_is_wrong_with_that() -> None:
    runs = FakeRuns(
        giving(then=raising(DatabaseError("It is gone."))), lost=LostRun("i1", "It is gone. Session s was in it.")
    )
    async with connected(runs) as browser:
        await browser.next()
        assert [(await browser.frame())["type"] for _ in range(3)] == ["hello", "lost", "error"]


@pytest.mark.anyio
async def test_hello_then_the_log_then_pieces() -> None:
    runs = FakeRuns(
        giving(
            LogBatch((entry(4), entry(7)), more=True),
            LogBatch((entry(9),)),
            Partial("e10", "A", "P.A", 2, "…", thought=True),
        )
    )
    async with connected(runs) as browser:
        assert (await browser.next())["type"] == "websocket.accept"
        hello = await browser.frame()
        assert hello["session"] == {"id": "s", "pipeline": "p", "title": "tea", "events": 2}
        assert hello["tree"]["name"] == "Root"
        first = await browser.frame()
        assert ([e["seq"] for e in first["entries"]], first["more"]) == ([4, 7], True)
        assert first["entries"][0]["body"]["content"]["parts"][0]["text"] == "ä🍌"
        assert (await browser.frame())["more"] is False
        assert await browser.frame() == {
            "type": "partial",
            "id": "e10",
            "author": "A",
            "branch": "P.A",
            "offset": 2,
            "text": "…",
            "thought": True,
        }
    assert runs.closed, "the subscription ends with the browser"


@pytest.mark.anyio
async def test_the_end_of_a_long_log_comes_ahead_of_all_of_it_on_the_first_connection_only() -> None:
    runs = FakeRuns(giving(LogBatch((entry(1),), more=True)), events=feed.LONG)
    async with connected(runs) as browser:
        await browser.next()
        hello, tail, first = [await browser.frame() for _ in range(3)]
    assert [frame["type"] for frame in (hello, tail, first)] == ["hello", "tail", "log"]
    assert [e["seq"] for e in tail["entries"]] == list(range(feed.LONG - feed.TAIL + 1, feed.LONG + 1))
    assert tail["events"] == feed.LONG + 2, "two came since the greeting"
    for other, query in ((FakeRuns(giving(), events=feed.LONG - 1), {}), (runs, {"after": "7"})):
        async with connected(other, **query) as browser:
            await browser.next()
            assert (await browser.frame())["type"] == "hello"
            if query:
                assert (await browser.frame())["type"] == "log"
            else:
                assert browser.outbox.empty()


@pytest.mark.anyio
@pytest.mark.parametrize(("after", "expected"), [("7", 7), ("", 0), ("-1", 0), ("x", 0), ("٣", 0), ("9" * 30, 0)])
async def test_the_log_begins_after_what_the_browser_has(after: str, expected: int) -> None:
    asked: list[int] = []

    async def give(after: int) -> AsyncIterator[Any]:
        asked.append(after)
        yield LogBatch(())
        await anyio.sleep_forever()

    async with connected(FakeRuns(give), after=after) as browser:
        for _ in range(3):
            await browser.next()
    assert asked == [expected]


@pytest.mark.anyio
async def test_what_a_browser_says_means_nothing() -> None:
    async with connected(FakeRuns(giving(LogBatch((entry(1),))))) as browser:
        for noise in ("", "[1]", '{"type":"stop"}', "{"):
            await browser.say(noise)
        await browser.next()
        assert [(await browser.frame())["type"] for _ in range(2)] == ["hello", "log"]


@pytest.mark.anyio
async def test_an_unknown_session_is_said_and_final() -> None:
    async with connected(FakeRuns(giving(), known=False)) as browser:
        await browser.next()
        frame = await browser.frame()
        assert frame["type"] == "gone"
        assert "no session “s”" in frame["message"]
        assert await browser.next() == {"type": "websocket.close", "code": 4404, "reason": ""}


@pytest.mark.anyio
@pytest.mark.parametrize("query", [{"session": ""}, {"pipeline": ""}])
async def test_an_address_without_a_session(query: dict[str, Any]) -> None:
    async with connected(FakeRuns(giving()), **query) as browser:
        await browser.next()
        assert (await browser.frame())["type"] == "gone"


@pytest.mark.anyio
async def test_an_unknown_pipeline_is_said_and_final() -> None:
    async with connected(FakeRuns(giving()), pipeline="q") as browser:
        await browser.next()
        assert await browser.frame() == {
            "type": "error",
            "message": "There is no pipeline “q”. There are: p.",
            "retry": False,
        }


@pytest.mark.anyio
async def test_a_database_that_cannot_be_opened_is_said() -> None:
    async with connected(raising(DatabaseError("“x.db” is not a database."))) as browser:
        await browser.next()
        assert (await browser.frame())["message"] == "“x.db” is not a database."


@pytest.mark.anyio
async def test_a_session_deleted_while_watched() -> None:
    runs = FakeRuns(giving(LogBatch((entry(1),)), then=raising(SessionNotFoundError("It was deleted."))))
    async with connected(runs) as browser:
        for _ in range(3):
            await browser.next()
        assert await browser.frame() == {"type": "gone", "message": "It was deleted."}


@pytest.mark.anyio
async def test_a_database_that_is_locked_now_may_be_tried_again() -> None:
    runs = FakeRuns(giving(then=raising(DatabaseError("The database is locked."))))
    async with connected(runs) as browser:
        await browser.next()
        await browser.frame()
        assert await browser.frame() == {"type": "error", "message": "The database is locked.", "retry": True}


@pytest.mark.anyio
async def test_when_the_server_goes_down_the_browser_is_to_come_back() -> None:
    async with connected(FakeRuns(giving(then=lambda: None))) as browser:
        await browser.next()
        await browser.frame()
        await browser.frame()
        assert (await browser.next())["code"] == 1013


@pytest.mark.anyio
async def test_a_browser_that_takes_nothing_is_let_go_and_nothing_piles_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "SEND_SECONDS", 0.05)

    async def give(after: int) -> AsyncIterator[Any]:
        for seq in itertools.count(1):
            await anyio.sleep(0)  # the browser has its turn
            yield LogBatch((entry(seq),), more=True)

    runs = FakeRuns(give)
    async with connected(runs) as browser:
        await browser.next()
        await browser.frame()
        browser.stalled = anyio.Event()
        with anyio.fail_after(10):
            await browser.done.wait()
        assert 0 < runs.taken < 1000
        # What was on its way before it stalled, and the one that it did not take; the rest was never asked for.
        assert runs.taken <= browser.outbox.qsize() + 1
    assert runs.closed


@pytest.mark.anyio
async def test_a_real_run_arrives_whole_and_a_second_connection_goes_on_where_the_first_was() -> None:
    with RunManager(database=None) as manager:
        slow = Fault(kind="delay", target="CriticAgent", seconds=60)  # it must not end before it is stopped
        start = partial(manager.start, "iterative_writing", "a lighthouse keeper", faults=[slow])
        run = await anyio.to_thread.run_sync(start)
        where: dict[str, Any] = {"pipeline": run.pipeline, "session": run.session_id}
        first: list[dict[str, Any]] = []
        async with connected(manager, **where) as browser:
            await browser.next()
            assert (await browser.frame())["tree"]["children"]
            while len(first) < 4:
                first += (await browser.frame()).get("entries", [])
        rest: list[dict[str, Any]] = []
        async with connected(manager, **where, after=str(first[-1]["seq"])) as browser:
            await browser.next()
            await browser.frame()
            await anyio.to_thread.run_sync(manager.stop, run.pipeline, run.session_id)
            while not rest or rest[-1]["kind"] != "run_finished":
                rest += (await browser.frame()).get("entries", [])
        seqs = [e["seq"] for e in first + rest]
        assert seqs == sorted(set(seqs))
        assert [e["kind"] for e in first + rest].count("run_started") == 1
        assert rest[-1]["body"]["status"] == "stopped"
