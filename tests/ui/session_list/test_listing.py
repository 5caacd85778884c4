"""What a query finds, and forks below their origin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agents import SessionSummary
from agents.access import visitor
from agents.forks import StateChange
from agents.runs.session_desk import SessionDesk
from ui.access import identity
from ui.session_list.listing import DEEPEST, Query, listing, tree
from ui.state import runs

PIPELINE = "status_poller"


def row(session_id: str, origin: str = "", pipeline: str = "p") -> SessionSummary:
    return SessionSummary(
        pipeline, "person", session_id, f"title {session_id}", 0.0, 0.0, 0, "idle", origin=origin, fork=bool(origin)
    )


def shape(rows: list[SessionSummary]) -> list[tuple[str, int]]:
    return [(each.id, depth) for each, depth in tree(rows)]


def test_forks_follow_their_origin_and_a_tree_stands_where_its_newest_row_does():
    rows = [row("fork2", "a"), row("b"), row("fork of fork", "fork1"), row("fork1", "a"), row("a")]
    assert shape(rows) == [("a", 0), ("fork2", 1), ("fork1", 1), ("fork of fork", 2), ("b", 0)]


def test_a_fork_without_its_origin_stands_by_itself():
    assert shape([row("fork", "gone"), row("below", "fork")]) == [("fork", 0), ("below", 1)]
    assert shape([row("fork", "a"), row("a", pipeline="other")]) == [("fork", 0), ("a", 0)]


def test_forks_that_name_each_other_and_long_chains_are_listed_once():
    assert sorted(shape([row("a", "b"), row("b", "a"), row("c", "c")])) == [("a", 1), ("b", 0), ("c", 0)]
    chain = [row(f"s{n}", f"s{n - 1}") for n in range(2000)]
    assert [depth for _, depth in shape(chain)] == [min(n, DEEPEST) for n in range(2000)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=10, unique_by=lambda pair: pair[0]))
def test_every_row_is_listed_once(pairs):
    rows = [row(str(one), str(origin)) for one, origin in pairs]
    assert sorted(id_ for id_, _ in shape(rows)) == sorted(each.id for each in rows)


def ids(found) -> list[str]:
    return [each["id"] for each in found["rows"]]


def test_a_query_finds_by_words_pipeline_status_and_tag(manager):
    manager.sessions.create(PIPELINE, session_id="one", state={"lamp": 1})
    manager.sessions.create("iterative_writing", session_id="two", state={"lamp": 2})
    manager.collection.tag([(PIPELINE, "one")], add=["good"])
    assert ids(listing(manager, Query())) == ["two", "one"]
    assert ids(listing(manager, Query(text="lamp"))) == ["two", "one"]
    assert ids(listing(manager, Query(text="lamp", pipeline=PIPELINE))) == ["one"]
    assert ids(listing(manager, Query(tag="good"))) == ["one"]
    assert ids(listing(manager, Query(status="completed"))) == []
    assert ids(listing(manager, Query(status="idle", limit=1))) == ["two"]
    found = listing(manager, Query(text="nowhere to be found"))
    assert (found["rows"], found["found"], found["count"]) == ([], 0, 2)


def test_a_row_says_what_it_is(manager):
    manager.sessions.create(PIPELINE, session_id="one", state={"lamp": "x" * 2000})
    manager.sessions.rename(PIPELINE, "one", "A \u202e title")
    manager.collection.tag([(PIPELINE, "one")], add=["b", "a"])
    found = listing(manager, Query(text="LAMP"))
    [shown] = found["rows"]
    assert shown | {"updated": 0} == {
        "pipeline": PIPELINE,
        "id": "one",
        "title": "A \\u202e title",
        "status": "idle",
        "outcome": "○ not run yet",
        "model": "",
        "updated": 0,
        "fork": "",
        "tags": ["a", "b"],
        "facts": ["2.1 KB"],
        "may": ["rename", "tag", "delete"],
        "depth": 0,
        "excerpt": "lamp",
    }
    assert (found["tags"], found["pipelines"], found["size"]) == (["a", "b"], [PIPELINE], "2.1 KB")


def test_a_fork_says_what_it_changed_and_names_its_origin_where_that_is_not_listed_above_it(manager):
    manager.sessions.create(PIPELINE, session_id="one")
    manager.sessions.rename(PIPELINE, "one", "The lamp")
    at = manager.sessions.log(PIPELINE, "one")[-1].seq
    [fork] = runs.workspace().forks.rerun(PIPELINE, "one", at=at, changes=[StateChange(key="tone", value="dry")])
    manager.collection.tag([(PIPELINE, fork)], add=["tried"])
    origin, below = listing(manager, Query())["rows"]
    assert [(row["depth"], row["facts"][1:]) for row in (origin, below)] == [(0, []), (1, ['fork: state tone = "dry"'])]
    [alone] = listing(manager, Query(tag="tried"))["rows"]
    assert (alone["depth"], alone["facts"][1]) == (0, 'fork of “The lamp”: state tone = "dry"')
    manager.sessions.delete(PIPELINE, "one")
    [left] = listing(manager, Query())["rows"]
    assert left["facts"][1] == 'fork of “a session that is not here”: state tone = "dry"'


def test_no_session_is_an_answer_too(manager):
    found = listing(manager, Query(text="a", tag="b"))
    assert (found["rows"], found["found"], found["count"], found["size"]) == ([], 0, 0, "0 bytes")


def test_of_many_sessions_a_page_is_read_with_the_origins_of_its_forks(manager, monkeypatch):
    for name in ("origin", "other", "one", "two"):
        manager.sessions.create(PIPELINE, session_id=name)
    at = manager.sessions.log(PIPELINE, "origin")[-1].seq
    [fork] = runs.workspace().forks.rerun(PIPELINE, "origin", at=at, changes=[StateChange(key="tone", value="dry")])
    monkeypatch.delattr(SessionDesk, "summaries")
    found = listing(manager, Query(limit=2))
    assert ([(row["id"], row["depth"]) for row in found["rows"]], found["found"]) == (
        [("origin", 0), (fork, 1), ("two", 0)],
        5,
    )
    assert ids(listing(manager, Query(status="no such status"))) == []


def test_a_visitor_changes_their_own_sessions_alone(manager, monkeypatch):
    ann = visitor("ann")
    manager.sessions.create(PIPELINE, session_id="owner's")
    manager.as_user(ann).sessions.create(PIPELINE, session_id="ann's")
    monkeypatch.setattr(identity, "current", lambda: ann)
    found = listing(manager.as_user(ann), Query())
    assert {row["id"]: row["may"] for row in found["rows"]} == {"ann's": ["rename", "tag", "delete"], "owner's": []}
