"""An agent of a user's package that blocks its event loop: nothing else waits for it, it is named, and Stop ends it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from agents.runs import RunManager
from agents.runs.loops import own_loops
from agents.runs.values import Waiting
from agents.session_list import SessionFilter
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
    await begun(manager, f"freeze {cue}", "freezing", session_id="frozen")
    yield "frozen"
    cue.touch()


async def begun(manager, message, says, **options):
    """A run that has said something."""
    run = await asyncio.to_thread(manager.start, "rehearsal", message, **options)
    await soon(collect(manager.subscribe("rehearsal", run.session_id, after=run.after), lambda seen: says in texts(seen)))
    return run


async def ended(manager, run):
    return await soon(collect(manager.subscribe("rehearsal", run.session_id, after=run.after), finished))


def notices(seen):
    return [item for item in seen if isinstance(item, Waiting)]


async def eventually(holds):
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


def threads():
    """The threads that run what is not built in, of agents and of their tools."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("playground-run rehearsal")]


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


async def test_other_runs_go_on_of_the_same_package_too(manager, frozen):
    other = await asyncio.to_thread(manager.start, "rehearsal", "talk 2", session_id="other")
    assert texts(await ended(manager, other)) == ["talk 2", "line 0", "line 1"]
    built_in = await asyncio.to_thread(manager.start, "tool_loop", "2 + 2", simulated_speed=0)
    found = await soon(collect(manager.subscribe("tool_loop", built_in.session_id), finished))
    assert status(found) == "completed"
    assert manager.sessions.find("rehearsal", frozen).status == "running"


@pytest.mark.parametrize("message", ["freeze {cue}", "spin", "defy {cue}"])
async def test_stop_ends_the_run_and_the_session_is_run_again_at_once(manager, cue, message):
    says = {"freeze": "freezing", "spin": "spinning", "defy": "defying"}[message.partition(" ")[0]]
    run = await begun(manager, message.format(cue=cue), says)
    assert await asyncio.to_thread(manager.stop, "rehearsal", run.session_id)
    assert not manager.stop("rehearsal", run.session_id)
    assert status(await ended(manager, run)) == "stopped"
    again = await asyncio.to_thread(manager.start, "rehearsal", "talk 1", session_id=run.session_id)
    assert texts(await ended(manager, again)) == ["talk 1", "line 0"]


async def test_nothing_of_a_stopped_run_is_stored_later(manager, cue):
    run = await begun(manager, f"defy {cue}", "defying")
    await asyncio.to_thread(manager.stop, "rehearsal", run.session_id)
    cue.touch()
    await eventually(Path(f"{cue}.tried").exists)
    await eventually(lambda: not threads())
    log = manager.sessions.log("rehearsal", run.session_id)
    assert log[-1].kind == "run_finished"
    assert "late" not in texts(await ended(manager, run))
    assert "app:late" not in manager.sessions.state("rehearsal", run.session_id)
    assert manager.sessions.artifact("rehearsal", run.session_id, "late.txt", 0) is None


@pytest.mark.parametrize(("message", "says"), [("freeze {cue}", "freezing"), ("spin", "spinning"), ("work", "working")])
async def test_the_thread_of_a_stopped_run_ends(manager, cue, message, says):
    run = await begun(manager, message.format(cue=cue), says)
    assert threads()
    await asyncio.to_thread(manager.stop, "rehearsal", run.session_id)
    assert status(await ended(manager, run)) == "stopped"
    await eventually(lambda: not threads())


async def test_a_thread_that_does_not_end_is_reported(manager, cue, caplog, monkeypatch):
    monkeypatch.setattr(own_loops, "TOLD", 2)
    run = await begun(manager, f"defy {cue}", "defying")
    await asyncio.to_thread(manager.stop, "rehearsal", run.session_id)
    await eventually(lambda: "1 thread(s) of stopped runs still work" in caplog.text)
    cue.touch()
    await eventually(lambda: not threads())


async def test_the_manager_is_closed_in_spite_of_it(tmp_path, cue):
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        run = await begun(manager, f"defy {cue}", "defying")
        assert not await asyncio.to_thread(manager.close)
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        assert manager.sessions.find("rehearsal", run.session_id).status == "stopped"


async def test_the_agent_is_named_with_its_line_and_its_stack_is_logged(manager, frozen, cue, caplog, monkeypatch):
    monkeypatch.setattr(own_loops, "LOOK_SECONDS", 0.05)

    def is_over(seen):
        if notices(seen):
            cue.touch()
        return finished(seen) and notices(seen)[-1].reason == ""

    notice = notices(await soon(collect(manager.subscribe("rehearsal", frozen), is_over)))[0]
    assert notice.reason.startswith("Agent Rehearser has not responded for ")
    assert " It is in _block, agent.py line " in notice.reason
    assert notice.reason.endswith(". Stop ends it.")
    assert notice.reason in caplog.text
    assert 'rehearsal/agent.py", line' in caplog.text


async def test_an_agent_that_waits_is_not_named(manager, cue, monkeypatch):
    monkeypatch.setattr(own_loops, "LOOK_SECONDS", 0.001)
    run = await begun(manager, f"cue {cue}", "before")
    news = manager.subscribe("rehearsal", run.session_id)
    await asyncio.sleep(0)
    for _ in range(100):
        await asyncio.to_thread(manager.models.check, "simulated")
    cue.touch()
    assert not notices(await soon(collect(news, finished)))


async def test_a_package_keeps_its_loop_from_run_to_run(manager):
    for _ in range(3):
        await ended(manager, await asyncio.to_thread(manager.start, "rehearsal", "talk 1"))
    await eventually(lambda: len(threads()) == 1)


def test_lists_are_filtered_for_pages(manager):
    for number in range(3):
        manager.sessions.create("rehearsal", session_id=f"s{number}")
    page = manager.sessions.page(SessionFilter(app_name="rehearsal"), limit=2)
    assert ([row.id for row in page.rows], page.found) == (["s2", "s1"], 3)
    assert [row.id for row in manager.sessions.each()] == ["s2", "s1", "s0"]


def test_a_page_is_read_while_the_loop_of_the_sessions_is_busy(manager):  # by a thread without a loop, as scripts are
    manager.sessions.create("rehearsal", session_id="other")
    release = threading.Event()
    manager._desk.post(release.wait)
    try:
        assert [row.id for row in manager.sessions.page(limit=1).rows] == ["other"]
        assert manager.sessions.find("rehearsal", "other").app_name == "rehearsal"
        assert manager.sessions.state("rehearsal", "other")["stage"] == "empty"
    finally:
        release.set()
