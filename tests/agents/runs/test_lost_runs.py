"""A run whose database fails in the middle: it ends, says what is stored, and is marked once that is possible."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from agents.errors import DatabaseError, DatabaseLostError
from agents.runs import LostRun, RunManager, Waiting
from agents.runs import engine as engine_module
from agents.runs import services as services_module
from agents.runs.watch import watch as watching_module
from agents.storage.sessions import SqliteSessionService
from agents.storage.sqlite import patience
from agents.storage.stores import open_store
from tests.agents.runs.stage import collect, entries, finished, soon, status, texts
from tests.agents.runs.test_manager import STAGES

pytestmark = pytest.mark.anyio


@pytest.fixture(params=[0.2])
def manager(request, tmp_path, monkeypatch):
    """One whose sessions wait for a moment only, or for as long as the test says."""

    def open_impatient(database, **_):
        sessions = SqliteSessionService(database, busy_timeout=request.param)
        own = {"sessions": sessions, "collection": sessions.collection, "reducers": sessions.reducers}
        return replace(open_store(database), **own)

    monkeypatch.setattr(services_module, "open_store", open_impatient)
    monkeypatch.setattr(engine_module, "MEND_SECONDS", 0.05)
    monkeypatch.setattr(patience, "TELL_SECONDS", 0)
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 3600)  # what is told comes from the run
    with RunManager(database=tmp_path / "test.db", agents_dir=STAGES) as manager:
        yield manager


@contextmanager
def locked(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def taken_away(folder):
    (folder / "taken").mkdir()
    for file in sorted(folder.glob("test.db*")):
        file.rename(folder / "taken" / file.name)


def put_back(folder):
    for file in sorted((folder / "taken").iterdir(), reverse=True):  # the database itself last
        file.rename(folder / file.name)


def lost(seen):
    return next((item for item in seen if isinstance(item, LostRun)), None)


class Playing:
    """A run that has said its first line, and says the next one on cue."""

    def __init__(self, manager, folder):
        self.manager, self.cue = manager, folder / "cue"

    async def begin(self):
        self.run = await asyncio.to_thread(self.manager.start, "rehearsal", f"cue {self.cue}")
        seen = await self.until(lambda seen: "before" in texts(seen))
        self.after = entries(seen)[-1].seq

    async def until(self, condition, after=0):
        return await collect(self.manager.subscribe("rehearsal", self.run.session_id, after=after), condition)

    def follow(self, condition):
        return asyncio.create_task(self.until(condition, self.after))

    async def told(self, watching):
        """What a watcher says that lost the run: it may find the log unreadable before the run cannot write."""
        try:
            return lost(await soon(watching)).message
        except DatabaseError as error:
            return await asyncio.to_thread(self.manager.loss, self.run, error)

    @property
    def status(self):
        return next(found.status for found in self.manager.sessions.summaries() if found.id == self.run.session_id)


@pytest.fixture
async def playing(manager, tmp_path):
    playing = Playing(manager, tmp_path)
    await playing.begin()
    return playing


async def test_a_run_whose_database_is_locked_ends_and_is_marked_afterwards(manager, playing, tmp_path):
    with locked(tmp_path / "test.db"):
        watching = playing.follow(lost)
        playing.cue.touch()
        seen = await soon(watching)
        assert re.search(
            rf"is locked: .* Session {playing.run.session_id} is stored up to event 2; what came after it is lost\.$",
            lost(seen).message,
        )
        assert lost(seen).invocation_id == playing.run.invocation_id
        assert playing.status == "interrupted"
        assert lost(await soon(playing.until(lost))) == lost(seen), "whoever comes later is told as well"
        watching = playing.follow(finished)
    assert status(await soon(watching)) == "interrupted"
    assert playing.status == "interrupted"


async def test_a_run_whose_database_is_taken_away_ends_and_is_marked_when_it_is_back(playing, tmp_path):
    taken_away(tmp_path)
    with pytest.raises(DatabaseError) as caught:
        await asyncio.to_thread(playing.manager.stop, "rehearsal", playing.run.session_id)
    message = str(caught.value)
    assert re.search(rf"nothing can be found at that path any more.*Session {playing.run.session_id} was in it\.$", message)
    assert not (tmp_path / "test.db").exists()
    with pytest.raises(DatabaseLostError):
        playing.manager.sessions.summaries()
    put_back(tmp_path)
    assert status(await soon(playing.until(finished))) == "interrupted"
    run = await asyncio.to_thread(playing.manager.start, "rehearsal", "talk 1", session_id=playing.run.session_id)
    seen = await collect(playing.manager.subscribe("rehearsal", run.session_id, after=run.after), finished)
    assert (status(seen), lost(seen)) == ("completed", None)


async def test_a_run_whose_database_is_replaced_says_so_and_is_not_in_the_other(manager, playing, tmp_path):
    other = SqliteSessionService(tmp_path / "other.db")
    await other.open()
    await other.close()
    watching = playing.follow(lost)
    await asyncio.sleep(0)
    other.path.replace(tmp_path / "test.db")
    with pytest.raises(DatabaseError, match="was replaced by another file"):
        await asyncio.to_thread(manager.stop, "rehearsal", playing.run.session_id)
    assert f"Session {playing.run.session_id} is not in the file that is there now." in lost(await soon(watching)).message
    assert manager.sessions.summaries() == []
    assert (await asyncio.to_thread(manager.start, "rehearsal", "talk 1")).session_id


async def test_of_a_damaged_database_nothing_is_claimed(playing, tmp_path):
    watching = playing.follow(lost)
    await asyncio.sleep(0)
    log = tmp_path / "test.db-wal"
    with log.open("r+b") as file:
        file.write(b"\xff" * log.stat().st_size)
    playing.cue.touch()
    message = await playing.told(watching)
    assert re.search(r"test\.db is (damaged|not a SQLite database)", message)
    assert "is stored up to" not in message


@pytest.mark.parametrize("manager", [3600], indirect=True)
async def test_a_run_waits_for_a_lock_and_goes_on(playing, tmp_path):
    with locked(tmp_path / "test.db"):
        watching = playing.follow(lambda seen: any(isinstance(item, Waiting) for item in seen))
        playing.cue.touch()
        seen = await soon(watching)
        assert seen[-1].reason.endswith("test.db, which is locked by another process.")
        watching = playing.follow(finished)
    assert status(await soon(watching)) == "completed"
    assert playing.status == "completed"


@pytest.mark.parametrize("manager", [3600], indirect=True)
async def test_a_run_that_waits_for_a_lock_can_be_stopped(manager, playing, tmp_path):
    with locked(tmp_path / "test.db"):
        watching = playing.follow(lambda seen: any(isinstance(item, Waiting) for item in seen))
        playing.cue.touch()
        await soon(watching)
        with pytest.raises(DatabaseError, match=r"is locked.*is stored up to event 2"):
            await asyncio.to_thread(manager.stop, "rehearsal", playing.run.session_id)
        assert playing.status == "interrupted"


@pytest.mark.parametrize("manager", [3600], indirect=True)
async def test_a_manager_can_be_closed_while_a_run_waits_for_a_lock(manager, playing, tmp_path):
    with locked(tmp_path / "test.db"):
        watching = playing.follow(lambda seen: any(isinstance(item, Waiting) for item in seen))
        playing.cue.touch()
        await soon(watching)
        assert await soon(asyncio.to_thread(manager.close))


async def test_a_database_that_was_deleted_is_begun_anew_on_demand(manager, playing, tmp_path):
    for file in tmp_path.glob("test.db*"):
        file.unlink()
    with pytest.raises(DatabaseError, match="nothing can be found"):
        await asyncio.to_thread(manager.stop, "rehearsal", playing.run.session_id)
    with pytest.raises(DatabaseError, match="nothing can be found"):
        await asyncio.to_thread(manager.start, "rehearsal", "talk 1")
    assert not (tmp_path / "test.db").exists()
    await asyncio.to_thread(manager.make_database)
    assert manager.sessions.summaries() == []
    assert (await asyncio.to_thread(manager.start, "rehearsal", "talk 1")).session_id
