"""The served app with clients that do not behave, and its end, as processes."""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from google.genai import types

from agents.access import OWNER
from agents.event import Event
from agents.runs import RunManager
from agents.storage.sessions.sqlite import SqliteSessionService
from tests.forks import Fork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they look at descriptors and connections as Linux has them")

SERVE = """
import json, sys, threading, time
from pathlib import Path
from ui.state import runs
from ui.web.connection_limits import Limits
from ui.server import serve
database, agents_dir, limits, order = json.loads(sys.argv[1])
places = {"database": Path(database), "agents_dir": Path(agents_dir) if agents_dir else None}
def block():
    print("it blocks", flush=True)
    time.sleep(600)
if order == "block the loop of all runs":
    runs.configure(**places)
    runs.manager()._thread.post(block)
elif order:
    runs.configure(**places)
    threading.Thread(target=runs.manager().start, args=order, daemon=True).start()
serve(host="127.0.0.1", port=0, open_browser=False, limits=Limits(**limits), **places)
"""
STAGES = Path(__file__).parents[2] / "agents" / "runs" / "stages"
HANGING = """
import threading
print("it hangs", flush=True)
threading.Event().wait()
"""
BLOCKING = """
import asyncio, time
from agents import BaseAgent, Event

class Blocker(BaseAgent):
    async def _run_async_impl(self, ctx):
        yield Event(author=self.name)
        print("it blocks", flush=True)
        {block}

root_agent = Blocker(name="blocker")
"""
A_TOOL = "await asyncio.to_thread(time.sleep, 600)"
ITS_LOOP = "time.sleep(600)"
ALL_RUNS = "block the loop of all runs"
ENDS = pytest.mark.parametrize(("number", "codes"), [(signal.SIGTERM, {-15, 143}), (signal.SIGINT, {0, 130})])
SECONDS = 30


class Served:
    """A served app.

    Attributes:
        database: Where its sessions are.
        process: It.
        port: Where it answers.
    """

    def __init__(self, database: Path, process: Fork) -> None:
        self.database = database
        self.process = process
        self.said: list[str] = []
        address = self.read_until("http://127.0.0.1:")
        self.port = int(address.rsplit(":", 1)[1])

    def read_until(self, text: str) -> str:
        """The first line that holds `text`, which may have been read before."""
        assert self.process.stdout is not None
        while True:
            for line in self.said:
                if text in line:
                    return line
            line = self.process.stdout.readline()
            assert line, self.said
            self.said.append(line)

    @property
    def sizes(self) -> tuple[int, int]:
        """Descriptors and threads."""
        process = psutil.Process(self.process.pid)
        return process.num_fds(), process.num_threads()

    def connections(self) -> int:
        found = psutil.Process(self.process.pid).net_connections()
        return sum(connection.laddr.port == self.port and bool(connection.raddr) for connection in found)

    @property
    def listens(self) -> bool:
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def connect(self, head: str = "", *, window: int = 4096) -> socket.socket:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        client.connect(("127.0.0.1", self.port))
        client.sendall(head.encode())
        return client

    def upgrade(self, path: str, *more: str) -> socket.socket:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *more,
        ]
        return self.connect("\r\n".join([*lines, "", ""]))

    def load(self) -> None:
        """Draws the page once, as a tab does that is closed then."""
        from streamlit.proto.BackMsg_pb2 import BackMsg
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
        from websockets.sync.client import connect

        here = f"127.0.0.1:{self.port}"
        with connect(f"ws://{here}/_stcore/stream", origin=f"http://{here}", subprotocols=["streamlit"]) as tab:  # pyright: ignore[reportArgumentType]
            tab.send(BackMsg(rerun_script={}).SerializeToString())  # pyright: ignore[reportArgumentType]
            while ForwardMsg.FromString(tab.recv(timeout=SECONDS)).WhichOneof("type") != "script_finished":  # pyright: ignore[reportArgumentType]
                pass


