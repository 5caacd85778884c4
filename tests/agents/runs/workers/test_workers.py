"""Runs in worker processes: what their code does to its process concerns no other run, and the log says how it ended."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from agents.access import OWNER, visitor
from agents.errors import PlaygroundError
from agents.runs import RunManager
from agents.runs.engine import RunEngine
from agents.runs.values import Partial, Waiting
from agents.runs.workers import workers
from agents.runs.workers.limits import RunLimits
from agents.runs.workers.orders import WorkPlace
from agents.storage.address import Database, default_database
from agents.workspace import Workspace
from tests.agents.runs.stage import collect, entries, finished, soon, status, texts

STAGES = Path(__file__).parent / "stages"
ANN = visitor("ann")

pytestmark = pytest.mark.anyio


def opened(folder: Path, *, database: Database | None = None, **place: object) -> RunManager:
    database = database or folder / "playground.db"
    return RunManager(database=database, agents_dir=STAGES, workers=WorkPlace(database, STAGES, **place))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("workers")) as manager:
        yield manager


@pytest.fixture
def ann(shared):
    """The manager for a visitor, whose runs are workers'."""
    return shared.as_user(ANN)


async def begun(manager, message, **options):
    return await asyncio.to_thread(manager.start, "outlaw", message, **options)


async def ended(manager, run):
    return await soon(collect(manager.subscribe("outlaw", run.session_id, after=run.after), finished))


async def said(manager, message, **options):
    """The last text of a run."""
    return texts(await ended(manager, await begun(manager, message, **options)))[-1]


async def until_said(manager, run, text):
    await soon(collect(manager.subscribe("outlaw", run.session_id, after=run.after), lambda seen: text in texts(seen)))


def ending(seen):
    """How a run ended, as its log says."""
    return [entry.fields() for entry in entries(seen) if entry.kind == "run_finished"][-1]


def processes():
    found = set()
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it has ended since
            if "agents.worker" in child.cmdline():
                found.add(child.pid)
    return found


async def test_runs_of_others_have_a_process_of_their_own_and_the_owners_where_it_is_asked_for(shared, ann, tmp_path):
    assert int(await said(shared, "pid")) == os.getpid()
    assert int(await said(ann, "pid")) in processes()
    with opened(tmp_path, for_owner=True) as manager:
        assert int(await said(manager, "pid")) in processes()
        built_in = await asyncio.to_thread(manager.start, "tool_loop", "2 + 2", simulated_speed=0)
        assert status(await soon(collect(manager.subscribe("tool_loop", built_in.session_id), finished))) == "completed"


async def test_a_package_lives_on_from_run_to_run_of_a_session(ann):
    run = await begun(ann, "count")
    first = int(texts(await ended(ann, run))[-1])
    assert int(await said(ann, "count", session_id=run.session_id)) == first + 1


async def test_what_is_streamed_is_seen_and_replaced_by_what_is_stored(ann, tmp_path):
    cue = tmp_path / "cue"
    run = await begun(ann, f"cue: {cue}")

    def is_over(seen):
        if any(isinstance(item, Partial) for item in seen):
            cue.touch()
        return finished(seen)

    seen = await soon(collect(ann.subscribe("outlaw", run.session_id), is_over))
    [piece] = [item for item in seen if isinstance(item, Partial)]
    assert (piece.text, piece.author, piece.offset) == ("half a ", "Outlaw", 0)
    assert status(seen) == "completed"
    assert [entry.event().id for entry in entries(seen) if entry.kind == "event"][-1] == piece.id


async def test_a_run_that_waits_for_an_answer_goes_on_in_a_worker(ann):
    run = await begun(ann, "pay 500")
    assert status(await ended(ann, run)) == "paused"
    [call] = [call for call in ann.pending() if call.session_id == run.session_id]
    again = await asyncio.to_thread(ann.answer, "outlaw", run.session_id, call.call_id, {"confirmed": True})
    seen = await ended(ann, again)
    assert status(seen) == "completed"
    assert "came to {'paid': 500, 'process': " in texts(seen)[-1]
    assert str(os.getpid()) not in texts(seen)[-1]


