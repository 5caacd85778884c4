"""What every session service keeps: run over memory and SQLite alike."""

from __future__ import annotations

import asyncio
import copy
from datetime import UTC, datetime

import pytest
from google.genai import types

from agents.errors import RunEndedError, RunInProgressError, SessionExistsError, SessionNotFoundError, StateValueError
from agents.event import Event, EventActions
from agents.log import TraceRecord, text_hash
from agents.session import GetSessionConfig
from agents.storage.sessions.columns import MOST_MODELS
from tests.agents.storage.conftest import NAMES, S1, delta, said

pytestmark = pytest.mark.anyio


# Creating, reading, listing


async def test_a_created_session_has_what_it_was_given(service):
    session = await service.create_session(**S1, state={"a": 1, "user:b": [2], "app:c": {"d": None}})
    assert (session.id, session.app_name, session.user_id) == ("s1", "app", "user")
    assert session.state == {"a": 1, "user:b": [2], "app:c": {"d": None}}
    assert session.events == []
    assert session == await service.get_session(**S1)


async def test_the_log_begins_with_the_session_scope_of_the_first_state(service):
    session = await service.create_session(**S1, state={"a": [1], "user:b": 2, "app:c": 3, "temp:d": 4})
    [entry] = await service.read_log(**S1)
    assert (entry.seq, entry.kind) == (session.last_seq, "session_created")
    assert entry.fields()["state"] == {"a": [1]}
    assert entry.fields()["agent"] == entry.fields()["invocation_id"] == ""


async def test_an_id_is_made_up_when_none_is_given(service):
    first, second = [await service.create_session(**NAMES) for _ in range(2)]
    assert first.id != second.id
    assert await service.get_session(**NAMES, session_id=first.id) == first


@pytest.mark.parametrize("session_id", ["", "  ", "a\nb", "x" * 256, "\ud800"])
async def test_an_id_that_nobody_can_type_is_refused(service, session_id):
    with pytest.raises(ValueError, match="cannot be a session id"):
        await service.create_session(**NAMES, session_id=session_id)


async def test_a_taken_id_is_refused_and_the_session_kept(service):
    await service.create_session(**S1, state={"a": 1})
    with pytest.raises(SessionExistsError, match="'s1'"):
        await service.create_session(**S1, state={"a": 2, "app:b": 2})
    assert (await service.get_session(**S1)).state == {"a": 1}


async def test_the_same_id_may_be_used_by_another_user_and_another_app(service):
    await service.create_session(app_name="app", user_id="one", session_id="s", state={"k": 1})
    await service.create_session(app_name="app", user_id="two", session_id="s", state={"k": 2})
    await service.create_session(app_name="other", user_id="one", session_id="s", state={"k": 3})
    assert (await service.get_session(app_name="app", user_id="two", session_id="s")).state == {"k": 2}
    assert (await service.get_session(app_name="other", user_id="one", session_id="s")).state == {"k": 3}


async def test_a_start_value_that_json_cannot_hold_creates_nothing(service):
    with pytest.raises(StateValueError, match="'a' cannot hold"):
        await service.create_session(**S1, state={"user:ok": 1, "a": object()})
    assert await service.get_session(**S1) is None


async def test_a_missing_session_is_none_on_reading_and_an_error_on_writing(service):
    session = await service.create_session(**S1)
    await service.delete_session(**S1)
    assert await service.get_session(**S1) is None
    for attempt in (
        service.append_event(session, said("hello")),
        service.read_log(**S1),
        service.rename_session(**S1, title="x"),
    ):
        with pytest.raises(SessionNotFoundError, match="no session 's1' of 'app'"):
            await attempt
    with pytest.raises(SessionNotFoundError):
        async with service.claim(session, "i1"):
            pass


async def test_sessions_are_listed_in_the_order_of_creation_without_events(service):
    for user, session_id in (("one", "a"), ("two", "b"), ("one", "c")):
        session = await service.create_session(app_name="app", user_id=user, session_id=session_id, state={"k": session_id})
        await service.append_event(session, delta(user__u=session_id))
    await service.create_session(app_name="other", user_id="one", session_id="d")
    everybody = (await service.list_sessions(app_name="app")).sessions
    assert [(s.id, s.events) for s in everybody] == [("a", []), ("b", []), ("c", [])]
    assert everybody[0].state == {"k": "a", "user:u": "c"}
    assert [s.id for s in (await service.list_sessions(app_name="app", user_id="one")).sessions] == ["a", "c"]
    assert (await service.list_sessions(app_name="none")).sessions == []


async def test_the_order_of_creation_outlasts_events_deletion_and_return(service):
    async def listed():
        return [session.id for session in (await service.list_sessions(app_name="app")).sessions]

    names = [{"app_name": "app", "user_id": "u", "session_id": session_id} for session_id in "cab"]
    sessions = [await service.create_session(**name) for name in names]
    await service.append_event(sessions[0], said("hello"))
    await service.delete_session(**names[1])
    assert await listed() == ["c", "b"]
    await service.restore_session(**names[1])
    assert await listed() == ["c", "a", "b"]
    await service.delete_session(**names[0])
    await service.create_session(**names[0])
    assert await listed() == ["a", "b", "c"]


async def test_recent_events_are_the_newest_in_order(service):
    session = await service.create_session(**S1)
    for n in range(10):
        await service.append(session, [said(str(n), timestamp=100.0 + n), TraceRecord("noted")])

    async def texts(**config):
        read = await service.get_session(**S1, config=GetSessionConfig(**config))
        return [event.text for event in read.events]

    assert await texts(num_recent_events=3) == ["7", "8", "9"]
    assert await texts(num_recent_events=99) == [str(n) for n in range(10)]
    assert await texts(num_recent_events=0) == []
    assert await texts(after_timestamp=107.0) == ["7", "8", "9"]
    assert await texts(after_timestamp=200.0) == []
    assert await texts(after_timestamp=105.0, num_recent_events=2) == ["8", "9"]


