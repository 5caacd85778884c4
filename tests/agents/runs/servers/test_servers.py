"""Several servers on one database: one is killed or stands still, and another one goes on; one shows and stops all runs."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from pathlib import Path

import pytest

from agents.runs import RunManager
from agents.storage.address import PostgresAddress
from tests.agents.runs.servers.server import PIPELINE, OtherServer, ledger, open_server, until
from tests.agents.storage.postgres_server import postgres, postgres_server  # noqa: F401

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    return tmp_path / "play.db" if request.param == "sqlite" else PostgresAddress(request.getfixturevalue("postgres"))


@pytest.fixture
def here(database, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with open_server(database) as manager:
        yield manager


@pytest.fixture
def there(database, here):  # `here` makes the database
    server = OtherServer(database)
    yield server
    server.end()


async def posted(folder: Path, *words: str) -> None:
    async with asyncio.timeout(20):
        while not (folder / "ledger").exists() or ledger(folder) != [*words]:
            await asyncio.sleep(0.02)


def texts(entries) -> list[str]:
    return [event.text for event in (entry.event() for entry in entries if entry.kind == "event") if event.text]


def kinds(entries) -> Counter[str]:
    return Counter(entry.kind for entry in entries)


def status(manager: RunManager, session_id: str) -> str:
    found = manager.sessions.find(PIPELINE, session_id)
    assert found is not None
    return found.status


async def killed_while_it_posts(here, there, tmp_path, *words: str) -> tuple[str, str]:
    """A run whose server is killed in the middle of its call with the last word, which is "wait"."""
    session, run = there.start(" ".join(words), tmp_path)
    await posted(tmp_path, *words[: words.index("wait") + 1])
    there.signal(signal.SIGKILL)
    await until(here, session, "run_finished", invocation_id=run, status="paused")
    return session, run


async def test_a_call_that_a_killed_server_had_begun_is_not_made_again_unasked(here, there, tmp_path):
    session, run = await killed_while_it_posts(here, there, tmp_path, "a", "wait", "b")
    await until(here, session, "run_finished", invocation_id=run, status="paused", calls=2)
    async with asyncio.timeout(20):
        while not (calls := here.pending()):
            await asyncio.sleep(0.02)
    [call] = calls
    assert (call.tool, call.args, call.is_confirmation) == ("post", {"word": "wait"}, True)
    assert "may have had its effect" in call.hint
    assert ledger(tmp_path) == ["a", "wait"]
    (tmp_path / "go").touch()
    here.answer(PIPELINE, session, call.call_id, {"confirmed": False})
    log = await until(here, session, "run_finished", status="completed")
    assert ledger(tmp_path) == ["a", "wait", "b"]
    assert texts(log)[-1].startswith("1 {'posted': 'a'} 2 {'error': 'The call of post was rejected")


async def test_a_call_that_the_user_wants_again_is_made_again_once(here, there, tmp_path):
    session, _ = await killed_while_it_posts(here, there, tmp_path, "a", "wait", "b")
    async with asyncio.timeout(20):
        while not (calls := here.pending()):
            await asyncio.sleep(0.02)
    (tmp_path / "go").touch()
    here.answer(PIPELINE, session, calls[0].call_id, {"confirmed": True})
    log = await until(here, session, "run_finished", status="completed")
    assert ledger(tmp_path) == ["a", "wait", "wait", "b"]
    assert texts(log)[-1] == "1 {'posted': 'a'} 2 {'posted': 'wait'} 3 {'posted': 'b'}"
