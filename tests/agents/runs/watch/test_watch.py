"""What subscribers are given: all that is stored, once and in order, and text while it is streamed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from agents.access import OWNER
from agents.errors import ProviderError, RunInProgressError, SessionNotFoundError
from agents.event import Event
from agents.runs import engine as engine_module
from agents.runs.engine import RunEngine
from agents.runs.values import LogBatch, LostRun, Partial, SessionKey
from agents.runs.watch import watch as watching_module
from agents.runs.watch.watch import Watching
from agents.runs.watch.watcher import BATCH, Watcher
from agents.storage.artifacts.memory import InMemoryArtifactService
from agents.storage.sessions.memory import InMemorySessionService
from tests.agents.runs.stage import Actor, collect, content, entries, finished, kinds, request, soon, status, texts

pytestmark = pytest.mark.anyio


@pytest.fixture
def service():
    return InMemorySessionService()


@pytest.fixture
async def watching(service):
    watching = Watching(service)
    yield watching
    watching.close()


@pytest.fixture
async def engine(service, watching):
    engine = RunEngine(service, InMemoryArtifactService(), watching)
    yield engine
    await engine.close(within=5)


@pytest.fixture
def watch(service, watching):
    def watch(session_id: str, *, after: int = 0) -> AsyncGenerator[LogBatch | Partial, None]:
        return _watch(service, watching, SessionKey("stage", session_id, OWNER.id), after)

    return watch


async def _watch(service, watching, key, after):
    watcher = Watcher(service, key, after=after)
    watching.enter(watcher)
    try:
        while news := await watcher.next():
            for item in news:
                yield item
    finally:
        watching.leave(watcher)


async def append(service, session_id: str, *events: Event) -> None:
    session = await service.get_session(app_name="stage", user_id=OWNER.id, session_id=session_id)
    for event in events:
        await service.append_event(session, event)


async def ended(engine, run) -> None:
    while SessionKey("stage", run.session_id, OWNER.id) in engine.running():
        await asyncio.sleep(0)


def pieces(seen) -> list[tuple[int, str]]:
    return [(item.offset, item.text) for item in seen if isinstance(item, Partial)]


async def test_a_run_is_seen_from_its_first_entry_to_its_last(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor, "a lighthouse"))
    actor.say("one")
    actor.end()
    seen = await collect(watch(run.session_id), finished)
    assert texts(seen) == ["a lighthouse", "one"]
    assert kinds(seen)[:3] == ["session_created", "run_started", "event"]
    assert kinds(seen)[-1] == "run_finished"
    assert status(seen) == "completed"


async def test_start_returns_once_the_message_is_stored(engine, service):
    run = await engine.start(request(Actor(), "a lighthouse"))
    session = await service.get_session(app_name="stage", user_id=OWNER.id, session_id=run.session_id)
    assert [(event.author, event.text, event.invocation_id) for event in session.events] == [
        ("user", "a lighthouse", run.invocation_id)
    ]


async def test_subscribing_in_the_middle_gives_the_rest_alone(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    for text in ("one", "two", "three"):
        actor.say(text)
    actor.end()
    whole = entries(await collect(watch(run.session_id), finished))
    middle = whole[len(whole) // 2].seq
    rest = entries(await collect(watch(run.session_id, after=middle), finished))
    assert rest == [entry for entry in whole if entry.seq > middle]


async def test_after_of_a_run_leaves_out_what_was_before_it(engine, watch):
    actor = Actor()
    actor.end()
    first = await engine.start(request(actor, "first"))
    await collect(watch(first.session_id), finished)
    second = await engine.start(request(actor, "second", session_id=first.session_id))
    actor.end()
    assert texts(await collect(watch(second.session_id, after=second.after), finished)) == ["second"]


async def test_two_subscribers_see_the_same(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    both = asyncio.gather(*(collect(watch(run.session_id), finished) for _ in range(2)))
    for number in range(50):
        actor.say(f"w{number} ", id=f"event-{number // 10}", partial=True)
        if number % 10 == 9:
            actor.say("whole", id=f"event-{number // 10}")
    actor.end()
    left, right = await soon(both)
    assert entries(left) == entries(right)
    assert [entry.seq for entry in entries(left)] == sorted({entry.seq for entry in entries(left)})


async def test_streamed_text_comes_without_gaps_and_then_the_whole(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    news = watch(run.session_id)
    seen = []
    for text in ("The ", "lamp ", "was dark."):
        actor.say(text, id="streamed", partial=True)
        so_far = "".join(piece for _, piece in pieces(seen)) + text
        while "".join(piece for _, piece in pieces(seen)) != so_far:
            seen.append(await soon(anext(news)))
    assert pieces(seen) == [(0, "The "), (4, "lamp "), (9, "was dark.")]
    actor.say("The lamp was dark.", id="streamed")
    actor.end()
    rest = await collect(news, finished)
    assert texts(rest)[-1] == "The lamp was dark."
    assert pieces(rest) == []


async def test_a_late_subscriber_gets_the_text_so_far_from_its_beginning(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    actor.say("The ", id="streamed", partial=True)
    actor.say("lamp ", id="streamed", partial=True)
    await collect(watch(run.session_id), lambda seen: "".join(text for _, text in pieces(seen)) == "The lamp ")
    late = await collect(watch(run.session_id), lambda seen: bool(pieces(seen)))
    assert pieces(late) == [(0, "The lamp ")]
    assert late[-1] == Partial("streamed", "Actor", None, 0, "The lamp ")


async def test_a_channel_outlives_its_first_watcher_while_the_run_goes_on(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    await collect(watch(run.session_id), lambda seen: "event" in kinds(seen))
    actor.say("later", id="streamed", partial=True)
    assert pieces(await collect(watch(run.session_id), lambda seen: bool(pieces(seen)))) == [(0, "later")]


async def test_thoughts_are_counted_apart_from_the_text(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    actor.say("Hm. ", id="streamed", partial=True, thought=True)
    actor.say("Yes.", id="streamed", partial=True)
    seen = await collect(watch(run.session_id), lambda seen: len(pieces(seen)) == 2)
    assert {(item.thought, item.offset, item.text) for item in seen if isinstance(item, Partial)} == {
        (True, 0, "Hm. "),
        (False, 0, "Yes."),
    }


async def test_a_slow_subscriber_gets_streamed_text_in_one_piece_and_every_entry(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    slow = watch(run.session_id)
    first = await soon(anext(slow))
    for number in range(300):
        actor.say(f"{number} ", id="streamed", partial=True)
    await collect(watch(run.session_id), lambda seen: "".join(text for _, text in pieces(seen)).endswith("299 "))
    second = await soon(anext(slow))
    assert second == Partial("streamed", "Actor", None, 0, "".join(f"{number} " for number in range(300)))
    actor.say("whole", id="streamed")
    actor.end()
    assert texts([first, *await collect(slow, finished)]) == ["go", "whole"]


async def test_pieces_of_a_stored_event_are_dropped(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    actor.say("The ", id="streamed", partial=True)
    actor.say("The lamp", id="streamed")
    actor.say("next")
    await collect(watch(run.session_id), lambda seen: "next" in texts(seen))
    actor.end()
    late = await collect(watch(run.session_id), finished)
    assert pieces(late) == []


async def test_pieces_do_not_follow_the_event_that_they_became(service, watching):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    key = SessionKey("stage", session.id, OWNER.id)
    watching.open(key).add_partial(Event(id="streamed", author="A", content=content("The "), partial=True))
    await append(service, session.id, Event(id="streamed", author="A", content=content("The lamp")))
    watcher = Watcher(service, key, after=0)
    watching.enter(watcher)
    assert [type(item) for item in await soon(watcher.next())] == [LogBatch]


async def test_what_a_stopped_run_streamed_is_gone(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    actor.say("The ", id="streamed", partial=True)
    await collect(watch(run.session_id), lambda seen: bool(pieces(seen)))
    assert await engine.stop(SessionKey("stage", run.session_id, OWNER.id), within=5)
    seen = await collect(watch(run.session_id), finished)
    assert status(seen) == "stopped"
    assert pieces(seen) == []


async def test_a_backlog_comes_in_batches_that_say_whether_there_is_more(service, watch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    await service.append(session, [Event(author="a", content=content(str(number))) for number in range(2 * BATCH)])
    seen = await collect(watch(session.id), lambda seen: len(entries(seen)) == 2 * BATCH + 1)
    assert [(len(batch.entries), batch.more) for batch in seen] == [(BATCH, True), (BATCH, True), (1, False)]


async def test_entries_appended_while_reading_are_neither_lost_nor_doubled(service, watch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    reading = asyncio.gather(*(collect(watch(session.id), lambda seen: "last" in texts(seen)) for _ in range(3)))
    for number in range(200):
        await append(service, session.id, Event(author="a", content=content(str(number))))
        if number % 7 == 0:
            await asyncio.sleep(0)
    await append(service, session.id, Event(author="a", content=content("last")))
    for seen in await soon(reading):
        assert texts(seen) == [*map(str, range(200)), "last"]


class SlowReads(InMemorySessionService):
    """Lets others do something between the reading of a log and its being given out."""

    meanwhile = None

    async def read_log(self, **where):
        found = await super().read_log(**where)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return found


@pytest.mark.parametrize("with_backlog", [True, False])
async def test_an_entry_appended_while_the_log_is_being_read_is_not_missed(with_backlog):
    service = SlowReads()
    watching = Watching(service)
    session = await service.create_session(app_name="stage", user_id=OWNER.id)

    async def append_one() -> None:
        await append(service, session.id, Event(author="a", content=content("meanwhile")))
        await asyncio.sleep(0)  # the listener's turn

    await asyncio.sleep(0)  # the making of the session is old news
    service.meanwhile = append_one
    after = 0 if with_backlog else session.last_seq
    seen = await collect(
        _watch(service, watching, SessionKey("stage", session.id, OWNER.id), after), lambda seen: bool(texts(seen))
    )
    assert texts(seen) == ["meanwhile"]
    watching.close()


async def test_an_unknown_session_is_refused(watch):
    with pytest.raises(SessionNotFoundError, match="nowhere"):
        await soon(anext(watch("nowhere")))


async def test_deleting_a_session_ends_its_subscriptions(service, watch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    news = watch(session.id)
    await soon(anext(news))
    waiting = asyncio.ensure_future(anext(news))
    await service.delete_session(app_name="stage", user_id=OWNER.id, session_id=session.id)
    with pytest.raises(SessionNotFoundError):
        await soon(waiting)


async def test_closing_ends_subscriptions_without_an_error(service, watching, watch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    news = watch(session.id)
    await soon(anext(news))
    waiting = asyncio.ensure_future(anext(news, "ended"))
    await asyncio.sleep(0)
    watching.close()
    assert await soon(waiting) == "ended"


async def test_what_other_processes_wrote_is_found_by_the_change_mark(service, watch, monkeypatch):
    monkeypatch.setattr(watching_module, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(service, "_notify", lambda *_: None)  # as if another process had written
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    news = watch(session.id)
    await soon(anext(news))
    monkeypatch.setattr(service, "change_mark", lambda: 41)
    await append(service, session.id, Event(author="a", content=content("from elsewhere")))
    assert "from elsewhere" in texts(await collect(news, lambda seen: bool(texts(seen))))


async def test_nothing_is_polled_once_nobody_watches(service, watch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    await collect(watch(session.id), lambda seen: bool(entries(seen)))
    await asyncio.sleep(0)
    assert [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "watch other processes"] == []


async def test_a_session_runs_one_message_at_a_time(engine, watch):
    actor = Actor()
    run = await engine.start(request(actor))
    with pytest.raises(RunInProgressError, match="new session"):
        await engine.start(request(Actor(), session_id=run.session_id))
    actor.end()
    assert texts(await collect(watch(run.session_id), finished)) == ["go"]


async def test_a_session_run_elsewhere_is_refused_before_start_returns(engine, service):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    async with service.claim(session, "e-elsewhere"):
        with pytest.raises(RunInProgressError):
            await engine.start(request(Actor(), session_id=session.id))
    assert SessionKey("stage", session.id, OWNER.id) not in engine.running()


class SlowToLetGo(InMemorySessionService):
    """Holds a claim longer than its run."""

    def __init__(self):
        super().__init__()
        self.let_go = asyncio.Event()

    @asynccontextmanager
    async def claim(self, session, invocation_id, **options):
        async with super().claim(session, invocation_id, **options):
            yield
            await self.let_go.wait()


@pytest.mark.parametrize("service", [SlowToLetGo()])
async def test_a_session_can_be_run_again_as_soon_as_its_end_is_seen(service, engine, watch, monkeypatch):
    monkeypatch.setattr(engine_module, "ENDING_SECONDS", 20)
    actor = Actor()
    first = await engine.start(request(actor))
    actor.end()
    await collect(watch(first.session_id), finished)
    second = asyncio.create_task(engine.start(request(actor, session_id=first.session_id)))
    await asyncio.sleep(0)
    service.let_go.set()
    assert (await soon(second)).session_id == first.session_id


async def test_an_unknown_session_is_not_made_by_running_it(engine, service):
    with pytest.raises(SessionNotFoundError):
        await engine.start(request(Actor(), session_id="nowhere"))
    assert await service.summaries() == []


@pytest.mark.parametrize("error", [ValueError("boom"), SystemExit(3)])
async def test_a_failing_run_harms_nothing_else(engine, watch, error, caplog):
    failing, fine = Actor(), Actor()
    bad = await engine.start(request(failing))
    good = await engine.start(request(fine))
    failing.fail(error)
    await collect(watch(bad.session_id), finished)
    fine.say("still here")
    fine.end()
    assert texts(await collect(watch(good.session_id), finished)) == ["go", "still here"]
    assert bad.invocation_id in caplog.text


async def test_a_failure_is_logged_without_the_message_of_foreign_errors(engine, watch, caplog):
    actor = Actor()
    run = await engine.start(request(actor))
    actor.fail(ValueError("https://example.com/?key=hunter2"))
    assert status(await collect(watch(run.session_id), finished)) == "failed"
    await soon(ended(engine, run))
    assert "ValueError" in caplog.text
    assert "hunter2" not in caplog.text


def _refuse(kind: type[Exception]) -> None:
    raise kind("hunter2-of-mine is refused")


@pytest.mark.parametrize("kind", [ProviderError, ValueError])
async def test_no_key_is_in_the_log_of_a_failure(engine, watch, kind, caplog, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "hunter2-of-mine")
    actor = Actor()
    run = await engine.start(request(actor))
    with pytest.raises(kind) as raised:
        _refuse(kind)
    actor.fail(raised.value)
    assert status(await collect(watch(run.session_id), finished)) == "failed"
    await soon(ended(engine, run))
    assert run.invocation_id in caplog.text
    assert "hunter2-of-mine" not in caplog.text


async def test_stopping_leaves_a_complete_log_and_can_be_repeated(engine, watch):
    run = await engine.start(request(Actor()))
    key = SessionKey("stage", run.session_id, OWNER.id)
    assert key in engine.running()
    assert await asyncio.gather(engine.stop(key, within=5), engine.stop(key, within=5)) == [True, True]
    assert not await engine.stop(key, within=5)
    assert key not in engine.running()
    seen = await collect(watch(run.session_id), finished)
    assert kinds(seen).count("run_finished") == 1
    assert kinds(seen)[-2:] == ["agent_finished", "run_finished"]


async def test_a_run_stopped_before_its_first_step_leaves_nothing_behind(engine, service, monkeypatch):
    session = await service.create_session(app_name="stage", user_id=OWNER.id)
    key = SessionKey("stage", session.id, OWNER.id)

    async def stop_at_once(*_args: object) -> None:
        assert await engine.stop(key, within=5)

    monkeypatch.setattr(engine, "_begun", stop_at_once)
    await engine.start(request(Actor(), session_id=session.id))
    assert key not in engine.running()


async def test_a_run_that_will_not_stop_is_told_after_the_time_given(engine):
    release = asyncio.Event()
    cleaned_up: list[bool] = []

    class Stubborn(Actor):
        async def _run_async_impl(self, ctx):
            try:
                await asyncio.Event().wait()
            finally:
                await release.wait()
                cleaned_up.append(True)
            yield Event()

    run = await engine.start(request(Stubborn()))
    key = SessionKey("stage", run.session_id, OWNER.id)
    for _ in range(2):
        with pytest.raises(RunInProgressError, match="did not end within"):
            await engine.stop(key, within=0)
    release.set()
    assert await engine.stop(key, within=5)
    assert cleaned_up, "telling it twice disturbed its cleaning up"


async def test_a_session_that_is_gone_while_its_run_goes_on_is_told_as_a_lost_run(service, watching):
    key = SessionKey("stage", "gone", OWNER.id)
    live, lost = watching.begin(key), LostRun("e-1", "The file was replaced.")
    await asyncio.sleep(0)  # what was posted to this loop
    reading = asyncio.create_task(anext(_watch(service, watching, key, 0)))
    await asyncio.sleep(0)
    watching.lose(key, lost)
    assert await soon(reading) == lost
    live.end()
    await asyncio.sleep(0)
    with pytest.raises(SessionNotFoundError):
        await soon(anext(_watch(service, watching, key, 0)))
