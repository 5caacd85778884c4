"""State whose delta is an operation: a playbook, committed with the event that carries it, by either service."""

from __future__ import annotations

import json

import pytest

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.errors import StateValueError
from agents.event import Event, EventActions
from agents.log import TraceRecord
from agents.playbook import PlaybookTransaction
from agents.storage.address import PostgresAddress
from agents.storage.postgres.sessions import PostgresSessionService
from agents.storage.sessions import InMemorySessionService, SqliteSessionService
from tests.agents.storage.conftest import NAMES, S1, delta, reading, said, writing

pytestmark = pytest.mark.anyio
KEY = "app:playbook"
S2 = {**NAMES, "session_id": "s2"}


def batch(*texts: str, **more) -> dict:
    operations = [{"type": "ADD", "section": "units", "content": text} for text in texts]
    return DeltaBatch(operations=operations, **more).model_dump(mode="json")


def change(*texts: str, **more) -> Event:
    return delta(app__playbook=batch(*texts, **more))


def texts(session) -> list[str]:
    return [bullet.content for bullet in session.state[KEY].bullets]


def store_of(service, name: str = "app") -> PlaybookStore:
    match service:
        case SqliteSessionService():
            return PlaybookStore(service.path, name)
        case PostgresSessionService():
            return PlaybookStore(PostgresAddress(service.address), name)
        case _:
            return PlaybookStore(service.tables, name)


async def test_an_event_commits_the_batch_that_it_carries(service):
    session = await service.create_session(**S1)
    assert KEY not in session.state
    event = change("a", reasoning="Why.", by="reflector")
    await service.append_event(session, event)
    assert isinstance(session.state[KEY], Playbook)
    assert (texts(session), session.state[KEY].revision, session.state[KEY].name) == (["a"], 1, "app")
    recorded = {
        "playbook": "app",
        "revision": 1,
        "by": "reflector",
        "reasoning": "Why.",
        "applied": [{"type": "ADD", "bullet_id": "units-00001", "section": "units", "content": "a"}],
        "rejected": [],
    }
    assert event.actions.state_delta == {KEY: recorded}
    read = await service.get_session(**S1)
    assert read == session
    assert read.events[0].actions.state_delta == {KEY: recorded}
    entry = (await service.read_log(**S1))[-1]
    assert json.loads(entry.body)["actions"]["state_delta"] == {KEY: recorded}


async def test_the_delta_knows_where_it_comes_from(service):
    session = await service.create_session(**S1)
    await service.append(session, [said("x"), TraceRecord("noted"), change("a"), said("y"), change("b")])
    with store_of(service) as store:
        records = store.history()
    seqs = [event.seq for event in session.events if event.actions.state_delta]
    assert [record.seq for record in records] == seqs[::-1]
    assert {(r.app_name, r.session_id, r.invocation_id) for r in records} == {("app", "s1", "i1")}
    assert [record.committed_at for record in records] == [session.events[3].timestamp, session.events[1].timestamp]


async def test_each_of_several_events_sees_what_those_before_it_did(service):
    session = await service.create_session(**S1)
    tag = delta(app__playbook={"operations": [{"type": "TAG", "bullet_id": "units-00001", "tag": "helpful"}]})
    await service.append(session, [change("a"), tag, change("b")])
    assert [event.actions.state_delta[KEY]["revision"] for event in session.events] == [1, 2, 3]
    assert [event.actions.state_delta[KEY]["rejected"] for event in session.events] == [[], [], []]
    assert (texts(session), session.state[KEY].bullets[0].helpful) == (["a", "b"], 1)
    assert (await service.get_session(**S1)).state == session.state


async def test_sessions_of_an_app_share_it_and_a_stale_one_loses_nothing(service):
    one, other = await service.create_session(**S1), await service.create_session(**S2)
    await service.append_event(one, change("a"))
    await service.append_event(other, change("b"))
    await service.append_event(one, change("c"))
    assert texts(one) == ["a", "b", "c"]
    assert texts(await service.get_session(**S2)) == ["a", "b", "c"]
    assert len({bullet.id for bullet in one.state[KEY].bullets}) == 3


