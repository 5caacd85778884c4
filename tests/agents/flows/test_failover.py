"""The choice that agents and models share: what routers are asked with, what is noted, and that nothing runs twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import RoutingError
from agents.flows.failover import Choice, RouteDecision, RoutingErrorContext, by_key, with_failover
from tests.agents.routing_scenarios import BROKEN, FAILS, ONE, SCENARIOS, Scenario, ScriptedRouter, Work, WorkError
from tests.agents.stage import other_tasks

pytestmark = pytest.mark.anyio


class Show:
    """A routed run of texts, with what happened in it."""

    def __init__(self, router: Any, works: Mapping[str, Work]) -> None:
        self.notes: list[dict[str, Any]] = []
        self.begun: list[str] = []
        self.open: set[str] = set()
        self.given: list[str] = []
        self.choice = Choice("show 's'", dict(works), router, "the question", self._note)

    def _note(self, **data: Any) -> None:
        assert not self.open, "what failed must be closed before anything is decided"
        self.notes.append(data)

    async def _run(self, work: Work):
        key = next(key for key, held in self.choice.items.items() if held is work)
        self.begun.append(key)
        self.open.add(key)
        try:
            for line in work.of(key):
                if isinstance(line, Exception):
                    raise line
                yield line
        finally:
            self.open.discard(key)

    async def run(self) -> BaseException | None:
        try:
            async with aclosing(with_failover(self.choice, self._run)) as outputs:
                async for output in outputs:
                    self.given.append(output)
        except Exception as error:
            return error
        return None


def works(scenario: Scenario) -> dict[str, Work]:
    """Each its own object, so that it is known by it."""
    return {key: Work(work.outputs, work.fails) for key, work in scenario.works.items()}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.what)
async def test_what_comes_of_a_routers_answers(scenario):
    router = ScriptedRouter(scenario.answers)
    show = Show(router, works(scenario))
    scenario.check(await show.run())
    assert " ".join(show.given) == scenario.gives
    assert len(router.asked) == len(scenario.answers)
    assert [note["key"] for note in show.notes] == scenario.decided
    assert show.open == set()


async def test_a_router_that_is_asked_again_knows_what_failed_and_why():
    router = ScriptedRouter(["b", "a", None])
    error = await Show(router, {"a": FAILS, "b": Work(0, fails=True)}).run()
    first, second, third = router.asked
    assert first is None
    assert isinstance(second, RoutingErrorContext)
    assert isinstance(third, RoutingErrorContext)
    assert (second.failed_keys, str(second.last_error)) == (frozenset("b"), "b")
    assert (third.failed_keys, str(third.last_error)) == (frozenset("ab"), "a")
    assert error is third.last_error
    assert router.offered == [(["a", "b"], "the question")] * 3


async def test_each_decision_is_noted_with_its_reason_and_what_led_to_it():
    router = ScriptedRouter([RouteDecision("a", "it is first"), RouteDecision("b", "it is left"), None])
    show = Show(router, {"a": FAILS, "b": Work(0, fails=True)})
    await show.run()
    assert show.notes == [
        {"candidates": ["a", "b"], "key": "a", "failed": [], "reason": "it is first"},
        {"candidates": ["a", "b"], "key": "b", "failed": ["a"], "reason": "it is left", "error": "WorkError: a"},
        {"candidates": ["a", "b"], "key": None, "failed": ["a", "b"], "error": "WorkError: b"},
    ]


async def test_what_is_wrong_with_a_router_is_noted_beside_the_failure_that_it_was_asked_for():
    unknown = Show(ScriptedRouter(["a", "x"]), {"a": FAILS})
    error = await unknown.run()
    assert type(error) is RoutingError
    assert str(error.__cause__) == "a"
    assert unknown.notes[-1]["error"] == f"RoutingError: {error}; after WorkError: a"

    broken = Show(ScriptedRouter(["a", BROKEN]), {"a": FAILS})
    assert await broken.run() is BROKEN
    assert broken.notes[-1]["error"] == "LookupError: the router is broken; after WorkError: a"


async def test_no_key_of_a_provider_reaches_the_notes(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-a-key-that-nobody-sees")
    show = Show(ScriptedRouter([LookupError("key AIza-a-key-that-nobody-sees")]), {"a": ONE})
    await show.run()
    assert "AIza" not in show.notes[0]["error"]


async def test_the_message_for_an_unknown_key_names_the_router_the_key_and_the_known_ones():
    error = await Show(ScriptedRouter(["x"]), {"a": ONE, "b": Work(1)}).run()
    assert "show 's'" in str(error)
    assert "'x'" in str(error)
    assert "a, b" in str(error)
    assert "none" in str(await Show(ScriptedRouter(["x"]), {}).run())


async def test_a_router_cannot_change_what_there_is_to_choose_from():
    def greedy(items, given):
        items["c"] = ONE

    assert isinstance(await Show(greedy, {"a": ONE}).run(), TypeError)


def takes_two(items, given):
    return "a"


def takes_a_third(items, given, error):
    return "b" if error else "a"


def takes_it_by_name(items, given, *, error_context):
    return "b" if error_context else "a"


def takes_all(*given):
    return "b" if given[2] else "a"


def takes_all_by_name(items, given, **more):
    return "b" if more["error_context"] else "a"


@pytest.mark.parametrize(
    "router",
    [
        takes_a_third,
        takes_it_by_name,
        takes_all,
        takes_all_by_name,
        MagicMock(side_effect=takes_all_by_name),
        lambda items, given, error_context=None: takes_a_third(items, given, error_context),
    ],
)
async def test_a_router_may_take_the_error_context_as_it_likes(router):
    show = Show(router, {"a": FAILS, "b": Work(1)})
    assert await show.run() is None
    assert show.given == ["b1"]


async def test_a_router_may_do_without_the_error_context():
    assert str(await Show(takes_two, {"a": FAILS, "b": Work(1)}).run()) == "a"


class Rota:
    """Routers as methods and as a callable object."""

    def nothing(self):
        return "b"

    def by_name(self, error_context):
        return "b" if error_context else "a"

    async def later(self):
        return "b"

    def __call__(self, items):
        return list(items)[-1]


def chosen_by(setting, items=None):
    return setting["which"]


@pytest.mark.parametrize(
    "router",
    [
        lambda: "b",
        lambda items: "b",
        lambda **more: "b",
        lambda *, error_context=None: "b",
        lambda items, *, other="b": other,
        partial(chosen_by, {"which": "b"}),
        partial(chosen_by, {"which": "b"}, None),
        partial(chosen_by, setting={"which": "b"}),
        Rota().nothing,
        Rota().later,
        Rota(),
        iter("b").__next__,
        MagicMock(return_value="b"),
        AsyncMock(return_value="b"),
        lambda items, given, error_context, /: "b",
        lambda items, *more, error_context=None: "b" if len(more) == 1 else "a",
    ],
)
async def test_a_router_may_take_less_than_it_is_offered(router):
    show = Show(router, {"a": ONE, "b": Work(1)})
    assert await show.run() is None
    assert show.given == ["b1"]


@pytest.mark.parametrize("router", [Rota().by_name, lambda items, error_context: takes_a_third(items, None, error_context)])
async def test_the_error_context_is_known_by_its_name_wherever_it_stands(router):
    show = Show(router, {"a": FAILS, "b": Work(1)})
    assert await show.run() is None
    assert show.given == ["b1"]


async def test_an_empty_key_that_there_is_can_be_chosen_after_a_failure():
    show = Show(ScriptedRouter(["a", ""]), {"a": FAILS, "": Work(1)})
    assert await show.run() is None
    assert show.given == ["1"]


class Silent:
    """A router that does not say what it takes."""

    __signature__ = "unreadable"

    def __call__(self, items: Any, given: Any, error: Any) -> str:
        return takes_a_third(items, given, error)


async def test_a_router_that_does_not_say_what_it_takes_is_given_all():
    show = Show(Silent(), {"a": FAILS, "b": Work(1)})
    assert await show.run() is None
    assert show.given == ["b1"]


@given(
    st.dictionaries(st.sampled_from("abcd"), st.builds(Work, st.integers(0, 2), st.booleans()), max_size=4),
    st.lists(st.sampled_from(["a", "b", "c", "d", "x", "", None, BROKEN]), min_size=10, max_size=10),
)
def test_nothing_runs_twice_and_the_error_raised_is_the_last_ones_own(held, answers):
    """Whatever those to choose from do and whatever the router answers."""

    async def check() -> None:
        router = ScriptedRouter(answers)
        show = Show(router, {key: Work(work.outputs, work.fails) for key, work in held.items()})
        error = await show.run()
        assert len(show.begun) == len(set(show.begun))
        assert len(show.notes) == len(router.asked) <= len(held) + 1
        assert [note["failed"] for note in show.notes] == [show.begun[:count] for count in range(len(router.asked))]
        assert [note["key"] for note in show.notes][: len(show.begun)] == show.begun
        last = show.begun[-1] if show.begun else None
        assert show.given == ([line for line in held[last].of(last) if isinstance(line, str)] if last else [])
        if isinstance(error, WorkError):
            assert error.args == (last,)
        elif error is None:
            assert last is not None
            assert not held[last].fails
        else:
            assert error is BROKEN or isinstance(error, RoutingError)

    asyncio.run(check())


async def cancelled_while(router: Any, run: Any, reached: asyncio.Event) -> list[dict[str, Any]]:
    """Cancels a routed run once `reached` is set; returns its notes."""
    notes: list[dict[str, Any]] = []
    choice = Choice("show 's'", {"a": "a", "b": "b"}, router, None, lambda **data: notes.append(data))

    async def listen() -> None:
        async with aclosing(with_failover(choice, run)) as outputs:
            async for _ in outputs:
                pass

    task = asyncio.create_task(listen())
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert other_tasks() == set()
    return notes


async def test_a_cancellation_while_the_router_thinks_is_no_answer():
    thinking = asyncio.Event()

    async def think(*_):
        thinking.set()
        await asyncio.Event().wait()

    assert await cancelled_while(think, None, thinking) == []


async def test_a_cancellation_of_what_runs_is_no_failure():
    running, closed = asyncio.Event(), []

    async def run(item):
        try:
            running.set()
            await asyncio.Event().wait()
            yield item
        finally:
            closed.append(item)

    router = ScriptedRouter(["a"])
    assert [note["key"] for note in await cancelled_while(router, run, running)] == ["a"]
    assert closed == ["a"]
    assert len(router.asked) == 1


async def test_closing_after_an_output_closes_what_runs_and_asks_nobody():
    closed = []

    async def run(item):
        try:
            yield f"{item}1"
        finally:
            closed.append(item)

    choice = Choice("show 's'", {"a": "a"}, ScriptedRouter(["a"]), None, lambda **_: None)
    async with aclosing(with_failover(choice, run)) as outputs:
        assert await anext(outputs) == "a1"
    assert closed == ["a"]


def test_a_mapping_keeps_its_keys_and_others_are_found_by_name():
    assert by_key({"x": "first"}, str.upper) == {"x": "first"}
    assert by_key(["first", "second"], str.upper) == {"FIRST": "first", "SECOND": "second"}
    with pytest.raises(ValueError, match="named 'FIRST'"):
        by_key(["first", "First"], str.upper)
