"""The run manager from outside: other threads, other loops, other processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import threading
from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.errors import (
    DatabaseError,
    MessageError,
    ModelNotFoundError,
    PipelineNotFoundError,
    PlaygroundError,
    RunInProgressError,
    SessionExistsError,
    SessionNotFoundError,
    StateInputError,
)
from agents.runs import RunManager
from agents.runs import engine as engine_module
from agents.runs import services as services_module
from agents.runs.values import Partial
from agents.runs.watch import watch as watching_module
from agents.storage.sessions.sqlite import SqliteSessionService
from agents.storage.stores import open_store
from tests.agents.runs.stage import collect, entries, finished, kinds, soon, status, texts
from tests.forks import Fork

STAGES = Path(__file__).parent / "stages"
ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
def database(request, tmp_path):
    return None if request.param == "memory" else tmp_path / "playground.db"


@pytest.fixture
def manager(database):
    with RunManager(database=database, agents_dir=STAGES) as manager:
        yield manager


@pytest.fixture
def stored(tmp_path):
    """A manager whose database other processes can use."""
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        yield manager


async def whole_log(manager, run):
    return await collect(manager.subscribe(run.pipeline, run.session_id), finished)


def command(tmp_path: Path, *arguments: str) -> Fork:
    places = ["--db", str(tmp_path / "playground.db"), "--agents", str(STAGES)]
    return Fork(["-m", "ui.cli", *arguments, *places], cwd=ROOT)


async def test_a_listener_is_told_of_runs_that_ended_and_can_still_read_when_the_manager_is_closed(database):
    told = []

    class Listener:
        def ended(self, run):
            told.append(run)

        def close(self):
            told.append([found.status for found in manager.sessions.summaries()])

    manager = RunManager(database=database, agents_dir=STAGES)
    manager.listen(Listener())
    first = manager.start("rehearsal", "talk 1")
    await whole_log(manager, first)
    second = manager.start("rehearsal", "hang")
    manager.close()
    manager.close()
    assert told == [first, second, ["stopped", "completed"]]


async def test_a_new_session_begins_with_the_start_state_and_the_message_under_its_key(manager):
    run = manager.start("rehearsal", "talk 2", state={"stage": "lit", "user:name": "Ada"})
    seen = await whole_log(manager, run)
    assert entries(seen)[0].fields()["state"] == {"stage": "lit", "lines": []}
    first = next(entry for entry in entries(seen) if entry.kind == "event").event()
    assert first.author == "user"
    assert first.actions.state_delta == {"order": "talk 2"}
    started = next(entry for entry in entries(seen) if entry.kind == "run_started").fields()
    assert (started["model"], started["simulated"], started["shared"]) == ("simulated", True, {"user:name": "Ada"})
    assert texts(seen) == ["talk 2", "line 0", "line 1"]


async def test_a_start_value_for_the_message_key_wins_over_the_message(manager):
    seen = await whole_log(manager, manager.start("rehearsal", "talk 1", state={"order": "mine"}))
    first = next(entry for entry in entries(seen) if entry.kind == "event").event()
    assert first.actions.state_delta == {"order": "mine"}


async def test_a_session_goes_on(manager):
    first = manager.start("rehearsal", "talk 1")
    await whole_log(manager, first)
    second = manager.start("rehearsal", "talk 2", session_id=first.session_id, state={"stage": "dark"})
    assert second.session_id == first.session_id
    seen = await collect(manager.subscribe("rehearsal", second.session_id, after=second.after), finished)
    assert texts(seen) == ["talk 2", "line 0", "line 1"]
    assert entries(seen)[1].event().actions.state_delta == {"order": "talk 2", "stage": "dark"}


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"pipeline": "nope"}, PipelineNotFoundError, "rehearsal"),
        ({"model": "nope"}, ModelNotFoundError, "nope"),
        ({"session_id": "nope"}, SessionNotFoundError, "nope"),
        ({"message": ""}, MessageError, "empty"),
        ({"message": " \n\t"}, MessageError, "empty"),
        ({"message": "x" * 100_000}, MessageError, r"97\.7 KiB; at most 64 KiB.*Shorten"),
        ({"message": "ä" * 40_000}, MessageError, r"78\.1 KiB"),
        ({"message": "bad \udcff"}, MessageError, "UTF-8"),
        ({"state": {"when": object()}}, StateInputError, "'when'"),
        ({"state": {"x": float("nan")}}, StateInputError, "nan"),
        ({"state": {"x": "\ud800"}}, StateInputError, "'x'"),
        ({"state": {"x": {"\ud800": 1}}}, StateInputError, "not UTF-8"),
        ({"state": {"x": 10**5000}}, StateInputError, "digits"),
        ({"state": {" ": 1}}, StateInputError, "empty key"),
    ],
)
def test_bad_input_is_refused_before_anything_is_stored(manager, arguments, error, says):
    with pytest.raises(error, match=says):
        manager.start(**{"pipeline": "rehearsal", "message": "talk 1", **arguments})
    assert manager.sessions.summaries() == []


async def test_the_longest_message_is_run(manager):
    message = "talk 1" + " " * (64 * 1024 - 6)
    assert texts(await whole_log(manager, manager.start("rehearsal", message))) == [message, "line 0"]


async def test_a_second_run_of_a_session_is_refused_at_once(manager):
    run = manager.start("rehearsal", "hang")
    assert manager.sessions.find("rehearsal", run.session_id).status == "running"
    with pytest.raises(RunInProgressError):
        manager.start("rehearsal", "talk 1", session_id=run.session_id)
    assert [found.status for found in manager.sessions.summaries()] == ["running"]


async def test_stopping_in_mid_stream(manager):
    run = manager.start("rehearsal", "hang 2")
    seen = await collect(
        manager.subscribe("rehearsal", run.session_id), lambda seen: any(isinstance(item, Partial) for item in seen)
    )
    assert seen[-1] == Partial("streamed", "Rehearser", None, 0, "half a ")
    assert manager.stop("rehearsal", run.session_id)
    after = await whole_log(manager, run)
    assert status(after) == "stopped"
    assert texts(after) == ["hang 2", "line 0", "line 1"]
    assert manager.sessions.find("rehearsal", run.session_id).status == "stopped"
    assert not manager.stop("rehearsal", run.session_id)


async def test_a_failing_run_leaves_its_error_in_the_log(manager):
    run = manager.start("rehearsal", "fail 1")
    seen = await whole_log(manager, run)
    failed = [entry.event() for entry in entries(seen) if entry.kind == "event"][-1]
    assert failed.error_code == "ValueError"
    assert "the curtain is stuck" in failed.error_message
    assert status(seen) == "failed"
    assert status(await whole_log(manager, manager.start("rehearsal", "talk 1"))) == "completed"


async def test_running_the_last_message_again(manager):
    first = manager.start("rehearsal", "talk 1")
    await whole_log(manager, first)
    manager.stop("rehearsal", first.session_id)
    again = manager.rerun("rehearsal", first.session_id)
    seen = await collect(manager.subscribe("rehearsal", again.session_id, after=again.after), finished)
    assert texts(seen) == ["talk 1", "line 0"]
    assert again.model == "simulated"


@pytest.mark.parametrize(
    ("message", "given", "truth"),
    [
        ("What is the speed?", {"ground_truth": "12.50"}, "12.50"),
        ("What is the speed?\nAnswer: 7", {}, "7"),
        ("What is the speed?\nAnswer: 7", {"ground_truth": "12.50"}, "12.50"),
        ("What is the speed?", {}, None),
    ],
)
async def test_the_right_answer_is_in_the_first_event_and_goes_along_when_the_message_is_run_again(
    manager, message, given, truth
):
    first = manager.start("ace", message, state=given, simulated_speed=0)
    await whole_log(manager, first)
    await collect(manager.subscribe("ace", first.session_id, after=manager.rerun("ace", first.session_id).after), finished)
    events = [entry.event() for entry in manager.sessions.log("ace", first.session_id) if entry.kind == "event"]
    asked = [event.actions.state_delta.get("ground_truth") for event in events if event.text == message]
    assert asked == [truth, truth]
    assert manager.sessions.state("ace", first.session_id)["ground_truth"] == truth


def test_there_is_nothing_to_run_again_in_a_new_session(manager):
    session_id = manager.sessions.create("rehearsal")
    with pytest.raises(MessageError, match="Send it one first"):
        manager.rerun("rehearsal", session_id)
    with pytest.raises(SessionNotFoundError):
        manager.rerun("rehearsal", "nope")


def test_sessions_are_made_renamed_deleted_and_brought_back(manager):
    session_id = manager.sessions.create("rehearsal", state={"lines": ["a"]}, session_id="mine")
    assert session_id == "mine"
    with pytest.raises(SessionExistsError):
        manager.sessions.create("rehearsal", session_id="mine")
    manager.sessions.rename("rehearsal", "mine", "First night")
    assert [(found.id, found.title, found.status) for found in manager.sessions.summaries("rehearsal")] == [
        ("mine", "First night", "idle")
    ]
    assert manager.sessions.summaries("other") == []
    manager.sessions.delete("rehearsal", "mine")
    assert manager.sessions.summaries() == []
    assert manager.sessions.restore("rehearsal", "mine")
    assert not manager.sessions.restore("rehearsal", "nope")
    assert [found.id for found in manager.sessions.summaries()] == ["mine"]


async def test_deleting_a_running_session_stops_it_and_ends_its_subscriptions(manager):
    run = manager.start("rehearsal", "hang")
    async with aclosing(manager.subscribe("rehearsal", run.session_id)) as news:
        await soon(anext(news))
        deleting = asyncio.to_thread(manager.sessions.delete, "rehearsal", run.session_id)
        with pytest.raises(SessionNotFoundError):
            await asyncio.gather(deleting, drain(news))
    assert not manager.stop("rehearsal", run.session_id)


async def drain(news):
    async with asyncio.timeout(20):
        async for _ in news:
            pass


async def test_runs_of_many_threads(manager):
    runs = await asyncio.gather(*(asyncio.to_thread(manager.start, "rehearsal", f"talk {n}") for n in range(8)))
    logs = await asyncio.gather(*(whole_log(manager, run) for run in runs))
    assert [len(texts(seen)) for seen in logs] == [n + 1 for n in range(8)]


async def test_closing_stops_runs_and_ends_subscriptions(tmp_path):
    path = tmp_path / "playground.db"
    manager = RunManager(database=path, agents_dir=STAGES)
    run = manager.start("rehearsal", "hang")
    watching = asyncio.create_task(drain(manager.subscribe("rehearsal", run.session_id)))
    await collect(manager.subscribe("rehearsal", run.session_id), lambda seen: "event" in kinds(seen))
    assert await asyncio.to_thread(manager.close)
    await soon(watching)
    assert manager.close()
    assert {"playground-runs", "playground-desk"}.isdisjoint(thread.name for thread in threading.enumerate())
    with pytest.raises(PlaygroundError, match="closed"):
        manager.start("rehearsal", "talk 1")
    await drain(manager.subscribe("rehearsal", run.session_id))
    with RunManager(database=path, agents_dir=STAGES) as other:
        assert status(await whole_log(other, run)) == "stopped"


async def test_cancelling_a_subscriber_leaves_no_watcher(manager):
    run = manager.start("rehearsal", "hang")
    watching = asyncio.create_task(drain(manager.subscribe("rehearsal", run.session_id)))
    await collect(manager.subscribe("rehearsal", run.session_id), lambda seen: "event" in kinds(seen))
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await soon(watching)
    manager.make_database()  # one more round through the loop, after the watcher was given back
    assert not manager._watching._watchers


def test_the_api_cannot_be_called_from_its_own_loop(manager):
    async def inside() -> None:
        manager.sessions.summaries()

    with pytest.raises(RuntimeError, match="its own loop"):
        manager._desk.call(inside)


@pytest.mark.parametrize("content", [b"this is no database, whatever its name says" * 40, None])
def test_a_file_that_is_no_database_is_refused_without_leaving_a_thread(tmp_path, content):
    path = tmp_path / "notes.db"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(DatabaseError):
        RunManager(database=path)
    assert {"playground-runs", "playground-desk"}.isdisjoint(thread.name for thread in threading.enumerate())


@pytest.fixture
def impatient(monkeypatch):
    """Databases are waited for a moment only."""

    def open_impatient(database, **_):
        sessions = SqliteSessionService(database, busy_timeout=0.05)
        own = {"sessions": sessions, "collection": sessions.collection, "reducers": sessions.reducers}
        return replace(open_store(database), **own)

    monkeypatch.setattr(services_module, "open_store", open_impatient)
    monkeypatch.setattr(engine_module, "MEND_SECONDS", 0.02)


@contextmanager
def locked(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def test_a_locked_database_is_told_and_used_again_when_it_is_free(impatient, tmp_path):
    path = tmp_path / "playground.db"
    with RunManager(database=path, agents_dir=STAGES) as manager:
        with locked(path):
            with RunManager(database=path) as other:  # opening and reading take no lock of writers
                assert other.sessions.summaries() == []
            with pytest.raises(DatabaseError, match=r"playground\.db"):
                manager.start("rehearsal", "talk 1")
        assert texts(await whole_log(manager, manager.start("rehearsal", "talk 1"))) == ["talk 1", "line 0"]
        assert len(manager.sessions.summaries()) == 1


async def test_a_database_locked_while_a_run_ends_marks_it_afterwards(impatient, tmp_path):
    path = tmp_path / "playground.db"
    with RunManager(database=path, agents_dir=STAGES) as manager:
        run = manager.start("rehearsal", "hang")
        watching = asyncio.create_task(whole_log(manager, run))
        with locked(path), pytest.raises(DatabaseError):
            manager.stop("rehearsal", run.session_id)
        assert not manager.stop("rehearsal", run.session_id)
        assert status(await soon(watching)) == "interrupted"


def numbered(seen: list[Any]) -> list[dict[str, Any]]:
    """The events in `seen` as `run --json` prints them."""
    events = (entry for entry in entries(seen) if entry.kind == "event")
    return [{"number": number, **json.loads(entry.body)} for number, entry in enumerate(events, 1)]


async def test_events_of_another_process_are_seen(stored, tmp_path, monkeypatch):
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 0.05)
    session_id = stored.sessions.create("rehearsal")
    watching = asyncio.create_task(collect(stored.subscribe("rehearsal", session_id), finished))
    with command(tmp_path, "run", "rehearsal", "talk 3", "--session", session_id, "--json") as process:
        output, _ = await asyncio.to_thread(process.communicate)
    assert process.returncode == 0
    seen = await soon(watching)
    assert texts(seen) == ["talk 3", "line 0", "line 1", "line 2"]
    printed = [json.loads(line) for line in output.splitlines()]
    assert printed[:-1] == numbered(seen)


async def test_changes_of_the_list_are_told_until_the_manager_is_closed(manager):
    changes = manager.sessions.changes()
    await soon(anext(changes))
    session_id = await asyncio.to_thread(manager.sessions.create, "rehearsal")
    await soon(anext(changes))
    await asyncio.to_thread(manager.sessions.delete, "rehearsal", session_id)
    await soon(anext(changes))
    waiting = asyncio.ensure_future(anext(changes, "ended"))
    await asyncio.to_thread(manager.close)
    assert await soon(waiting) == "ended"


async def test_a_session_of_another_process_is_a_change_of_the_list(stored, tmp_path, monkeypatch):
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 0.05)
    async with aclosing(stored.sessions.changes()) as changes:
        await soon(anext(changes))
        with command(tmp_path, "run", "rehearsal", "talk 1") as process:
            while not stored.sessions.summaries():
                await soon(anext(changes))
            await asyncio.to_thread(process.communicate)
    assert [session.title for session in stored.sessions.summaries()] == ["talk 1"]


async def test_a_session_run_by_another_process_is_refused(stored, tmp_path):
    run = stored.start("rehearsal", "hang")
    with command(tmp_path, "run", "rehearsal", "talk 1", "--session", run.session_id) as process:
        await asyncio.to_thread(process.communicate)
    assert process.returncode == 2
    assert stored.sessions.find("rehearsal", run.session_id).status == "running"


async def test_the_death_of_a_process_is_seen_by_the_others_while_they_live(stored, tmp_path, monkeypatch):
    monkeypatch.setattr(watching_module, "DEAD_SECONDS", 0.05)
    with command(tmp_path, "run", "rehearsal", "hang 3", "--json") as process:
        for _ in range(4):
            process.stdout.readline()
        [found] = stored.sessions.summaries()
        watching = asyncio.ensure_future(collect(stored.subscribe("rehearsal", found.id), finished))
        await soon(collect(stored.subscribe("rehearsal", found.id), lambda seen: "line 2" in texts(seen)))
        assert stored.sessions.find("rehearsal", found.id).status == "running"
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert status(await soon(watching)) == "interrupted"
    assert stored.sessions.find("rehearsal", found.id).status == "interrupted"
    stored.rerun("rehearsal", found.id)


async def test_a_run_of_a_killed_process_is_marked_and_can_be_run_again(tmp_path):
    with command(tmp_path, "run", "rehearsal", "hang 3", "--json") as process:
        shown = [json.loads(process.stdout.readline()) for _ in range(4)]
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        [found] = manager.sessions.summaries()
        assert found.status == "interrupted"
        seen = await collect(manager.subscribe("rehearsal", found.id), finished)
        assert numbered(seen) == shown
        assert status(seen) == "interrupted"
        again = manager.rerun("rehearsal", found.id)
        rest = await collect(
            manager.subscribe("rehearsal", found.id, after=again.after), lambda seen: isinstance(seen[-1], Partial)
        )
        assert texts(rest) == ["hang 3", "line 0", "line 1", "line 2"]
        with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as other:  # looks for dead runs, too
            assert other.sessions.summaries()[0].status == "running", "a living run was taken for a dead one"
