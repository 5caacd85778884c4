"""A run: what is stored, what is yielded, and that the log is right whenever and however it ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from dirty_equals import IsFloat, IsStr
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import (
    BaseAgent,
    Event,
    EventActions,
    Fault,
    GetSessionConfig,
    InMemoryRunner,
    InMemorySessionService,
    LlmAgent,
    LlmResponse,
    LongRunningFunctionTool,
    LoopAgent,
    ParallelAgent,
    RunConfig,
    Runner,
    SequentialAgent,
    SqliteSessionService,
    StreamingMode,
)
from agents.errors import ModelNotFoundError, RunInProgressError, SessionNotFoundError, StateValueError
from agents.models.identity import OTHERS_WORDS, quoted
from agents.models.scripted import ScriptedLlm, call
from agents.models.simulated.model import SimulatedLlm
from tests.agents.pausing_stage import answer_to, send, status, waiting
from tests.agents.stage import APP, USER, Actor, Play, look, other_tasks, play, say, user

# -- what is stored and yielded


@pytest.mark.anyio
async def test_the_users_message_comes_first_and_is_not_yielded():
    played = await play(Actor(name="a", lines=["hello"]), "hi")
    assert [(e.author, e.text) for e in played.session.events] == [("user", "hi"), ("a", "hello")]
    assert [event.author for event in played.events] == ["a"]


@pytest.mark.anyio
async def test_a_run_is_framed_by_its_records():
    model = ScriptedLlm(script=["x"], model="m")
    played = await play(
        LlmAgent(name="a"), config=RunConfig(model=model, max_llm_calls=9), state={"app:k": 1, "user:k": 2, "k": 3}
    )
    (first, started), *_, (last, finished) = played.log
    assert (first, last) == ("run_started", "run_finished")
    run = started["invocation_id"]
    assert started == {
        "invocation_id": IsStr(regex="e-.+"),
        "agent": "a",
        "timestamp": IsFloat(),
        "model": "m",
        "simulated": False,
        "shared": {"app:k": 1, "user:k": 2},
        "max_llm_calls": 9,
    }
    assert finished == {
        "invocation_id": run,
        "agent": "a",
        "timestamp": IsFloat(),
        "status": "completed",
        "calls": 1,
        "tokens": {"input": 0, "output": 0},
        "duration": IsFloat(ge=0),
    }
    assert {body["invocation_id"] for _, body in played.log} == {run}


@pytest.mark.anyio
async def test_an_event_is_stored_before_it_is_yielded():
    service = InMemorySessionService()
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=Actor(name="a", lines=["1", "2", "3"]), session_service=service)
    async for event in runner.run_async(user_id=USER, session_id="s", new_message=user("go")):
        stored = await service.get_session(app_name=APP, user_id=USER, session_id="s")
        assert stored is not None
        assert stored.events[-1].id == event.id
        assert stored.events[-1].seq == event.seq


@pytest.mark.anyio
async def test_a_message_without_a_role_is_the_users():
    service = InMemorySessionService()
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=Actor(name="a"), session_service=service)
    message = types.Content(parts=[types.Part(text="hi")])
    async for _ in runner.run_async(user_id=USER, session_id="s", new_message=message):
        pass
    session = await service.get_session(app_name=APP, user_id=USER, session_id="s")
    assert session is not None
    assert session.events[0].content == user("hi")
    assert message.role is None


@pytest.mark.anyio
async def test_without_a_message_a_run_goes_on_with_what_there_is():
    service = InMemorySessionService()
    await play(Actor(name="a", lines=["one"]), "hi", service=service)
    played = await play(Actor(name="b", lines=["two"]), None, service=service)
    assert [(e.author, e.text) for e in played.session.events] == [("user", "hi"), ("a", "one"), ("b", "two")]


@pytest.mark.anyio
async def test_a_state_delta_comes_with_the_message():
    seen = {}
    agent = Actor(name="a", lines=[lambda ctx: seen.update(ctx.session.state)])
    played = await play(agent, "hi", state={"k": 0, "j": 1}, state_delta={"k": 2, "temp:t": 3, "user:u": 4})
    assert seen == {"k": 2, "j": 1, "temp:t": 3, "user:u": 4}
    assert played.session.events[0].actions.state_delta == {"k": 2, "user:u": 4}
    assert played.state == {"k": 2, "j": 1, "user:u": 4}


@pytest.mark.anyio
async def test_temp_state_lives_as_long_as_the_run():
    service = InMemorySessionService()
    seen: list[Any] = []

    def read(ctx):
        seen.append(ctx.session.state.get("temp:t"))

    write = Event(author="a", actions=EventActions(state_delta={"temp:t": 1, "kept": 2}))
    agent = Actor(name="a", lines=[read, lambda ctx: write, read])
    played = await play(agent, service=service)
    assert (seen, played.state) == ([None, 1], {"kept": 2})
    assert "temp:t" not in repr(played.log)
    await play(Actor(name="a", lines=[read]), service=service)
    assert seen[-1] is None


@pytest.mark.anyio
async def test_a_run_may_read_only_the_recent_events():
    service = InMemorySessionService()
    await play(Actor(name="a", lines=["1", "2", "3"]), service=service)
    model = ScriptedLlm(script=["x"])
    config = RunConfig(get_session_config=GetSessionConfig(num_recent_events=1))
    await play(LlmAgent(name="b", model=model), "now", service=service, config=config)
    assert [part.text for content in model.requests[0].contents for part in content.parts] == [
        OTHERS_WORDS,
        f"[a] said:\n{quoted('3')}",
        "now",
    ]


@pytest.mark.anyio
async def test_content_that_is_bytes_is_stored():
    image = types.Content(role="model", parts=[types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\xff\x00"))])
    played = await play(Actor(name="a", lines=[Event(author="a", content=image)]))
    assert played.session.events[-1].content == image


# -- refusals


@pytest.mark.anyio
async def test_a_missing_session_is_named():
    runner = InMemoryRunner(Actor(name="a"))
    assert runner.app_name == "InMemoryRunner"
    with pytest.raises(SessionNotFoundError, match="'nowhere' of 'InMemoryRunner' for user 'person'"):
        await anext(runner.run_async(user_id=USER, session_id="nowhere", new_message=user("go")))


@pytest.mark.anyio
async def test_a_second_run_of_a_session_is_refused_while_the_first_one_lasts():
    service = InMemorySessionService()
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=Actor(name="a", lines=["1", "2"]), session_service=service)
    async with aclosing(runner.run_async(user_id=USER, session_id="s", new_message=user("go"))) as first:
        await anext(first)
        with pytest.raises(RunInProgressError, match="one invocation at a time"):
            await anext(runner.run_async(user_id=USER, session_id="s", new_message=user("me too")))
    played = await play(Actor(name="b", lines=["now"]), "again", service=service)
    assert (played.error, played.texts) == (None, [("b", "now")])
    assert "me too" not in [event.text for event in played.session.events]


@pytest.mark.anyio
async def test_a_state_delta_that_json_cannot_hold_is_refused_before_anything_happens():
    played = await play(Actor(name="a", lines=["never"]), state_delta={"k": object()})
    assert isinstance(played.error, StateValueError)
    assert (played.events, played.log) == ([], [])


@pytest.mark.anyio
async def test_an_unknown_model_for_the_run_is_refused_before_anything_happens():
    played = await play(Actor(name="a", lines=["never"]), config=RunConfig(model="no-such-model"))
    assert isinstance(played.error, ModelNotFoundError)
    assert played.log == []


def test_a_run_config_has_no_unknown_settings():
    with pytest.raises(ValueError, match="max_calls"):
        RunConfig(max_calls=3)  # type: ignore[call-arg]


# -- errors


@pytest.mark.anyio
async def test_an_error_is_stored_as_an_event_yielded_and_raised(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "secret-key")
    tree = SequentialAgent(
        name="s",
        sub_agents=[Actor(name="a", lines=["kept", ValueError("bad secret-key")]), Actor(name="b", lines=["never"])],
    )
    played = await play(tree)
    assert type(played.error) is ValueError
    last = played.events[-1]
    assert (last.author, last.error_code, last.error_message, last.stop_reason) == (
        "a",
        "ValueError",
        "ValueError: bad [key]",
        "error",
    )
    assert [event.text or event.error_code for event in played.session.events] == ["go", "kept", "ValueError"]
    assert [(r["status"], r["error_code"], r["error_message"]) for r in played.records("run_finished")] == [
        ("failed", "ValueError", "ValueError: bad [key]")
    ]
    assert "secret-key" not in repr(played.log)


@pytest.mark.anyio
async def test_the_innermost_agent_is_blamed_also_when_its_records_are_stored_already():
    """A sibling stores what is pending between the failure and its surfacing."""
    failed = asyncio.Event()

    async def busy(ctx):
        await failed.wait()
        await ctx.flush()

    def fail(ctx):
        ctx.record("note")
        failed.set()
        raise ValueError("x")

    inner = SequentialAgent(name="s", sub_agents=[Actor(name="b", lines=[fail])])
    played = await play(ParallelAgent(name="p", sub_agents=[Actor(name="a", lines=[busy]), inner]))
    assert [(e.author, e.branch) for e in played.events] == [("b", "p.s")]


@pytest.mark.anyio
async def test_an_agent_that_handles_an_error_below_goes_on():
    class Forgiving(BaseAgent):
        async def _run_async_impl(self, ctx):
            with suppress(ValueError):
                async for event in self.sub_agents[0].run_async(ctx):
                    yield event
            yield say(self.name, "never mind")

    played = await play(Forgiving(name="f", sub_agents=[Actor(name="a", lines=[ValueError("x")])]))
    assert (played.error, played.texts) == (None, [("f", "never mind")])
    assert [r["status"] for r in played.records("run_finished")] == ["completed"]


@pytest.mark.anyio
async def test_an_event_that_cannot_be_stored_fails_the_run_and_loses_no_record():
    bad = Event(author="a", actions=EventActions(state_delta={"k": object()}))
    played = await play(Actor(name="a", lines=["kept", lambda ctx: ctx.record("note") or bad]))
    assert isinstance(played.error, StateValueError)
    assert "'k'" in str(played.error)
    assert [kind for kind, _ in played.log] == [
        "run_started",
        "event",
        "agent_started",
        "event",
        "note",
        "agent_finished",
        "event",
        "run_finished",
    ]
    assert [event.error_code for event in played.session.events] == [None, None, "STATE_VALUE"]


@pytest.mark.anyio
async def test_a_deleted_session_ends_its_run_with_a_readable_error():
    service = InMemorySessionService()

    async def delete(ctx):
        await service.delete_session(app_name=APP, user_id=USER, session_id="s")

    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=Actor(name="a", lines=[delete, "lost"]), session_service=service)
    with pytest.raises(SessionNotFoundError):
        async for _ in runner.run_async(user_id=USER, session_id="s", new_message=user("go")):
            pass


# -- without an event loop


def test_run_is_the_same_for_code_without_an_event_loop():
    runner = InMemoryRunner(ParallelAgent(name="p", sub_agents=[Actor(name=f"a{n}", lines=["x"]) for n in range(3)]))
    session = asyncio.run(runner.session_service.create_session(app_name=runner.app_name, user_id=USER))
    events = list(runner.run(user_id=USER, session_id=session.id, new_message=user("go")))
    assert sorted(event.author for event in events) == ["a0", "a1", "a2"]


def test_a_sync_run_that_is_left_is_stopped():
    runner = InMemoryRunner(Actor(name="a", lines=["1", "2"]))
    session = asyncio.run(runner.session_service.create_session(app_name=runner.app_name, user_id=USER))
    events = runner.run(user_id=USER, session_id=session.id, new_message=user("go"))
    assert next(events).text == "1"
    events.close()
    log = asyncio.run(runner.session_service.read_log(app_name=runner.app_name, user_id=USER, session_id=session.id))
    assert (log[-1].kind, log[-1].fields()["status"]) == ("run_finished", "stopped")


def test_a_sync_run_raises_what_ended_it():
    runner = InMemoryRunner(Actor(name="a", lines=[ValueError("x")]))
    session = asyncio.run(runner.session_service.create_session(app_name=runner.app_name, user_id=USER))
    with pytest.raises(ValueError, match="x"):
        list(runner.run(user_id=USER, session_id=session.id, new_message=user("go")))


# -- stopped at any moment


async def brief() -> str:
    """Waits a little, twice."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return "brief"


