"""Forks in the background: they run as any other run does, hold their changes, and send nothing twice."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from google.genai import types

from agents import LlmAgent, SequentialAgent
from agents.errors import ForkError, ModelNotFoundError, PipelineNotFoundError, SessionNotFoundError
from agents.forks import (
    MOST_REPETITIONS,
    AnswerChange,
    BackgroundForks,
    FaultChange,
    InstructionChange,
    MessageChange,
    ModelChange,
    StateChange,
    prepare_fork,
)
from agents.forks.stored_fork import stored_fork
from agents.log import LogEntry
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager
from agents.runtime.fault import Fault
from agents.sharing import export_session, import_session, read_shared

STAGES = Path(__file__).parent / "stages"
TOLD = InstructionChange(agent="Reporter", text="told {sent?}")

pytestmark = pytest.mark.anyio


class Stage:
    """A manager with its forks, and ways to read what its sessions hold."""

    def __init__(self, manager: RunManager) -> None:
        self.manager = manager
        self.forks = BackgroundForks(manager)
        tool = manager.catalog.get("errand").root_agent.sub_agents[0].tools[0]
        self.sent = tool.func.__globals__["SENT"]
        self.sent.clear()

    async def ran(self, message="a b", **options) -> str:
        run = self.manager.start("errand", message, **options)
        await self.ended(run.session_id)
        return run.session_id

    async def ended(self, session_id) -> None:
        async with asyncio.timeout(20), aclosing(self.manager.subscribe("errand", session_id)) as news:
            async for _ in news:
                [last] = await self.manager.sessions.newest("errand", session_id, limit=1)
                if last.kind == "run_finished":
                    return

    async def rerun(self, session_id, author, number=-1, *changes, **how) -> str:
        [fork] = self.forks.rerun(
            "errand", session_id, at=await self.seq(session_id, author, number), changes=changes, **how
        )
        await self.ended(fork)
        return fork

    async def log(self, session_id):
        return await self.manager.sessions.newest("errand", session_id, limit=10_000)

    async def events(self, session_id):
        return [(entry.seq, entry.event()) for entry in await self.log(session_id) if entry.kind == "event"]

    async def texts(self, session_id):
        return [event.text for _, event in await self.events(session_id) if event.text]

    async def seq(self, session_id, author, number=-1):
        return [seq for seq, event in await self.events(session_id) if event.author == author][number]

    async def starts(self, session_id):
        return [entry.fields() for entry in await self.log(session_id) if entry.kind == "run_started"]

    def status(self, session_id):
        return next(found.status for found in self.manager.sessions.summaries() if found.id == session_id)


@pytest.fixture(params=["memory", "sqlite"])
def stage(request, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    database = None if request.param == "memory" else tmp_path / "playground.db"
    with RunManager(database=database, catalog=Catalog(STAGES), preparation=prepare_fork) as manager:
        yield Stage(manager)


# Changes


async def test_a_fork_runs_as_any_other_run_and_leaves_its_origin_as_it_was(stage):
    origin = await stage.ran()
    before = await stage.log(origin)
    fork = await stage.rerun(origin, "Sender", -1, TOLD)
    assert (await stage.texts(origin))[-1] == "sent ['a', 'b']"
    assert (await stage.texts(fork))[-1] == "told ['a', 'b']"
    assert await stage.log(origin) == before
    [summary] = [found for found in stage.manager.sessions.summaries() if found.id == fork]
    assert (summary.status, summary.origin) == ("completed", origin)


async def test_a_changed_instruction_holds_for_later_messages_and_in_a_fork_of_the_fork(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", -1, TOLD)
    second = await stage.rerun(fork, "Sender", -1)
    for session in (fork, second):
        stage.manager.start("errand", "nothing", session_id=session)
        await stage.ended(session)
        assert (await stage.texts(session))[-1].startswith("told")
    stage.manager.start("errand", "nothing", session_id=origin)
    await stage.ended(origin)
    assert (await stage.texts(origin))[-1].startswith("sent")


async def test_a_changed_model_holds_for_later_messages(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", -1, ModelChange(agent="Reporter", model="simulated"))
    stage.manager.start("errand", "c", session_id=fork)
    await stage.ended(fork)
    models = [fields.get("agent_models") for fields in await stage.starts(fork)]
    assert models == [None, {"Reporter": "simulated"}, {"Reporter": "simulated"}]


async def test_another_message_is_also_in_the_state_that_the_pipeline_reads(stage):
    origin = await stage.ran("nothing")
    fork = await stage.rerun(origin, "user", 0, MessageChange(text="c"))
    assert stage.manager.sessions.state("errand", fork)["words"] == "c"


async def test_faults_are_those_of_the_origin_unless_others_are_asked_for(stage):
    fault = Fault(kind="refuse", target="Reporter")
    origin = await stage.ran("nothing", faults=[fault])
    same, other = await stage.rerun(origin, "user"), await stage.rerun(origin, "user", -1, FaultChange())
    assert [fields.get("faults") for fields in await stage.starts(same)] == [[str(fault)], [str(fault)]]
    assert [fields.get("faults") for fields in await stage.starts(other)] == [[str(fault)], None]


async def test_repetitions_are_counted_by_status_and_by_answer(stage):
    origin = await stage.ran()
    ids = stage.forks.rerun("errand", origin, at=await stage.seq(origin, "Sender"), repeat=3)
    for fork in ids:
        await stage.ended(fork)
    odd = await stage.rerun(origin, "Sender", -1, TOLD)
    counted = stage.forks.repetitions("errand", origin, [*ids, odd, "gone"])
    assert (counted.statuses, counted.running) == ({"completed": 4}, 0)
    assert [(same.final, set(same.sessions), same.as_origin) for same in counted.groups] == [
        ("sent ['a', 'b']", set(ids), True),
        ("told ['a', 'b']", {odd}, False),
    ]
    assert list(counted.groups[0].answers) == ["Sender", "Reporter"]


async def test_answers_that_end_alike_and_differ_before_are_not_the_same(stage):
    origin = await stage.ran()
    other = await stage.rerun(origin, "Sender", -1, AnswerChange(text="came to nothing"))
    counted = stage.forks.repetitions("errand", origin, [origin, other])
    assert [same.final for same in counted.groups] == ["sent ['a', 'b']"] * 2


async def test_a_rewound_session_takes_the_place_of_its_origin_and_this_can_be_undone(stage):
    origin = await stage.ran()
    fork = stage.forks.rewind("errand", origin, at=await stage.seq(origin, "Sender"), changes=[TOLD])
    await stage.ended(fork)
    assert [found.id for found in stage.manager.sessions.summaries()] == [fork]
    assert stage.manager.sessions.restore("errand", origin)
    assert {found.id for found in stage.manager.sessions.summaries()} == {origin, fork}


async def test_the_models_of_a_fork_are_told_and_win_over_those_of_a_later_run(stage):
    origin = await stage.ran()
    assert stage.forks.models("errand", origin) == (None, {})
    fork = await stage.rerun(
        origin, "user", 0, ModelChange(model="simulated"), ModelChange(agent="Reporter", model="simulated")
    )
    assert stage.forks.models("errand", fork) == ("simulated", {"Reporter": "simulated"})
    with pytest.raises(SessionNotFoundError):
        stage.forks.models("errand", "gone")


# Effects outside


async def test_the_same_call_is_answered_from_the_record_and_its_state_with_it(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "user")
    assert stage.sent == ["a", "b"]
    assert (await stage.texts(fork))[-2:] == (await stage.texts(origin))[-2:]
    assert stage.manager.sessions.state("errand", fork)["sent"] == ["a", "b"]
    marked = [entry.fields() for entry in await stage.log(fork) if entry.kind == "tool_recorded"]
    calls = [call.id for _, event in await stage.events(fork) for call in event.get_function_calls() if call.name == "send"]
    assert [(mark["agent"], mark["tool"], mark["call_id"]) for mark in marked] == [("Sender", "send", id_) for id_ in calls]
    assert not [entry for entry in await stage.log(origin) if entry.kind == "tool_recorded"]


async def test_another_call_asks_first_and_is_made_once_it_is_confirmed(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", 0, AnswerChange(calls=(("send", {"word": "c"}),)))
    assert (stage.status(fork), stage.sent) == ("paused", ["a", "b"])
    [call] = stage.manager.pending("errand")
    assert (call.tool, call.args, call.is_confirmation) == ("send", {"word": "c"}, True)
    assert "fork" in call.hint
    stage.manager.answer("errand", fork, call.call_id, {"confirmed": True})
    await stage.ended(fork)
    assert (stage.status(fork), stage.sent) == ("completed", ["a", "b", "c"])


async def test_a_rejected_call_is_not_made(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "user", 0, MessageChange(text="c"))
    [call] = stage.manager.pending("errand")
    stage.manager.answer("errand", fork, call.call_id, {"confirmed": False})
    await stage.ended(fork)
    assert stage.sent == ["a", "b"]


async def test_results_that_set_state_together_are_used_together_or_not_at_all(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", 0, AnswerChange(calls=(("send", {"word": "a"}), ("send", {"word": "c"}))))
    assert [call.args["word"] for call in stage.manager.pending("errand")] == ["a", "c"]
    assert stage.manager.sessions.state("errand", fork).get("sent") is None


async def test_a_recorded_result_is_used_once(stage):
    origin = await stage.ran("a")
    fork = await stage.rerun(origin, "user")
    assert stage.sent == ["a"]
    stage.manager.start("errand", "a", session_id=fork)
    await stage.ended(fork)
    assert (stage.status(fork), stage.sent) == ("paused", ["a"])


async def test_a_fork_of_a_fork_may_use_what_the_fork_has_not_used(stage):
    origin = await stage.ran("a")
    fork = await stage.rerun(origin, "user", 0, FaultChange(faults=(Fault(kind="refuse", target="Sender"),)))
    assert stage.sent == ["a"]
    second = await stage.rerun(fork, "user", 0, FaultChange())
    assert (stage.status(second), stage.sent) == ("completed", ["a"])
    assert stage.manager.sessions.state("errand", second)["sent"] == ["a"]


async def test_the_record_outlives_the_origin(stage):
    origin = await stage.ran("a")
    [fork] = stage.forks.rerun("errand", origin, at=(await stage.log(origin))[0].seq)
    stage.manager.sessions.delete("errand", origin)
    stage.manager.start("errand", "a", session_id=fork)
    await stage.ended(fork)
    assert (stage.status(fork), stage.sent) == ("completed", ["a"])


# Origins of every kind


async def test_a_running_session_is_forked_as_far_as_it_has_come(stage):
    run = stage.manager.start("errand", "a", faults=[Fault(kind="delay", target="Reporter", seconds=60)])
    async with asyncio.timeout(20), aclosing(stage.manager.subscribe("errand", run.session_id)) as news:
        async for _ in news:
            if any(event.text.startswith("came to") for _, event in await stage.events(run.session_id)):
                break
    fork = await stage.rerun(run.session_id, "Sender", -1, FaultChange())
    assert stage.manager.sessions.find("errand", run.session_id).status == "running"
    assert (await stage.texts(fork))[-1] == "sent ['a']"
    stage.manager.stop("errand", run.session_id)


async def test_a_paused_session_is_forked_with_its_question_and_both_can_be_answered(stage):
    origin = await stage.ran()
    paused = await stage.rerun(origin, "user", 0, MessageChange(text="c"))
    last = (await stage.log(paused))[-1].seq
    [fork] = stage.forks.rerun("errand", paused, at=last)
    assert (stage.status(paused), stage.status(fork)) == ("paused", "paused")
    for call in stage.manager.pending("errand"):
        stage.manager.answer("errand", call.session_id, call.call_id, {"confirmed": True})
        await stage.ended(call.session_id)
    assert stage.sent == ["a", "b", "c", "c"]


async def test_a_failed_run_goes_on_in_a_fork_from_before_its_failure(stage):
    origin = await stage.ran("a", faults=[Fault(kind="fail_before", target="Reporter")])
    assert stage.status(origin) == "failed"
    fork = await stage.rerun(origin, "Sender", -1, FaultChange())
    assert (stage.status(fork), stage.sent) == ("completed", ["a"])


async def test_a_run_of_a_killed_process_goes_on_in_a_fork(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with RunManager(database=tmp_path / "a.db", catalog=Catalog(STAGES), preparation=prepare_fork) as manager:
        origin = await Stage(manager).ran()
        log = await Stage(manager).log(origin)
    cut = next(entry for entry in log if entry.kind == "event" and '"came to' in entry.body)
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("DELETE FROM log WHERE seq > ?", (cut.seq,))
        db.execute("UPDATE sessions SET status = 'running', last_seq = ?", (cut.seq,))
    db.close()
    with RunManager(database=tmp_path / "a.db", catalog=Catalog(STAGES), preparation=prepare_fork) as manager:
        stage = Stage(manager)
        fork = await stage.rerun(origin, "Sender")
        assert (await stage.texts(fork))[-1] == "sent ['a', 'b']"


async def test_a_deleted_origin_is_named_with_the_cure(stage):
    origin = await stage.ran()
    at = await stage.seq(origin, "user")
    stage.manager.sessions.delete("errand", origin)
    with pytest.raises(ForkError, match="undo that in the list"):
        stage.forks.rerun("errand", origin, at=at)
    assert stage.manager.sessions.summaries() == []


async def test_a_pipeline_that_is_gone_is_named(stage):
    with pytest.raises(PipelineNotFoundError, match="nothing_here"):
        stage.forks.rerun("nothing_here", "s", at=1)


async def test_a_pipeline_that_was_changed_since_is_refused_for_a_new_fork_and_for_a_message_in_an_old_one(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", -1, TOLD)
    at = await stage.seq(origin, "Sender")
    found = stage.manager.catalog.get("errand")
    other = replace(found, root_agent=SequentialAgent(name="Errand", sub_agents=[LlmAgent(name="Other")]))
    stage.manager.catalog._imports["errand"].pipeline = other
    before = [await stage.log(session) for session in (origin, fork)]
    with pytest.raises(ForkError, match=r"no agent 'Reporter'.*put the agent back"):
        stage.forks.rerun("errand", origin, at=at, changes=[TOLD])
    with pytest.raises(ForkError, match="no agent 'Reporter'"):
        stage.manager.start("errand", "more", session_id=fork)
    assert [await stage.log(session) for session in (origin, fork)] == before
    assert len(stage.manager.sessions.summaries()) == 2


async def test_a_cut_before_the_first_event_waits_for_a_message(stage):
    origin = await stage.ran()
    first = (await stage.log(origin))[0].seq
    [fork] = stage.forks.rerun("errand", origin, at=first, changes=[StateChange(key="sent", value=["z"])])
    assert (stage.status(fork), stage.manager.sessions.state("errand", fork)["sent"]) == ("idle", ["z"])
    assert await stage.texts(fork) == []


async def test_a_cut_after_the_last_event_waits_for_a_message_and_cannot_be_repeated(stage):
    origin = await stage.ran()
    last = (await stage.log(origin))[-1].seq
    [fork] = stage.forks.rerun("errand", origin, at=last)
    assert (stage.status(fork), await stage.texts(fork)) == ("completed", await stage.texts(origin))
    with pytest.raises(ForkError, match="nothing to repeat"):
        stage.forks.rerun("errand", origin, at=last, repeat=2)
    assert len(stage.manager.sessions.summaries()) == 2


@pytest.mark.parametrize("repeat", [0, -1, MOST_REPETITIONS + 1])
async def test_a_number_of_repetitions_that_makes_no_sense_is_refused(stage, repeat):
    with pytest.raises(ForkError, match=f"1 to {MOST_REPETITIONS}"):
        stage.forks.rerun("errand", "s", at=1, repeat=repeat)


async def test_what_cannot_be_started_leaves_nothing_behind(stage):
    origin = await stage.ran()
    at = await stage.seq(origin, "user")
    with pytest.raises(ModelNotFoundError):
        stage.forks.rerun("errand", origin, at=at, changes=[ModelChange(model="no/such model")])
    with pytest.raises(ModelNotFoundError):
        stage.forks.rerun("errand", origin, at=at, model="no/such model")
    assert [found.id for found in stage.manager.sessions.summaries()] == [origin]


async def test_a_stopped_fork_can_be_run_again(stage):
    origin = await stage.ran("a")
    slow = FaultChange(faults=(Fault(kind="delay", target="Reporter", seconds=60),))
    [fork] = stage.forks.rerun("errand", origin, at=await stage.seq(origin, "Sender"), changes=[slow])
    assert stage.manager.stop("errand", fork)
    assert stage.status(fork) == "stopped"
    stage.manager.rerun("errand", fork)
    await stage.ended(fork)
    assert stage.status(fork) == "paused"  # the call is not in the rest of the origin's record: it asks


async def test_a_fork_whose_changes_cannot_be_read_says_so():
    with pytest.raises(ForkError, match="newer version"):
        stored_fork([LogEntry(1, "forked", '{"origin": "s", "changes": [{"kind": "weather"}]}')])


# Both sides of a change


async def test_both_sides_of_a_change_are_run_from_its_cut(stage):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "Sender", -1, TOLD)
    unchanged, changed = stage.forks.rerun_both("errand", fork)
    for session in (unchanged, changed):
        await stage.ended(session)
    first, before = stage.forks.origin("errand", unchanged), stage.forks.origin("errand", fork)
    assert (first.session, first.seq, first.what) == (origin, before.seq, "")
    assert stage.forks.origin("errand", changed) == before
    assert await stage.texts(unchanged) == await stage.texts(origin)
    assert await stage.texts(changed) == await stage.texts(fork)


@pytest.mark.parametrize("change", [None, MessageChange(text="c")], ids=["nothing", "message"])
async def test_what_has_no_two_sides_is_refused(stage, change):
    origin = await stage.ran()
    fork = await stage.rerun(origin, "user", 0, *([] if change is None else [change]))
    count = len(stage.manager.sessions.summaries())
    if change is None:
        for session in (origin, fork):
            with pytest.raises(ForkError, match="no fork with a change"):
                stage.forks.rerun_both("errand", session)
    else:
        stage.manager.sessions.delete("errand", origin)
        count -= 1
        with pytest.raises(ForkError, match="is not here"):
            stage.forks.rerun_both("errand", fork)
    assert len(stage.manager.sessions.summaries()) == count


async def test_a_change_where_no_run_was_under_way_has_no_two_sides(stage):
    origin = await stage.ran()
    [last] = await stage.manager.sessions.newest("errand", origin, limit=1)
    [fork] = stage.forks.rerun("errand", origin, at=last.seq, changes=[StateChange(key="sent", value="x")])
    with pytest.raises(ForkError, match="nothing to repeat"):
        stage.forks.rerun_both("errand", fork)
    assert {found.id for found in stage.manager.sessions.summaries()} == {origin, fork}


async def test_files_of_a_message_are_in_exports_imports_and_forks(stage):
    picture = types.Blob(data=b"\x89PNG\x00\xff", mime_type="image/png", display_name="a.png")
    origin = await stage.ran(files=(types.Part(inline_data=picture),))
    exported = await asyncio.to_thread(export_session, stage.manager, "errand", origin)
    imported = await asyncio.to_thread(import_session, stage.manager, read_shared(exported.to_text().encode()))
    fork = await stage.rerun(origin, "Reporter")
    for session_id in (origin, imported.session_id, fork):
        (_, message), *_ = await stage.events(session_id)
        assert [part.inline_data for part in message.parts if part.inline_data] == [picture]
