"""Export and import: the same bytes, nothing overwritten, everything that belongs to a session."""

from __future__ import annotations

import json
import re
from pathlib import Path

import anyio
import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import Event, EventActions, RunConfig, Runner
from agents.ace import DeltaBatch
from agents.errors import DatabaseError
from agents.forks import Forks, StateChange
from agents.log import TraceRecord, text_hash
from agents.models.simulated.model import SimulatedLlm
from agents.sharing import Sharing
from agents.storage.artifacts import tables as artifact_tables
from tests.agents.forks.test_fork_pipelines import CATALOG, NAMES, Stage
from tests.agents.sharing.stage import APP, USER, Place, opened
from tests.agents.stage import say, user

pytestmark = pytest.mark.anyio

NAMED = {"app_name": APP, "user_id": USER}
HASH = re.compile(r'"([0-9a-f]{32})"')


async def ace_run(place: Place, session_id: str, *messages: str, pipeline: str = "ace") -> None:
    """A run of a pipeline on its simulation, in a place."""
    card = CATALOG.get(pipeline).card
    runner = Runner(
        app_name=pipeline,
        agent=CATALOG.get(pipeline).root_agent,
        session_service=place.sessions,
        artifact_service=place.artifacts,
    )
    names = {"app_name": pipeline, "user_id": USER, "session_id": session_id}
    if await place.sessions.get_session(**names) is None:
        await place.sessions.create_session(**names, state=card.first_state)
    config = RunConfig(model=SimulatedLlm(simulation=card.simulation, words_per_second=0))
    for message in messages or card.samples[:1]:
        said = {card.message_key: message} if card.message_key else None
        order = {"new_message": user(message), "state_delta": said, "run_config": config}
        async for _ in runner.run_async(user_id=USER, session_id=session_id, **order):
            pass


@pytest.mark.parametrize("name", NAMES)
async def test_every_pipeline_comes_back_byte_for_byte(name):
    stage = Stage(name)
    await stage.run(stage.card.samples[0])
    sharing = Sharing(stage.service, artifact_service=stage.runner.artifact_service, playbooks=stage.forks._playbooks)
    place = Place(None)
    place.sharing, place.sessions = sharing, stage.service
    text = (await place.export("origin", name)).to_text()
    again = await place.take(text)
    assert again.id != "origin"
    assert (await place.export(again.id, name)).to_text() == text
    assert {key: value for key, value in again.state.items() if key not in ("app:playbook", "playbook_name")} == {
        key: value for key, value in (await stage.session()).state.items() if key not in ("app:playbook", "playbook_name")
    }


@pytest.mark.parametrize("name", NAMES)
async def test_every_text_that_the_log_names_goes_along(name):
    stage = Stage(name)
    await stage.run(stage.card.samples[0])
    named = {"app_name": name, "user_id": USER, "session_id": "origin"}
    log = await stage.service.read_log(**named)
    hashes = {found for entry in log for found in HASH.findall(entry.body)}
    file = await Sharing(stage.service).export_session(**named)
    assert dict(file.texts) == await stage.service.read_texts(list(hashes))


async def test_from_any_database_into_any_other(place, other):
    await ace_run(place, "s", *CATALOG.get("ace").card.samples[:2])
    text = (await place.export("s", "ace")).to_text()
    there = await other.take(text)
    assert (await other.export(there.id, "ace")).to_text() == text
    third = await place.take((await other.export(there.id, "ace")).to_text())
    assert (await place.export(third.id, "ace")).to_text() == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
STATE = st.dictionaries(
    st.builds(str.__add__, st.sampled_from(["", "user:", "app:", "temp:"]), st.text(max_size=5)), JSON, max_size=4
)
EVENTS = st.builds(
    lambda text, delta, author, branch: say(author, text, branch=branch, actions=EventActions(state_delta=delta)),
    st.text(max_size=20),
    STATE,
    st.sampled_from(["user", "writer", "ログ"]),
    st.sampled_from([None, "p.a", "p.b"]),
)
RECORDS = st.builds(
    lambda kind, data: TraceRecord(kind, "i1", "writer", data=data),
    st.sampled_from(["tool_started", "transfer", "unheard_of"]),
    st.dictionaries(st.sampled_from(["x", "place", "ü"]), JSON, max_size=3),
)


