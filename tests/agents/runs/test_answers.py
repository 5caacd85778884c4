"""Runs that wait for a person: what they wait for, and how they go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.errors import AnswerError, SessionNotFoundError, StateInputError
from agents.runs import RunManager
from agents.runtime.fault import Fault
from tests.agents.runs.stage import collect, entries, finished, status, texts

STAGES = Path(__file__).parent / "stages"

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "sqlite"])
def manager(request, tmp_path):
    database = None if request.param == "memory" else tmp_path / "playground.db"
    with RunManager(database=database, agents_dir=STAGES) as manager:
        yield manager


async def ended(manager, run):
    """All entries of a run once it ended or paused."""
    return await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished)


async def asked(manager, message="pay 500", **options):
    """A session that waits, and the call that it waits for."""
    run = manager.start("asking", message, **options)
    await ended(manager, run)
    [call] = manager.pending()
    return run, call


async def test_a_call_that_waits_is_found_with_all_that_a_person_needs_to_decide(manager):
    run, call = await asked(manager)
    assert manager.sessions.summaries()[0].status == "paused"
    assert (call.pipeline, call.session_id, call.title) == ("asking", run.session_id, "pay 500")
    assert (call.agent, call.tool, call.args, call.is_confirmation) == ("Clerk", "pay", {"amount": 500}, True)
    assert manager.pending("rehearsal") == []


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({"confirmed": True}, "came to {'paid': 500, 'receipt': 0}"),
        ({"confirmed": True, "args": {"amount": 30}}, "came to {'paid': 30, 'receipt': 0}"),
    ],
)
async def test_an_answer_lets_the_rest_of_the_workflow_run(manager, response, said):
    run, call = await asked(manager)
    again = manager.answer("asking", run.session_id, call.call_id, response)
    seen = await ended(manager, again)
    assert (status(seen), texts(seen)[-2:]) == ("completed", [said, "filed"])
    assert manager.pending() == []
    receipt = manager.sessions.artifact("asking", run.session_id, "receipt.txt")
    assert receipt is not None
    assert receipt.text == f"paid {response.get('args', {'amount': 500})['amount']}"
    assert manager.sessions.artifact("asking", run.session_id, "other.txt") is None


async def test_a_rejection_reaches_the_model_with_its_reason(manager):
    run, call = await asked(manager)
    seen = await ended(
        manager, manager.answer("asking", run.session_id, call.call_id, {"confirmed": False, "reason": "too dear"})
    )
    assert "too dear" in texts(seen)[-2]
    assert status(seen) == "completed"
    assert manager.sessions.artifact("asking", run.session_id, "receipt.txt") is None


async def test_a_tool_whose_result_comes_later_is_given_it(manager):
    run, call = await asked(manager, "ask credit?")
    assert (call.tool, call.args, call.is_confirmation) == ("ask_the_bank", {"question": "credit?"}, False)
    seen = await ended(manager, manager.answer("asking", run.session_id, call.call_id, {"result": "granted"}))
    assert texts(seen)[-2:] == ["came to {'result': 'granted'}", "filed"]


async def test_answers_that_fit_nothing_are_refused_and_store_nothing(manager):
    run, call = await asked(manager)
    before = await manager.sessions.newest("asking", run.session_id, limit=1)
    for call_id, response, why in [
        ("adk-unknown", {"confirmed": True}, call.call_id),
        (call.call_id, {"yes": True}, "confirmed"),
        (call.call_id, {"confirmed": True, "args": {"amount": float("nan")}}, "JSON"),
        (call.call_id, {"confirmed": True, "args": {"amount": "9" * 70_000}}, "KiB"),
    ]:
        with pytest.raises(AnswerError, match=why):
            manager.answer("asking", run.session_id, call_id, response)
    assert await manager.sessions.newest("asking", run.session_id, limit=1) == before
    with pytest.raises(SessionNotFoundError):
        manager.answer("asking", "nowhere", call.call_id, {"confirmed": True})


async def test_an_answer_is_taken_once(manager):
    run, call = await asked(manager)
    await ended(manager, manager.answer("asking", run.session_id, call.call_id, {"confirmed": True}))
    with pytest.raises(AnswerError, match="answered already"):
        manager.answer("asking", run.session_id, call.call_id, {"confirmed": True})


async def test_a_new_message_gives_the_question_up(manager):
    run, call = await asked(manager)
    await ended(manager, manager.start("asking", "pay 5", session_id=run.session_id))
    assert manager.pending() == []
    with pytest.raises(AnswerError):
        manager.answer("asking", run.session_id, call.call_id, {"confirmed": True})


async def test_a_question_outlives_the_process_that_asked(tmp_path):
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        run, call = await asked(manager)
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES) as manager:
        assert manager.pending() == [call]
        seen = await ended(manager, manager.answer("asking", run.session_id, call.call_id, {"confirmed": True}))
        assert texts(seen)[-1] == "filed"
        assert manager.sessions.summaries()[0].status == "completed"


async def test_a_setting_begins_with_its_default_and_is_changed_by_an_event(manager):
    run, call = await asked(manager)
    assert manager.sessions.state("asking", run.session_id)["limit"] == 100
    manager.sessions.set_state("asking", run.session_id, {"limit": 1000})
    assert manager.pending() == [call], "a setting is no message"
    [entry] = await manager.sessions.newest("asking", run.session_id, limit=1)
    assert (entry.event().author, entry.event().actions.state_delta) == ("user", {"limit": 1000})
    seen = await ended(manager, manager.start("asking", "pay 500", session_id=run.session_id))
    assert status(seen) == "completed"
    with pytest.raises(StateInputError):
        manager.sessions.set_state("asking", run.session_id, {"limit": object()})
    with pytest.raises(SessionNotFoundError):
        manager.sessions.set_state("asking", "nowhere", {"limit": 1})


async def test_a_setting_changed_in_mid_run_is_seen_by_the_run(manager):
    run = manager.start("rehearsal", "hang 1")
    await asyncio.to_thread(manager.sessions.set_state, "rehearsal", run.session_id, {"pace": "slow"})
    assert manager.sessions.state("rehearsal", run.session_id)["pace"] == "slow"
    assert manager.sessions.find("rehearsal", run.session_id).status == "running"
    manager.stop("rehearsal", run.session_id)


async def test_faults_go_with_a_run_and_the_log_says_so(manager):
    run = manager.start("asking", "pay 5", faults=[Fault(kind="fail_before", target="Clerk")])
    seen = await ended(manager, run)
    assert status(seen) == "failed"
    started, injected = (next(e for e in entries(seen) if e.kind == kind) for kind in ("run_started", "fault_injected"))
    assert started.fields()["faults"] == ["Clerk:fail_before:1"]
    assert injected.fields()["fault"] == "fail_before"
    seen = await ended(manager, manager.rerun("asking", run.session_id))
    assert status(seen) == "completed"


async def test_a_card_may_limit_the_calls_of_a_run(manager):
    seen = await ended(manager, manager.start("asking", "pay 5"))
    assert next(e for e in entries(seen) if e.kind == "run_started").fields()["max_llm_calls"] == 20


async def test_a_message_is_the_answer_to_an_agent_that_works_at_a_task(tmp_path):
    with RunManager(database=tmp_path / "playground.db", agents_dir=STAGES.with_name("task_stages")) as manager:
        first = manager.start("greeting", "Hi")
        await ended(manager, first)
        for said, question in (("Ann", "Your name?"), ("yes", "Sure?")):
            [call] = manager.pending()
            assert (call.args["message"], call.takes_messages) == (question, True)
            run = manager.start("greeting", said, session_id=first.session_id)
            assert run.invocation_id == first.invocation_id
            seen = await ended(manager, run)
        assert (status(seen), texts(seen)[-1]) == ("completed", "Hello Ann.")
        again = manager.start("greeting", "Hi", session_id=first.session_id)
        await ended(manager, again)
        assert again.invocation_id != first.invocation_id