async def test_events_are_ordered_by_seq_not_by_time(service):
    session = await service.create_session(**S1)
    for time in (30.0, 10.0, 20.0):
        await service.append_event(session, said(str(time), timestamp=time))
    read = await service.get_session(**S1)
    assert [event.timestamp for event in read.events] == [30.0, 10.0, 20.0]
    assert [event.seq for event in read.events] == sorted(event.seq for event in read.events)
    assert read.last_update_time == session.last_update_time == 20.0


# Appending


async def test_an_appended_event_is_stored_and_in_the_session(service):
    session = await service.create_session(**S1)
    event = said("hello", author="user")
    assert await service.append_event(session, event) is event
    assert session.events == [event]
    assert session.events[0] is event
    assert event.seq == session.last_seq
    read = await service.get_session(**S1)
    assert read == session
    assert read.events[0].seq == event.seq


async def test_events_and_records_share_one_order(service):
    session = await service.create_session(**S1)
    entries = [TraceRecord("agent_started", "i1", "writer", "a.b", {"type": "LlmAgent"}), said("x"), TraceRecord("odd")]
    seqs = await service.append(session, entries)
    assert seqs == sorted(set(seqs))
    log = await service.read_log(**S1)
    assert [(entry.seq, entry.kind) for entry in log[1:]] == list(zip(seqs, ["agent_started", "event", "odd"], strict=True))
    assert log[1].fields() == {
        "invocation_id": "i1", "agent": "writer", "branch": "a.b", "timestamp": entries[0].timestamp, "type": "LlmAgent",
    }  # fmt: skip
    assert log[2].event() == entries[1]
    assert session.last_seq == seqs[-1]


async def test_each_session_numbers_its_entries_from_1(service):
    one = await service.create_session(**NAMES, session_id="one")
    two = await service.create_session(**NAMES, session_id="two")
    seqs = [await service.append(session, [said("x"), TraceRecord("noted")]) for session in (one, two, two, one)]
    assert seqs == [[2, 3], [2, 3], [4, 5], [4, 5]]
    assert [entry.seq for entry in await service.read_log(**NAMES, session_id="one")] == [1, 2, 3, 4, 5]
    assert [event.seq for event in two.events] == [2, 4]


async def test_a_page_of_the_log(service):
    session = await service.create_session(**S1)
    seqs = await service.append(session, [said(str(n)) for n in range(10)])
    assert [e.seq for e in await service.read_log(**S1, after=seqs[3])] == seqs[4:]
    assert [e.seq for e in await service.read_log(**S1, after=seqs[3], limit=2)] == seqs[4:6]
    assert await service.read_log(**S1, after=seqs[-1]) == []
    assert await service.read_log(**S1, limit=0) == []
    assert [e.seq for e in await service.read_log(**S1, limit=3, newest=True)] == seqs[-3:]
    assert [e.seq for e in await service.read_log(**S1, after=seqs[7], limit=3, newest=True)] == seqs[8:]
    assert await service.read_log(**S1, newest=True) == await service.read_log(**S1)
    assert await service.read_log(**S1, limit=0, newest=True) == []


async def test_the_entries_of_one_kind(service):
    session = await service.create_session(**S1)
    other = await service.create_session(**NAMES, session_id="other")
    await service.append(other, [TraceRecord("forked", data={"origin": "s0"})])
    seqs = await service.append(session, [said("a"), TraceRecord("forked"), said("b"), TraceRecord("forked")])
    assert [e.seq for e in await service.read_log(**S1, kind="forked")] == [seqs[1], seqs[3]]
    assert [e.seq for e in await service.read_log(**S1, kind="forked", after=seqs[1])] == [seqs[3]]
    assert [e.seq for e in await service.read_log(**S1, kind="event", limit=1)] == [seqs[0]]
    assert [e.seq for e in await service.read_log(**S1, kind="event", limit=1, newest=True)] == [seqs[2]]
    assert await service.read_log(**S1, kind="nothing") == []