def sync() -> str:
    """Runs in a thread."""
    return "sync"


async def pause(ctx: Any) -> None:
    await asyncio.sleep(0)


@st.composite
def trees(draw: Any) -> Any:
    """A function that makes an agent tree, always the same one."""
    names = iter(f"n{number}" for number in range(1000))

    def plan(depth: int) -> Any:
        kind = draw(st.sampled_from(["actor", "llm"] if depth == 0 else ["actor", "llm", "seq", "loop", "par", "par"]))
        name = next(names)
        if kind == "actor":
            return kind, name, draw(st.lists(st.sampled_from(["say", "wait", "escalate"]), max_size=4))
        if kind == "llm":
            return kind, name, draw(st.lists(st.sampled_from([["brief"], ["brief", "sync"], ["none"]]), max_size=2))
        return kind, name, [plan(depth - 1) for _ in range(draw(st.integers(0, 3)))]

    root = plan(2)

    def make(plan: Any) -> BaseAgent:
        kind, name, inside = plan
        if kind == "actor":
            lines = {
                "say": "text",
                "wait": pause,
                "escalate": lambda ctx: Event(author=ctx.agent.name, actions=EventActions(escalate=True)),
            }
            return Actor(name=name, lines=[lines[line] for line in inside])
        if kind == "llm":
            script = [[call(tool) for tool in tools] for tools in inside] + ["two words"]
            return LlmAgent(name=name, model=ScriptedLlm(script=script * 4), tools=[brief, sync], output_key=name)
        children = [make(child) for child in inside]
        if kind == "seq":
            return SequentialAgent(name=name, sub_agents=children)
        if kind == "loop":
            return LoopAgent(name=name, sub_agents=children, max_iterations=2)
        return ParallelAgent(name=name, sub_agents=children)

    return lambda: make(root)