@pytest.fixture
def serve(tmp_path) -> Iterator[Callable[..., Served]]:
    with ExitStack() as stack:

        def start(*, limits: dict[str, float] | None = None, agents_dir: Path | None = None, order: Any = None) -> Served:
            database = tmp_path / "playground.db"
            options = json.dumps([str(database), agents_dir and str(agents_dir), limits or {}, order])
            process = Fork(["-c", SERVE, options], cwd=tmp_path, one_stream=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            return Served(database, process)

        yield start


@contextmanager
def closing(clients: list[socket.socket]) -> Iterator[None]:
    try:
        yield
    finally:
        for client in clients:
            client.close()


def gone(client: socket.socket) -> bool:
    """Waits until the server has ended the connection, without reading from it."""
    poll = select.poll()
    poll.register(client, select.POLLRDHUP)
    return bool(poll.poll(SECONDS * 1000))


async def long_session(database: Path) -> str:
    """A session whose log is more than the system keeps for a connection."""
    service = SqliteSessionService(database)
    session = await service.create_session(app_name="rehearsal", user_id=OWNER.id)
    text = "x" * 40_000
    for _ in range(400):
        content = types.Content(role="model", parts=[types.Part(text=text)])
        await service.append_event(session, Event(author="Rehearser", content=content))
    await service.close()
    return session.id


def package(folder: Path, name: str, text: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("")
    (folder / name / "agent.py").write_text(text)
    return folder


def blocker(folder: Path, block: str) -> Path:
    return package(folder / "agents", "blocker", BLOCKING.format(block=block))


@pytest.mark.anyio
async def test_viewers_that_read_nothing_are_let_go_and_their_memory_is_free(serve, tmp_path):
    session = await long_session(tmp_path / "playground.db")
    served = serve(limits={"send_seconds": 1.5}, agents_dir=STAGES)
    served.load()
    memory = psutil.Process(served.process.pid).memory_info
    before = memory().rss
    viewers = [served.upgrade(f"/api/log?pipeline=rehearsal&session={session}") for _ in range(10)]
    tabs = [served.upgrade("/_stcore/stream", "Sec-WebSocket-Protocol: streamlit") for _ in range(10)]
    with closing(viewers + tabs):
        assert all(map(gone, viewers + tabs))
        while served.connections():
            pass
        while memory().rss > before + 60e6:  # ten viewers held 30 MB each
            pass


def test_tabs_that_are_gone_leave_nothing_behind(serve, tmp_path):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text("[server]\ndisconnectedSessionTTL = 1\n")
    served = serve()
    served.load()
    served.load()
    files, threads = served.sizes
    for _ in range(12):
        served.load()
    while served.sizes[0] > files or served.sizes[1] > threads:
        pass


@ENDS
@pytest.mark.anyio
async def test_it_ends_in_time_with_clients_and_a_tool_that_hang(serve, tmp_path, number, codes):
    """Silent viewers, open pages, slow headers, and a tool that blocks its thread."""
    session = await long_session(tmp_path / "playground.db")
    agents = blocker(tmp_path, A_TOOL)
    served = serve(agents_dir=agents, order=["blocker", "go"])
    served.read_until("it blocks")
    viewers = [served.upgrade(f"/api/log?pipeline=rehearsal&session={session}") for _ in range(40)]
    pages = [served.upgrade("/_stcore/stream", "Sec-WebSocket-Protocol: streamlit") for _ in range(3)]
    slow = [served.connect("GET / HTTP/1.1\r\nX-") for _ in range(5)]
    with closing(viewers + pages + slow):
        for client in viewers + pages:
            assert client.recv(1) == b"H"  # of the handshake's answer
        served.process.send_signal(number)
        assert served.process.wait(timeout=60) in codes
    with RunManager(database=served.database, agents_dir=agents) as manager:
        assert [(found.status, found.events) for found in manager.sessions.summaries("blocker")] == [("stopped", 2)]
        assert [found.events for found in manager.sessions.summaries("rehearsal")] == [400]


@ENDS
def test_it_ends_in_time_while_a_package_hangs_at_import(serve, tmp_path, number, codes):
    served = serve(agents_dir=package(tmp_path / "agents", "hanging", HANGING))
    served.read_until("it hangs")
    served.process.send_signal(number)
    assert served.process.wait(timeout=60) in codes


@ENDS
def test_it_ends_in_time_when_a_package_blocks_the_loop_of_its_run(serve, tmp_path, number, codes):
    agents = blocker(tmp_path, ITS_LOOP)
    served = serve(agents_dir=agents, order=["blocker", "go"])
    served.read_until("it blocks")
    served.process.send_signal(number)
    assert served.process.wait(timeout=60) in codes
    with RunManager(database=served.database, agents_dir=agents) as manager:
        assert [found.status for found in manager.sessions.summaries("blocker")] == ["stopped"]


def test_it_ends_in_time_when_runs_cannot_be_stopped(serve):
    served = serve(order=ALL_RUNS)
    served.read_until("it blocks")
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(timeout=60) == 143
    said = served.process.stdout.read()
    assert "took longer than 4 s" in said
    assert "What was stored is kept" in said


def test_a_second_signal_ends_it_at_once(serve):
    served = serve(order=ALL_RUNS)
    served.read_until("it blocks")
    served.process.send_signal(signal.SIGINT)
    while served.listens:  # until it has heard the first one
        pass
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(timeout=60) == 143
    assert "What was stored is kept" not in served.process.stdout.read()