async def test_an_event_keeps_its_number_in_the_session(service):
    one = await service.create_session(**S1)
    two = await service.create_session(**NAMES, session_id="two")
    note = TraceRecord("noted")
    seqs = []
    for session, entry in [(one, said("1")), (two, note), (one, note), (one, said("2")), (two, said("1 there"))]:
        seqs += await service.append(session, [entry])
    assert seqs == [2, 2, 3, 4, 3]
    for _ in range(2):
        assert [await service.count_events(**S1, until=seq) for seq in (2, 3, 4)] == [1, 1, 2]
        await service.append(one, [said("more")])
    assert [await service.count_events(**NAMES, session_id="two", until=seq) for seq in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert await service.count_events(**S1, until=0) == 0
    with pytest.raises(SessionNotFoundError):
        await service.count_events(**NAMES, session_id="none", until=1)


async def test_partial_events_are_not_stored(service):
    session = await service.create_session(**S1)
    before = await service.get_session(**S1)
    piece = said("hel", partial=True)
    assert await service.append_event(session, piece) is piece
    assert session == before
    assert piece.seq is None
    whole = said("hello")
    seqs = await service.append(session, [piece, whole])
    assert seqs == [0, whole.seq]
    assert (await service.get_session(**S1)).events == [whole]


async def test_a_value_that_json_cannot_hold_stores_nothing(service):
    session = await service.create_session(**S1, state={"a": 1})
    before = session.model_copy(deep=True)
    with pytest.raises(StateValueError, match="'b' cannot hold"):
        await service.append(session, [delta(a=2), delta(b={1, 2})])
    assert session == before
    assert await service.get_session(**S1) == before


async def test_texts_are_stored_once_by_hash(service):
    session = await service.create_session(**S1)
    texts = {text_hash(text): text for text in ("one", "two", "drei ü 🍌")}
    await service.append(session, [TraceRecord("model_started")], texts=texts)
    await service.append(session, [TraceRecord("model_started")], texts={text_hash("one"): "one"})
    assert await service.read_texts([*texts, "unknown"]) == texts
    assert await service.read_texts([]) == {}


async def test_the_first_words_of_the_person_become_the_title(service):
    session = await service.create_session(**S1)

    async def title():
        [row] = await service.summaries()
        return row.title

    assert await title() == ""
    await service.append_event(session, said("not the person"))
    assert await title() == ""
    await service.append_event(session, said("\n  A cat\tabout   town \nand more", author="user"))
    assert await title() == "A cat about town"
    await service.append_event(session, said("second", author="user"))
    assert await title() == "A cat about town"
    await service.rename_session(**S1, title=" My cat ")
    await service.append_event(session, said("third", author="user"))
    assert await title() == "My cat"


async def test_what_an_agent_asks_of_one_that_it_calls_as_a_tool_is_no_title(service):
    session = await service.create_session(**S1)
    await service.append_event(session, said("find papers", author="user", branch="p.a.searcher:1a2b3c"))
    await service.append_event(session, said("find papers", author="user", branch="searcher:1a2b3c.p.a"))
    assert (await service.summaries())[0].title == ""
    await service.append_event(session, said("write a report", author="user", branch="p.a"))
    assert (await service.summaries())[0].title == "write a report"


async def test_a_title_is_at_most_80_characters(service):
    session = await service.create_session(**S1)
    await service.append_event(session, said("ü" * 100_000, author="user"))
    [row] = await service.summaries()
    assert row.title == "ü" * 79 + "…"


# State


async def test_state_has_scopes(service):
    one = await service.create_session(**NAMES, session_id="one")
    await service.append_event(one, delta(a=1, user__b=2, app__c=3))
    same_user = await service.create_session(**NAMES, session_id="two")
    assert same_user.state == {"user:b": 2, "app:c": 3}
    other_user = await service.create_session(app_name="app", user_id="other")
    assert other_user.state == {"app:c": 3}
    assert (await service.create_session(app_name="other", user_id="user")).state == {}
    assert one.state == {"a": 1, "user:b": 2, "app:c": 3}


async def test_a_visitor_writes_app_state_of_one_session_alone(service):
    owners = await service.create_session(**S1)
    await service.append_event(owners, delta(app__a=1, app__b=1))
    theirs = await service.create_session(app_name="app", user_id="visitor-ann", session_id="v", state={"app:b": 2})
    await service.append_event(theirs, delta(app__c=3, user__d=4))
    found = await service.get_session(app_name="app", user_id="visitor-ann", session_id="v")
    assert found.state == theirs.state == {"app:a": 1, "app:b": 2, "app:c": 3, "user:d": 4}
    next_one = await service.create_session(app_name="app", user_id="visitor-ann")
    assert next_one.state == {"app:a": 1, "app:b": 1, "user:d": 4}
    assert (await service.get_session(**S1)).state == {"app:a": 1, "app:b": 1}
    await service.append_event(owners, delta(app__a=5, app__c=5))
    found = await service.get_session(app_name="app", user_id="visitor-ann", session_id="v")
    assert found.state == {"app:a": 5, "app:b": 2, "app:c": 3, "user:d": 4}


async def test_temporary_state_is_live_but_not_stored(service):
    session = await service.create_session(**S1)
    event = delta(a=1, temp__b=2)
    await service.append_event(session, event)
    assert session.state == {"a": 1, "temp:b": 2}
    assert event.actions.state_delta == {"a": 1}
    read = await service.get_session(**S1)
    assert read.state == {"a": 1}
    assert read.events[0].actions.state_delta == {"a": 1}
    assert "temp:" not in (await service.read_log(**S1))[-1].body


async def test_none_is_a_value(service):
    session = await service.create_session(**S1, state={"a": 1})
    await service.append_event(session, delta(a=None, b=None, user__c=None))
    assert session.state == {"a": None, "b": None, "user:c": None}
    read = await service.get_session(**S1)
    assert read.state == {"a": None, "b": None, "user:c": None}
    assert read.events[0].actions.state_delta == {"a": None, "b": None, "user:c": None}


async def test_shared_state_survives_the_session(service):
    session = await service.create_session(**S1)
    await service.append_event(session, delta(a=1, user__b=2, app__c=3))
    await service.delete_session(**S1)
    assert (await service.create_session(**NAMES)).state == {"user:b": 2, "app:c": 3}


async def test_edits_in_place_do_not_reach_what_is_stored(service):
    given = {"list": [1], "app:nested": {"list": [1]}}
    session = await service.create_session(**S1, state=given)
    given["list"].append("leak")
    value = {"deep": [1]}
    event = delta(value=value)
    await service.append_event(session, event)
    value["deep"].append("leak")
    session.state["list"].append("leak")
    session.state["app:nested"]["list"].append("leak")
    read = await service.get_session(**S1)
    assert read.state == {"list": [1], "app:nested": {"list": [1]}, "value": {"deep": [1]}}
    assert read.events[0].actions.state_delta == {"value": {"deep": [1]}}
    read.state["value"]["deep"].append("leak")
    read.events.clear()
    again = await service.get_session(**S1)
    assert again.state["value"] == {"deep": [1]}
    assert len(again.events) == 1
    assert (await service.read_log(**S1))[0].fields()["state"] == {"list": [1]}
    event.actions.state_delta["value"]["deep"].append("leak")
    assert (await service.get_session(**S1)).state["value"] == {"deep": [1]}


async def test_the_object_that_an_agent_works_on_stays_in_live_state(service):
    session = await service.create_session(**S1)
    notes = session.state["notes"] = ["first"]
    await service.append_event(session, Event(author="a", actions=EventActions(state_delta={"notes": notes})))
    assert session.state["notes"] is notes


async def test_tuples_become_lists_everywhere(service):
    session = await service.create_session(**S1, state={"a": (1, (2,))})
    await service.append_event(session, delta(b={"c": (3,)}))
    assert session.state == {"a": [1, [2]], "b": {"c": [3]}}
    assert await service.get_session(**S1) == session


async def test_times_are_stored_as_text_and_stay_what_they_are_for_the_one_who_wrote_them(service):
    began = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    session = await service.create_session(**S1, state={"first": began})
    await service.append_event(session, delta(began=began, days=[began.date()]))
    assert session.state == {"first": "2026-01-02T03:04:05Z", "began": began, "days": ["2026-01-02"]}
    read = await service.get_session(**S1)
    assert read.state == {"first": "2026-01-02T03:04:05Z", "began": "2026-01-02T03:04:05Z", "days": ["2026-01-02"]}
    assert read.events[0].actions.state_delta == {"began": "2026-01-02T03:04:05Z", "days": ["2026-01-02"]}


# Several readers and writers


async def test_a_stale_session_catches_up(service):
    mine = await service.create_session(**S1, state={"a": 0})
    theirs = await service.get_session(**S1)
    await service.append(theirs, [said("1"), delta(a=1, user__b=[1], app__c=1), TraceRecord("noted")])
    await service.append_event(theirs, delta(a=2))
    await service.append_event(mine, delta(d=3))
    assert mine.state == {"a": 2, "user:b": [1], "app:c": 1, "d": 3}
    assert mine == await service.get_session(**S1)
    assert [event.seq for event in mine.events] == [e.seq for e in (await service.get_session(**S1)).events]
    await service.append_event(theirs, said("2"))
    assert theirs == mine.model_copy(update={"events": [*mine.events, theirs.events[-1]],
                                             "last_update_time": theirs.last_update_time})  # fmt: skip


async def test_catching_up_takes_my_own_change_last(service):
    mine = await service.create_session(**S1)
    theirs = await service.get_session(**S1)
    await service.append_event(theirs, delta(a="theirs"))
    await service.append_event(mine, delta(a="mine"))
    assert mine.state["a"] == (await service.get_session(**S1)).state["a"] == "mine"


async def test_a_session_read_in_part_catches_up_from_where_it_was(service):
    writer = await service.create_session(**S1)
    for n in range(5):
        await service.append_event(writer, said(str(n)))
    part = await service.get_session(**S1, config=GetSessionConfig(num_recent_events=2))
    await service.append_event(writer, said("5"))
    await service.append_event(part, said("6"))
    assert [event.text for event in part.events] == ["3", "4", "5", "6"]


async def test_many_tasks_append_to_one_session_object(service):
    session = await service.create_session(**S1)
    events = [delta(**{f"k{n}": n, "last": n}) for n in range(100)]
    await asyncio.gather(*(service.append_event(session, event) for event in events))
    assert len({event.seq for event in events}) == 100
    assert [event.seq for event in session.events] == sorted(event.seq for event in events)
    assert {id(event) for event in session.events} == {id(event) for event in events}
    assert session.state == {**{f"k{n}": n for n in range(100)}, "last": session.events[-1].actions.state_delta["last"]}
    assert await service.get_session(**S1) == session


async def test_many_tasks_append_to_many_objects_of_one_session(service):
    await service.create_session(**S1)

    async def work(n):
        session = await service.get_session(**S1)
        for step in range(5):
            await service.append_event(session, delta(**{f"k{n}": step}))
        return session

    sessions = await asyncio.gather(*(work(n) for n in range(10)))
    read = await service.get_session(**S1)
    assert len(read.events) == 50
    assert read.state == {f"k{n}": 4 for n in range(10)}
    for session in sessions:
        seqs = [event.seq for event in session.events]
        assert seqs == [event.seq for event in read.events][: len(seqs)]


# Deleting and restoring


async def test_a_deleted_session_comes_back_whole(service):
    session = await service.create_session(**S1, state={"a": 1})
    await service.append_event(session, said("hello", author="user"))
    await service.delete_session(**S1)
    assert await service.summaries() == []
    assert (await service.list_sessions(app_name="app")).sessions == []
    assert await service.restore_session(**S1) is True
    assert await service.get_session(**S1) == session
    assert await service.restore_session(**S1) is False


async def test_deleting_what_is_not_there_is_no_error(service):
    await service.delete_session(**S1)
    assert await service.restore_session(**S1) is False


async def test_the_id_of_a_deleted_session_can_be_used_again(service):
    old = await service.create_session(**S1, state={"a": 1})
    await service.append_event(old, said("old"))
    await service.delete_session(**S1)
    new = await service.create_session(**S1, state={"b": 2})
    assert new.state == {"b": 2}
    assert (old.last_seq, new.last_seq) == (2, 1)
    assert await service.restore_session(**S1) is False
    assert await service.get_session(**S1) == new
    assert len(await service.read_log(**S1)) == 1


# Summaries and runs


async def test_summaries_fold_the_log(service):
    session = await service.create_session(**S1)

    async def row():
        [found] = await service.summaries(app_name="app", user_id="user")
        return found

    assert ((await row()).status, (await row()).events) == ("idle", 0)
    await service.append(session, [said("hi", author="user"), TraceRecord("run_started", "i1")])
    assert ((await row()).status, (await row()).events) == ("running", 1)
    await service.append(session, [TraceRecord("agent_started", "i1"), said("done")])
    assert ((await row()).status, (await row()).events) == ("running", 2)
    for status in ("completed", "stopped", "failed"):
        await service.append(session, [TraceRecord("run_started"), TraceRecord("run_finished", data={"status": status})])
        assert (await row()).status == status
    assert (await row()).updated_at == session.last_update_time
    assert (await row()).created_at <= session.last_update_time


async def test_summaries_tell_of_the_last_run(service):
    session = await service.create_session(**S1)

    async def told():
        [row] = await service.summaries()
        return row.model, row.simulated

    assert await told() == ("", False)
    await service.append(session, [TraceRecord("run_started", data={"model": "simulated", "simulated": True})])
    assert await told() == ("simulated", True)
    await service.append(session, [TraceRecord("run_finished", data={"status": "completed", "model": "other"})])
    assert await told() == ("simulated", True)
    await service.append(session, [TraceRecord("run_started", data={"model": "gemini-x", "simulated": False}), said("done")])
    assert await told() == ("gemini-x", False)
    await service.append(session, [TraceRecord("run_started", data={"model": None})])
    assert await told() == ("", False)


async def test_summaries_are_last_changed_first_and_filtered(service):
    one = await service.create_session(**NAMES, session_id="one")
    await service.create_session(app_name="app", user_id="else", session_id="two")
    await service.create_session(app_name="other", user_id="user", session_id="three")
    await service.append_event(one, said("x"))
    assert [row.id for row in await service.summaries()] == ["one", "three", "two"]
    assert [row.id for row in await service.summaries(app_name="app")] == ["one", "two"]
    assert [row.id for row in await service.summaries(user_id="user")] == ["one", "three"]
    assert await service.summaries(app_name="none") == []


async def test_one_run_at_a_time(service):
    session = await service.create_session(**S1)
    same = await service.get_session(**S1)
    async with service.claim(session, "i1"):
        with pytest.raises(RunInProgressError, match=r"'s1' of 'app' is running already \(invocation i1, in this process\)"):
            async with service.claim(same, "i2"):
                pytest.fail("two runs at once")
    async with service.claim(same, "i3"):
        pass


async def test_another_session_can_run_meanwhile(service):
    one, two = [await service.create_session(**NAMES) for _ in range(2)]
    async with service.claim(one, "i1"), service.claim(two, "i2"):
        pass


async def test_a_claim_ends_with_an_error_too(service):
    session = await service.create_session(**S1)
    with pytest.raises(ZeroDivisionError):
        async with service.claim(session, "i1"):
            raise ZeroDivisionError
    async with service.claim(session, "i2"):
        pass


async def test_a_claim_ends_with_a_cancelled_task(service):
    session = await service.create_session(**S1)
    held = asyncio.Event()

    async def hold():
        async with service.claim(session, "i1"):
            held.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await held.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with service.claim(session, "i2"):
        pass


async def test_only_one_of_many_tasks_gets_the_claim(service):
    session = await service.create_session(**S1)
    release = asyncio.Event()

    async def attempt(n):
        try:
            async with service.claim(session, f"i{n}"):
                await release.wait()
        except RunInProgressError:
            return "refused"
        return "ran"

    tasks = [asyncio.create_task(attempt(n)) for n in range(10)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    while sum(task.done() for task in tasks) < 9:
        await asyncio.sleep(0)
    release.set()
    assert sorted(await asyncio.gather(*tasks)) == ["ran", *["refused"] * 9]


async def test_a_revoked_claim_ends_the_run_in_the_log_and_refuses_what_it_stores_later(service):
    session = await service.create_session(**S1, state={"key": 1})
    other = await service.get_session(**S1)
    holding = service.claim(session, "i1")
    await holding.__aenter__()
    await service.append(session, [TraceRecord("run_started", "i1", "root"), delta(key=2)])
    assert await service.revoke(**S1)
    last = (await service.read_log(**S1))[-1]
    assert (last.kind, last.fields()["status"], last.fields()["invocation_id"]) == ("run_finished", "stopped", "i1")
    copied = copy.copy(session), copy.deepcopy(session), session.model_copy()
    for late in (session, *copied):
        with pytest.raises(RunEndedError, match="stopped while an agent did not respond"):
            await service.append_event(late, delta(key=3, app__key=3))
        with pytest.raises(RunEndedError):
            service.check_claim(late)
    assert (await service.read_log(**S1))[-1] == last
    async with service.claim(other, "i2"):  # at once
        await service.append(other, [TraceRecord("run_started", "i2")])
        await holding.__aexit__(None, None, None)  # the run ends at last: it takes nothing from the other one
        with pytest.raises(RunInProgressError, match="invocation i2"):
            async with service.claim(await service.get_session(**S1), "i3"):
                pytest.fail("two runs at once")
        await service.append(other, [TraceRecord("run_finished", "i2", data={"status": "completed"})])
    assert (await service.get_session(**S1)).state == {"key": 2}
    assert await service.recover() == 0


async def test_a_claim_is_revoked_once_and_only_while_it_is_held(service):
    session = await service.create_session(**S1)
    assert not await service.revoke(**S1)
    async with service.claim(session, "i1"):
        await service.append(session, [TraceRecord("run_started"), TraceRecord("run_finished")])
        assert await service.revoke(**S1)
        assert not await service.revoke(**S1)
    assert [entry.kind for entry in await service.read_log(**S1)][-1] == "run_finished"
    assert len(await service.read_log(**S1, kind="run_finished")) == 1


async def test_the_claim_of_one_run_is_revoked_and_the_log_says_how_it_ended(service):
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        await service.append(session, [TraceRecord("run_started", "i1", "root")])
        ending = {"status": "failed", "error_code": "CODE", "error_message": "It took too long."}
        assert not await service.revoke(**S1, ending=ending, invocation_id="i2")
        assert await service.revoke(**S1, ending=ending, invocation_id="i1")
    last = (await service.read_log(**S1))[-1].fields()
    assert (last["invocation_id"], {name: last[name] for name in ending}) == ("i1", ending)


async def test_a_session_object_is_free_again_after_its_claim(service):
    session = await service.create_session(**S1)
    async with service.claim(session, "i1"):
        service.check_claim(session)
    service.check_claim(session)
    assert (await service.append_event(session, said("after"))).seq == session.last_seq


async def test_recovery_leaves_running_and_finished_runs_alone(service):
    finished, running = [await service.create_session(**NAMES, session_id=name) for name in ("finished", "running")]
    await service.append(finished, [TraceRecord("run_started"), TraceRecord("run_finished", data={"status": "completed"})])
    async with service.claim(running, "i1"):
        await service.append(running, [TraceRecord("run_started", "i1")])
        assert await service.recover() == 0
        await service.append(running, [TraceRecord("run_finished", "i1", data={"status": "completed"})])
    assert {row.status for row in await service.summaries()} == {"completed"}


@pytest.mark.parametrize("how", ["recover", "claim"])
async def test_a_run_that_nobody_runs_is_marked_interrupted(service, how):
    session = await service.create_session(**S1)
    usage = {"input": 5, "output": 7, "thoughts": None}
    await service.append(session, [
        TraceRecord("run_started", "i0"), TraceRecord("run_finished", "i0"),
        TraceRecord("run_started", "i1", "root", timestamp=100.0),
        TraceRecord("model_started", "i1"), TraceRecord("model_finished", "i1", data={"usage": usage}),
        TraceRecord("model_started", "i1"), said("so far", timestamp=103.0),
    ])  # fmt: skip
    if how == "recover":
        assert await service.recover() == 1
        assert await service.recover() == 0
    else:
        async with service.claim(session, "i2"):
            pass
    last = (await service.read_log(**S1))[-1]
    assert last.kind == "run_finished"
    fields = last.fields()
    assert fields.pop("timestamp") > 103.0
    assert "Run it again" in fields.pop("error_message")
    assert fields == {
        "invocation_id": "i1", "agent": "root", "status": "interrupted", "error_code": "INTERRUPTED",
        "calls": 2, "tokens": {"input": 5, "output": 7}, "duration": 3.0,
    }  # fmt: skip
    assert (await service.summaries())[0].status == "interrupted"
    await service.append_event(session, said("again"))
    assert session.last_seq == last.seq + 1


async def test_a_paused_run_waits_and_one_that_goes_on_runs(service):
    session = await service.create_session(**S1)
    await service.append(session, [TraceRecord("run_started"), TraceRecord("run_finished", data={"status": "paused"})])
    assert await service.recover() == 0
    assert (await service.summaries())[0].status == "paused"
    await service.append(session, [TraceRecord("run_started", data={"resumed": True})])
    assert (await service.summaries())[0].status == "running"


@pytest.mark.parametrize("how", ["recover", "claim"])
@pytest.mark.parametrize(("paused_as", "counted"), [("i1", (4, 35, 17, 12.5)), ("other", (1, 5, 7, 3.0))])
async def test_what_a_run_used_before_its_pause_counts_when_it_is_interrupted_later(service, how, paused_as, counted):
    session = await service.create_session(**S1)
    used = {"status": "paused", "calls": 3, "tokens": {"input": 30, "output": 10}, "duration": 9.5}
    await service.append(session, [
        TraceRecord("run_started", "i0"), TraceRecord("run_finished", "i0", data={**used, "calls": 100}),
        TraceRecord("run_started", paused_as), TraceRecord("model_started", paused_as),
        TraceRecord("run_finished", paused_as, data=used), said("approved", author="user"),
        TraceRecord("run_started", "i1", "root", data={"resumed": True}, timestamp=100.0),
        TraceRecord("model_started", "i1"),
        TraceRecord("model_finished", "i1", data={"usage": {"input": 5, "output": 7}}, timestamp=103.0),
    ])  # fmt: skip
    if how == "recover":
        assert await service.recover() == 1
    else:
        async with service.claim(session, "i2"):
            pass
    last = (await service.read_log(**S1))[-1].fields()
    calls, sent, received, duration = counted
    assert (last["status"], last["calls"], last["duration"]) == ("interrupted", calls, duration)
    assert last["tokens"] == {"input": sent, "output": received}


# Notification


async def test_listeners_hear_of_every_change_once_it_can_be_read(service):
    heard = []
    service.add_listener(lambda *change: heard.append(change))
    session = await service.create_session(**S1)
    assert heard == [("app", "user", "s1", session.last_seq)]
    await service.append(session, [said("a"), said("b")])
    assert heard[1:] == [("app", "user", "s1", session.last_seq)]
    await service.append_event(session, said("c", partial=True))
    assert len(heard) == 2
    await service.rename_session(**S1, title="t")
    await service.delete_session(**S1)
    await service.delete_session(**S1)
    await service.restore_session(**S1)
    assert heard[2:] == [("app", "user", "s1", session.last_seq)] * 3
    await service.append(session, [TraceRecord("run_started")])
    await service.recover()
    assert heard[5:] == [("app", "user", "s1", session.last_seq), ("app", "user", "s1", session.last_seq + 1)]


async def test_a_listener_that_fails_harms_nobody(service, caplog):
    heard = []

    def broken(*change):
        raise ZeroDivisionError

    service.add_listener(broken)
    service.add_listener(lambda *change: heard.append(change))
    session = await service.create_session(**S1)
    await service.append_event(session, said("x"))
    assert len(heard) == 2
    assert "A listener failed on session 's1'" in caplog.text
    service.remove_listener(broken)
    service.remove_listener(broken)
    caplog.clear()
    await service.append_event(session, said("y"))
    assert (len(heard), caplog.text) == (3, "")


# What events may hold


async def test_everything_an_event_can_hold_survives(service):
    png = bytes(range(256)) * 400
    blob = types.Blob(mime_type="image/png", data=png)
    event = Event(
        author="painter", invocation_id="i1", branch="a.b", timestamp=1.5, stop_reason="tool_use", model_version="m",
        long_running_tool_ids={"c1"}, custom_metadata={"n": None, "x": [1, {"y": "ü"}]}, error_code="E", error_message="e",
        finish_reason=types.FinishReason.STOP, turn_complete=True,
        content=types.Content(role="model", parts=[
            types.Part(text="thinking", thought=True, thought_signature=b"\x00\xff\xfb"),
            types.Part(inline_data=blob),
            types.Part(function_call=types.FunctionCall(id="c1", name="f", args={"a": None, "b": [1.5, True]})),
            types.Part(function_response=types.FunctionResponse(
                id="c1", name="f", response={"result": None},
                parts=[types.FunctionResponsePart(inline_data=types.FunctionResponseBlob(mime_type="image/png", data=png))],
            )),
        ]),
        usage_metadata=types.GenerateContentResponseUsageMetadata(prompt_token_count=3, candidates_token_count=0),
        grounding_metadata=types.GroundingMetadata(
            web_search_queries=["bananas"],
            grounding_chunks=[types.GroundingChunk(web=types.GroundingChunkWeb(uri="http://localhost/", title="t"))],
            grounding_supports=[types.GroundingSupport(segment=types.Segment(start_index=0, end_index=4, text="text"))],
        ),
        actions=EventActions(
            state_delta={"k": {"deep": [None, "𝄞", 10**30, -0.0, 1e300]}}, escalate=True, skip_summarization=False,
            transfer_to_agent="other", artifact_delta={"a.png": 2},
        ),
    )  # fmt: skip
    session = await service.create_session(**S1)
    before = event.model_copy(deep=True)
    await service.append_event(session, event)
    read = await service.get_session(**S1)
    assert read.events == [before]
    assert read == session
    assert read.events[0].parts[1].inline_data.data == png
    assert (await service.read_log(**S1))[-1].event() == before


async def test_long_and_odd_texts_survive(service):
    session = await service.create_session(**S1)
    texts = ["ü" * 100_000, "𝄞🍌\u2028\u0000\x7f", "'; DROP TABLE log; --", '"}],', ""]
    await service.append(session, [said(text, author="user") for text in texts])
    await service.append_event(session, delta(**{text[:20] or "empty": text for text in texts}))
    read = await service.get_session(**S1)
    assert [event.text for event in read.events] == [*texts, ""]
    assert read == session


async def test_half_a_character_does_not_lose_the_event(service):
    session = await service.create_session(**S1)
    await service.append(
        session,
        [said("cut \ud83c", author="user"), TraceRecord("odd", data={"text": "cut \ud83c"})],
        texts={"h": "cut \ud83c"},
    )
    log = await service.read_log(**S1)
    assert log[1].event().text == log[2].fields()["text"] == "cut \ufffd"
    assert (await service.summaries())[0].title == "cut \ufffd"
    assert await service.read_texts(["h"]) == {"h": "cut \ufffd"}


async def test_a_tool_result_that_json_cannot_hold_does_not_lose_the_event(service):
    class Odd:
        def __repr__(self):
            return "Odd()"

    response = types.FunctionResponse(name="f", response={"result": Odd(), "n": float("nan")})
    session = await service.create_session(**S1)
    await service.append_event(
        session, Event(author="a", content=types.Content(parts=[types.Part(function_response=response)]))
    )
    stored = (await service.read_log(**S1))[-1]
    assert "NaN" not in stored.body
    assert stored.event().get_function_responses()[0].response["result"] == "Odd()"


# Forks


async def forked(service, *, entries, state, session_id="f"):
    origin = await service.get_session(**S1)
    record = TraceRecord("forked", data={"origin": "s1", "seq": entries[-1].seq})
    return await service.fork_session(origin, entries=entries, records=[record], state=state, session_id=session_id)


async def test_a_fork_has_the_same_entries_under_numbers_of_its_own(service):
    session = await service.create_session(**S1, state={"a": 1})
    await service.append(
        session, [said("one", author="user"), TraceRecord("loop_iteration", data={"iteration": 1}), said("two")]
    )
    log = await service.read_log(**S1)
    fork = await forked(service, entries=log[:3], state={"a": 1})
    copied = await service.read_log(**NAMES, session_id="f")
    assert [(entry.kind, entry.fields()) for entry in copied[:-1]] == [(entry.kind, entry.fields()) for entry in log[:3]]
    assert [entry.seq for entry in copied] == [1, 2, 3, 4]
    assert (fork.id, fork.events, fork.last_seq) == ("f", [], copied[-1].seq)
    whole = await service.get_session(**NAMES, session_id="f")
    assert [(event.text, event.seq) for event in whole.events] == [("one", copied[1].seq)]
    assert await service.read_log(**S1) == log


async def test_a_request_in_a_fork_refers_to_the_copy_of_what_was_sent(service):
    session = await service.create_session(**S1)
    [until] = await service.append(session, [said("one", author="user")])
    contents = {"select": "default", "until": until, "count": 1}
    await service.append(session, [TraceRecord("model_started", data={"contents": contents, "model": "m"})])
    await forked(service, entries=await service.read_log(**S1), state={})
    copied = await service.read_log(**NAMES, session_id="f")
    assert copied[2].fields()["contents"] == {**contents, "until": copied[1].seq}
    assert copied[2].fields()["model"] == "m"


async def test_a_judgement_in_a_fork_names_the_copy_of_what_was_judged(service):
    session = await service.create_session(**S1)
    [_, answer] = await service.append(session, [TraceRecord("noted"), said("one")])
    judged = {"verdict": {"right": True, "event": answer}, "judged_seq": answer, "other": answer}
    await service.append(session, [delta(**judged)])
    log = await service.read_log(**S1)
    fork = await forked(service, entries=[log[0], *log[2:]], state=judged)
    copied = await service.read_log(**NAMES, session_id="f")
    expected = {"verdict": {"right": True, "event": 2}, "judged_seq": 2, "other": answer}
    assert (answer, copied[1].seq) == (3, 2)
    assert copied[2].event().actions.state_delta == expected
    assert fork.state == (await service.get_session(**NAMES, session_id="f")).state == expected
    assert await service.read_log(**S1) == log


@pytest.mark.parametrize("value", [None, True, "one", 10**18, {"event": "one"}, {"event": None}, [1]])
async def test_what_is_no_number_of_a_copied_entry_stays_in_a_fork(service, value):
    session = await service.create_session(**S1)
    await service.append(session, [delta(judged_seq=value, verdict=value)])
    fork = await forked(service, entries=await service.read_log(**S1), state={"judged_seq": value, "verdict": value})
    copied = await service.read_log(**NAMES, session_id="f")
    assert copied[1].event().actions.state_delta == fork.state == {"judged_seq": value, "verdict": value}


async def test_a_fork_shares_no_state(service):
    await service.create_session(**S1, state={"a": 1, "user:b": 1, "app:c": 1})
    fork = await forked(service, entries=await service.read_log(**S1), state={"a": 2, "user:b": 2, "app:c": 2})
    assert fork.state == {"a": 2, "user:b": 2, "app:c": 2}
    await service.append(fork, [delta(app__c=3), delta(user__b=3)])
    assert fork.state == (await service.get_session(**NAMES, session_id="f")).state == {"a": 2, "user:b": 3, "app:c": 3}
    other = await service.create_session(**NAMES, session_id="other")
    assert other.state == (await service.get_session(**NAMES, session_id="other")).state == {"user:b": 1, "app:c": 1}


async def test_a_fork_is_listed_with_its_origin_its_title_and_its_columns(service):
    session = await service.create_session(**S1)
    started = TraceRecord("run_started", data={"model": "m", "simulated": True})
    await service.append(
        session, [started, said("one", author="user"), TraceRecord("run_finished", data={"status": "failed"})]
    )
    await service.rename_session(**S1, title="A title")
    await forked(service, entries=await service.read_log(**S1), state={})
    rows = {row.id: row for row in await service.summaries()}
    fork, origin = rows["f"], rows["s1"]
    assert (fork.origin, origin.origin) == ("s1", "")
    assert (fork.title, fork.events, fork.status, fork.model, fork.simulated) == ("A title", 1, "failed", "m", True)
    assert [(row.fork, row.changed) for row in (fork, origin)] == [(True, ""), (False, "")]


def asks(model):
    return TraceRecord("model_started", data={"model": model})


async def test_the_models_that_the_last_runs_calls_asked_are_listed(service):
    async def told():
        return {row.id: row.models.splitlines() for row in await service.summaries()}

    session = await service.create_session(**S1)
    start = TraceRecord("run_started", data={"model": "simulated"})
    await service.append(session, [start, asks("gemini-x"), asks("simulated"), asks("gemini-x"), asks("a\nb")])
    assert await told() == {"s1": ["gemini-x", "simulated", "a"]}
    await service.append(session, [TraceRecord("run_started", data={"model": "simulated", "resumed": True}), asks("late")])
    assert await told() == {"s1": ["gemini-x", "simulated", "a", "late"]}
    await forked(service, entries=await service.read_log(**S1), state={})
    await service.append(session, [start, *(asks(f"m{number}") for number in range(MOST_MODELS + 5))])
    assert await told() == {
        "f": ["gemini-x", "simulated", "a", "late"],
        "s1": [f"m{number}" for number in range(MOST_MODELS)],
    }


async def test_a_fork_is_listed_with_what_it_changed_and_an_imported_session_is_no_fork(service):
    session = await service.create_session(**S1)
    await service.append(session, [TraceRecord("forked", data={"origin": "s0", "what": f"state a\n= \ud83d{'x' * 100}"})])
    [row] = await service.summaries()
    assert (row.origin, row.fork, row.changed) == ("s0", True, "state a")
    await service.append(session, [TraceRecord("imported", data={"origin": "s9"})])
    [row] = await service.summaries()
    assert (row.origin, row.fork, row.changed) == ("s9", False, "")


async def test_a_fork_stays_when_its_origin_is_deleted_for_good(service):
    session = await service.create_session(**S1, state={"a": 1})
    await service.append(session, [said("one", author="user")])
    await forked(service, entries=await service.read_log(**S1), state={"a": 1})
    await service.delete_session(**S1)
    await service.create_session(**S1)
    fork = await service.get_session(**NAMES, session_id="f")
    assert ([event.text for event in fork.events], fork.state) == (["one"], {"a": 1})


async def test_a_fork_needs_an_origin_a_free_id_and_state_that_json_can_hold(service):
    await service.create_session(**S1)
    log = await service.read_log(**S1)
    await forked(service, entries=log, state={})
    with pytest.raises(SessionExistsError, match="'f'"):
        await forked(service, entries=log, state={})
    with pytest.raises(StateValueError, match="'a'"):
        await forked(service, entries=log, state={"a": object()}, session_id="g")
    origin = await service.get_session(**S1)
    await service.delete_session(**S1)
    with pytest.raises(SessionNotFoundError):
        await service.fork_session(origin, entries=log, records=[], state={}, session_id="g")
    assert {row.id for row in await service.summaries()} == {"f"}
