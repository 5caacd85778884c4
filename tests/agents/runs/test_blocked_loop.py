"""An agent that blocks the loop of the runs: what is read, and what others do with stored sessions, does not wait for it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from agents.errors import PlaygroundError, RunInProgressError
from agents.runs import RunManager
from agents.session import SessionFilter
from tests.agents.runs.stage import collect, finished, soon, status, texts

STAGES = Path(__file__).parent / "stages"

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
def manager(request, tmp_path):
    with RunManager(
        database=None if request.param == "memory" else tmp_path / "playground.db", agents_dir=STAGES
    ) as manager:
        yield manager


@pytest.fixture
def cue(tmp_path):
    """The file that lets the agent go on; at the latest when the test ends."""
    cue = tmp_path / "cue"
    yield cue
    cue.touch()


@pytest.fixture
async def frozen(manager, cue):
    """The id of a session whose agent blocks the loop."""
    manager.sessions.create("rehearsal", session_id="other")
    manager.sessions.create("rehearsal", session_id="frozen")
    starting = asyncio.ensure_future(asyncio.to_thread(manager.start, "rehearsal", f"freeze {cue}", session_id="frozen"))
    await soon(collect(manager.subscribe("rehearsal", "frozen"), lambda seen: "freezing" in texts(seen)))
    yield "frozen"
    cue.touch()
    with suppress(PlaygroundError):  # it was stopped before it began
        await starting


async def test_lists_rows_logs_and_state_are_read(manager, frozen):
    assert [row.id for row in manager.sessions.page(limit=1).rows] == [frozen]
    assert {row.id for row in manager.sessions.summaries()} == {frozen, "other"}
    assert manager.sessions.find("rehearsal", frozen).status == "running"
    assert manager.sessions.find(None, "other").app_name == "rehearsal"
    assert manager.sessions.log("rehearsal", frozen)[-1].event().text == "freezing"
    assert manager.sessions.state("rehearsal", "other")["stage"] == "empty"
    assert len(manager.collection.search("freezing").sessions) == 1
    assert manager.pending() == []
    assert manager.models.preferences


async def test_sessions_are_made_renamed_and_deleted_and_lists_hear_of_it(manager, frozen):
    changes = manager.sessions.changes()
    assert (await soon(anext(changes))).everything
    await asyncio.to_thread(manager.sessions.create, "rehearsal", session_id="new")
    assert [row.id for row in (await soon(anext(changes))).rows] == ["new"]
    await asyncio.to_thread(manager.sessions.delete, "rehearsal", "new")
    while not (change := await soon(anext(changes))).gone:
        pass
    assert [key.session_id for key in change.gone] == ["new"]
    await changes.aclose()


async def test_a_viewer_that_comes_now_sees_what_is_stored(manager, frozen):
    seen = await soon(collect(manager.subscribe("rehearsal", frozen), lambda seen: "freezing" in texts(seen)))
    assert texts(seen)[-1] == "freezing"


async def test_stop_is_asked_for_at_once_and_done_when_the_loop_is_free(manager, frozen, cue, monkeypatch):
    monkeypatch.setattr("agents.runs.manager.STOP_SECONDS", 0.0)
    with pytest.raises(RunInProgressError, match="an agent has blocked all runs"):
        await asyncio.to_thread(manager.stop, "rehearsal", frozen, timeout=0.05)
    assert not await asyncio.to_thread(manager.stop, "rehearsal", "other")
    ending = asyncio.ensure_future(collect(manager.subscribe("rehearsal", frozen), finished))
    cue.touch()
    assert status(await soon(ending)) in {"stopped", "completed"}


def test_lists_are_filtered_for_pages(manager):
    for number in range(3):
        manager.sessions.create("rehearsal", session_id=f"s{number}")
    page = manager.sessions.page(SessionFilter(app_name="rehearsal"), limit=2)
    assert ([row.id for row in page.rows], page.found) == (["s2", "s1"], 3)
    assert [row.id for row in manager.sessions.each()] == ["s2", "s1", "s0"]


async def test_a_page_is_read_while_the_loop_of_the_sessions_is_busy(manager):
    manager.sessions.create("rehearsal", session_id="other")
    release = threading.Event()
    manager._desk.post(release.wait)
    try:
        assert [row.id for row in manager.sessions.page(limit=1).rows] == ["other"]
        assert manager.sessions.find("rehearsal", "other").app_name == "rehearsal"
        assert manager.sessions.state("rehearsal", "other")["stage"] == "empty"
    finally:
        release.set()