class Committing(InMemorySessionService):
    """A service that can be cancelled once it has stored, as one that waits for a disk can."""

    async def append(self, session: Any, entries: Any, *, texts: Any = None) -> list[int]:
        seqs = await super().append(session, entries, texts=texts)
        await asyncio.sleep(0)
        return seqs


def check_log(played: Play, *, statuses: set[str]) -> None:
    """Whatever happened: the run has an end, everything that began has one, and innermost first within a branch."""
    if not played.log:
        return  # stopped before it began
    assert played.log[0][0] == "run_started"
    assert played.log[-1][0] == "run_finished"
    assert played.log[-1][1]["status"] in statuses
    assert Counter(kind for kind, _ in played.log)["run_finished"] == 1
    for pair, key in (("agent", "agent"), ("model", "call"), ("tool", "call_id")):
        under_way: Counter[Any] = Counter()
        for kind, body in played.log:
            if kind == f"{pair}_started":
                under_way[body[key]] += 1
            elif kind == f"{pair}_finished":
                under_way[body[key]] -= 1
                assert under_way[body[key]] >= 0
        assert not +under_way, (pair, under_way)
    open_agents: dict[str | None, list[str]] = {}
    for kind, body in played.log:
        stack = open_agents.setdefault(body.get("branch"), [])
        if kind == "agent_started":
            stack.append(body["agent"])
        elif kind == "agent_finished":
            assert stack.pop() == body["agent"]
    seqs = [event.seq for event in played.session.events]
    assert seqs == sorted(seqs)