@pytest.mark.parametrize("order", ["regex", "power"])
async def test_code_that_keeps_pythons_lock_stops_its_own_run_alone(ann, order, monkeypatch):
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.3)
    frozen = await begun(ann, order)
    await until_said(ann, frozen, order)
    assert await said(ann, "count")  # another one's
    news = ann.subscribe("outlaw", frozen.session_id)
    [notice] = [
        item for item in await soon(collect(news, lambda seen: isinstance(seen[-1], Waiting))) if isinstance(item, Waiting)
    ]
    assert notice.reason == workers.FROZEN
    assert ann.sessions.find("outlaw", frozen.session_id).status == "running"
    assert await asyncio.to_thread(ann.stop, "outlaw", frozen.session_id)
    seen = await ended(ann, frozen)
    assert ending(seen)["status"] == "stopped"
    assert ending(seen)["error_message"] == "It did not respond, so its process was ended."
    assert texts(seen) == [order, order]
    assert await said(ann, "count", session_id=frozen.session_id)


async def test_a_run_that_responds_is_stopped_by_its_worker(ann, tmp_path):
    run = await begun(ann, f"cue: {tmp_path / 'never'}")
    await soon(collect(ann.subscribe("outlaw", run.session_id), lambda seen: isinstance(seen[-1], Partial)))
    assert await asyncio.to_thread(ann.stop, "outlaw", run.session_id)
    assert ending(await ended(ann, run)).get("error_message") is None
    assert not ann.stop("outlaw", run.session_id)


@pytest.mark.parametrize("order", ["die", "orphan"])
async def test_a_worker_that_dies_ends_its_run_with_a_sentence_and_keeps_what_was_stored(ann, order):
    run = await begun(ann, order)
    seen = await ended(ann, run)
    assert texts(seen) == [order, order]
    assert (ending(seen)["status"], ending(seen)["error_code"]) == ("interrupted", "INTERRUPTED")
    assert "ended before the run did (signal 9). All that it had appended is kept." in ending(seen)["error_message"]
    assert await said(ann, "count", session_id=run.session_id)


async def test_a_worker_that_says_what_no_worker_says_is_ended(ann):
    run = await begun(ann, "scribble")
    assert ending(await ended(ann, run))["status"] == "interrupted"
    assert await said(ann, "count", session_id=run.session_id)


async def test_a_run_that_eats_memory_is_ended(tmp_path):
    with opened(tmp_path, limits=RunLimits(memory=1024**3)) as owner:
        manager = owner.as_user(ANN)
        run = await begun(manager, "eat")
        seen = await ended(manager, run)
        assert texts(seen)[:2] == ["eat", "eat"]
        assert ending(seen)["status"] in {"failed", "interrupted"}
        assert ending(seen)["error_message"]
        assert await said(manager, "count", session_id=run.session_id) == "1"
        assert await said(manager, "hold", session_id=run.session_id) == "hold"  # allowed, but too much for the next run
        assert await said(manager, "count", session_id=run.session_id) == "1"


async def test_a_run_that_goes_on_beyond_its_time_is_ended(ann, monkeypatch):
    monkeypatch.setattr(workers, "TIME_GRACE", -3599.0)
    seen = await ended(ann, await begun(ann, "regex"))
    assert (ending(seen)["status"], ending(seen)["error_code"]) == ("failed", "RUN_LIMIT_EXCEEDED")
    assert "more than the 3,600 seconds of max_seconds" in ending(seen)["error_message"]


async def test_twenty_at_once_take_turns(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "MOST_WORKERS", 3)
    monkeypatch.setattr(workers, "TURN_SECONDS", 100.0)
    monkeypatch.setattr("agents.runs.engine.BEGIN_SECONDS", 100.0)
    with opened(tmp_path) as owner:
        manager = owner.as_user(ANN)
        runs = await asyncio.gather(*(begun(manager, "pid") for _ in range(20)))
        assert [status(await ended(manager, run)) for run in runs] == ["completed"] * 20
        assert len(processes()) <= 3
    assert not processes()


async def test_more_than_workers_can_do_is_refused_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "MOST_WORKERS", 1)
    monkeypatch.setattr(workers, "TURN_SECONDS", 0.1)
    with opened(tmp_path) as owner:
        manager = owner.as_user(ANN)
        await begun(manager, f"cue: {tmp_path / 'never'}")
        with pytest.raises(PlaygroundError, match="1 runs of users' packages are at work, the most at once"):
            await begun(manager, "pid")


