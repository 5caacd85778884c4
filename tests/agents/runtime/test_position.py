"""Where an invocation stands, read from its log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.log import LogEntry
from agents.runtime.position import Frame, Position, position_of

ID = "e-1"


def entries(*lines: tuple[Any, ...]) -> list[LogEntry]:
    """Log entries from (kind, agent, data) and (kind, agent@branch, data)."""
    found: list[LogEntry] = []
    for seq, (kind, who, *data) in enumerate(lines, 1):
        agent, _, branch = who.partition("@")
        name = "author" if kind == "event" else "agent"
        body = {"invocation_id": ID, name: agent, **({"branch": branch} if branch else {}), **(data[0] if data else {})}
        found.append(LogEntry(seq, kind, json.dumps(body, separators=(",", ":"))))
    return found


def started(who: str, *, again: bool = False) -> tuple[Any, ...]:
    return ("agent_started", who, {"resumed": True} if again else {})


def ended(who: str, outcome: str = "ok") -> tuple[Any, ...]:
    return ("agent_finished", who, {"outcome": outcome})


def called(who: str, *ids: str) -> tuple[Any, ...]:
    parts = [{"function_call": {"id": call_id, "name": "ask"}} for call_id in ids]
    return ("event", who, {"content": {"parts": parts}, "long_running_tool_ids": list(ids)})


def answered(who: str, call_id: str) -> tuple[Any, ...]:
    return ("event", who, {"content": {"parts": [{"function_response": {"id": call_id, "name": "ask"}}]}})


def paused(*lines: tuple[Any, ...]) -> Position:
    return position_of(ID, entries(("run_started", "root"), *lines, ("run_finished", "root", {"status": "paused"})))


def test_nothing_is_nowhere():
    assert position_of(ID, []) == Position(ID)
    assert Position(ID).pending == ()


def test_records_nest_like_brackets():
    found = paused(
        started("root"),
        started("a"),
        ended("a"),
        started("b"),
        ("model_started", "b"),
        called("b", "c-1"),
        ended("b", "paused"),
        ended("root", "paused"),
    )
    b = Frame("b", is_paused=True, thinks=1, calls=("c-1",))
    assert found.root == Frame("root", is_paused=True, children=(Frame("a"), b))
    assert (found.root.waiting, found.pending) == ((b,), ("c-1",))


def test_the_branches_of_a_parallel_agent_are_below_it():
    found = paused(
        started("root"),
        started("p"),
        started("a@p.a"),
        started("s@p.s"),
        started("q@p.s"),
        started("x@p.s.q.x"),
        called("a@p.a", "c-a"),
        called("x@p.s.q.x", "c-x"),
        ended("a@p.a", "paused"),
        ended("x@p.s.q.x", "paused"),
        ended("q@p.s", "paused"),
        ended("s@p.s", "paused"),
        ended("p", "paused"),
        ended("root", "paused"),
    )
    x = Frame("x", "p.s.q.x", is_paused=True, calls=("c-x",))
    q = Frame("q", "p.s", is_paused=True, children=(x,))
    branches = (Frame("a", "p.a", is_paused=True, calls=("c-a",)), Frame("s", "p.s", is_paused=True, children=(q,)))
    assert found.root == Frame("root", is_paused=True, children=(Frame("p", is_paused=True, children=branches),))
    assert found.pending == ("c-a", "c-x")


def test_a_loop_remembers_its_pass_and_forgets_those_before():
    found = paused(
        started("loop"),
        ("loop_iteration", "loop", {"iteration": 1}),
        started("a"),
        ended("a"),
        ("loop_iteration", "loop", {"iteration": 2}),
        started("a"),
        ended("a", "paused"),
        ("loop_escalated", "loop", {"by": "a"}),
        ended("loop", "paused"),
    )
    assert found.root == Frame("loop", is_paused=True, iteration=2, escalated_by="a", children=(Frame("a", is_paused=True),))


def test_a_router_its_last_choice_and_an_agent_whom_it_handed_over_to():
    found = paused(
        started("r"),
        ("route_decided", "r", {"level": "agent", "key": "a"}),
        started("a"),
        ended("a", "error"),
        ("route_decided", "r", {"level": "agent", "key": "b"}),
        started("b"),
        ("route_decided", "b", {"level": "model", "key": "small"}),
        ("transfer", "b", {"to": "c"}),
        started("c"),
        ended("c", "paused"),
        ended("b", "paused"),
        ended("r", "paused"),
    )
    b = Frame("b", is_paused=True, transfer="c", children=(Frame("c", is_paused=True),))
    assert found.root == Frame("r", is_paused=True, route="b", children=(Frame("a"), b))


def test_one_that_goes_on_is_the_same_run():
    first = [started("root"), started("a"), called("a", "c-1"), ("model_started", "a")]
    first += [ended("a", "paused"), ended("root", "paused")]
    second = [answered("user", "c-1"), started("root", again=True), started("a", again=True), ("model_started", "a")]
    second += [ended("a"), started("b"), called("b", "c-2"), ended("b", "paused"), ended("root", "paused")]
    found = paused(
        *first, ("run_finished", "root", {"status": "paused"}), ("run_started", "root", {"resumed": True}), *second
    )
    b = Frame("b", is_paused=True, calls=("c-2",))
    assert found.root == Frame("root", is_paused=True, children=(Frame("a", thinks=2), b))
    assert (found.pending, found.asked) == (("c-2",), {"c-1", "c-2"})


def test_what_is_not_begun_again_before_the_next_pause_waits_no_more():
    found = paused(
        started("own"),
        started("a"),
        called("a", "c-1"),
        ended("a", "paused"),
        ended("own", "paused"),
        started("own", again=True),
        started("b"),
        called("b", "c-2"),
        ended("b", "paused"),
        ended("own", "paused"),
    )
    assert found.pending == ("c-2",)


def test_the_response_of_the_agent_itself_answers_a_call_too():
    found = paused(started("a"), called("a", "c-1", "c-2"), answered("a", "c-1"), ended("a", "paused"))
    assert (found.pending, found.asked) == (("c-2",), {"c-2"})


def test_what_another_agent_ended_waits_no_more():
    found = paused(
        started("root"),
        started("p"),
        started("a@p.a"),
        called("a@p.a", "c-1"),
        ended("a@p.a", "paused"),
        ended("p"),
        started("b"),
        called("b", "c-2"),
        ended("b", "paused"),
        ended("root", "paused"),
    )
    assert found.pending == ("c-2",)


@pytest.mark.parametrize("status", ["completed", "failed", "stopped", "interrupted"])
def test_only_a_paused_invocation_waits(status):
    lines = entries(started("a"), called("a", "c"), ended("a", "paused"), ("run_finished", "a", {"status": status}))
    found = position_of(ID, lines)
    assert (found.status, found.pending, found.asked) == (status, (), {"c"})


def test_one_that_runs_waits_for_nothing():
    lines = entries(started("a"), called("a", "c"), ended("a", "paused"), ("run_finished", "a", {"status": "paused"}))
    assert position_of(ID, lines).pending == ("c",)
    found = position_of(ID, [*lines, *entries(("run_started", "a", {"resumed": True}))])
    assert (found.status, found.pending) == ("", ())


def test_inside_an_agent_called_as_a_tool_nothing_counts():
    found = paused(
        started("a"),
        ("model_started", "a"),
        started("a@a:123abc"),
        ("model_started", "a@a:123abc"),
        called("a@a:123abc", "c-1"),
        started("p@a:123abc"),
        started("x@a:123abc.p.x"),
        ended("x@a:123abc.p.x"),
        ended("p@a:123abc"),
        ended("a@a:123abc"),
        ended("a", "paused"),
    )
    assert found.root == Frame("a", is_paused=True, thinks=1)


def test_what_belongs_to_other_invocations_is_passed_over():
    other = [LogEntry(9, "agent_started", '{"invocation_id":"e-2","agent":"x"}')]
    found = position_of(ID, [*entries(started("a")), *other, *entries(ended("a"))])
    assert found.root == Frame("a")


def test_complaints_about_an_answer_count():
    retry = ("event", "a", {"custom_metadata": {"output_retry": True}})
    assert paused(started("a"), retry, retry, ended("a", "paused")).root == Frame("a", is_paused=True, retries=2)


def test_the_counts_are_those_of_the_last_end():
    end = {"status": "paused", "calls": 3, "tokens": {"input": 5, "output": 7}, "duration": 1.5}
    found = position_of(ID, entries(started("a"), ended("a"), ("run_finished", "a", end)))
    assert (found.calls, found.tokens, found.duration) == (3, (5, 7), 1.5)


def test_records_without_their_agent_are_no_matter():
    strays = [ended("x"), ("loop_iteration", "x", {"iteration": 1}), ("transfer", "x", {"to": "y"}), ("model_started", "x")]
    assert paused(*strays, ("route_decided", "x", {"level": "agent"}), ("loop_escalated", "x")).root is None


def test_a_call_that_its_agent_did_not_pause_for_was_not_asked():
    assert paused(started("root"), started("a"), called("a", "c-1"), ended("a"), ended("root")).asked == frozenset()
