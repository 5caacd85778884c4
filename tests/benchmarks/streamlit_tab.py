"""A browser tab without a browser: it speaks Streamlit's protocol, and opens the sockets that the page's components open.

Fifty Chromiums would take all of the machine that is to be measured. What a tab asks of the server is the same.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 120.0
_NO_LIMIT: dict[str, Any] = {"max_size": None, "compression": None, "open_timeout": PATIENCE}


@dataclass(slots=True)
class Seen:
    """What a viewer was sent.

    Attributes:
        made: When the first event was made, by `time.time`; None before one came.
        seqs: Of the log's entries, in the order of their arrival.
        first: When the first event came, by `time.perf_counter`; None before that.
        delays: Seconds from the making of an event until it came, of those made while the viewer watched.
        ended: Set when the run has ended.
    """

    made: float | None = None
    seqs: list[int] = field(default_factory=list[int])
    first: float | None = None
    delays: list[float] = field(default_factory=list[float])
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Tab:
    """A tab of the Playground page, with its list of sessions and, once a session is shown, its viewer.

    Args:
        address: The server's, e.g. `127.0.0.1:8501`.
        pipeline: The pipeline that it shows.
    """

    def __init__(self, address: str, pipeline: str) -> None:
        self.seen = Seen()
        self.session = ""
        self._address, self._pipeline = address, pipeline
        self._buttons: dict[str, str] = {}
        self._cached: dict[str, ForwardMsg] = {}
        self._page = ""
        self._watching_since = 0.0
        self._drawn = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._sockets: list[ClientConnection] = []

    async def open(self) -> Self:
        """Opens the page and returns once it is drawn."""
        self._socket = await self._connect("_stcore/stream", subprotocols=["streamlit"])
        self._tasks.append(asyncio.create_task(self._read_page()))
        await self._run_script()
        await self._watch("api/sessions", self._ignore, pipeline=self._pipeline)
        return self

    async def press(self, label: str) -> None:
        """Clicks the first button whose label begins so, and returns once its effect is drawn."""
        self._drawn.clear()
        name = next(name for text, name in self._buttons.items() if text.startswith(label))
        await self._run_script(clicked=name)

    async def close(self) -> None:
        """Closes the tab."""
        for socket in self._sockets:
            await socket.close()
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _connect(self, path: str, **options: Any) -> ClientConnection:
        socket = await connect(f"ws://{self._address}/{path}", origin=f"http://{self._address}", **options, **_NO_LIMIT)  # pyright: ignore[reportArgumentType]
        self._sockets.append(socket)
        return socket

    async def _watch(self, path: str, take: Any, **query: str) -> None:
        socket = await self._connect(f"{path}?{urlencode(query)}")
        self._tasks.append(asyncio.create_task(_follow(socket, take)))

    async def _run_script(self, clicked: str = "") -> None:
        message = BackMsg()
        wanted = message.rerun_script
        wanted.query_string = urlencode({"pipeline": self._pipeline, **({"session": self.session} if self.session else {})})
        wanted.page_script_hash = self._page
        wanted.context_info.timezone = "UTC"
        if clicked:
            wanted.widget_states.widgets.add(id=clicked, trigger_value=True)
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            await self._drawn.wait()

    async def _read_page(self) -> None:
        async for payload in self._socket:
            assert isinstance(payload, bytes)
            message = ForwardMsg.FromString(payload)
            if message.ref_hash:
                message = self._cached[message.ref_hash]
            elif message.metadata.cacheable:
                self._cached[message.hash] = message
            await self._take(message)

    async def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._page = message.new_session.page_script_hash
            case "script_finished":
                self._drawn.set()
            case "delta":
                element = message.delta.new_element
                if element.HasField("button"):
                    self._buttons[element.button.label] = element.button.id
                elif element.HasField("bidi_component") and element.bidi_component.component_name == "session_view":
                    await self._show(json.loads(element.bidi_component.json)["session"])
            case _:
                pass

    async def _show(self, session: str | None) -> None:
        if session and session != self.session:
            self.session, self._watching_since = session, time.time()
            await self._watch("api/log", self._take_frame, pipeline=self._pipeline, session=session)

    def _take_frame(self, frame: dict[str, Any]) -> None:
        if frame["type"] != "log":
            return
        now, seen = time.time(), self.seen
        for entry in frame["entries"]:
            seen.seqs.append(entry["seq"])
            if entry["kind"] == "event" and seen.first is None:
                seen.first, seen.made = time.perf_counter(), entry["body"]["timestamp"]
            elif (made := entry["body"]["timestamp"]) > self._watching_since:
                seen.delays.append(now - made)
            if entry["kind"] == "run_finished":
                seen.ended.set()

    @staticmethod
    def _ignore(frame: dict[str, Any]) -> None:
        assert frame["type"] != "error", frame


async def _follow(socket: ClientConnection, take: Any) -> None:
    async for payload in socket:
        take(json.loads(payload))