async def test_a_worker_has_no_key_in_its_environment_and_in_its_command_line(tmp_path, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-environment")
    with opened(tmp_path) as owner:
        manager = owner.as_user(ANN)
        worker = psutil.Process(int(await said(manager, "pid")))
        assert "GEMINI_API_KEY" not in await said(manager, "keys")
        assert "key-of" not in " ".join(worker.cmdline())


async def test_a_worker_works_on_postgresql_and_its_code_is_not_told_the_address(postgres, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_DB", postgres)
    monkeypatch.setenv("PLAYGROUND_DATA", str(tmp_path))
    with opened(tmp_path, database=default_database()) as owner:
        manager = owner.as_user(ANN)
        worker = psutil.Process(int(await said(manager, "pid")))
        assert worker.pid in processes()
        assert "PLAYGROUND_DB" not in await said(manager, "keys")
        assert postgres not in " ".join(worker.cmdline())
        await test_a_run_that_waits_for_an_answer_goes_on_in_a_worker(manager)
        await test_a_run_that_responds_is_stopped_by_its_worker(manager, tmp_path)
        await test_a_worker_that_dies_ends_its_run_with_a_sentence_and_keeps_what_was_stored(manager, "die")


SERVER = """
import sys
from pathlib import Path
from agents.access import OWNER, visitor
from tests.agents.runs.workers.test_workers import opened
manager = opened(Path(sys.argv[1])).as_user(visitor("ann"))
run = manager.start("outlaw", "regex")
print(run.session_id, flush=True)
input()
"""


async def test_a_server_that_dies_takes_its_workers_along_and_the_next_one_says_so(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        session = server.stdout.readline().strip()
        [worker] = psutil.Process(server.pid).children()
        server.send_signal(signal.SIGKILL)
    assert await asyncio.to_thread(psutil.wait_procs, [worker], timeout=20) == ([worker], [])
    with opened(tmp_path) as manager:
        assert manager.sessions.find("outlaw", session).status == "interrupted"
        assert await said(manager, "count", session_id=session)


async def test_sessions_in_memory_are_run_in_the_server_which_says_so(caplog):
    with Workspace(None, agents_dir=STAGES, isolate=True) as workspace:
        assert "all runs stay in this process" in (workspace.runs and caplog.text)
        assert int(await said(workspace.runs, "pid")) == os.getpid()


async def test_a_visitors_run_of_a_team_is_a_workers(tmp_path):
    asks = 'import os\n\n\ndef where() -> str:\n    """Tells the process."""\n    return f\'in {os.getpid()}\'\n'
    root = "name: asker\ninstruction: Ask.\ntools:\n  - name: asking.tools.where\n"
    with Workspace(tmp_path / "playground.db") as workspace:
        workspace.teams.create("asking", {"root_agent.yaml": root, "tools.py": asks})
        for user, is_here in ((ANN, False), (OWNER, True)):
            manager = workspace.runs.as_user(user)
            run = await asyncio.to_thread(manager.start, "asking", "Where?", simulated_speed=0)
            seen = await soon(collect(manager.subscribe("asking", run.session_id, after=run.after), finished))
            told = next(
                text for entry in entries(seen) if "in " in (text := entry.to_json()) and "function_response" in text
            )
            assert (f"in {os.getpid()}" in told) is is_here


async def test_a_run_whose_process_says_falsely_that_it_has_ended_is_ended(tmp_path):
    with opened(tmp_path) as manager:
        ann = manager.as_user(ANN)
        run = await begun(ann, "lie")
        seen = ending(await ended(ann, run))
        assert (seen["status"], "its log had no end" in seen["error_message"]) == ("failed", True)
        assert int(await said(ann, "count")) == 1, "its process does no other run"


async def test_a_process_that_froze_after_its_run_does_no_other(tmp_path):
    with opened(tmp_path) as manager:
        ann = manager.as_user(ANN)
        assert await said(ann, "leave") == "leave"
        idle = manager._engine._workers._idle

        async def frozen():
            while not idle or idle[0].responds(within=workers.RESPOND_SECONDS):
                await asyncio.sleep(0.05)

        await soon(frozen())
        left = idle[0].pid
        assert int(await said(ann, "pid")) != left


async def test_a_late_answer_gives_a_run_no_more_rights_than_it_had(tmp_path, monkeypatch):
    asked = []
    start = RunEngine.start

    async def spied(engine, request):
        asked.append((request.user_id, request.needs_approval, request.order is not None))
        return await start(engine, request)

    monkeypatch.setattr(RunEngine, "start", spied)
    with opened(tmp_path) as manager:
        manager.models.change(answer_seconds=0.01)
        ann = manager.as_user(ANN)
        run = await begun(ann, "pay 5", agent_models={"Payer": "you"}, simulated_speed=0)
        await soon(collect(ann.subscribe("outlaw", run.session_id), lambda seen: len(asked) > 1 and finished(seen)))
    assert asked[:2] == [(ANN.id, True, True)] * 2


def guarded(folder: Path, **limits: int) -> RunManager:
    """A manager whose workers do runs of others as a server's do."""
    files = (folder / "playground.db", folder / "mcp.json")
    return opened(folder, guarded=files, limits=RunLimits(**limits))


@pytest.mark.parametrize(
    ("order", "limits", "told"),
    [
        ("shells", {"processes": 20}, "processes, and may have 20 at once"),
        ("eat elsewhere", {"memory": 1024**3}, "GB of memory with all that it started, and may hold 1.0 GB"),
        ("flood", {"events": 500}, "500 events"),
        ("regex", {"seconds": 1}, "more than the 1 seconds of max_seconds"),
        ("fork", {"processes": 20}, "processes, "),
    ],
)
async def test_what_goes_beyond_a_limit_ends_with_a_sentence_and_leaves_no_process(
    tmp_path, order, limits, told, monkeypatch
):
    monkeypatch.setattr(workers, "TIME_GRACE", 1.0)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # tells the processes of this test from others
    with guarded(tmp_path, **limits) as owner:
        manager = owner.as_user(ANN)
        seen = ending(await ended(manager, await begun(manager, order)))
        assert seen["status"] == "failed", seen
        assert told in seen["error_message"]
        assert await said(manager, "count")
    assert [one for one in psutil.process_iter() if _folder_of(one) == str(tmp_path)] == []


def _folder_of(process):
    try:
        return process.environ().get("TMPDIR")
    except psutil.Error:  # it has ended, or is not ours
        return None


@pytest.mark.parametrize("order", ["read", "write", "write in a thread", "remove", "remove all"])
@pytest.mark.parametrize("name", ["playground.db", "playground.db-wal", "playground.db.visitor-key", "mcp.json"])
async def test_the_code_of_anothers_run_does_not_get_the_servers_files(order, name, watched):
    folder, manager = watched
    told = await said(manager, f"{order}: {folder / name}")
    assert told.startswith("came to: PermissionError: "), told
    assert "is the server's own" in told
    assert (folder / name).exists()


async def test_the_code_of_anothers_run_finds_no_key(watched):
    folder, manager = watched
    assert await said(manager, "environ") == "came to: []"
    assert (await said(manager, "server")).startswith("came to: PermissionError: environ is the server's own")
    assert await said(manager, f"own file: {folder / 'own.txt'}") == "came to: mine"


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """The folder of a server with a secret in its environment, and its manager for a visitor."""
    folder = tmp_path_factory.mktemp("guarded")
    with pytest.MonkeyPatch.context() as patch, guarded(folder) as manager:
        patch.setenv("WEATHER_PASS", "secret")
        (folder / "mcp.json").write_text("{}")
        (folder / "playground.db.visitor-key").write_text("k")
        yield folder, manager.as_user(ANN)


async def test_a_process_does_runs_of_one_user_alone(shared):
    ann, bob = shared.as_user(ANN), shared.as_user(visitor("bob"))
    first = await said(ann, "pid")
    assert await said(bob, "pid") != first
    assert await said(ann, "pid") == first


async def test_mcp_servers_of_workers_get_the_variables_that_their_file_names(tmp_path, monkeypatch):
    monkeypatch.setenv("WEATHER_PASS", "secret")
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"w": {"url": "http://x/${WEATHER_PASS}"}}}')
    with Workspace(tmp_path / "playground.db") as workspace:
        place = workspace._work_place()
    assert place.variables == {"WEATHER_PASS": "secret"}
    assert place.guarded == (tmp_path / "playground.db", tmp_path / "mcp.json")
