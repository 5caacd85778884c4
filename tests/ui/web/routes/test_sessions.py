"""The live list of sessions as a browser gets it: frames over a WebSocket, driven here through the ASGI interface."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from agents.errors import DatabaseError
from agents.runs import ListChanges, RunManager
from agents.runs.watch import watch as watching_module
from agents.session_list import SessionFilter, SessionSummary, SummaryPage
from tests.ui.web.routes.test_feed import Browser
from ui.access.guard import Guard, Reach
from ui.web.routes import frames, sessions
from ui.web.routes.sessions import sessions_route

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(sessions, "PAUSE", 0.0)
    monkeypatch.setattr(sessions, "REST", 0.0)


@pytest.fixture
async def manager(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with RunManager(database=tmp_path / "playground.db") as manager:
        yield manager


@asynccontextmanager
async def connected(runs: Any) -> AsyncIterator[Browser]:
    """A browser that is connected and accepted."""
    browser = Browser()
    find: Any = runs if callable(runs) else lambda: runs
    scope = {
        "type": "websocket",
        "path": sessions.PATH,
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 5000),
        "scheme": "ws",
        "subprotocols": [],
    }

    async def serve() -> None:
        await sessions_route(find).app(scope, browser.inbox.get, browser.send)
        browser.done.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        await browser.inbox.put({"type": "websocket.connect"})
        assert (await browser.next())["type"] == "websocket.accept"
        yield browser
        await browser.leave()
        with anyio.fail_after(10):
            await browser.done.wait()


async def do(action: Callable[..., Any], *args: Any, **options: Any) -> Any:
    return await anyio.to_thread.run_sync(partial(action, *args, **options))


async def until(browser: Browser, so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first frame that is so."""
    while not so(frame := await browser.frame()):
        pass
    return frame


def row_is(**fields: Any) -> Callable[[dict[str, Any]], bool]:
    """Whether a frame has a row with such fields."""
    return lambda frame: any(fields.items() <= row.items() for row in frame["rows"])


async def test_the_list_comes_first_with_the_sessions_of_all_pipelines(manager) -> None:
    await do(manager.sessions.create, "iterative_writing", session_id="one")
    await do(manager.sessions.create, "status_poller", session_id="two")
    async with connected(manager) as browser:
        frame = await browser.frame()
    assert frame["type"] == "list"
    assert [(row["pipeline"], row["id"]) for row in frame["rows"]] == [
        ("status_poller", "two"),
        ("iterative_writing", "one"),
    ]


async def test_two_browsers_are_told_what_is_created_renamed_deleted_and_restored(manager) -> None:
    key = ("iterative_writing", "one")
    async with connected(manager) as first, connected(manager) as second:
        for browser in (first, second):
            assert await browser.frame() == {"type": "list", "rows": [], "found": 0}
        await do(manager.sessions.create, key[0], session_id=key[1])
        for browser in (first, second):
            assert (await until(browser, row_is(id="one", status="idle")))["type"] == "changes"
        await do(manager.sessions.rename, *key, "tea")
        for browser in (first, second):
            await until(browser, row_is(id="one", title="tea"))
        await do(manager.sessions.delete, *key)
        for browser in (first, second):
            assert (await until(browser, lambda frame: bool(frame["gone"])))["gone"] == [list(key)]
        await do(manager.sessions.restore, *key)
        for browser in (first, second):
            await until(browser, row_is(id="one", title="tea"))


async def test_a_run_changes_its_row_alone(manager) -> None:
    await do(manager.sessions.create, "iterative_writing", session_id="other")
    async with connected(manager) as browser:
        await browser.frame()
        run = await do(manager.start, "iterative_writing", "a lighthouse keeper")
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["status"] != "completed":
            seen += (await browser.frame())["rows"]
    assert {row["id"] for row in seen} == {run.session_id}
    assert seen[-1]["outcome"] == "✓ completed"


async def test_a_change_by_another_process_is_told(manager, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 0.01)
    async with connected(manager) as browser:
        await browser.frame()
        other = await do(RunManager, database=tmp_path / "playground.db")
        await do(other.sessions.create, "iterative_writing", session_id="elsewhere")
        await until(browser, row_is(id="elsewhere"))
        await do(other.close)