async def stopped_run(service: Any, tree: BaseAgent, *, after_events: int | None, after_ticks: int | None) -> Play:
    """Runs a tree and closes or cancels it; returns what is stored and what was yielded."""
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    runner = Runner(app_name=APP, agent=tree, session_service=service)
    config = RunConfig(streaming_mode=StreamingMode.SSE)
    played = Play()

    async def consume() -> None:
        events = runner.run_async(user_id=USER, session_id="s", new_message=user("go"), run_config=config)
        async with aclosing(events):
            async for event in events:
                played.events.append(event)
                if len(played.events) == after_events:
                    return

    task = asyncio.create_task(consume())
    for _ in range(after_ticks or 0):
        if task.done():
            break
        await asyncio.sleep(0)
    if after_ticks is not None:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await look(played, service)
    assert other_tasks() == set()
    return played


def shown_is_stored(played: Play) -> None:
    stored = {event.id for event in played.session.events}
    assert all(event.id in stored for event in played.events if not event.partial)
    assert not any(event.partial for event in played.session.events)


@settings(deadline=None, max_examples=60)
@given(trees(), st.data())
def test_closing_after_any_event_leaves_a_consistent_log(make, data):
    whole = asyncio.run(stopped_run(InMemorySessionService(), make(), after_events=None, after_ticks=None))
    check_log(whole, statuses={"completed"})
    if whole.events:
        after = data.draw(st.integers(1, len(whole.events)))
        played = asyncio.run(stopped_run(InMemorySessionService(), make(), after_events=after, after_ticks=None))
        check_log(played, statuses={"stopped"})
        shown_is_stored(played)


