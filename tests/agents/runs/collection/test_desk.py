"""All sessions from outside: search, deletion and clean-up."""

from __future__ import annotations

import pytest

from agents.runs import RunManager

LATER = 2.0**33
"""A time after all sessions."""


@pytest.fixture(params=["memory", "file"])
def manager(request, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with RunManager(database=None if request.param == "memory" else tmp_path / "test.db") as manager:
        yield manager


def key(session_id: str) -> tuple[str, str]:
    return "status_poller", session_id


def ids(rows) -> list[str]:
    return [row.id for row in rows]


def test_a_session_is_found_tagged_and_measured(manager):
    manager.sessions.create("status_poller", session_id="one", state={"lamp": "dark"})
    manager.sessions.create("status_poller", session_id="two")
    manager.collection.tag([key("one"), key("two")], add=["both"])
    manager.collection.tag([key("two")], remove=["both"], add=["good"])
    assert manager.collection.search("lamp").sessions == (key("one"),)
    assert manager.collection.search("good").sessions == (key("two"),)
    assert manager.collection.tags() == {key("one"): ("both",), key("two"): ("good",)}
    assert manager.collection.sizes()[key("one")] > manager.collection.sizes()[key("two")]
    assert "lamp" in manager.collection.excerpts("lamp", [key("one")])[key("one")]


def test_a_running_session_is_stopped_before_it_is_deleted(manager, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0.01")
    run = manager.start("iterative_writing", "the sea", simulated_speed=0.01)
    name = (run.pipeline, run.session_id)
    assert manager.collection.delete([name]) == [name]
    assert not manager.stop(*name)
    assert manager.sessions.summaries() == []
    assert ids(manager.collection.deleted()) == [run.session_id]
    assert manager.collection.restore([name]) == [name]
    assert [row.status for row in manager.sessions.summaries()] == ["stopped"]


def test_a_clean_up_removes_what_was_deleted_before_and_can_itself_be_undone(manager):
    for session_id in ("gone", "old", "tagged"):
        manager.sessions.create("status_poller", session_id=session_id)
    manager.collection.tag([key("tagged")], add=["keep"])
    manager.collection.delete([key("gone")])
    preview = manager.collection.preview_clean_up(LATER)
    assert (ids(preview.old), ids(preview.gone)) == (["old"], ["gone"])
    assert preview.frees == manager.collection.sizes()[key("gone")]

    cleaned = manager.collection.clean_up(LATER)
    assert cleaned == [key("old")]
    assert manager.collection.restore([key("gone")]) == []
    assert ids(manager.sessions.summaries()) == ["tagged"]
    assert manager.collection.restore(cleaned) == [key("old")]
    assert sorted(ids(manager.sessions.summaries())) == ["old", "tagged"]


def test_a_clean_up_spares_what_is_young_what_runs_and_what_waits(manager):
    manager.sessions.create("status_poller", session_id="young")
    assert manager.collection.preview_clean_up(0.0).old == ()
    running = manager.start("iterative_writing", "the sea", simulated_speed=0.01)
    assert ids(manager.collection.preview_clean_up(LATER).old) == ["young"]
    manager.stop(running.pipeline, running.session_id)
    assert set(ids(manager.collection.preview_clean_up(LATER).old)) == {"young", running.session_id}
