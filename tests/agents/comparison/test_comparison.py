"""Sessions side by side: properties of the alignment, and what counts as a difference."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import InMemorySessionService, LlmAgent, LoopAgent, SequentialAgent
from agents.comparison import GrowingComparison, compare
from agents.forks import Forks, InstructionChange
from agents.history import Step
from agents.log import LogEntry
from agents.models.provider import Price
from tests.agents.forks.test_fork import CONFIG, NAMES, ran

pytestmark = pytest.mark.anyio


def log(*entries: tuple[str, dict[str, Any]]) -> list[LogEntry]:
    return [LogEntry(seq, kind, json.dumps(body)) for seq, (kind, body) in enumerate(entries, start=1)]


def said(author: str, text: str = "", **fields: Any) -> tuple[str, dict[str, Any]]:
    return "event", {"author": author, "content": {"parts": [{"text": text}]}, **fields}


def started(agent: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "agent_started", {"agent": agent, **fields}


def finished(agent: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "agent_finished", {"agent": agent, **fields}


def run(*entries: tuple[str, dict[str, Any]], message: str = "go") -> list[tuple[str, dict[str, Any]]]:
    start = ("run_started", {"invocation_id": "i1"})
    return [start, said("user", message), *entries, ("run_finished", {"invocation_id": "i1", "status": "completed"})]


def loop(*passes: tuple[tuple[str, dict[str, Any]], ...]) -> list[tuple[str, dict[str, Any]]]:
    inside = [
        entry
        for number, each in enumerate(passes, start=1)
        for entry in [("loop_iteration", {"agent": "Loop", "iteration": number}), *each]
    ]
    return [started("Loop"), *inside, finished("Loop")]


def critic(text: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    return started("Critic"), said("Critic", text), finished("Critic")


def kinds(compared) -> list[str]:
    return [row.kind for row in compared.rows]


bodies = st.recursive(
    st.builds(lambda author, text: [said(author, text)], st.sampled_from("ABC"), st.sampled_from(["x", "y", "z"])),
    lambda inner: st.one_of(
        st.builds(lambda name, inside: [started(name), *inside, finished(name)], st.sampled_from("PQR"), inner),
        st.builds(lambda parts: [entry for part in parts for entry in part], st.lists(inner, max_size=4)),
        st.builds(lambda parts: loop(*map(tuple, parts)), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=12,
)


def node(name: str, output: Any, **more: Any) -> tuple[str, dict[str, Any]]:
    return "event", {"author": "Graph", "node_info": {"path": f"Graph@1/{name}@1"}, "output": output, **more}


def test_nodes_of_a_graph_differ_in_what_they_give_and_by_which_route_but_not_in_the_id_of_a_question():
    def graph(text: str, route: str, asked: str) -> list[LogEntry]:
        question = {"name": "adk_request_input", "args": {"interruptId": asked, "message": "Which?"}}
        return log(
            *run(
                node("read", "the same"),
                node("count", {"words": text}),
                node("judge", "the same", actions={"route": route}),
                node("ask", None, content={"parts": [{"function_call": question}]}),
            )
        )

    compared = compare([graph("two", "good", "id1"), graph("three", "bad", "id2")])
    rows = {row.place.author: row for row in compared.rows if row.place.kind == "event"}
    assert {author: row.differs for author, row in rows.items()} == {
        "user": (), "read": (), "count": ("output",), "judge": ("control",), "ask": (),
    }  # fmt: skip
    assert [turn.control for turn in rows["judge"].turns if turn] == ["route good", "route bad"]
    assert [turn.output for turn in rows["count"].turns if turn] == ['{"words": "two"}', '{"words": "three"}']


@given(bodies)
def test_a_session_compared_with_itself_is_all_the_same(body):
    entries = log(("session_created", {}), *run(*body))
    compared = compare([entries, entries, entries])
    assert set(kinds(compared)) <= {"same"}
    assert compared.divergence is None
    events = [row for row in compared.rows if row.place.kind == "event"]
    assert len(events) == sum(entry.kind == "event" for entry in entries)


@given(bodies, bodies)
def test_two_sessions_compare_the_same_both_ways(one, other):
    first, second = log(*run(*one)), log(*run(*other))
    there, back = compare([first, second]), compare([second, first])
    assert [(row.place, row.kind, row.differs, row.turns) for row in there.rows] == [
        (row.place, row.kind, row.differs, row.turns[::-1]) for row in back.rows
    ]
    assert there.divergence == back.divergence
    assert there.usage == back.usage[::-1]


@given(bodies, bodies, st.integers(0, 20), st.integers(0, 20))
def test_sessions_that_grow_compare_as_if_they_were_read_at_once(one, other, first, second):
    logs = [log(*run(*one)), log(*run(*other))]
    growing = GrowingComparison(2)
    growing.take([logs[0][:first], logs[1][:second]])
    assert growing.result == compare([logs[0][:first], logs[1][:second]])
    growing.take([[], []])
    assert growing.last == [len(logs[0][:first]), len(logs[1][:second])]
    growing.take([logs[0][first:], logs[1][second:]])
    assert growing.result == compare(logs)


@given(bodies, bodies)
def test_each_turn_is_in_one_row_and_no_row_is_empty(one, other):
    logs = [log(*run(*one)), log(*run(*other))]
    compared = compare(logs)
    for side, entries in enumerate(logs):
        seqs = [row.turns[side].seq for row in compared.rows if row.turns[side] is not None]
        assert sorted(seqs) == [entry.seq for entry in entries if entry.kind in ("event", "run_finished")]
    assert all(any(row.turns) for row in compared.rows)


def test_the_same_turns_in_another_order_are_not_the_same():
    one, other = (log(*run(*(said(author, "x") for author in order))) for order in ("ABC", "BAC"))
    compared = compare([one, other])
    assert [(row.place.author, row.differs) for row in compared.rows] == [
        *(("user", ()), ("A", ("order",)), ("B", ("order",)), ("C", ()), ("", ())),
    ]


def test_a_loop_that_was_paused_goes_on_in_its_pass():
    paused = ("run_finished", {"invocation_id": "i1", "status": "paused"})
    before = [started("Loop"), ("loop_iteration", {"agent": "Loop", "iteration": 2}), *critic("a")]
    cut = [finished("Loop", outcome="paused"), paused, ("run_started", {"invocation_id": "i1", "resumed": True})]
    whole = log(*run(*before, *critic("b"), finished("Loop")))
    resumed = log(*run(*before, *cut, started("Loop", resumed=True), *critic("b"), finished("Loop")))
    compared = compare([whole, resumed])
    assert [row.place.kind for row in compared.rows if row.kind != "same"] == ["pause"]


def test_turns_are_aligned_by_loop_pass_and_not_by_row():
    one = log(*run(*loop(critic("a"), critic("b"))))
    other = log(*run(*loop((*critic("a"), said("Loop", "more")), critic("b"), critic("c"))))
    compared = compare([one, other])
    shown = [(row.place.path, row.place.author, row.kind) for row in compared.rows]
    assert shown == [
        ((), "user", "same"),
        ((Step("Loop", 1), Step("Critic")), "Critic", "same"),
        ((Step("Loop", 1),), "Loop", "only"),
        ((Step("Loop", 2), Step("Critic")), "Critic", "same"),
        ((Step("Loop", 3), Step("Critic")), "Critic", "only"),
        ((), "", "same"),
    ]
    assert compared.divergence == 2
    assert [turn is None for turn in compared.rows[2].turns] == [True, False]


def test_parallel_branches_are_aligned_whichever_is_faster():
    def branches(*order: str) -> list[LogEntry]:
        starts = [started(name, branch=f"Fan.{name}") for name in "XY"]
        return log(
            *run(started("Fan"), *starts, *(said(name, name, branch=f"Fan.{name}") for name in order), finished("Fan"))
        )

    compared = compare([branches("X", "Y", "X"), branches("Y", "X", "X")])
    assert set(kinds(compared)) == {"same"}
    assert [row.place.path for row in compared.rows if row.place.author == "Y"] == [(Step("Fan"), Step("Y"))]


def test_calls_of_agents_as_tools_are_aligned_whichever_is_faster():
    def calls(ids: str, order: str) -> list[LogEntry]:
        branch = {name: f"Reader:{mark}" for name, mark in zip("XY", ids, strict=True)}
        asked = [said("user", name, branch=branch[name]) for name in "XY"]
        starts = [started("Reader", branch=branch[name]) for name in "XY"]
        answers = [
            entry
            for name in order
            for entry in (
                said("user", f"look up {name}", branch=f"{branch[name]}.Finder:{ids}"),
                started("Finder", branch=f"{branch[name]}.Finder:{ids}"),
                said("Finder", name, branch=f"{branch[name]}.Finder:{ids}"),
                said("Reader", name, branch=branch[name]),
            )
        ]
        return log(*run(started("Writer"), *asked, *starts, *answers, finished("Writer")))

    compared = compare([calls("ab", "XY"), calls("cd", "YX")])
    assert set(kinds(compared)) == {"same"}
    assert [row.place.path for row in compared.rows if row.place.author == "Finder"] == [
        (Step("Writer"), Step("Reader", call=1), Step("Finder", call=1)),
        (Step("Writer"), Step("Reader", call=2), Step("Finder", call=1)),
    ]


def test_a_branch_of_any_depth_is_read_at_once():
    entries = log(*run(said("A", "x", branch="." * 100_000)))
    assert set(kinds(compare([entries, entries]))) == {"same"}


def learned(name: str, revision: int, *operations: object) -> tuple[str, dict[str, Any]]:
    delta = {"playbook": name, "revision": revision, "applied": [*operations]}
    return said("Curator", f"This is playbook “{name}”.", actions={"state_delta": {"app:playbook": delta}})


@pytest.mark.parametrize("copy", ["ace, fork 0123abcd", "ace, fork 0123abcd, fork 4567cdef"])
def test_the_copy_of_a_playbook_that_a_fork_writes_to_is_no_difference(copy):
    lesson = {"type": "ADD", "bullet_id": "f-1", "content": "Add."}
    origin = run(learned("ace", 40), learned("ace", 41, {"type": "CITE", "bullet_ids": [], "query": 9}, lesson))
    fork = run(learned(copy, 0), learned(copy, 1, {"type": "CITE", "bullet_ids": [], "query": 1}, lesson))
    assert set(kinds(compare([log(*origin), log(*fork)]))) == {"same"}


@pytest.mark.parametrize(
    ("one", "differs"),
    [
        (learned("other", 1, {"type": "ADD", "content": "Add."}), ("text",)),
        (learned("ace", 1, {"type": "ADD", "content": "Subtract."}), ("playbook",)),
        (learned("ace", 1), ("playbook",)),
        (learned("ace", 1, 7, None, "x"), ("playbook",)),
    ],
)
def test_another_playbook_and_another_lesson_are_differences(one, differs):
    compared = compare([log(*run(learned("ace", 1, {"type": "ADD", "content": "Add."}))), log(*run(one))])
    assert [row.differs for row in compared.rows if row.kind != "same"] == [differs]


CALL = {"content": {"parts": [{"function_call": {"id": "1", "name": "look", "args": {"where": "here", "far": True}}}]}}
DIFFERENT = [
    ({"content": {"parts": [{"text": "other"}]}}, "text"),
    ({"content": {"parts": [{"text": "hm", "thought": True}, {"text": "x"}]}}, "thoughts"),
    ({"content": {"parts": [{"text": "x"}, *CALL["content"]["parts"]]}}, "calls"),
    ({"content": {"parts": [{"text": "x"}, {"function_response": {"name": "look", "response": {"a": 1}}}]}}, "results"),
    ({"actions": {"state_delta": {"k": [1]}}}, "state"),
    ({"actions": {"state_delta": {"app:playbook": {"playbook": "ace", "revision": 3}}}}, "playbook"),
    ({"actions": {"escalate": True}}, "control"),
    ({"actions": {"transfer_to_agent": "Other"}}, "control"),
    ({"actions": {"artifact_delta": {"f.png": 1}}}, "files"),
    ({"error_code": "RATE_LIMIT", "error_message": "Too many."}, "error"),
]


@pytest.mark.parametrize(("fields", "name"), DIFFERENT)
def test_what_differs_is_named(fields, name):
    one, other = log(*run(said("A", "x"))), log(*run(said("A", "x", **fields)))
    compared = compare([one, other])
    assert kinds(compared) == ["same", "changed", "same"]
    assert compared.rows[1].differs == (name,)


def test_ids_times_and_the_order_of_keys_are_no_difference():
    one = log(*run(("event", {"author": "A", "id": "1", "timestamp": 1.0, **CALL})))
    args = {"far": True, "where": "here"}
    call = {"content": {"parts": [{"function_call": {"id": "2", "name": "look", "args": args}}]}}
    assert compare([one, log(*run(("event", {"author": "A", "id": "2", "timestamp": 2.0, **call})))]).divergence is None
    args["far"] = 1  # JSON's true and 1 are not the same
    call = {"content": {"parts": [{"function_call": {"id": "2", "name": "look", "args": args}}]}}
    assert compare([one, log(*run(("event", {"author": "A", **call})))]).divergence == 1


def asked(instruction: str, model: str = "m", **usage: int) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("model_started", {"agent": "A", "model": model, "instruction": instruction}),
        ("model_finished", {"agent": "A", "model": model, "usage": usage, "duration": 2.0}),
        said("A", "x", stop_reason="end_turn"),
    ]


def test_the_prompt_and_the_model_are_differences_and_what_was_used_is_none():
    one = log(*run(*asked("h1", input=10, output=5)))
    assert compare([one, log(*run(*asked("h2", input=10, output=5)))]).rows[1].differs == ("prompt",)
    assert compare([one, log(*run(*asked("h1", model="n")))]).rows[1].differs == ("model",)
    compared = compare([one, log(*run(*asked("h1", input=20, output=5)))])
    assert compared.divergence is None
    assert [turn.usage[:4] for turn in compared.rows[1].turns] == [(1, 10, 5, 2.0), (1, 20, 5, 2.0)]


def test_costs_are_those_of_the_price_list_and_unknown_ones_are_none():
    prices = {"m": Price(input=1.0, output=10.0, cached=0.5)}
    entries = log(*run(*asked("h", input=1_000_000, output=100_000, thoughts=100_000, cached=400_000)))
    unknown = log(*run(*asked("h", model="n", input=1)))
    assert [usage.cost for usage in compare([entries, unknown], prices=prices).usage] == [0.6 + 0.2 + 2.0, None]
    assert compare([entries, entries]).usage[0].cost is None


def test_the_time_of_a_run_that_was_paused_counts_once():
    end = {"invocation_id": "i1", "status": "paused", "duration": 1.0}
    entries = [("run_started", {"invocation_id": "i1"}), ("run_finished", end)]
    again = [("run_started", {"invocation_id": "i1", "resumed": True}), ("run_finished", {**end, "duration": 3.0})]
    assert compare([log(*entries, *again)] * 2).usage[0].seconds == 3.0


def test_a_run_that_failed_differs_from_one_that_did_not():
    failed = ("run_finished", {"invocation_id": "i1", "status": "failed", "error_code": "X", "error_message": "It broke."})
    one, other = log(*run(said("A"))), log(*run(said("A"))[:-1], failed)
    compared = compare([one, other])
    assert compared.rows[-1].differs == ("text", "error")
    assert compared.rows[-1].turns[1].error == "X: It broke."


def test_a_session_that_still_runs_lacks_the_end():
    whole = run(*critic("a"), *critic("b"))
    compared = compare([log(*whole), log(*whole[:4])])
    assert kinds(compared) == ["same", "same", "only", "only"]


def test_an_empty_session_and_other_pipelines_can_be_compared():
    empty, one = log(("session_created", {"state": {"a": 1}})), log(("session_created", {"state": {}}), *run(said("A")))
    assert compare([empty, empty]).divergence is None
    assert kinds(compare([empty, one])) == ["changed", "only", "only", "only"]
    assert set(kinds(compare([log(*run(said("A"))), log(*run(said("B")))]))) == {"same", "only"}


def test_numbers_are_those_of_the_events_in_their_session():
    compared = compare([log(*run(*critic("a"))), log(*run(*critic("b")))])
    assert [[turn.number for turn in row.turns] for row in compared.rows] == [[1, 1], [2, 2], [2, 2]]


def test_of_three_sessions_a_row_says_which_have_it():
    logs = [log(*run(said("A"))), log(*run(said("A"), said("B"))), log(*run(said("A"), said("B")))]
    compared = compare(logs)
    assert kinds(compared) == ["same", "same", "only", "same"]
    assert [turn is None for turn in compared.rows[2].turns] == [True, False, False]


async def test_a_fork_differs_from_where_it_was_changed_on():
    critic = LlmAgent(name="Critic", instruction="Say what is missing.")
    loop = LoopAgent(name="Loop", sub_agents=[critic], max_iterations=3)
    root = SequentialAgent(name="Root", sub_agents=[LlmAgent(name="Writer", instruction="Write."), loop])
    service = InMemorySessionService()
    await ran(service, root)
    entries = await service.read_log(**NAMES, session_id="origin")
    second = [entry.seq for entry in entries if entry.kind == "loop_iteration"][1]
    forks = Forks(service, root, **NAMES)
    change = InstructionChange(agent="Critic", text="Say what is good.")
    fork = await forks.rerun("origin", at=second, changes=[change], run_config=CONFIG)
    again = await forks.rerun("origin", at=second, run_config=CONFIG)

    compared = compare([entries, await service.read_log(**NAMES, session_id=fork.id)])
    assert compared.changed == ("", change.describe())
    first = compared.rows[compared.divergence]
    assert (first.place.path, first.place.author) == ((Step("Root"), Step("Loop", 2), Step("Critic")), "Critic")
    assert first.differs == ("text", "prompt")
    assert compared.count("only") == 0
    assert compare([entries, await service.read_log(**NAMES, session_id=again.id)]).divergence is None