@settings(deadline=None, max_examples=150)
@given(trees(), st.integers(0, 80), st.sampled_from([InMemorySessionService, Committing]))
def test_a_cancellation_at_any_moment_leaves_a_consistent_log(make, ticks, service):
    played = asyncio.run(stopped_run(service(), make(), after_events=None, after_ticks=ticks))
    check_log(played, statuses={"stopped", "completed"})
    shown_is_stored(played)


@pytest.mark.anyio
@pytest.mark.parametrize("ticks", range(0, 60, 4))
async def test_a_cancellation_over_sqlite_leaves_a_consistent_log(tmp_path, ticks):
    def make() -> BaseAgent:
        model = ScriptedLlm(script=[[call("brief"), call("sync")], "two words"] * 2)
        llm = LlmAgent(name="llm", model=model, tools=[brief, sync], output_key="out")
        side = Actor(name="side", lines=["1", pause, "2"])
        return LoopAgent(name="l", max_iterations=2, sub_agents=[ParallelAgent(name="p", sub_agents=[llm, side])])

    service = SqliteSessionService(tmp_path / "s.db")
    try:
        played = await stopped_run(service, make(), after_events=None, after_ticks=ticks * ticks // 4)
        check_log(played, statuses={"stopped", "completed"})
        shown_is_stored(played)
        again = await play(Actor(name="a", lines=["on"]), "again", service=service)
        assert (again.error, again.texts) == (None, [("a", "on")])
    finally:
        await service.close()


@pytest.mark.anyio
@pytest.mark.parametrize("ticks", range(40))
async def test_a_cancellation_while_something_is_stored_leaves_a_consistent_log(ticks):
    """Each tick of a run with an agent, a model, a tool and two tools at once."""
    model = ScriptedLlm(script=[[call("brief")], [call("brief"), call("brief")], "end"])
    tree = SequentialAgent(
        name="s", sub_agents=[Actor(name="a", lines=["x"]), LlmAgent(name="llm", model=model, tools=[brief])]
    )
    check_log(await stopped_run(Committing(), tree, after_events=None, after_ticks=ticks), statuses={"stopped", "completed"})


@pytest.mark.anyio
async def test_a_stopped_run_keeps_what_was_shown_and_lets_the_session_be_run_again():
    service = InMemorySessionService()
    model = ScriptedLlm(script=[[call("brief")], "end"])
    played = await stopped_run(service, LlmAgent(name="a", model=model, tools=[brief]), after_events=1, after_ticks=None)
    assert [(r["status"], r["calls"]) for r in played.records("run_finished")] == [("stopped", 1)]
    again = await play(LlmAgent(name="a", model=ScriptedLlm(script=["fine"])), "again", service=service)
    assert again.texts == [("a", "fine")]


@pytest.mark.anyio
async def test_closing_cancels_a_tool_at_once():
    cancelled = asyncio.Event()

    async def hang() -> None:
        """Hangs."""
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    service = InMemorySessionService()
    await service.create_session(app_name=APP, user_id=USER, session_id="s")
    model = ScriptedLlm(script=[[call("hang")]])
    runner = Runner(app_name=APP, agent=LlmAgent(name="a", model=model, tools=[hang]), session_service=service)
    started = asyncio.Event()

    async def consume() -> None:
        async with aclosing(runner.run_async(user_id=USER, session_id="s", new_message=user("go"))) as events:
            async for _ in events:
                started.set()

    task = asyncio.create_task(consume())
    await started.wait()
    played = Play()
    while not played.records("tool_started"):  # stored before the tool is waited for
        await asyncio.sleep(0)
        await look(played, service)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()
    await look(played, service)
    check_log(played, statuses={"stopped"})
    assert [r["error"] for r in played.records("tool_finished")] == ["cancelled"]


REFUSAL = LlmResponse(error_code="SAFETY", error_message="Blocked.", stop_reason="safety")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("script", "ended"),
    [(["fine", REFUSAL], ("failed", "SAFETY", "Blocked.")), ([REFUSAL, "fine"], ("completed", None, None))],
)
async def test_a_run_has_failed_if_its_last_event_is_an_error(script, ended):
    agent = LlmAgent(name="a", model=ScriptedLlm(script=script))
    played = await play(LoopAgent(name="loop", sub_agents=[agent], max_iterations=2))

    kind, body = played.log[-1]

    assert (kind, body["status"], body.get("error_code"), body.get("error_message")) == ("run_finished", *ended)


