"""A class in this process, and browsers of its users."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient

from agents.access import OWNER, User, learner, teacher
from ui.access import door, identity, owner_token
from ui.access.guard import Reach
from ui.access.identity import Identity
from ui.access.owner import owner_route
from ui.classroom import connection
from ui.classroom.pages import class_pages, class_route
from ui.classroom.room import Room, room
from ui.state import runs
from ui.web.routes.feed import log_route

ANA, BEN, CEM, TEA = learner("a"), learner("b"), learner("c"), teacher("t")
REACH = Reach(network=True)


async def page(request: Request) -> HTMLResponse:
    return HTMLResponse(f"<p>{identity.current().role}</p>")


class Browser:
    """A browser with one user's cookie, or a stranger's."""

    def __init__(self, app: Identity, user: User | None) -> None:
        self.client = TestClient(app, client=("203.0.113.9", 4000), base_url="http://127.0.0.1", follow_redirects=False)
        if user is OWNER:
            self.client.cookies.set(owner_token.cookie_name(), owner_token.token())
        elif user is not None:
            name = user.id
            self.client.cookies.set(identity._cookie_name(), f"{name}.{identity._signature(name)}")

    @contextmanager
    def open(self, view: str) -> Iterator[Page]:
        with self.client.websocket_connect(f"ws://127.0.0.1/api/class?view={view}") as socket:
            yield Page(socket)


class Page:
    """A page of a class: what it shows, and what it asks for."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.number = socket, 0

    def ask(self, what: str, **more: Any) -> str:
        """ "" if it was done, or why not."""
        self.number += 1
        self.socket.send_json({"do": what, "number": self.number, **more})
        while True:
            frame = self.socket.receive_json()
            if frame.get("number") == self.number:
                return frame.get("message", "")

    def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next view in which something holds."""
        while True:
            frame = self.socket.receive_json()
            if frame["type"] in {"phone", "wall", "desk"} and holds(frame):
                return frame


@pytest.fixture
def held(manager, monkeypatch) -> Iterator[Room]:
    monkeypatch.setattr(connection, "WRONG_CODE_SECONDS", 0)
    monkeypatch.setattr(connection, "ACT_SECONDS", 0)
    monkeypatch.setattr(door._process, "door", None)
    door.build()
    found = room()
    assert found is not None
    return found


@pytest.fixture
def browser(held) -> Callable[[User | None], Browser]:
    routes = [class_route(), *class_pages(), owner_route(), log_route(runs.manager)]
    app = Starlette(routes=routes)
    for path in ("/", "/gallery", "/settings", "/api/collection"):
        app.add_route(path, page)
    return lambda user: Browser(Identity(app, REACH), user)


@pytest.fixture
def joined(held) -> Room:
    """Three learners are in the class."""
    for user, name in ((ANA, "Ana"), (BEN, "Ben"), (CEM, "Cem")):
        held.classroom.join(user, held.classroom.code, name)
    return held