@settings(max_examples=40, deadline=None)
@given(first=STATE, entries=st.lists(EVENTS | RECORDS, max_size=6), title=st.text(max_size=100), sent=st.text(max_size=9))
def test_any_session_comes_back_byte_for_byte(first, entries, title, sent):
    """Whatever text, state and records there are: half surrogate pairs, zero bytes, numbers of any size."""

    async def work() -> None:
        async with opened(None) as place:
            try:
                session = await place.sessions.create_session(**NAMED, session_id="s", state=first)
                asked = TraceRecord("model_started", data={"instruction": text_hash(sent), "contents": {"until": 0}})
                await place.sessions.append(session, [*entries, asked], texts={text_hash(sent): sent})
            except TypeError:  # JSON cannot hold a value, so there is no such session
                return
            await place.sessions.rename_session(**NAMED, session_id="s", title=title)
            text = (await place.export("s")).to_text()
            again = await place.take(text)
            assert (await place.export(again.id)).to_text() == text

    anyio.run(work)


async def test_an_import_adds_and_never_overwrites(place):
    await ace_run(place, "s")
    session = await place.session("s", "ace")
    await place.sessions.append_event(
        session, Event(author="a", actions=EventActions(state_delta={"user:tone": "dry", "app:limit": 1}))
    )
    before = {info.name: info.revision for info in place.playbooks.names()}
    file = await place.export("s", "ace")
    state = {"user:tone": "warm", "app:limit": 2}
    await place.sessions.append_event(
        await place.session("s", "ace"), Event(author="a", actions=EventActions(state_delta=state))
    )
    ids = {(await place.take(file)).id, (await place.take(file)).id, "s"}
    assert len(ids) == 3
    mine = await place.session("s", "ace")
    assert (mine.state["user:tone"], mine.state["app:limit"]) == ("warm", 2)
    (theirs,) = [await place.session(id_, "ace") for id_ in sorted(ids - {"s"})][:1]
    assert (theirs.state["user:tone"], theirs.state["app:limit"]) == ("dry", 1)
    after = {info.name: info.revision for info in place.playbooks.names()}
    assert before.items() <= after.items()
    assert len(after) == len(before) + 2


async def test_an_imported_session_goes_on_with_a_playbook_of_its_own(place, other):
    samples = CATALOG.get("ace").card.samples
    await ace_run(place, "s", samples[0])
    again = await other.take(await place.export("s", "ace"))
    (name,) = [info.name for info in other.playbooks.names()]
    assert again.state["playbook_name"] == name != "ace"
    copied = other.playbooks.beside(name).playbook()
    assert copied.bullets == place.playbooks.beside("ace").playbook().bullets
    await ace_run(other, again.id, samples[1])
    assert other.playbooks.beside(name).playbook().revision > copied.revision
    assert other.playbooks.beside("ace").history() == []
    text = (await other.export(again.id, "ace")).to_text()
    third = await place.take(text)
    assert (await place.export(third.id, "ace")).to_text() == text


async def test_the_playbook_begins_where_the_session_read_it(place, other):
    samples = CATALOG.get("ace").card.samples
    await ace_run(place, "before", samples[0])
    first = place.playbooks.beside("ace").playbook()
    await ace_run(place, "s", samples[1])
    await ace_run(place, "after", samples[2])
    file = await place.export("s", "ace")
    (playbook,) = file.playbooks
    assert playbook.base.revision == first.revision > 0
    assert playbook.base.bullets == first.bullets
    assert all(delta.invocation_id for delta in playbook.deltas)
    again = await other.take(file.to_text())
    store = other.playbooks.beside(again.state["playbook_name"])
    for revision in range(first.revision, store.playbook().revision + 1):
        assert store.at(revision).bullets == place.playbooks.beside("ace").at(revision).bullets
    assert {record.session_id for record in store.history()} == {"", again.id}
    seqs = {entry.seq for entry in await other.log(again.id, "ace") if entry.kind == "event"}
    assert {record.seq for record in store.history() if record.session_id} <= seqs


async def test_numbers_of_other_entries_follow(place, other):
    session = await place.sessions.create_session(**NAMED, session_id="s")
    [answer] = await place.sessions.append(session, [say("writer", "4")])
    judged = EventActions(state_delta={"verdict": {"right": True, "event": answer}, "judged_seq": answer})
    await place.sessions.append(
        session,
        [
            Event(author="user", actions=judged),
            TraceRecord("model_started", data={"contents": {"select": "default", "until": answer, "count": 1}}),
        ],
    )
    again = await other.take((await place.export("s")).to_text())
    log = await other.log(again.id)
    assert log[1].event().text == "4"
    delta = log[2].event().actions.state_delta
    assert delta == {"verdict": {"right": True, "event": log[1].seq}, "judged_seq": log[1].seq}
    assert (again.state["judged_seq"], log[3].fields()["contents"]["until"]) == (log[1].seq, log[1].seq)