# -- runs that go on, and what else a run's first record says


def asking_tree() -> SequentialAgent:
    def ask() -> None:
        """Asks."""

    asker = LlmAgent(name="asker", model=ScriptedLlm(script=[[call("ask")], "a", "b"]), tools=[LongRunningFunctionTool(ask)])
    return SequentialAgent(name="all", sub_agents=[asker, Actor(name="end", lines=["x", "y"])])


@pytest.mark.anyio
@pytest.mark.parametrize("taken", [0, 1, 2])
async def test_a_run_that_goes_on_can_be_stopped_at_any_event(taken):
    service, tree = InMemorySessionService(), asking_tree()
    paused = await send(tree, "go", service=service)
    runner = Runner(app_name=APP, agent=tree, session_service=service)
    answer = answer_to(*waiting(paused), result=1)
    async with aclosing(runner.run_async(user_id=USER, session_id="s", new_message=answer)) as events:
        for _ in range(taken + 1):
            await anext(events)
    stopped = Play()
    await look(stopped, service)
    assert status(stopped) == "stopped"
    assert (
        Counter(kind for kind, _ in stopped.log)["agent_started"]
        == Counter(kind for kind, _ in stopped.log)["agent_finished"]
    )
    assert (await send(tree, "again", service=service)).error is None


