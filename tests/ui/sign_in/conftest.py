"""A playground in the process: the pages to sign in, a page that says who asks, a socket that echoes who asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents.access import Accounts, ApiTokens, Login, Role, UsersFile, hashed
from agents.storage.memory_journal import InMemoryJournal
from ui.access import identity
from ui.access.guard import Guard, Reach
from ui.access.identity import Identity
from ui.access.ways_in import WaysIn
from ui.sign_in.routes import SignIn

NETWORK = Reach(network=True)
REMOTE = ("203.0.113.9", 4000)
PASSWORD = "correct horse"
ORIGIN = {"Origin": "http://127.0.0.1"}


async def who(request: Request) -> JSONResponse:
    user = identity.current()
    return JSONResponse({"id": user.id, "role": user.role, "headers": sorted(request.headers.keys())})


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    try:
        while True:
            await websocket.receive_text()
            await websocket.send_json({"id": identity.current().id})
    except WebSocketDisconnect:
        return


@dataclass
class Place:
    """A playground, of one server."""

    ways: WaysIn = field(default_factory=WaysIn)
    journal: InMemoryJournal = field(default_factory=InMemoryJournal)
    reach: Reach = NETWORK
    accounts: Accounts = field(init=False)

    def __post_init__(self) -> None:
        self.accounts = Accounts(self.journal, users_file=self.ways.users, fresh=0)
        self.tokens = ApiTokens(self.journal, self.accounts)
        identity._process.accounts = None  # as a server that starts
        app = Starlette(
            routes=[
                *SignIn(lambda: self.accounts, lambda: self.ways).routes(),
                Route("/who", who),
                Route("/v1/models", who, methods=["GET", "POST"]),
                Route("/_stcore/upload_file/{tab}/{file}", who, methods=["PUT"]),
                WebSocketRoute("/api/log", socket),
            ]
        )
        inner = Identity(app, self.reach, tokens=lambda: self.tokens, accounts=lambda: self.accounts, ways=lambda: self.ways)
        self.app = Guard(inner, self.reach)

    def browser(self, url: str = "http://127.0.0.1", peer: tuple[str, int] = REMOTE) -> TestClient:
        return TestClient(self.app, base_url=url, client=peer, follow_redirects=False, headers={"Origin": url})


@pytest.fixture
def place() -> Callable[..., Place]:
    return Place


@pytest.fixture
def users(tmp_path) -> UsersFile:
    file = UsersFile(tmp_path / "users.toml")
    file.put(Login(name="山田 太郎", role=Role.AUTHOR, password=hashed(PASSWORD)))
    file.put(Login(name="ann", role=Role.USER, password=hashed(PASSWORD)))
    return file


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Passwords are hashed with little work; what a hash says of itself is what counts."""
    monkeypatch.setattr("agents.access.users_file._COST", 4)
