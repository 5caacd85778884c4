"""A rerun without a change, and a fork of a fork, for random trees: each agent says what it said, in its branch's order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import (
    BaseAgent,
    BaseLlm,
    Event,
    EventActions,
    InMemorySessionService,
    InvocationContext,
    LlmAgent,
    LlmResponse,
    LoopAgent,
    ParallelAgent,
    RoutedAgent,
    Runner,
    SequentialAgent,
    Session,
)
from agents.forks import Forks
from tests.agents.stage import APP, USER, user

NAMES = {"app_name": APP, "user_id": USER}


class Reader(BaseLlm):
    """Says how much it was sent; asks for a tool first if it has one."""

    model: str = "reader"

    async def generate_content_async(self, llm_request, stream=False):
        name = (llm_request.config.labels or {})["adk_agent_name"]
        answered = any(part.function_response for content in llm_request.contents[-1:] for part in content.parts)
        if llm_request.tools_dict and not answered:
            part = types.Part(function_call=types.FunctionCall(name="note", args={"what": name}))
        else:
            part = types.Part(text=f"{name} read {len(llm_request.contents)}")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def note(what: str) -> str:
    """Notes something, after as many turns of the event loop as its name says."""
    for _ in range(sum(map(ord, what)) % 7):
        await asyncio.sleep(0)
    return f"noted {what}"


class Escalator(BaseAgent):
    """Speaks twice, and escalates at its second turn."""

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        turns = ctx.session.state.get(self.name, 0) + 1
        yield _said(self, f"turn {turns}", EventActions(state_delta={self.name: turns}))
        yield _said(self, "and", EventActions(escalate=True if turns > 1 else None))


def _said(agent: BaseAgent, text: str, actions: EventActions) -> Event:
    return Event(author=agent.name, content=types.Content(role="model", parts=[types.Part(text=text)]), actions=actions)


def tree(shape: Any, numbers: Any) -> BaseAgent:
    """The agents of a shape, (kind, shapes below), with unique names."""
    kind, children = shape
    name = f"{kind}{next(numbers)}"
    below = [tree(child, numbers) for child in children]
    make = {
        "writer": lambda: LlmAgent(name=name, model=Reader(), output_key=name, include_contents="none"),
        "caller": lambda: LlmAgent(name=name, model=Reader(), tools=[note]),
        "escalator": lambda: Escalator(name=name),
        "loop": lambda: LoopAgent(name=name, max_iterations=2, sub_agents=below),
        "parallel": lambda: ParallelAgent(name=name, sub_agents=below),
        "router": lambda: RoutedAgent(name=name, agents=below, router=lambda agents, context: list(agents)[-1]),
        "sequence": lambda: SequentialAgent(name=name, sub_agents=below),
    }
    return make[kind]()


LEAVES = st.tuples(st.sampled_from(["writer", "caller", "escalator"]), st.just(()))
SHAPES = st.recursive(
    LEAVES,
    lambda below: st.tuples(
        st.sampled_from(["sequence", "loop", "parallel", "router"]), st.lists(below, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


def by_branch(events: list[Event]) -> dict[Any, list[Any]]:
    """What was said in each branch, in order."""
    found: dict[Any, list[Any]] = {}
    for event in events:
        calls = [(call.name, call.args) for call in event.get_function_calls()]
        results = [(result.name, result.response) for result in event.get_function_responses()]
        said = (event.author, event.text, calls, results, event.actions.escalate, event.actions.state_delta)
        found.setdefault(event.branch, []).append(said)
    return found


def has_parallel_escalator(shape: Any, *, inside: bool = False) -> bool:
    """Whether an escalation may cancel what runs beside it: then it is chance how far the others come."""
    kind, children = shape
    inside = inside or kind == "parallel"
    return (kind == "escalator" and inside) or any(has_parallel_escalator(child, inside=inside) for child in children)


@settings(deadline=None, max_examples=60)
@given(shape=SHAPES.filter(lambda shape: not has_parallel_escalator(shape)), choice=st.randoms(use_true_random=False))
def test_every_cut_of_a_random_tree_gives_the_same_session(shape, choice):
    asyncio.run(check(shape, choice))


ESCALATED = ("escalator", ())
HANDLED = ("loop", (ESCALATED,))
WRITTEN = ("writer", ())


@pytest.mark.parametrize(
    "shape",
    [
        ("loop", (("loop", (WRITTEN, HANDLED)),)),
        ("loop", (("loop", (HANDLED, WRITTEN)), WRITTEN)),
        ("loop", (("sequence", (HANDLED, WRITTEN)), ESCALATED, WRITTEN)),
    ],
)
@pytest.mark.anyio
async def test_an_escalation_that_a_loop_has_handled_ends_no_loop_around_it(shape):
    origin, service, forks = await ran(shape)
    for entry in await service.read_log(**NAMES, session_id="origin"):
        if entry.seq >= origin.events[0].seq:
            fork = await forks.rerun("origin", at=entry.seq)
            assert by_branch(fork.events) == by_branch(origin.events), entry


@pytest.mark.parametrize(
    "shape",
    [
        ("loop", (WRITTEN, ("parallel", (WRITTEN, WRITTEN)))),
        ("loop", (("parallel", (("sequence", (WRITTEN, ("parallel", (WRITTEN, WRITTEN)))), WRITTEN)), WRITTEN)),
    ],
)
@pytest.mark.anyio
async def test_a_parallel_block_that_has_ended_is_not_under_way_in_a_later_pass_of_the_loop_around_it(shape):
    origin, service, forks = await ran(shape)
    log = await service.read_log(**NAMES, session_id="origin")
    again = next(entry.seq for entry in log if entry.kind == "loop_iteration" and entry.fields()["iteration"] == 2)
    for entry in log:
        if entry.seq > again and entry.kind == "event":
            fork = await forks.rerun("origin", at=entry.seq)
            for event in fork.events:
                second = await forks.rerun(fork.id, at=event.seq)
                assert by_branch(second.events) == by_branch(origin.events), (entry, event)


async def ran(shape: Any) -> tuple[Session, InMemorySessionService, Forks]:
    """A session of a tree of this shape."""
    root = tree(shape, iter(range(1000)))
    service = InMemorySessionService()
    await service.create_session(**NAMES, session_id="origin")
    runner = Runner(app_name=APP, agent=root, session_service=service)
    async for _ in runner.run_async(user_id=USER, session_id="origin", new_message=user("go")):
        pass
    origin = await service.get_session(**NAMES, session_id="origin")
    return origin, service, Forks(service, root, **NAMES)


async def check(shape: Any, choice: Any) -> None:
    origin, service, forks = await ran(shape)
    before = await service.read_log(**NAMES, session_id="origin")
    for entry in choice.sample(before, min(6, len(before))):
        if entry.seq < origin.events[0].seq:
            continue
        fork = await forks.rerun("origin", at=entry.seq)
        assert by_branch(fork.events) == by_branch(origin.events)
        assert fork.state == origin.state
        again = choice.choice(fork.events)
        second = await forks.rerun(fork.id, at=again.seq)
        assert by_branch(second.events) == by_branch(origin.events)
        assert second.state == origin.state
    assert await service.read_log(**NAMES, session_id="origin") == before


PARALLEL = (
    "parallel",
    (
        ("caller", ()),
        ("caller", ()),
        ("sequence", (("caller", ()), ("writer", ()))),
        ("loop", (("writer", ()), ("caller", ()))),
    ),
)


@pytest.mark.parametrize("seed", range(12))
def test_a_fork_of_a_fork_of_a_parallel_block_loses_no_branch(seed):
    asyncio.run(check(PARALLEL, random.Random(seed)))