async def test_a_stale_object_catches_up_with_what_it_missed(service):
    session = await service.create_session(**S1)
    stale, staler = await service.get_session(**S1), await service.get_session(**S1)
    await service.append_event(session, change("a"))
    await service.append_event(stale, said("hello"))
    assert texts(stale) == ["a"]
    await service.append_event(session, change("b"))
    await service.append_event(staler, change("c"))
    assert texts(staler) == ["a", "b", "c"]
    assert staler == await service.get_session(**S1)


async def test_a_first_state_may_hold_a_batch(service):
    session = await service.create_session(**S1, state={KEY: batch("a"), "playbook_name": "mine", "k": 1})
    assert (texts(session), session.state[KEY].name, session.state["k"]) == (["a"], "mine", 1)
    assert await service.get_session(**S1) == session
    [entry] = await service.read_log(**S1)
    assert entry.fields()["state"] == {"playbook_name": "mine", "k": 1}
    with store_of(service, "mine") as store:
        [record] = store.history()
    assert (record.session_id, record.seq) == ("s1", session.last_seq)


async def test_another_app_has_another_playbook(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    elsewhere = await service.create_session(app_name="other", user_id="user", session_id="s1")
    assert KEY not in elsewhere.state
    await service.append_event(elsewhere, change("x"))
    assert (texts(elsewhere), texts(session)) == (["x"], ["a"])
    assert elsewhere.state[KEY].name == "other"
    same_app = await service.create_session(app_name="app", user_id="somebody", session_id="s")
    assert texts(same_app) == ["a"]


async def test_several_playbooks_and_a_session_that_switches(service):
    one = await service.create_session(**S1, state={"playbook_name": "mine"})
    other = await service.create_session(**S2)
    await service.append_event(one, change("m"))
    await service.append_event(other, change("a"))
    assert (texts(one), texts(other)) == (["m"], ["a"])
    assert texts(await service.get_session(**S1)) == ["m"]
    assert [texts(s) for s in (await service.list_sessions(app_name="app")).sessions] == [["m"], ["a"]]
    await service.append_event(one, delta(playbook_name="app"))
    assert texts(one) == ["a"]
    assert one == await service.get_session(**S1)
    await service.append_event(one, delta(playbook_name="new"))
    assert (texts(one), one.state[KEY].name) == ([], "new")
    await service.append_event(one, change("n", playbook="mine"))
    assert (texts(one), one.events[-1].actions.state_delta[KEY]["playbook"]) == ([], "mine")
    with store_of(service, "mine") as store:
        assert [bullet.content for bullet in store.playbook().bullets] == ["m", "n"]


async def test_a_name_counts_from_the_event_that_sets_it(service):
    session = await service.create_session(**S1)
    await service.append_event(session, delta(app__playbook=batch("a"), playbook_name="mine"))
    assert session.state[KEY].name == "mine"
    await service.append(session, [delta(playbook_name="other"), change("b")])
    assert (session.state[KEY].name, texts(session)) == ("other", ["b"])
    assert session == await service.get_session(**S1)


async def test_a_name_that_was_missed_counts_too(service):
    session = await service.create_session(**S1)
    stale, staler = await service.get_session(**S1), await service.get_session(**S1)
    await service.append_event(session, delta(playbook_name="mine"))
    await service.append_event(stale, change("a"))
    assert stale.events[-1].actions.state_delta[KEY]["playbook"] == "mine"
    await service.append_event(session, delta(playbook_name="other"))
    await service.append_event(staler, said("hello"))
    assert (staler.state[KEY].name, texts(staler)) == ("other", [])
    assert staler == await service.get_session(**S1)


async def test_a_name_alone_brings_no_playbook(service):
    session = await service.create_session(**S1)
    await service.append_event(session, delta(playbook_name="mine"))
    assert session.state == {"playbook_name": "mine"}
    assert session == await service.get_session(**S1)


async def test_what_is_no_batch_is_refused_and_nothing_kept(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    before = session.model_copy(deep=True)
    recorded = session.events[0].actions.state_delta[KEY]
    for value in ("text", None, {"operations": [{"type": "ADD"}]}, recorded):
        event = Event(author="writer", actions=EventActions(state_delta={KEY: value, "k": 1}))
        with pytest.raises(StateValueError, match="takes changes of the playbook"):
            await service.append(session, [said("x"), event])
        with pytest.raises(StateValueError, match="takes changes of the playbook"):
            await service.create_session(**S2, state={KEY: value})
    assert session == before == await service.get_session(**S1)
    assert await service.get_session(**S2) is None


async def test_a_frozen_playbook_refuses_in_the_event(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    with store_of(service) as store:
        store.freeze()
    event = await service.append_event(session, change("b"))
    assert (texts(session), session.state[KEY].revision) == (["a"], 1)
    assert event.actions.state_delta[KEY]["revision"] == 1
    assert "frozen" in event.actions.state_delta[KEY]["rejected"][0]["reason"]


async def test_what_a_store_commits_is_seen_by_sessions_and_the_other_way_round(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    with store_of(service) as store:
        store.commit(DeltaBatch.model_validate(batch("b", by="person")))
        assert texts(await service.get_session(**S1)) == ["a", "b"]
        await service.append_event(session, change("c"))
        assert [bullet.content for bullet in store.playbook().bullets] == ["a", "b", "c"]


async def test_a_playbook_in_state_stays_as_it_was_read(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    given = session.state[KEY]
    await service.append_event(session, change("b"))
    assert [bullet.content for bullet in given.bullets] == ["a"]
    assert session.model_copy(deep=True).state[KEY] is session.state[KEY]


async def test_a_partial_event_commits_nothing(service):
    session = await service.create_session(**S1)
    event = change("a")
    event.partial = True
    await service.append_event(session, event)
    assert (await service.get_session(**S1)).state == {}
    with store_of(service) as store:
        assert store.names() == []


async def test_a_deleted_session_leaves_its_deltas(service):
    session = await service.create_session(**S1)
    await service.append_event(session, change("a"))
    await service.delete_session(**S1)
    again = await service.create_session(**S1)
    assert texts(again) == ["a"]


def fail_after(monkeypatch, kind: type[PlaybookTransaction]) -> None:
    """Makes each delta of a playbook fail, after it has been written."""
    append = kind.append

    def failing(self, *args, **kwargs):
        append(self, *args, **kwargs)
        raise RuntimeError("broken")

    monkeypatch.setattr(kind, "append", failing)


async def test_a_commit_that_fails_keeps_nothing_and_can_be_tried_again(service, monkeypatch):
    session = await service.create_session(**S1)
    stale = await service.get_session(**S1)
    await service.append_event(session, change("a"))
    await service.append_event(session, said("hello"))
    seen, before = stale.model_copy(deep=True), session.model_copy(deep=True)
    log = await service.read_log(**S1)
    with store_of(service) as store, store._repository.reading() as playbooks:
        fail_after(monkeypatch, type(playbooks))
    event = change("b")
    for caller in (session, stale):
        with pytest.raises(RuntimeError, match="broken"):
            await service.append(caller, [delta(k=1), event])
        with pytest.raises(RuntimeError, match="broken"):
            await service.create_session(**S2, state={KEY: batch("b")})
    assert (session, stale) == (before, seen)
    assert (session.last_seq, stale.last_seq) == (before.last_seq, seen.last_seq)
    assert event.actions.state_delta == {KEY: batch("b")}
    assert await service.get_session(**S1) == before
    assert await service.get_session(**S2) is None
    assert await service.read_log(**S1) == log
    monkeypatch.undo()
    await service.append(stale, [delta(k=1), event])
    assert (texts(stale), stale.state["k"]) == (["a", "b"], 1)
    assert [one.text for one in stale.events] == ["", "hello", "", ""]
    assert stale == await service.get_session(**S1)
    await service.create_session(**S2)


async def test_an_event_that_cannot_be_stored_takes_its_commit_back(sqlite):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, change("a"))
    with pytest.raises(AttributeError):
        await sqlite.append(session, [change("lost")], texts={"hash": None})
    assert texts(await sqlite.get_session(**S1)) == ["a"]
    await sqlite.append_event(session, change("b"))
    assert [(b.content, b.id) for b in session.state[KEY].bullets] == [("a", "units-00001"), ("b", "units-00002")]


async def test_a_session_of_an_app_without_any_playbook_costs_no_query(sqlite):
    session = await sqlite.create_session(**S1, state={"app:k": 1, "k": 2})
    await sqlite.get_session(**S1)
    asked: list[str] = []
    for connection in (*writing(sqlite), reading(sqlite)):
        connection.set_trace_callback(asked.append)
    await sqlite.append_event(session, delta(k=3, app__k=4))
    await sqlite.get_session(**S1)
    await sqlite.list_sessions(app_name="app")
    assert asked
    assert not [sql for sql in asked if "playbook" in sql or "sqlite_sequence" in sql]


async def test_a_file_that_is_opened_again_has_it_all(sqlite):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, change("a"))
    again = SqliteSessionService(sqlite.path)
    read = await again.get_session(**S1)
    assert read == session
    assert read.state[KEY].to_json() == session.state[KEY].to_json()
    await again.close()


async def test_two_services_in_memory_share_nothing():
    one, other = InMemorySessionService(), InMemorySessionService()
    await one.append_event(await one.create_session(**S1), change("a"))
    assert (await other.create_session(**S1)).state == {}
    with store_of(other) as store:
        assert store.names() == []


async def test_a_new_session_has_the_playbook_that_is_there_before_anything_was_written(service):
    with store_of(service) as store:
        store.commit(DeltaBatch.model_validate(batch("a")))
        store.beside("mine").commit(DeltaBatch.model_validate(batch("b")))

    session = await service.create_session(**S1)
    other = await service.create_session(**S2, state={"playbook_name": "mine"})

    assert (texts(session), texts(other)) == (["a"], ["b"])
    assert texts(await service.get_session(**S1)) == ["a"]
    assert (await service.create_session(app_name="another", user_id="user")).state == {}


@pytest.mark.parametrize("how", ["used again", "cleaned up"])
async def test_a_session_with_the_id_of_one_that_is_gone_has_deltas_and_answers_of_its_own(service, how):
    judged = {"question": "?", "answer_seq": 2, "right": False, "feedback": "person"}
    for number in range(2):
        session = await service.create_session(**S1)
        await service.append_event(session, change(f"text {number}", judgement={**judged, "right": bool(number)}))
        if not number:
            await service.delete_session(**S1)
            if how == "cleaned up":
                await service.collection.purge(user_id=S1["user_id"])
    with store_of(service) as store:
        newest, oldest = store.history()
        assert (newest.session_id, newest.seq) == ("s1", oldest.seq)
        assert oldest.session_id.startswith("s1\n")
        assert [(answer.right, answer.session_id == "s1") for answer in store.answers()] == [(False, False), (True, True)]


async def test_a_session_that_another_user_has_too_keeps_its_deltas(service):
    for user in ("ann", "ben"):
        await service.create_session(app_name="app", user_id=user, session_id="s1")
    session = await service.get_session(app_name="app", user_id="ann", session_id="s1")
    await service.append_event(session, change("a"))
    await service.delete_session(app_name="app", user_id="ben", session_id="s1")
    await service.collection.purge(user_id="ben")
    with store_of(service) as store:
        assert [one.session_id for one in store.history()] == ["s1"]
