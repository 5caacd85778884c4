"""Several servers on one database: one is killed or stands still, and another one goes on; one shows and stops all runs."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from pathlib import Path

import pytest

from agents.runs import PendingCall, Run, RunManager
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


async def asked(manager: RunManager) -> PendingCall:
    """The call that a user is asked about."""
    async with asyncio.timeout(20):
        while not (calls := manager.pending()):
            await asyncio.sleep(0.02)
    [call] = calls
    return call


async def killed_while_it_posts(there, tmp_path, *words: str) -> str:
    """A run whose server is killed in the middle of its call with the word "wait"."""
    session, _ = there.start(" ".join(words), tmp_path)
    await posted(tmp_path, *words[: words.index("wait") + 1])
    there.signal(signal.SIGKILL)
    return session


async def test_a_call_that_a_killed_server_had_begun_is_not_made_again_unasked(here, there, tmp_path):
    session = await killed_while_it_posts(there, tmp_path, "a", "wait", "b")
    call = await asked(here)
    assert (call.tool, call.args, call.is_confirmation) == ("post", {"word": "wait"}, True)
    assert "may have had its effect" in call.hint
    assert ledger(tmp_path) == ["a", "wait"]
    (tmp_path / "go").touch()
    here.answer(PIPELINE, session, call.call_id, {"confirmed": False})
    log = await until(here, session, "run_finished", status="completed")
    assert ledger(tmp_path) == ["a", "wait", "b"]
    assert texts(log)[-1].startswith("1 {'posted': 'a'} 2 {'error': 'The call of post was rejected")


async def test_a_call_that_the_user_wants_again_is_made_again_once(here, there, tmp_path):
    session = await killed_while_it_posts(there, tmp_path, "a", "wait", "b")
    call = await asked(here)
    (tmp_path / "go").touch()
    here.answer(PIPELINE, session, call.call_id, {"confirmed": True})
    log = await until(here, session, "run_finished", status="completed")
    assert ledger(tmp_path) == ["a", "wait", "wait", "b"]
    assert texts(log)[-1] == "1 {'posted': 'a'} 2 {'posted': 'wait'} 3 {'posted': 'b'}"


async def test_a_run_that_was_killed_while_it_spoke_ends_as_it_would_have(here, there, tmp_path):
    session, run = there.start("a b c", tmp_path, simulated_speed=20)
    await posted(tmp_path, "a", "b")
    there.signal(signal.SIGKILL)
    log = await until(here, session, "run_finished", status="completed", invocation_id=run)
    assert ledger(tmp_path) in (["a", "b", "c"], ["a", "b"])  # the second call may have been cut off: then it was asked
    assert texts(log)[-1] == "1 {'posted': 'a'} 2 {'posted': 'b'} 3 {'posted': 'c'}"
    calls = [call.id for entry in log if entry.kind == "event" for call in entry.event().get_function_calls()]
    assert len(calls) == len(set(calls))
    assert [entry.seq for entry in log] == sorted({entry.seq for entry in log})


class Done:
    """The runs that a server has run to their end."""

    def __init__(self, manager: RunManager) -> None:
        self.runs: list[str] = []
        manager.listen(self)

    def ended(self, run: Run) -> None:
        self.runs.append(run.invocation_id)

    def close(self) -> None:
        return


async def test_it_is_the_other_server_that_ends_the_run_of_a_killed_one(here, there, tmp_path):
    done = Done(here)
    session, run = there.start("a b c d", tmp_path, simulated_speed=20)
    await posted(tmp_path, "a", "b")
    assert (there.running, here._engine.running()) == (1, [])
    there.signal(signal.SIGKILL)
    log = await until(here, session, "run_finished", status="completed", invocation_id=run)
    async with asyncio.timeout(20):
        while not done.runs:
            await asyncio.sleep(0.02)
    assert done.runs == [run]
    assert not there.is_alive
    begun = [entry.fields().get("resumed", False) for entry in log if entry.kind == "run_started"]
    assert begun == [False, True]


async def test_a_server_that_wakes_finds_its_run_taken_over_and_stores_nothing_more(here, there, tmp_path):
    session, _ = there.start("a wait b", tmp_path)
    await posted(tmp_path, "a", "wait")
    there.signal(signal.SIGSTOP)
    call = await asked(here)
    before = here.sessions.log(PIPELINE, session)
    (tmp_path / "go").touch()  # what the stopped server waits for
    there.signal(signal.SIGCONT)
    async with asyncio.timeout(20):
        while there.running:
            await asyncio.sleep(0.02)
    assert [entry.seq for entry in here.sessions.log(PIPELINE, session)] == [entry.seq for entry in before]
    assert here.pending() == [call]
    assert ledger(tmp_path) == ["a", "wait"]


async def test_another_server_shows_a_run_and_stops_it(here, there, tmp_path):
    session, _ = there.start("wait", tmp_path)
    log = await until(here, session, "tool_started")
    assert kinds(log)["event"] == 2
    assert status(here, session) == "running"
    assert here.stop(PIPELINE, session)
    assert status(here, session) == "stopped"
    assert there.running == 0
    assert not here.stop(PIPELINE, session)


async def test_a_confirmation_is_answered_at_another_server(here, there, tmp_path):
    session, run = there.start("ask b", tmp_path)
    await until(here, session, "run_finished", status="paused")
    [call] = here.pending()
    here.answer(PIPELINE, session, call.call_id, {"confirmed": True})
    log = await until(here, session, "run_finished", status="completed")
    assert ledger(tmp_path) == ["ask", "b"]
    assert {entry.fields()["invocation_id"] for entry in log if entry.kind == "run_finished"} == {run}
