"""What users use: one suite for all stores."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading

import pytest

from agents.errors import LimitReachedError
from agents.event import Event
from agents.log import TraceRecord
from agents.storage.address import PostgresAddress
from agents.storage.stores import open_store
from agents.storage.use.store import Held, ModelUse, Place, spent

pytestmark = pytest.mark.anyio
NOON = 20_000 * 86_400 + 43_200.0


def place_of(kind: str, request, tmp_path):
    match kind:
        case "memory":
            return None
        case "file":
            return tmp_path / "playground.db"
        case _:
            return PostgresAddress(request.getfixturevalue("postgres"))


@pytest.fixture(params=["memory", "file", "postgres"])
async def store(request, tmp_path, anyio_backend):
    store = open_store(place_of(request.param, request, tmp_path))
    yield store
    await store.close()


def call(model: str = "m", at: float = NOON, **usage) -> list[TraceRecord]:
    return [
        TraceRecord("model_started", "i", data={"model": model}, timestamp=at),
        TraceRecord("model_finished", "i", data={"model": model, "usage": usage, "searches": 1}, timestamp=at),
    ]


def refuse(*_):
    raise LimitReachedError("no", limit="x", used=1, most=1)


async def session_of(store, user: str, session_id: str = "s"):
    return await store.sessions.create_session(app_name="a", user_id=user, session_id=session_id)


async def test_appends_count_what_models_were_asked(store):
    session = await session_of(store, "ann")
    await store.sessions.append(session, [*call(input=5, cached=2, output=7, thoughts=1), *call("n", input=1)])
    await store.sessions.append(session, [*call(input=5), *call(at=NOON + 86_400, input=9), Event(author="x")])
    assert store.use.model_use(20_000) == [ModelUse("ann", "m", 2, 10, 2, 8, 2), ModelUse("ann", "n", 1, 1, 0, 0, 1)]
    assert store.use.model_use(20_001, "ann") == [ModelUse("ann", "m", 1, 9, 0, 0, 1)]
    assert store.use.model_use(20_000, "ben") == []


async def test_forks_and_deleted_sessions_change_no_use(store):
    session = await session_of(store, "ann")
    await store.sessions.append(session, call(input=5))
    entries = await store.sessions.read_log(app_name="a", user_id="ann", session_id="s")
    await store.sessions.fork_session(session, entries=entries, records=[], state={})
    await store.sessions.delete_session(app_name="a", user_id="ann", session_id="s")
    assert store.use.model_use(20_000) == [ModelUse("ann", "m", 1, 5, 0, 0, 1)]


def test_numbers_that_a_model_told_wrong_count_as_nothing():
    wrong = call(input="9", output=-4, cached=None, thoughts=2.5)
    assert spent("ann", [*wrong, None, Event(author="x")]) == {(20_000, "m"): ModelUse("ann", "m", 1, 0, 0, 0, 1)}


async def test_what_is_kept_is_counted_by_user(store):
    session = await session_of(store, "ann")
    before = store.use.held("ann")[0].bytes
    await store.sessions.append(session, [TraceRecord("x", "i", data={"text": "é" * 500})])
    await session_of(store, "ann", "t")
    await session_of(store, "ben")
    await store.sessions.delete_session(app_name="a", user_id="ann", session_id="t")
    held = {each.user_id: each for each in store.use.held()}
    assert held["ann"].sessions == held["ben"].sessions == 1
    assert before + 1000 < held["ann"].bytes < before + 2000
    assert store.use.held("ann") == [held["ann"]]
    assert store.use.held("nobody") == [Held("nobody", 0, 0)]


async def test_a_call_is_counted_unless_the_check_raises(store):
    seen = []
    store.use.count_call("ann", 1, seen.append)
    store.use.count_call("ann", 1, seen.append)
    with pytest.raises(LimitReachedError):
        store.use.count_call("ann", 1, refuse)
    store.use.count_call("ben", 1, seen.append, of_all=True)
    assert seen == [[], [ModelUse("ann", "", 1)], [ModelUse("ann", "", 2)]]


async def test_calls_are_exact_in_many_threads(store):
    let = []

    def ten_at_most(rows):
        if rows and rows[0].calls >= 10:
            refuse()

    def ask():
        for _ in range(5):
            try:
                store.use.count_call("ann", 1, ten_at_most)
            except LimitReachedError:
                return
            let.append(1)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(let) == 10
    assert store.use.model_use(1) == [ModelUse("ann", "", 10)]


def _ask(path, results):
    store = open_store(path)
    let = 0
    for _ in range(10):
        try:
            store.use.count_call("ann", 1, lambda rows: refuse() if rows and rows[0].calls >= 25 else None)
            let += 1
        except LimitReachedError:
            pass
    store.use.close()
    results.put(let)


@pytest.mark.parametrize("kind", ["file", "postgres"])
async def test_calls_are_exact_in_many_processes(kind, request, tmp_path):
    where = place_of(kind, request, tmp_path)
    spawn = multiprocessing.get_context("spawn")
    results = spawn.Queue()
    workers = [spawn.Process(target=_ask, args=(where, results)) for _ in range(4)]
    for worker in workers:
        worker.start()
    assert sum([await asyncio.to_thread(results.get, timeout=60) for _ in workers]) == 25
    for worker in workers:
        worker.join()


def begins(places):
    return places[-1]._replace(started=True, turn=len(places))


def stays(places):
    return places[-1]


async def test_places_in_the_order_in_which_they_came(store):
    first, second = Place("1", "run", "ann", "here", "a/s"), Place("2", "run", "ben", "here")
    seen = []
    begun = first._replace(started=True, turn=1)
    assert store.use.take(first, begins) == begun
    assert store.use.take(second, stays) == second
    assert store.use.take(Place("3", "viewer", "ann", "here"), begins).turn == 1
    assert store.use.places("run") == [begun, second]
    assert store.use.take(second, lambda places: seen.extend(places) or begins(places)).started
    assert seen == [begun, second]
    store.use.leave("1", "there")
    assert len(store.use.places("run")) == 2
    store.use.leave("1", "here")
    store.use.leave("1", "here")
    assert store.use.places("run") == [second._replace(started=True, turn=2)]


async def test_a_place_that_is_refused_is_not_taken(store):
    with pytest.raises(LimitReachedError):
        store.use.take(Place("1", "run", "ann", "here"), refuse)
    assert store.use.places("run") == []


async def test_a_place_of_another_holder_is_not_taken_from_it(store):
    store.use.take(Place("1", "run", "ann", "here"), stays)
    assert store.use.take(Place("1", "run", "ann", "there"), stays).holder == "here"


async def test_only_a_waiting_run_is_withdrawn_and_nobody_takes_its_place_again(store):
    waits, begun = Place("1", "run", "ann", "there", "a/s", "work"), Place("2", "run", "ann", "there")
    store.use.take(waits, stays)
    store.use.take(begun, begins)
    store.use.take(Place("page", "viewer", "ann", "there"), stays)
    assert store.use.withdraw("2") is None
    assert store.use.withdraw("page") is None
    assert store.use.withdraw("1") == waits
    assert store.use.withdraw("1") is None
    seen = []
    store.use.take(waits, lambda places: seen.extend(places) or places[0], is_new=False)
    assert [place.id for place in seen] == ["2"]
    assert [place.id for place in store.use.places("run")] == ["2"]
    assert not store.use.leave("2", "here")
    assert store.use.leave("2", "there")


@pytest.mark.parametrize("store", ["file", "postgres"], indirect=True)
async def test_waiting_runs_of_a_holder_that_ended_are_adopted(store):
    store.use.take(Place("under way", "run", "ann", "gone"), begins)
    store.use.take(Place("page", "viewer", "ann", "gone"), begins)
    store.use.take(Place("waits", "run", "ann", "gone", "a/s", "work"), stays)
    store.use.take(Place("lives", "run", "ann", "other"), stays)
    assert store.use.adopt("here") == []
    store.use.renew("gone", ends=True)
    assert [place.id for place in store.use.places("run")] == ["lives"]
    assert store.use.adopt("here") == [Place("waits", "run", "ann", "here", "a/s", "work")]
    assert store.use.adopt("here") == []
    assert {place.id: place.holder for place in store.use.places("run")} == {"waits": "here", "lives": "other"}
    assert store.use.places("viewer") == []


async def test_the_check_of_room_is_asked_by_every_way_to_a_session(store):
    sessions = store.sessions
    origin = await session_of(store, "ann")
    await session_of(store, "ben")
    counts = []
    sessions.check_room = lambda user, count: counts.append((user, count(True), count(False)))
    await session_of(store, "ann", "t")
    await sessions.fork_session(origin, entries=[], records=[TraceRecord("forked", "")], state={}, session_id="u")
    assert counts == [("ann", 1, 2), ("ann", 2, 3)]
    await sessions.delete_session(app_name="a", user_id="ann", session_id="t")
    sessions.check_room = refuse
    for make in (
        lambda: session_of(store, "ann", "v"),
        lambda: sessions.fork_session(origin, entries=[], records=[TraceRecord("forked", "")], state={}),
        lambda: sessions.restore_session(app_name="a", user_id="ann", session_id="t"),
    ):
        with pytest.raises(LimitReachedError):
            await make()
    assert len(await sessions.summaries(user_id="ann")) == 2


async def test_sessions_are_exact_under_concurrency(store):
    def ten_at_most(_, count):
        if count(True) >= 10:
            refuse()

    store.sessions.check_room = ten_at_most
    made = await asyncio.gather(*(session_of(store, "ann", f"s{n}") for n in range(30)), return_exceptions=True)
    assert sum(isinstance(one, LimitReachedError) for one in made) == 20
    assert store.use.held("ann")[0].sessions == 10
