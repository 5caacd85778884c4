"""A graph that is cut goes on to the same end: forked at any event, and killed before any entry of its log is stored.

A killed one goes on in a fork or in its own session.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import pytest

from agents import Event, InMemoryRunner
from agents.errors import AnswerError
from agents.event import EventActions
from agents.forks import Forks
from agents.workflow import Context, Workflow, node
from tests.agents.stage import USER
from tests.compat.graphs.play import Graph, _message, all_graphs, side

pytestmark = pytest.mark.anyio

PLAYED: dict[str, Any] = json.loads((Path(__file__).parents[2] / "compat/graphs/adk.json").read_text(encoding="utf-8"))
CHANGING = {
    "agent with tool",
    "agent in a loop",
    "retry works",
    "retry of a graph",
    "dynamic retried",
    "time limit with retry",
}
CHANGING |= {"waits for output", "a worker tries again", "retry of a dynamic node", "time limit of a dynamic node"}
CHANGING |= {"agent with two tool calls", "waits for output with state"}
"""Graphs whose nodes do something else when they are run again, or in another order."""
GRAPHS = {
    name: graph
    for name, graph in all_graphs().items()
    if name.partition(": ")[2] not in CHANGING
    and "refused" not in PLAYED[name]
    and not any("error" in turn or any("error" in event for event in turn["events"]) for turn in PLAYED[name]["turns"])
}
APP = "graphs"


def intake(k: Any, notes: list[str]) -> Any:
    def answer(sent: list[str]) -> Any:
        notes.append(" | ".join(sent))
        if len(sent) < 5:
            return ("Your name?", "Your age?")[len(sent) // 2]
        return k.types.Part.from_function_call(name="finish_task", args={"result": f"{sent[2]}, {sent[4]}"})

    return k.LlmAgent(name="intake", model=k.model(answer), mode="task", output_key="person")


def task(k: Any, notes: list[str]) -> Any:
    def end(node_input: Any) -> str:
        return f"end {node_input['result']}"

    return k.Workflow(name="wf", edges=[("START", intake(k, notes), end)])


def called_task(k: Any, notes: list[str]) -> Any:
    def greet(callback_context: Any, llm_request: Any) -> Any:
        if (person := callback_context.state.get("person")) is not None:
            said = k.types.Part(text=f"hello {person['result']}")
            return k.LlmResponse(content=k.types.Content(role="model", parts=[said]))
        return None

    asks = k.types.Part(function_call=k.types.FunctionCall(id="c1", name="intake", args={"request": "who"}))
    return k.LlmAgent(name="desk", model=k.model(lambda _: asks), before_model_callback=greet, sub_agents=[intake(k, notes)])


GRAPHS["a task with questions"] = Graph(task, says=("go", "Ann", "7"))
GRAPHS["a task that is called"] = Graph(called_task, says=("go", "Ann", "7"))


class Killed(BaseException):
    """The process ends."""


class Stage:
    def __init__(self, name: str) -> None:
        self.graph, self.k, self.notes = GRAPHS[name], side("ours"), []
        self.root = self.graph.build(self.k, self.notes)
        self.runner = InMemoryRunner(self.root, app_name=APP)
        self.service: Any = self.runner.session_service
        self.names = {"app_name": APP, "user_id": USER}
        self.forks = Forks(self.service, self.root, **self.names)

    async def play(self) -> None:
        await self.service.create_session(**self.names, session_id="origin", state=dict(self.graph.state))
        for said in self.graph.says:
            events = self.runner.run_async(user_id=USER, session_id="origin", new_message=_message(self.k, said))
            try:
                async for _ in events:
                    pass
            finally:
                await events.aclose()

    async def session(self) -> Any:
        return await self.service.get_session(**self.names, session_id="origin")

    async def log(self) -> list[Any]:
        return await self.service.read_log(**self.names, session_id="origin")

    async def resume(self) -> None:
        events = self.runner.run_async(
            user_id=USER, session_id="origin", invocation_id=(await self.session()).events[-1].invocation_id
        )
        async with aclosing(events):
            async for _ in events:
                pass

    def kill_before(self, entry: int) -> None:
        """Lets nothing be stored from that entry on."""
        append, left = self.service.append, [entry]

        async def append_some(session: Any, entries: Any, *, texts: Any = None) -> list[int]:
            if left[0] >= len(entries):
                left[0] -= len(entries)
                return await append(session, entries, texts=texts)
            left[0] = 0
            raise Killed

        self.service.append = append_some

    def revive(self) -> None:
        del self.service.append


def told(event: Event) -> str:
    calls = [call.name for call in event.get_function_calls()]
    answers = [answer.response for answer in event.get_function_responses()]
    return repr(
        (event.node_info.path, event.output, event.text, event.actions.route, event.actions.state_delta, calls, answers)
    )


@pytest.mark.parametrize("name", GRAPHS)
async def test_forked_at_any_event(name: str) -> None:
    stage = Stage(name)
    await stage.play()
    origin = await stage.session()
    last = origin.events[-1].invocation_id
    for event in origin.events:
        if event.invocation_id != last or event.seq < _answer(origin):
            continue
        fork = await stage.forks.rerun("origin", at=event.seq)
        assert Counter(map(told, fork.events)) == Counter(map(told, origin.events)), (event.seq, event.node_info.path)
        assert fork.state == origin.state


def _answer(session: Any) -> int:
    """`seq` of the user's last message."""
    return next(event.seq for event in reversed(session.events) if event.author == "user")


