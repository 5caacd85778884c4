"""The socket of a class: `/api/class?view=phone|wall|desk`.

To the browser: what it shows, whole, whenever that has changed; `done` and `refused` with the number of the message that is
answered. From the browser: one message for each act, `{"do": …, "number": …}`. A vote is stored before its `done`, and a
page sends again what has no answer when it has connected again: so none is lost with a connection or with the server.

Forty phones with one socket each need no page scripts on the server, which a Streamlit page of each would. Nothing is
queued: a slow browser gets what there is when it has read the last frame.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents import ClassError, PlaygroundError
from agents.access import Action, Role, User, require
from ui.access import identity
from ui.classroom import views
from ui.classroom.acts import act
from ui.classroom.room import LOOK_SECONDS, Room, room
from ui.web.routes.frames import leave, said, send
from ui.web.threads import in_thread

LONGEST_MESSAGE = 20_000
"""Characters of a message; what learners type is far shorter, and longer ones are refused unread."""
PAUSE = 0.05
"""Least seconds between two frames: forty votes at once are one."""
LONGEST_WAIT = 30.0
"""Seconds between two looks while nothing goes on: changes wake a page."""
WRONG_CODE_SECONDS = 1.0
"""How long the answer to a message that was refused takes: codes cannot be tried one after the other."""
ACT_SECONDS = 0.1
"""Least seconds between two acts of a learner's page: a script that acts without end leaves the others their server."""
MOST_PAGES = 8
"""Most pages that a learner may have open."""
NO_CLASS = 4404

_VIEWS: dict[str, tuple[Callable[[Room, User], views.View], Action | None]] = {
    "phone": (views.phone, Action.TAKE_PART),
    "wall": (views.wall, None),
    "desk": (views.desk, Action.HOLD_CLASS),
}


async def serve(websocket: WebSocket) -> None:
    """Serves a page that has been accepted, until its browser is gone or stops reading."""
    with suppress(WebSocketDisconnect, TimeoutError):
        await _serve(websocket, identity.current())


async def _serve(websocket: WebSocket, user: User) -> None:
    try:
        found, make = await in_thread(_opened, user, websocket.query_params.get("view", "phone"))
    except PlaygroundError as error:
        await leave(websocket, NO_CLASS, {"type": "error", "message": str(error)})
        return
    await _Connection(websocket, user, found, make).run()


def _opened(user: User, view: str) -> tuple[Room, Callable[[Room, User], views.View]]:
    """The class, and what makes what a page of it shows.

    Raises:
        PlaygroundError: The user may not see it, or there is nothing to see.
    """
    if (found := room(user)) is None:
        raise ClassError("No class is held here. Start one with: playground class")
    if view not in _VIEWS:
        raise ClassError("There is no such view of a class.")
    make, needed = _VIEWS[view]
    if needed is not None:
        require(user, needed)
    if user.role is Role.LEARNER:
        if needed is None and not found.classroom.has(user.id):
            raise ClassError("Join the class first.")
        if found.present.count(user.id) >= MOST_PAGES:
            raise ClassError(f"You have {MOST_PAGES} pages of the class open. Close one of them.")
    return found, make


class _Connection:
    """One page of a class.

    Args:
        websocket: Its socket.
        user: Whose it is.
        found: The class.
        make: Makes what it shows.
    """

    def __init__(self, websocket: WebSocket, user: User, found: Room, make: Callable[[Room, User], views.View]) -> None:
        self._websocket, self._user, self._room, self._make = websocket, user, found, make
        self._changed = anyio.Event()
        self._sending = anyio.Lock()

    async def run(self) -> None:
        """Shows and acts until the browser is gone."""
        here = asyncio.get_running_loop()

        def note() -> None:
            self._changed.set()

        def wake() -> None:
            with suppress(RuntimeError):  # the server ends
                here.call_soon_threadsafe(note)

        unwatch = self._room.classroom.watch(wake)
        self._room.present.append(self._user.id)
        self._room.classroom.changed()
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._show)
                await self._listen()
                tasks.cancel_scope.cancel()
        finally:
            unwatch()
            self._room.present.remove(self._user.id)
            self._room.classroom.changed()

    async def _show(self) -> None:
        """Sends what the page shows, whenever it differs from what was sent."""
        last = ""
        with suppress(WebSocketDisconnect, TimeoutError):
            while True:
                self._changed = anyio.Event()
                await in_thread(self._room.look)
                view = await in_thread(self._make, self._room, self._user)
                text = said(view)
                if text != last:
                    await self._send(text)
                    last = text
                await anyio.sleep(PAUSE)
                with anyio.move_on_after(LOOK_SECONDS if self._room.goes_on() else LONGEST_WAIT):
                    await self._changed.wait()

    async def _listen(self) -> None:
        while True:
            received = await self._websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            await self._answer(received.get("text") or "")
            if self._user.role is Role.LEARNER:
                await anyio.sleep(ACT_SECONDS)

    async def _answer(self, text: str) -> None:
        number: int | None = None
        try:
            asked = _read(text)
            number = number if isinstance(number := asked.get("number"), int) else None
            await in_thread(act, self._room, self._user, asked)
        except PlaygroundError as error:
            if self._user.role is Role.LEARNER and not self._room.classroom.has(self._user.id):
                await anyio.sleep(WRONG_CODE_SECONDS)
            await self._send(said({"type": "refused", "number": number, "message": str(error)}))
        except (ValueError, RecursionError):
            await self._send(said({"type": "refused", "number": None, "message": "This message cannot be read."}))
        else:
            await self._send(said({"type": "done", "number": number}))

    async def _send(self, frame: str) -> None:
        async with self._sending:
            await send(self._websocket, frame)


def _read(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_MESSAGE:
        raise ValueError
    asked: Any = json.loads(text)
    if not isinstance(asked, dict):
        raise ValueError  # noqa: TRY004  what cannot be read has one error
    return asked