async def test_files_come_along_with_their_numbers(place, other):
    await place.sessions.create_session(**NAMED, session_id="s")
    where = {**NAMED, "session_id": "s"}
    old, new = types.Part.from_bytes(data=bytes(range(256)), mime_type="image/png"), types.Part(text="日本 <b>")
    for filename in ("a.png", "user:mine.txt"):
        await place.artifacts.save_artifact(**where, filename=filename, artifact=old)
    await place.artifacts.delete_artifact(**where, filename="a.png")
    for part in (new, old):
        await place.artifacts.save_artifact(**where, filename="a.png", artifact=part)
    file = await place.export("s")
    again = await other.take(file.to_text())
    there = {**NAMED, "session_id": again.id}
    assert await other.artifacts.list_artifact_keys(**there) == ["a.png"]
    assert await other.artifacts.list_versions(**there, filename="a.png") == [1, 2]
    assert await other.artifacts.load_artifact(**there, filename="a.png", version=1) == new
    assert (await other.artifacts.load_artifact(**there, filename="a.png")).inline_data.data == bytes(range(256))
    assert (await other.export(again.id)).to_text() == file.to_text()


async def test_scopes_that_do_not_go_along_are_nowhere(place, other):
    session = await place.sessions.create_session(**NAMED, session_id="s", state={"topic": "tea"})
    delta = {"user:phone": "555-0100", "app:rate": 3, "mood": "calm"}
    await place.sessions.append(
        session,
        [
            Event(author="a", actions=EventActions(state_delta=delta)),
            TraceRecord("run_started", data={"shared": {"user:phone": "555-0100", "app:rate": 3}}),
            TraceRecord("run_finished", data={"status": "completed"}),
        ],
    )
    whole = await place.export("s")
    assert whole.state_sizes() == {
        "session": {"mood": len('"calm"'), "topic": len('"tea"')},
        "user": {"user:phone": 2 * len('"555-0100"')},
        "app": {"app:rate": 2},
    }
    less = whole.within(("session", "app"))
    assert "555-0100" not in less.to_text()
    again = await other.take(less.to_text())
    assert again.state == {"topic": "tea", "mood": "calm", "app:rate": 3}
    assert (await other.export(again.id)).to_text() == less.to_text()
    nothing = json.loads(whole.within(()).to_text().splitlines()[1])
    assert nothing["body"]["state"] == {}


async def test_a_session_without_the_app_scope_has_no_playbook(place, other):
    await ace_run(place, "s")
    less = (await place.export("s", "ace")).within(("session", "user"))
    assert less.playbooks == ()
    again = await other.take(less.to_text())
    assert (await other.export(again.id, "ace")).to_text() == less.to_text()


async def test_a_fork_stays_a_fork(place, other):
    await ace_run(place, "s", pipeline="iterative_writing")
    forks = Forks(place.sessions, CATALOG.get("iterative_writing").root_agent, app_name="iterative_writing", user_id=USER)
    log = await place.log("s", "iterative_writing")
    fork = await forks.fork("s", at=log[-1].seq, changes=[StateChange(key="user:x", value="private")])
    file = await place.export(fork.session.id, "iterative_writing")
    again = await other.take(file.to_text())
    kinds = [entry.kind for entry in await other.log(again.id, "iterative_writing")]
    assert (kinds.count("forked"), kinds.count("imported")) == (1, 1)
    assert (await other.export(again.id, "iterative_writing")).to_text() == file.to_text()
    assert "private" not in file.within(("session",)).to_text()


async def test_a_fork_of_an_imported_session(place, other):
    await ace_run(place, "s")
    again = await other.take(await place.export("s", "ace"))
    forks = Forks(other.sessions, CATALOG.get("ace").root_agent, app_name="ace", user_id=USER, playbooks=other.playbooks)
    fork = await forks.fork(again.id, at=(await other.log(again.id, "ace"))[-1].seq)
    file = await other.export(fork.session.id, "ace")
    assert file.session == fork.session.id
    third = await place.take(file.to_text())
    assert (await place.export(third.id, "ace")).to_text() == file.to_text()