async def killed(name: str) -> AsyncGenerator[tuple[int, Stage, Any], None]:
    """Stages of a graph whose run was killed before one of its entries: its place, the stage, and the whole session."""
    whole = Stage(name)
    await whole.play()
    origin, entries = await whole.session(), await whole.log()
    first = next(entry.seq for entry in entries if entry.seq >= _answer(origin))
    places = range(first, len(entries) - 1)
    for place in random.Random(name).sample(places, min(12, len(places))):
        stage = Stage(name)
        await stage.service.create_session(**stage.names, session_id="warm")
        stage.kill_before(place - 1)
        with suppress(Killed, asyncio.CancelledError):
            await stage.play()
        stage.revive()
        yield place, stage, origin


@pytest.mark.parametrize("name", GRAPHS)
async def test_killed_before_any_entry(name: str) -> None:
    async for place, stage, origin in killed(name):
        kept = await stage.log()
        assert len(kept) <= place
        again = await stage.forks.rerun("origin", at=kept[-1].seq)
        assert Counter(map(told, again.events)) == Counter(map(told, origin.events)), place
        assert again.state == origin.state


@pytest.mark.parametrize("name", GRAPHS)
async def test_killed_before_any_entry_and_resumed_in_its_own_session(name: str) -> None:
    resumed = 0
    async for place, stage, origin in killed(name):
        with suppress(AnswerError):  # an agent that can only begin again had stored something
            await stage.resume()
            resumed += 1
            again = await stage.session()
            assert Counter(map(told, again.events)) == Counter(map(told, origin.events)), place
            assert again.state == origin.state
    assert resumed > 0


@pytest.mark.parametrize("given", ["asynchronous", "plain", "code"])
async def test_a_route_that_is_told_after_the_output_is_not_lost_by_a_cut_between_them(given: str) -> None:
    runs: list[str] = []

    async def choose(ctx: Context):
        runs.append("choose")
        yield Event(output=len(runs), actions=EventActions(state_delta={"seen": len(runs)}))
        yield Event(actions=EventActions(route="b"))

    def plain():
        runs.append("choose")
        yield Event(output=len(runs))
        yield Event(actions=EventActions(route="b"))

    def code(ctx: Context):
        runs.append("choose")
        ctx.route = "b"
        return Event(output=len(runs))

    first = node({"asynchronous": choose, "plain": plain, "code": code}[given], rerun_on_resume=True)

    def a(node_input: int):
        return f"a {node_input}"

    def b(node_input: int):
        return f"b {node_input}"

    graph = Workflow(name="wf", edges=[("START", first, {"a": a, "b": b})])
    runner = InMemoryRunner(graph, app_name=APP)
    service: Any = runner.session_service
    names = {"app_name": APP, "user_id": USER}
    await service.create_session(**names, session_id="origin")
    async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=_message(side("ours"), "go")):
        pass
    origin = await service.get_session(**names, session_id="origin")
    assert [event.output for event in origin.events if event.output is not None] == [1, "b 1"]
    for event in origin.events[1:]:
        again = await Forks(service, graph, **names).rerun("origin", at=event.seq)
        assert Counter(map(told, again.events)) == Counter(map(told, origin.events)), event.node_info.path
        assert again.state == origin.state


@pytest.mark.parametrize("given", ["deltas", "in an output", "a list", "text"])
async def test_values_that_a_cut_node_counts_up_are_counted_once(given: str) -> None:
    async def count(ctx: Context):
        for number in range(3):
            if given == "a list":
                ctx.state.setdefault("n", []).append(number)
            else:
                ctx.state["n"] = ctx.state.get("n", 0) + 1
            is_output = given == "in an output" and number == 2
            if given == "text":
                yield Event(message=f"{number}")
            yield Event(output="counted") if is_output else Event()

    def end(ctx: Context):
        return ctx.state["n"]

    graph = Workflow(name="wf", edges=[("START", node(count, rerun_on_resume=True), end)])
    runner = InMemoryRunner(graph, app_name=APP)
    service: Any = runner.session_service
    names = {"app_name": APP, "user_id": USER}
    await service.create_session(**names, session_id="origin")
    async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=_message(side("ours"), "go")):
        pass
    origin = await service.get_session(**names, session_id="origin")
    assert origin.state["n"] == ([0, 1, 2] if given == "a list" else 3)
    for event in origin.events[1:]:
        again = await Forks(service, graph, **names).rerun("origin", at=event.seq)
        assert Counter(map(told, again.events)) == Counter(map(told, origin.events)), event.seq
        assert again.state == origin.state