class Scripted:
    """Gives lists of sessions, one after each change; any row may have changed."""

    def __init__(self, *lists: list[SessionSummary]) -> None:
        self.lists = list(lists)
        self.error: DatabaseError | None = None
        self.reads = 0
        self.go_on = asyncio.Semaphore(0)
        self.closed = False

    @property
    def sessions(self) -> Scripted:
        return self

    async def listed(self, _wanted: SessionFilter, *, limit: int) -> SummaryPage:
        self.reads += 1
        if self.error is not None and not self.lists:
            raise self.error
        rows = tuple(self.lists.pop(0))
        return SummaryPage(rows=rows[:limit], found=len(rows))

    async def changes(self) -> AsyncGenerator[ListChanges, None]:
        try:
            while True:
                yield ListChanges(everything=True)
                await self.go_on.acquire()
        finally:
            self.closed = True


def summary(name: str, title: str = "tea") -> SessionSummary:
    return SessionSummary("p", "user", name, title, 1.0, 2.0, 3, "completed")


async def test_what_is_the_same_is_not_sent_again() -> None:
    runs = Scripted([summary("a"), summary("b")], [summary("a"), summary("b")], [summary("a", "cake")])
    async with connected(runs) as browser:
        assert len((await browser.frame())["rows"]) == 2
        runs.go_on.release()
        runs.go_on.release()
        frame = await browser.frame()
    assert ([row["title"] for row in frame["rows"]], frame["found"]) == (["cake"], 1)
    assert runs.reads == 3


async def test_nothing_is_read_while_nothing_changes() -> None:
    runs = Scripted([summary("a")])
    async with connected(runs) as browser:
        await browser.frame()
        await browser.say('{"type":"list"}')
        await browser.say("noise")
    assert (runs.reads, runs.closed) == (1, True)


async def test_a_database_that_cannot_be_read_is_said_and_tried_again_later() -> None:
    runs = Scripted()
    runs.error = DatabaseError("The database is locked.")
    async with connected(runs) as browser:
        assert await browser.frame() == {"type": "error", "message": "The database is locked."}
        assert (await browser.next())["code"] == frames.TRY_LATER
    assert runs.closed


async def test_a_database_that_cannot_be_opened_is_said() -> None:
    def find() -> RunManager:
        raise DatabaseError("“x.db” is not a database.")

    async with connected(find) as browser:
        assert (await browser.frame())["message"] == "“x.db” is not a database."


async def test_when_the_server_goes_down_the_browser_is_to_come_back(manager) -> None:
    async with connected(manager) as browser:
        await browser.frame()
        await do(manager.close)
        assert (await browser.next())["code"] == frames.TRY_LATER
        with anyio.fail_after(10):
            await browser.done.wait()


async def test_a_browser_that_reads_nothing_is_let_go_and_nothing_piles_up(monkeypatch) -> None:
    monkeypatch.setattr(frames, "SEND_SECONDS", 0.05)
    runs = Scripted([], *([summary(f"s{number}")] for number in range(50)))
    async with connected(runs) as browser:
        await browser.frame()
        browser.stalled = anyio.Event()
        for _ in range(50):
            runs.go_on.release()
        with anyio.fail_after(10):
            await browser.done.wait()
    assert (runs.reads, runs.closed) == (2, True)


async def test_a_connection_that_is_closed_leaves_nothing_behind(manager) -> None:
    async with connected(manager) as browser:
        await browser.frame()
        watching = manager._watching
        (watcher,) = watching._watchers
        gone = weakref.ref(browser)
    await do(manager.sessions.summaries)  # the manager's loop had its turn
    assert (watching._watchers, watching._pollers, watching._all.unused) == (set(), (), True)
    del browser, watcher
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}],
    ids=str,
)
def test_a_page_of_another_site_gets_nothing(headers) -> None:
    app = Starlette(routes=[sessions_route(lambda: pytest.fail("reached"))], middleware=[Middleware(Guard, reach=Reach())])
    client = TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(sessions.PATH, headers=headers):
        pass
