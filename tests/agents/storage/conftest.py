"""Session services under test, and small makers of what is appended to them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from google.genai import types

from agents.event import Event, EventActions
from agents.session import Leases
from agents.storage.postgres.pool import Pool
from agents.storage.postgres.sessions import PostgresSessionService
from agents.storage.sessions import InMemorySessionService, SqliteSessionService
from tests.agents.storage.postgres_server import (
    postgres,  # noqa: F401
    postgres_server,  # noqa: F401
)

NAMES = {"app_name": "app", "user_id": "user"}
S1 = {**NAMES, "session_id": "s1"}


STORES = ["memory", "sqlite", "postgres"]
"""What every session service is tested with."""


def make_service(kind: str, request: pytest.FixtureRequest):
    match kind:
        case "memory":
            return InMemorySessionService()
        case _:
            return service_at(place_of(kind, request))


def place_of(kind: str, request: pytest.FixtureRequest) -> Path | str:
    return request.getfixturevalue("postgres") if kind == "postgres" else request.getfixturevalue("tmp_path") / "test.db"


def service_at(place: Path | str, *, wait: float = 10.0, leases: Leases | None = None):
    """The service of a database: of a SQLite file, or of PostgreSQL at an address."""
    if isinstance(place, Path):
        return SqliteSessionService(place, busy_timeout=wait, leases=leases)
    return PostgresSessionService(Pool(place, wait=wait), leases=leases)


def said(text: str, *, author: str = "writer", **fields) -> Event:
    content = types.Content(role="user" if author == "user" else "model", parts=[types.Part(text=text)])
    return Event(author=author, invocation_id="i1", content=content, **fields)


def delta(**values) -> Event:
    """An event that sets state; `app__x=1` stands for the key `app:x`."""
    return Event(
        author="writer",
        invocation_id="i1",
        actions=EventActions(state_delta={key.replace("__", ":"): value for key, value in values.items()}),
    )


@pytest.fixture(params=STORES)
async def service(request, anyio_backend):
    service = make_service(request.param, request)
    yield service
    await service.close()


@pytest.fixture(params=STORES[1:])
def place(request) -> Path | str:
    """Where a database is that other processes can open, too."""
    return place_of(request.param, request)


@pytest.fixture
async def in_tables(place, anyio_backend):
    """A service of a database."""
    service = service_at(place)
    yield service
    await service.close()


def writing(service: SqliteSessionService) -> list[sqlite3.Connection]:
    """What a service writes with: in its thread, and at once."""
    writer = service._database._writer
    return [writer._connection.get(), writer._impatient.get()]


def reading(service: SqliteSessionService) -> sqlite3.Connection:
    """What a service reads with."""
    return service._database._readers[0].connection.get()


@pytest.fixture
async def sqlite(tmp_path, anyio_backend):
    service = SqliteSessionService(tmp_path / "test.db", busy_timeout=0.2)
    yield service
    await service.close()