async def test_a_session_that_runs_ends_as_interrupted(place, other):
    session = await place.sessions.create_session(**NAMED, session_id="s")
    await place.sessions.append(session, [TraceRecord("run_started", "i1", data={"model": "m"}), say("user", "hello")])
    file = await place.export("s")
    again = await other.take(file.to_text())
    (row,) = [row for row in await other.sessions.summaries() if row.id == again.id]
    assert (row.status, row.model, row.title, row.events, row.origin) == ("interrupted", "m", "hello", 1, "s")
    assert (await other.export(again.id)).to_text() == file.to_text()
    await other.sessions.append(await other.session(again.id), [say("user", "again")])
    longer = await other.export(again.id)
    assert [entry.kind for entry in longer.entries][1:] == ["run_started", "event", "event"]


async def test_a_paused_run_goes_on_where_it_was(place, other):
    pipeline = CATALOG.get("approval")
    sample = next(text for text in pipeline.card.samples)
    await ace_run(place, "s", sample, pipeline="approval")
    (row,) = await place.sessions.summaries()
    assert row.status == "paused"
    again = await other.take((await place.export("s", "approval")).to_text())
    session = await other.session(again.id, "approval")
    (call,) = [
        call
        for event in session.events
        for call in event.get_function_calls()
        if call.id in (event.long_running_tool_ids or ())
    ]
    response = types.FunctionResponse(id=call.id, name=call.name, response={"confirmed": True})
    runner = Runner(app_name="approval", agent=pipeline.root_agent, session_service=other.sessions)
    config = RunConfig(model=SimulatedLlm(simulation=pipeline.card.simulation, words_per_second=0))
    answer = types.Content(role="user", parts=[types.Part(function_response=response)])
    async for _ in runner.run_async(user_id=USER, session_id=again.id, new_message=answer, run_config=config):
        pass
    (row,) = await other.sessions.summaries()
    assert row.status == "completed"


async def test_a_failure_changes_nothing(place, other, monkeypatch):
    await ace_run(place, "s")
    await place.artifacts.save_artifact(
        app_name="ace", user_id=USER, session_id="s", filename="a.txt", artifact=types.Part(text="x")
    )
    file = await place.export("s", "ace")

    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("The disk is full.")

    monkeypatch.setattr("agents.sharing.arrival.write_playbook", fail)
    with pytest.raises(DatabaseError):
        await other.take(file)
    assert await other.sessions.summaries() == []
    assert other.playbooks.names() == []
    monkeypatch.undo()
    monkeypatch.setattr(artifact_tables, "_taken_apart", fail)
    monkeypatch.setattr("agents.storage.artifacts.memory.kept", fail)
    with pytest.raises(DatabaseError):
        await other.take(file)
    assert await other.sessions.summaries() == []
    assert other.playbooks.names() == []
    assert await other.sessions.read_texts(list(file.texts)) == {}
    monkeypatch.undo()
    assert (await other.take(file)).app_name == "ace"


async def test_a_file_database_keeps_it_after_it_is_opened_again(place, tmp_path: Path):
    await ace_run(place, "s")
    text = (await place.export("s", "ace")).to_text()
    async with opened(tmp_path / "kept.db") as kept:
        again = (await kept.take(text)).id
    async with opened(tmp_path / "kept.db") as kept:
        assert (await kept.export(again, "ace")).to_text() == text


async def test_another_pipeline_can_be_named(place, other):
    await place.sessions.create_session(**NAMED, session_id="s")
    again = await other.take(await place.export("s"), app="elsewhere")
    assert again.app_name == "elsewhere"
    assert (await other.export(again.id, "elsewhere")).entries == (await place.export("s")).entries


async def test_the_batch_of_a_user_is_nobody_s(place, other):
    """A commit that no session made has no session afterwards either."""
    await ace_run(place, "s", CATALOG.get("ace").card.samples[0])
    batch = {"operations": [{"type": "ADD", "section": "HINTS", "content": "Mind the units."}], "reasoning": "mine"}
    place.playbooks.beside("ace").commit(DeltaBatch.model_validate(batch))
    await ace_run(place, "s", CATALOG.get("ace").card.samples[1])
    again = await other.take((await place.export("s", "ace")).to_text())
    history = other.playbooks.beside(again.state["playbook_name"]).history()
    assert [record.session_id for record in history if record.reasoning == "mine"] == [""]