@pytest.mark.anyio
async def test_the_duration_of_a_run_that_goes_on_is_that_of_all_its_parts(monkeypatch):
    clock = iter([0, 3, 100, 104])  # seconds at which the parts begin and end
    monkeypatch.setattr("agents.runner.time", SimpleNamespace(perf_counter=lambda: float(next(clock))))
    service, tree = InMemorySessionService(), asking_tree()
    paused = await send(tree, "go", service=service)
    done = await send(tree, answer_to(*waiting(paused), result=1), service=service)
    ends = [body for kind, body in done.log if kind == "run_finished"]
    assert [(end["status"], end["duration"]) for end in ends] == [("paused", 3), ("completed", 7)]


@pytest.mark.anyio
async def test_faults_that_are_asked_for_are_in_the_first_record():
    faults = (Fault(kind="delay", target="a", seconds=0), Fault(kind="refuse", call=7))
    played = await play(LlmAgent(name="a", model=ScriptedLlm(script=["x"])), config=RunConfig(faults=faults))
    assert played.records("run_started")[0]["faults"] == ["a:delay:1:0", "*:refuse:7"]


@pytest.mark.anyio
async def test_the_in_memory_runner_keeps_files_too():
    async def save(callback_context):
        await callback_context.save_artifact("notes.txt", types.Part(text="kept"))

    runner = InMemoryRunner(Actor(name="a", lines=["x"], before_agent_callback=save))
    name = {"user_id": USER, "session_id": "s"}
    await runner.session_service.create_session(app_name=runner.app_name, **name)
    events = [event async for event in runner.run_async(**name, new_message=user("go"))]
    assert events[0].actions.artifact_delta == {"notes.txt": 0}
    found = await runner.artifact_service.load_artifact(app_name=runner.app_name, **name, filename="notes.txt")
    assert found == types.Part(text="kept")


SIMULATED = SimulatedLlm(simulation={"Inner": lambda request: "worked out"})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("of_the_agent", "of_the_run", "expected"),
    [
        (SIMULATED, ScriptedLlm(model="a-real-one", script=["a"]), ("a-real-one", True)),
        (ScriptedLlm(model="a-real-one", script=["a"]), SIMULATED, ("simulated", False)),
        ("", SIMULATED, ("simulated", True)),
    ],
)
async def test_a_run_is_called_simulated_if_an_agent_of_the_tree_may_ask_such_a_model(of_the_agent, of_the_run, expected):
    inner = LlmAgent(name="Inner", model=of_the_agent)
    runner = InMemoryRunner(SequentialAgent(name="Outer", sub_agents=[inner]))
    session = await runner.session_service.create_session(app_name=runner.app_name, user_id=USER)
    config = RunConfig(model=of_the_run)
    async for _ in runner.run_async(
        user_id=USER, session_id=session.id, new_message=types.UserContent("go"), run_config=config
    ):
        pass
    log = await runner.session_service.read_log(app_name=runner.app_name, user_id=USER, session_id=session.id)
    started = next(entry for entry in log if entry.kind == "run_started").fields()
    assert (started["model"], started["simulated"]) == expected


@pytest.mark.anyio
async def test_a_session_is_created_where_that_is_wanted():
    service = InMemorySessionService()
    with ScriptedLlm(script=["hi"]) as model:
        agent = LlmAgent(name="a", model=model)
        runner = Runner(app_name="app", agent=agent, session_service=service, auto_create_session=True)
        events = [event async for event in runner.run_async(user_id="u", session_id="new", new_message=user("go"))]
    assert [event.text for event in events] == ["hi"]
    assert await service.get_session(app_name="app", user_id="u", session_id="new") is not None


@pytest.mark.anyio
async def test_the_error_names_the_app_that_has_the_session():
    service = InMemorySessionService()
    await service.create_session(app_name="mine", user_id="u", session_id="s")
    await service.create_session(app_name="theirs", user_id="other", session_id="s")
    runner = Runner(app_name="app", agent=LlmAgent(name="a"), session_service=service)
    with pytest.raises(SessionNotFoundError, match=r"another app: 'mine'\."):
        await anext(runner.run_async(user_id="u", session_id="s", new_message=user("go")))
