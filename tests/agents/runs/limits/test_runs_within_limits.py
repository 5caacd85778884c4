"""Runs of users who have limits: they wait for their turn, are refused, and end when a day's limit is used up."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from agents.access import visitor
from agents.errors import LimitReachedError, NotPermittedError
from agents.runs import RunManager, Waiting
from agents.runs.limits import queue as queue_module
from tests.agents.runs.stage import collect, entries, finished, kinds, soon, status, texts

pytestmark = pytest.mark.anyio
STAGES = Path(__file__).parents[1] / "stages"
ANN, BEN = visitor("ann"), visitor("ben")


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(queue_module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(queue_module, "KEEP_SECONDS", 0.05)


@pytest.fixture
def within(tmp_path, monkeypatch):
    """Opens managers of one database with the limits of a text; they are closed in the end."""
    made = []

    def within(limits: str, **options) -> RunManager:
        (tmp_path / "limits.toml").write_text(limits)
        monkeypatch.setenv("PLAYGROUND_LIMITS", str(tmp_path / "limits.toml"))
        made.append(RunManager(database=tmp_path / "play.db", agents_dir=STAGES, **options))
        return made[-1]

    yield within
    for manager in made:
        manager.close()


async def begin(manager, user, cue: Path, **options):
    return await asyncio.to_thread(manager.as_user(user).start, "rehearsal", f"cue {cue}", **options)


async def until(manager, run, condition):
    return await soon(collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), condition))


def waits(seen) -> bool:
    return isinstance(seen[-1], Waiting) and bool(seen[-1].reason)


def assert_kept(manager, run, message: str) -> None:
    """The run's message is in its session's log, once, as one of a run that was stopped before it did anything."""
    log = manager.sessions.log(run.pipeline, run.session_id)
    assert [entry.kind for entry in log] == ["session_created", "run_started", "event", "run_finished"]
    assert {entry.fields()["invocation_id"] for entry in log[1:]} == {run.invocation_id}
    assert (log[2].fields()["content"]["parts"][0]["text"], log[3].fields()["calls"]) == (message, 0)
    row = manager.sessions.find(run.pipeline, run.session_id)
    assert (row.status, row.title) == ("stopped", message)


async def is_true(condition) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_run_waits_for_its_turn_and_says_so(within, tmp_path):
    manager = within("[user]\nruns = 1")
    first = await begin(manager, ANN, tmp_path / "1")
    second = await begin(manager, ANN, tmp_path / "2")
    third = await begin(manager, ANN, tmp_path / "3")
    seen = await until(manager, third, waits)
    assert seen[-1].reason == "Waiting for its turn: number 2 of 2 in the queue. Stop takes it out."
    assert seen[-1].is_queued
    assert "run_started" not in kinds(seen)
    assert [(use.limit, use.used) for use in manager.as_user(ANN).use.own()][:2] == [("runs", 1), ("waiting", 2)]
    row = manager.as_user(ANN).sessions.find("rehearsal", third.session_id)
    assert (row.status, row.title) == ("waiting", f"cue {tmp_path / '3'}")
    other = await begin(manager, BEN, tmp_path / "1")
    for name in "123":
        (tmp_path / name).touch()
    for run in (first, second, third, other):
        assert status(await until(manager, run, finished)) == "completed"
    await is_true(lambda: not any(use.used for use in manager.as_user(ANN).use.own()[:2]))


async def test_stop_takes_a_run_out_of_the_queue(within, tmp_path):
    manager = within("[user]\nruns = 1")
    first = await begin(manager, ANN, tmp_path / "1")
    second = await begin(manager, ANN, tmp_path / "2")
    assert await asyncio.to_thread(manager.as_user(ANN).stop, "rehearsal", second.session_id)
    assert manager.as_user(ANN).use.own()[1].used == 0
    assert_kept(manager, second, f"cue {tmp_path / '2'}")
    (tmp_path / "1").touch()
    assert status(await until(manager, first, finished)) == "completed"
    again = await begin(manager, ANN, tmp_path / "1", session_id=second.session_id)
    assert status(await until(manager, again, finished)) == "completed"


async def test_stop_takes_a_run_out_of_the_queue_though_another_server_holds_it(within, tmp_path):
    manager = within("[user]\nruns = 1")
    first = await begin(manager, ANN, tmp_path / "1")
    second = await begin(manager, ANN, tmp_path / "2")
    other = within("[user]\nruns = 1", adopts=True)
    of_ann = other.as_user(ANN)
    [told] = [news for news in await until(other, second, waits) if isinstance(news, Waiting)]
    assert told.reason.startswith("Waiting for its turn: number 1 of 1 in the queue.")
    row = of_ann.sessions.find("rehearsal", second.session_id)
    assert (row.status, row.title) == ("waiting", f"cue {tmp_path / '2'}")
    assert not await asyncio.to_thread(other.as_user(BEN).stop, "rehearsal", second.session_id)
    assert of_ann.use.own()[1].used == 1
    assert await asyncio.to_thread(of_ann.stop, "rehearsal", second.session_id)
    assert_kept(other, second, f"cue {tmp_path / '2'}")
    await is_true(lambda: manager._engine.running() == [first.key])
    (tmp_path / "1").touch()
    assert status(await until(manager, first, finished)) == "completed"
    assert not await asyncio.to_thread(of_ann.stop, "rehearsal", second.session_id)
    assert_kept(manager, second, f"cue {tmp_path / '2'}")


async def test_a_call_waits_on_when_its_answer_is_stopped_before_its_turn(within, tmp_path):
    manager = within("[user]\nruns = 1")
    of_ann = manager.as_user(ANN)
    asking = await asyncio.to_thread(of_ann.start, "asking", "pay 500")
    assert status(await until(manager, asking, finished)) == "paused"
    first = await begin(manager, ANN, tmp_path / "1")
    [call] = of_ann.pending()
    answered = (of_ann.answer, "asking", asking.session_id, call.call_id, {"confirmed": True})
    await asyncio.to_thread(*answered)
    assert of_ann.sessions.find("asking", asking.session_id).status == "waiting"
    assert await asyncio.to_thread(of_ann.stop, "asking", asking.session_id)
    assert of_ann.sessions.find("asking", asking.session_id).status == "paused"
    assert of_ann.pending() == [call]
    (tmp_path / "1").touch()
    assert status(await until(manager, first, finished)) == "completed"
    assert status(await until(manager, await asyncio.to_thread(*answered), finished)) == "completed"


async def test_stop_ends_a_run_whose_turn_comes_meanwhile_on_another_server(within, tmp_path, monkeypatch):
    manager = within("[user]\nruns = 1")
    await begin(manager, ANN, tmp_path / "1")
    second = await begin(manager, ANN, tmp_path / "2")
    other = within("[user]\nruns = 1", takes_over=True)
    of_ann, take_out = other.as_user(ANN), other._engine.take_out
    seen = []

    async def too_late(key):
        (tmp_path / "1").touch()
        while (row := await asyncio.to_thread(of_ann.sessions.find, "rehearsal", second.session_id)).status != "running":
            seen.append(row.status)
        return await take_out(key)

    await is_true(lambda: of_ann.sessions.find("rehearsal", second.session_id).status == "waiting")
    monkeypatch.setattr(other._engine, "take_out", too_late)
    assert await asyncio.to_thread(of_ann.stop, "rehearsal", second.session_id)
    assert "waiting" in seen
    assert status(await until(manager, second, finished)) == "stopped"


async def test_when_too_many_wait_nothing_is_made(within, tmp_path):
    manager = within("[user]\nruns = 1\nwaiting = 1")
    await begin(manager, ANN, tmp_path / "1")
    await begin(manager, ANN, tmp_path / "2")
    with pytest.raises(LimitReachedError, match="You have used 1 of 1 runs waiting") as raised:
        await begin(manager, ANN, tmp_path / "3")
    assert (raised.value.limit, raised.value.used, raised.value.most) == ("waiting", 1, 1)
    assert len(manager.as_user(ANN).sessions.summaries()) == 2
    (tmp_path / "1").touch()
    assert status(await until(manager, await begin(manager, BEN, tmp_path / "1"), finished)) == "completed"


async def test_the_owner_has_no_limits(within, tmp_path):
    manager = within("[user]\nruns = 0\nsessions = 0\nstorage = 0\nmodel_calls = 0\n[workspace]\nruns = 0\nsessions = 0")
    (tmp_path / "1").touch()
    run = await asyncio.to_thread(manager.start, "rehearsal", f"cue {tmp_path / '1'}")
    assert status(await until(manager, run, finished)) == "completed"
    with pytest.raises(LimitReachedError):
        await begin(manager, ANN, tmp_path / "1")


async def test_users_take_turns_over_servers(within, tmp_path):
    one, other = within("[workspace]\nruns = 1"), within("[workspace]\nruns = 1")
    first = await begin(one, ANN, tmp_path / "1")
    mine = [await begin(one, ANN, tmp_path / "2") for _ in range(2)]
    his = await begin(other, BEN, tmp_path / "2")
    await until(other, his, lambda seen: isinstance(seen[-1], Waiting) and "number 1 of 3" in seen[-1].reason)
    await until(one, mine[1], lambda seen: isinstance(seen[-1], Waiting) and "number 3 of 3" in seen[-1].reason)
    (tmp_path / "2").touch()
    (tmp_path / "1").touch()
    ends = [entries(await until(one, run, finished))[-1].fields()["timestamp"] for run in (first, his, *mine)]
    assert ends == sorted(ends)


async def test_what_waits_when_a_server_ends_is_begun_by_the_next_one(within, tmp_path):
    manager = within("[user]\nruns = 1")
    await begin(manager, ANN, tmp_path / "1")
    waiting = await begin(manager, ANN, tmp_path / "2", state={"note": "図"})
    await asyncio.to_thread(manager.close)
    (tmp_path / "2").touch()
    again = within("[user]\nruns = 1", adopts=True)
    seen = await until(again, waiting, finished)
    assert (status(seen), texts(seen)) == ("completed", [f"cue {tmp_path / '2'}", "before", "after"])
    assert entries(seen)[-1].fields()["invocation_id"] == waiting.invocation_id
    assert again.as_user(ANN).sessions.state("rehearsal", waiting.session_id)["note"] == "図"
    await is_true(lambda: not again.as_user(ANN).use.own()[0].used)


async def test_a_server_that_ends_holds_no_place_that_it_has_left(within, tmp_path, monkeypatch):
    manager = within("[user]\nruns = 1")
    await begin(manager, ANN, tmp_path / "1")
    await begin(manager, ANN, tmp_path / "2")
    renew, renewed = manager._services.use.renew, []
    begun, left = threading.Event(), threading.Event()

    def renew_late(holder, *, ends=False):
        if not ends:
            begun.set()
            left.wait(20)
        renewed.append(ends)
        renew(holder, ends=ends)

    monkeypatch.setattr(manager._services.use, "renew", renew_late)
    await asyncio.to_thread(begun.wait, 20)
    closing = asyncio.create_task(asyncio.to_thread(manager.close))
    await is_true(lambda: manager._engine._queue._is_closing)
    left.set()
    await closing
    assert renewed[-1] is True


async def test_a_waiting_run_is_begun_once_where_its_server_stood_still(within, tmp_path, monkeypatch):
    monkeypatch.setattr(queue_module, "LOOK_SECONDS", 1.0)
    manager = within("[user]\nruns = 1")
    monkeypatch.setattr(manager._services.use, "renew", lambda *_, **__: None)
    first = await begin(manager, ANN, tmp_path / "1")
    waiting = await begin(manager, ANN, tmp_path / "2")
    other = within("[user]\nruns = 1", adopts=True)
    other._services.use.renew(manager._use.holder, ends=True)
    (tmp_path / "2").touch()
    seen = await until(other, waiting, finished)
    assert (status(seen), kinds(seen).count("run_started")) == ("completed", 1)
    await is_true(lambda: manager._engine.running() == [first.key])
    (tmp_path / "1").touch()
    assert status(await until(manager, first, finished)) == "completed"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("[user]\nmodel_calls = 2", "You have used 2 of 2 model calls a day: that is the limit 'model_calls'."),
        ("[user]\ntokens = 900", "tokens a day: that is the limit 'tokens'. It is free again at 00:00 UTC, in "),
        ("[workspace]\nmodel_calls = 2", "All users together have used 2 of 2 model calls a day"),
    ],
)
async def test_a_run_that_uses_up_a_days_limit_ends_with_the_reason(within, limits, said):
    manager = within(limits)
    run = await asyncio.to_thread(
        manager.as_user(ANN).start, "iterative_writing", "a lighthouse", simulated_speed=0
    )  # seven calls, 3,000 tokens
    seen = await until(manager, run, finished)
    end = entries(seen)[-1].fields()
    assert (end["status"], end["error_code"]) == ("failed", "LIMIT_REACHED")
    assert said in end["error_message"]
    assert end["calls"] >= 2
    with pytest.raises(LimitReachedError) as raised:
        await asyncio.to_thread(manager.as_user(ANN).start, "iterative_writing", "a whale", session_id=run.session_id)
    assert said in str(raised.value)
    assert 0 < raised.value.retry_after <= 86_400
    mine = await asyncio.to_thread(manager.start, "iterative_writing", "a lighthouse", simulated_speed=0)
    assert status(await until(manager, mine, finished)) == "completed"


async def test_what_a_user_may_store(within, tmp_path):
    manager = within('[user]\nstorage = "1 kB"\nsessions = 2')
    (tmp_path / "1").touch()
    run = await begin(manager, ANN, tmp_path / "1")
    assert status(await until(manager, run, finished)) == "completed"
    with pytest.raises(LimitReachedError, match=r"kB of 1.0 kB bytes of storage"):
        await begin(manager, ANN, tmp_path / "1", session_id=run.session_id)
    for _ in range(2):
        manager.as_user(BEN).sessions.create("rehearsal")
    with pytest.raises(LimitReachedError, match=r"2 of 2 sessions: that is the limit 'sessions'. Delete sessions"):
        manager.as_user(BEN).sessions.create("rehearsal")


async def test_open_pages(within):
    manager = within("[user]\nviewers = 2\n[workspace]\nviewers = 3")
    ann, ben = manager.as_user(ANN).use, manager.as_user(BEN).use
    assert manager.use.take_viewer() is None
    first = [ann.take_viewer(), ann.take_viewer()][0]
    with pytest.raises(LimitReachedError, match="You have used 2 of 2 open pages"):
        ann.take_viewer()
    ben.take_viewer()
    with pytest.raises(LimitReachedError, match="All users together have used 3 of 3 open pages"):
        ben.take_viewer()
    ann.leave(first)
    assert ben.take_viewer()


async def test_the_place_of_an_open_page_is_kept_while_no_run_is_under_way(within, monkeypatch):
    manager = within("[user]\nviewers = 1")
    use = manager.as_user(ANN).use
    renewed: list[str] = []
    store = manager._services.use
    monkeypatch.setattr(store, "renew", lambda holder, **_: renewed.append(holder))
    place = use.take_viewer()
    await is_true(lambda: renewed)
    assert set(renewed) == {use.holder}
    use.leave(place)
    assert not use.has_places


async def test_uploads(within):
    manager = within("[user]\nuploads = 100\n[workspace]\nuploads = 150")
    use = manager.as_user(ANN).use
    use.check_uploads(60, own=40, held=90)
    with pytest.raises(LimitReachedError, match="You have used 101 bytes of 100 bytes"):
        use.check_uploads(61, own=40, held=40)
    with pytest.raises(LimitReachedError, match="All users"):
        manager.use.check_uploads(60, own=40, held=91)
    manager.use.check_uploads(110, own=0, held=0)


async def test_what_all_users_use_is_the_owners_to_see(within, tmp_path):
    manager = within("")
    manager.as_user(ANN).sessions.create("rehearsal")
    manager.sessions.create("rehearsal")
    found = manager.use.everyone()
    assert {user: uses[2].used for user, uses in found.items()} == {ANN.id: 1, "person": 1}
    assert found["person"][2].most is None
    with pytest.raises(NotPermittedError):
        manager.as_user(ANN).use.everyone()
