"""What led to a delta, from the log of the session that it comes from."""

from __future__ import annotations

import time

import pytest

from agents import Event, EventActions, InMemorySessionService
from agents.access import OWNER
from agents.ace import DeltaBatch
from agents.ace.store.deltas import DeltaRecord
from agents.ace.store.playbook_store import PlaybookStore
from agents.log import TraceRecord
from agents.runs import RunManager
from agents.runs.recordings.provenance import Provenance, provenance_in

pytestmark = pytest.mark.anyio
NAME = {"app_name": "ace", "user_id": OWNER.id, "session_id": "s1"}


def record(seq: int, session_id: str = "s1") -> DeltaRecord:
    return DeltaRecord(1, time.time(), "curator", None, "ace", session_id, "i1", seq, "", [], [], None)


def event(**values) -> Event:
    delta = {key.replace("__", ":"): value for key, value in values.items()}
    return Event(author="x", invocation_id="i1", actions=EventActions(state_delta=delta))


def batch(text: str) -> dict:
    return DeltaBatch(operations=[{"type": "ADD", "section": "u", "content": text}]).model_dump(mode="json")


async def test_it_is_what_the_state_said_when_the_delta_was_committed():
    service = InMemorySessionService()
    session = await service.create_session(**NAME)
    await service.append(session, [TraceRecord("run_started", "i1"), event(user_query="first", ground_truth="1", other=2)])
    await service.append_event(session, event(reflector_output={"key_insight": "a"}))
    await service.append_event(session, event(user_query="second", ground_truth=None, app__playbook=batch("x")))
    committed = session.last_seq
    await service.append_event(session, event(user_query="third", curator_output={"reasoning": "late"}))
    found = provenance_in(await service.read_log(**NAME), record(committed))
    assert found == Provenance(
        ("ace", "s1"),
        committed,
        {"user_query": "second", "ground_truth": None, "reflector_output": {"key_insight": "a"}},
    )
    assert found.query == "second"
    with PlaybookStore(service.tables, "ace") as store:
        assert store.history()[0].seq == committed


async def test_without_a_question_there_is_none_to_name():
    service = InMemorySessionService()
    session = await service.create_session(**NAME)
    await service.append_event(session, event(user_query=None, app__playbook=batch("x")))
    found = provenance_in(await service.read_log(**NAME), record(session.last_seq))
    assert (found.query, found.values) == ("", {"user_query": None})
    assert Provenance(session=None).query == ""


def test_a_manager_finds_it_by_the_delta(tmp_path):
    with RunManager(database=tmp_path / "p.db") as manager:
        manager.sessions.create("iterative_writing", session_id="s1")
        manager.sessions.set_state("iterative_writing", "s1", {"user_query": "How much?"})
        manager.sessions.set_state("iterative_writing", "s1", {"app:playbook": batch("x"), "playbook_name": "mine"})
        store = manager.playbooks("mine")
        [delta] = store.history()
        found = manager.sessions.provenance(delta)
        assert (found.session, found.query, found.seq) == (("iterative_writing", "s1"), "How much?", delta.seq)
        store.commit(DeltaBatch.model_validate(batch("by hand")))
        assert manager.sessions.provenance(store.history(limit=1)[0]) == Provenance(session=None)
        manager.sessions.delete("iterative_writing", "s1")
        assert manager.sessions.provenance(delta) == Provenance(session=None)


def test_a_manager_has_playbooks_without_a_file_too():
    with RunManager(database=None) as manager:
        manager.sessions.create("iterative_writing", session_id="s1")
        manager.sessions.set_state("iterative_writing", "s1", {"app:playbook": batch("x")})
        assert [bullet.content for bullet in manager.playbooks("iterative_writing").playbook().bullets] == ["x"]
        assert manager.sessions.provenance(manager.playbooks("iterative_writing").history()[0]).seq > 0
        with pytest.raises(ValueError, match="cannot name a playbook"):
            manager.playbooks(" ")
