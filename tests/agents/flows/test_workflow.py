"""Sequential, loop and parallel agents."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import Event, EventActions, InMemoryRunner, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent
from agents.models.identity import OTHERS_WORDS, quoted
from agents.models.scripted import ScriptedLlm
from tests.agents.stage import APP, USER, Actor, escalation, other_tasks, play, say, user

pytestmark = pytest.mark.anyio


# -- sequential


async def test_children_run_in_order_in_one_context():
    tree = SequentialAgent(
        name="s",
        sub_agents=[
            Actor(name="a", lines=[Event(author="a", actions=EventActions(state_delta={"k": 1}))]),
            Actor(name="b", lines=[lambda ctx: f"k is {ctx.session.state['k']}"]),
        ],
    )
    played = await play(tree)
    assert played.texts == [("b", "k is 1")]
    assert [event.branch for event in played.events] == [None, None]


async def test_a_sequence_ignores_an_escalation():
    tree = SequentialAgent(name="s", sub_agents=[Actor(name="a", lines=[escalation("a")]), Actor(name="b", lines=["on"])])
    assert (await play(tree)).texts == [("b", "on")]


async def test_an_empty_sequence_does_nothing():
    assert (await play(SequentialAgent(name="s"))).events == []


# -- loop


@pytest.mark.parametrize(("limit", "passes"), [(0, 0), (-1, 0), (1, 1), (3, 3)])
async def test_max_iterations_is_checked_before_each_pass(limit, passes):
    loop = LoopAgent(name="l", max_iterations=limit, sub_agents=[Actor(name="a", lines=["x"])])
    played = await play(loop)
    assert played.texts == [("a", "x")] * passes
    assert played.records("loop_iteration", "loop_finished") == [
        *[
            {"kind": "loop_iteration", "agent": "l", "iteration": number + 1, "max_iterations": limit}
            for number in range(passes)
        ],
        {"kind": "loop_finished", "agent": "l", "reason": "max_iterations", "iterations": passes},
    ]


async def test_without_a_limit_a_loop_goes_on_until_an_escalation():
    numbers = iter(range(1, 100))

    def count(ctx):
        number = next(numbers)
        return escalation("a", str(number)) if number == 60 else str(number)

    played = await play(LoopAgent(name="l", sub_agents=[Actor(name="a", lines=[count])]))
    assert played.texts == [("a", str(number)) for number in range(1, 61)]
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "l", "reason": "escalated", "by": "a", "iterations": 60}
    ]
    assert played.records("loop_iteration")[-1]["max_iterations"] is None


async def test_a_loop_without_agents_ends_and_says_why():
    played = await play(LoopAgent(name="l"))
    assert (played.events, played.records("loop_iteration", "loop_finished")) == (
        [],
        [{"kind": "loop_finished", "agent": "l", "reason": "empty", "iterations": 0}],
    )


async def test_an_escalation_lets_its_agent_finish_and_skips_the_rest_of_the_pass():
    loop = LoopAgent(
        name="l",
        max_iterations=5,
        sub_agents=[
            Actor(name="a", lines=["a"]),
            Actor(name="b", lines=["b1", escalation("b", "b2"), "b3"]),
            Actor(name="c", lines=["never"]),
        ],
    )
    played = await play(loop)
    assert played.texts == [("a", "a"), ("b", "b1"), ("b", "b2"), ("b", "b3")]
    assert [event.actions.escalate for event in played.events] == [None, None, True, None]
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "l", "reason": "escalated", "by": "b", "iterations": 1}
    ]


async def test_escalate_false_does_not_end_a_loop():
    quiet = Event(author="a", actions=EventActions(escalate=False))
    played = await play(LoopAgent(name="l", max_iterations=2, sub_agents=[Actor(name="a", lines=[lambda ctx: quiet, "x"])]))
    assert played.texts == [("a", "x")] * 2


async def test_an_escalation_without_an_author_ends_the_loop_too():
    anonymous = Actor(name="a", lines=[lambda ctx: Event(actions=EventActions(escalate=True))])
    played = await play(LoopAgent(name="l", max_iterations=3, sub_agents=[anonymous]))
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "l", "reason": "escalated", "by": "a", "iterations": 1}
    ]


def nested(*, inner: dict[str, Any] | None = None, outer: dict[str, Any] | None = None) -> LoopAgent:
    return LoopAgent(
        name="outer",
        max_iterations=2,
        sub_agents=[
            LoopAgent(
                name="inner",
                max_iterations=2,
                sub_agents=[Actor(name="a", lines=[lambda ctx: escalation("a", "done")])],
                **(inner or {}),
            ),
            Actor(name="b", lines=["after"]),
        ],
        **(outer or {}),
    )


async def test_an_escalation_ends_the_nearest_loop_only():
    played = await play(nested())
    assert played.texts == [("a", "done"), ("b", "after")] * 2
    assert [event.actions.escalate for event in played.events] == [True, None] * 2
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "inner", "reason": "escalated", "by": "a", "iterations": 1},
        {"kind": "loop_finished", "agent": "inner", "reason": "escalated", "by": "a", "iterations": 1},
        {"kind": "loop_finished", "agent": "outer", "reason": "max_iterations", "iterations": 2},
    ]


async def test_propagate_escalation_ends_the_loops_around_too():
    played = await play(nested(inner={"propagate_escalation": True}))
    assert played.texts == [("a", "done")]
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "inner", "reason": "escalated", "by": "a", "iterations": 1},
        {"kind": "loop_finished", "agent": "outer", "reason": "escalated", "by": "a", "iterations": 1},
    ]


async def test_propagation_of_the_outer_loop_does_not_bring_an_escalation_out_of_the_inner_one():
    played = await play(nested(outer={"propagate_escalation": True}))
    assert played.texts == [("a", "done"), ("b", "after")] * 2


@pytest.mark.parametrize("wrap", [SequentialAgent, ParallelAgent])
async def test_an_escalation_from_inside_another_agent_counts(wrap):
    tree = LoopAgent(
        name="l",
        max_iterations=4,
        sub_agents=[
            wrap(name="w", sub_agents=[SequentialAgent(name="s", sub_agents=[Actor(name="a", lines=[escalation("a")])])]),
            Actor(name="b", lines=["never"]),
        ],
    )
    played = await play(tree)
    assert [event.author for event in played.events] == ["a"]
    assert played.records("loop_finished") == [
        {"kind": "loop_finished", "agent": "l", "reason": "escalated", "by": "a", "iterations": 1}
    ]


async def test_an_escalating_event_goes_on_unchanged():
    event = escalation("a", "done")
    before = event.model_dump(exclude={"invocation_id"})
    [seen] = (await play(LoopAgent(name="l", sub_agents=[Actor(name="a", lines=[lambda ctx: event])]))).events
    assert seen is event
    assert seen.model_dump(exclude={"invocation_id"}) == before


async def test_a_run_that_is_ended_in_a_loop_says_so():
    def end(ctx):
        ctx.end_invocation = True
        return "bye"

    played = await play(LoopAgent(name="l", sub_agents=[Actor(name="a", lines=[end]), Actor(name="b", lines=["never"])]))
    assert played.texts == [("a", "bye")]
    assert played.records("loop_finished") == [{"kind": "loop_finished", "agent": "l", "reason": "ended", "iterations": 1}]


async def test_an_iteration_is_recorded_before_what_happens_in_it():
    played = await play(LoopAgent(name="l", max_iterations=2, sub_agents=[Actor(name="a", lines=["x"])]))
    assert [kind for kind, body in played.log if kind.startswith("loop") or body.get("author") == "a"] == [
        "loop_iteration",
        "event",
        "loop_iteration",
        "event",
        "loop_finished",
    ]


async def test_a_loop_of_agents_that_never_wait_lets_others_run():
    loop = LoopAgent(name="l", sub_agents=[Actor(name="a", lines=[])])
    task = asyncio.create_task(play(loop))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@given(
    st.lists(st.lists(st.booleans(), max_size=3), min_size=1, max_size=4),
    st.integers(0, 4),
)
@settings(deadline=None)  # other work on the machine makes any run slow
def test_a_loop_runs_whole_agents_up_to_the_first_that_escalates(agents_lines, limit):
    """`agents_lines`: for each agent its events, True = escalates."""

    async def check() -> None:
        def line(author: str, number: int, *, escalate: bool):
            return lambda ctx: escalation(author, str(number)) if escalate else say(author, str(number))

        loop = LoopAgent(
            name="l",
            max_iterations=limit,
            sub_agents=[
                Actor(name=f"a{i}", lines=[line(f"a{i}", j, escalate=escalate) for j, escalate in enumerate(lines)])
                for i, lines in enumerate(agents_lines)
            ],
        )
        expected: list[tuple[str, str]] = []
        for _ in range(limit):
            ended = False
            for i, lines in enumerate(agents_lines):
                expected += [(f"a{i}", str(j)) for j in range(len(lines))]
                if ended := any(lines):
                    break
            if ended:
                break
        assert (await play(loop)).texts == expected

    asyncio.run(check())


# -- parallel


async def test_branches_are_named_by_their_place_and_inherited():
    tree = ParallelAgent(
        name="p",
        sub_agents=[
            Actor(name="a", lines=["x"]),
            SequentialAgent(
                name="s",
                sub_agents=[
                    Actor(name="b", lines=["x"]),
                    ParallelAgent(name="q", sub_agents=[Actor(name="c", lines=["x"])]),
                ],
            ),
        ],
    )
    played = await play(tree)
    assert {event.author: event.branch for event in played.events} == {"a": "p.a", "b": "p.s", "c": "p.s.q.c"}
    assert {r["agent"]: r.get("branch") for r in played.records("agent_started")} == {
        "p": None,
        "a": "p.a",
        "s": "p.s",
        "b": "p.s",
        "q": "p.s",
        "c": "p.s.q.c",
    }


async def test_branches_do_not_see_each_other_and_after_the_join_all_is_seen():
    models = {name: ScriptedLlm(script=[f"from {name}"]) for name in ("first", "second")}
    gather = ScriptedLlm(script=["all"])
    tree = SequentialAgent(
        name="s",
        sub_agents=[
            Actor(name="opener", lines=["intro"]),
            ParallelAgent(name="p", sub_agents=[LlmAgent(name=name, model=model) for name, model in models.items()]),
            LlmAgent(name="gather", model=gather),
        ],
    )
    await play(tree, "topic")

    def sent(model: ScriptedLlm) -> list[str]:
        return [part.text for content in model.requests[0].contents for part in content.parts]

    before = ["topic", OTHERS_WORDS, f"[opener] said:\n{quoted('intro')}"]
    assert [sent(model) for model in models.values()] == [before, before]
    assert sorted(sent(gather)[3:]) == sorted(
        [
            OTHERS_WORDS,
            f"[first] said:\n{quoted('from first')}",
            OTHERS_WORDS,
            f"[second] said:\n{quoted('from second')}",
        ]
    )


async def test_a_second_parallel_agent_and_a_reducer_in_a_branch_see_what_has_joined():
    scripts = {name: ScriptedLlm(script=[f"from {name}"]) for name in ("a", "b", "x", "y", "reducer", "other", "c", "d")}

    def agents(*names: str) -> list[LlmAgent]:
        return [LlmAgent(name=name, model=scripts[name]) for name in names]

    inner = ParallelAgent(name="inner", sub_agents=agents("x", "y"))
    reduced = SequentialAgent(name="reduced", sub_agents=[inner, *agents("reducer")])
    tree = SequentialAgent(
        name="s",
        sub_agents=[
            ParallelAgent(name="p", sub_agents=agents("a", "b")),
            ParallelAgent(name="q", sub_agents=[reduced, *agents("other")]),
            ParallelAgent(name="r", sub_agents=agents("c", "d")),
        ],
    )
    await play(tree, "topic")

    def heard(name: str) -> set[str]:
        texts = [part.text for content in scripts[name].requests[0].contents for part in content.parts]
        return {text[1 : text.index("]")] for text in texts if text.startswith("[")}

    first = {"a", "b"}
    assert (heard("a"), heard("b")) == (set(), set())
    assert [heard(name) for name in ("x", "y", "other")] == [first] * 3
    assert heard("reducer") == first | {"x", "y"}
    assert heard("c") == heard("d") == first | {"x", "y", "reducer", "other"}


async def test_state_is_shared_between_branches():
    written = asyncio.Event()

    async def read(ctx):
        await written.wait()
        return ctx.session.state["k"]

    def release(ctx):
        written.set()

    writer = Actor(name="w", lines=[Event(author="w", actions=EventActions(state_delta={"k": "v"})), release])
    assert (await play(ParallelAgent(name="p", sub_agents=[Actor(name="r", lines=[read]), writer]))).texts == [("r", "v")]


async def test_branches_run_at_the_same_time():
    meeting = asyncio.Barrier(3)

    async def meet(ctx):
        await meeting.wait()
        return "met"

    played = await play(ParallelAgent(name="p", sub_agents=[Actor(name=f"a{n}", lines=[meet]) for n in range(3)]))
    assert sorted(played.texts) == [("a0", "met"), ("a1", "met"), ("a2", "met")]


async def test_a_branch_waits_until_its_event_is_stored():
    seen: list[Any] = []

    def look(ctx):
        seen.append([(e.author, e.seq is not None) for e in ctx.session.events if e.author == ctx.agent.name])

    agents = [Actor(name=name, lines=["1", look, "2", look]) for name in ("a", "b")]
    await play(ParallelAgent(name="p", sub_agents=agents))
    assert sorted(seen) == sorted([[(name, True)] * count for name in ("a", "b") for count in (1, 2)])


async def test_the_first_exception_is_raised_bare_and_cancels_the_others():
    started = asyncio.Event()
    cancelled: list[str] = []

    async def hang(ctx):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(ctx.agent.name)
            raise

    async def fail(ctx):
        await started.wait()
        raise LookupError("gone")

    tree = ParallelAgent(
        name="p", sub_agents=[Actor(name="a", lines=["stays", hang, "never"]), Actor(name="b", lines=[fail])]
    )
    played = await play(tree)
    assert type(played.error) is LookupError
    assert cancelled == ["a"]
    assert [(e.author, e.branch, e.text, e.error_message) for e in played.session.events[1:]] == [
        ("a", "p.a", "stays", None),
        ("b", "p.b", "", "LookupError: gone"),
    ]
    assert [(r["agent"], r["outcome"]) for r in played.records("agent_finished")] == [
        ("b", "error"),
        ("a", "cancelled"),
        ("p", "error"),
    ]
    assert other_tasks() == set()


async def test_an_escalation_of_a_direct_child_ends_the_others_quietly():
    started = asyncio.Event()

    async def hang(ctx):
        started.set()
        await asyncio.Event().wait()

    async def done(ctx):
        await started.wait()
        return escalation("b", "enough")

    tree = SequentialAgent(
        name="s",
        sub_agents=[
            ParallelAgent(
                name="p", sub_agents=[Actor(name="a", lines=[hang, "never"]), Actor(name="b", lines=[done, "never"])]
            ),
            Actor(name="c", lines=["next"]),
        ],
    )
    played = await play(tree)
    assert (played.error, played.texts) == (None, [("b", "enough"), ("c", "next")])
    assert other_tasks() == set()


async def test_an_escalation_that_a_loop_in_a_branch_took_ends_no_sibling():
    loop = LoopAgent(name="loop", sub_agents=[Actor(name="x", lines=[escalation("x")])])

    async def later(ctx):
        await asyncio.sleep(0)
        return "later"

    tree = ParallelAgent(name="p", sub_agents=[loop, Actor(name="b", lines=[later, later])])
    assert (await play(tree)).texts == [("b", "later")] * 2


async def test_an_agent_that_cancels_itself_does_not_hang_the_join():
    def give_up(ctx):
        raise asyncio.CancelledError

    async def hang(ctx):
        await asyncio.Event().wait()

    tree = ParallelAgent(name="p", sub_agents=[Actor(name="a", lines=[give_up]), Actor(name="b", lines=[hang])])
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(play(tree), 5)
    assert other_tasks() == set()


async def test_closing_in_mid_run_leaves_no_task():
    async def hang(ctx):
        await asyncio.Event().wait()

    tree = ParallelAgent(name="p", sub_agents=[Actor(name="a", lines=["x", hang]), Actor(name="b", lines=[hang])])
    runner = InMemoryRunner(tree, app_name=APP)
    session = await runner.session_service.create_session(app_name=APP, user_id=USER)
    async with aclosing(runner.run_async(user_id=USER, session_id=session.id, new_message=user("go"))) as events:
        assert (await anext(events)).author == "a"
        assert len(other_tasks()) == 2
    assert other_tasks() == set()


async def test_an_empty_parallel_agent_does_nothing():
    assert (await play(ParallelAgent(name="p"))).events == []
