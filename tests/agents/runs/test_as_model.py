"""Stored sessions in which the user is a model: over a restart, replayed, written as code, and with a time limit."""

from __future__ import annotations

import pytest

from agents.errors import AnswerError
from agents.forks import BackgroundForks, prepare_fork
from agents.models.replay.spec import REPLAY_PREFIX
from agents.runs import RunManager
from agents.sharing.code.session_code import session_code
from tests.agents.runs.stage import collect, entries, finished, status, texts

pytestmark = pytest.mark.anyio
PIPELINE = "iterative_writing"
CRITIC = {"CriticAgent": "you"}


@pytest.fixture
def database(tmp_path):
    return tmp_path / "playground.db"


async def ended(manager, run):
    return await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished)


async def started(manager):
    run = manager.start(PIPELINE, "a lighthouse", agent_models=CRITIC, simulated_speed=0)
    return run, await ended(manager, run)


async def test_a_question_outlives_the_server_and_the_answer_goes_on_from_it(database):
    with RunManager(database=database) as manager:
        run, seen = await started(manager)
        assert status(seen) == "paused"
    with RunManager(database=database) as manager:
        [call] = manager.pending()
        assert (call.agent, call.args["model"]) == ("CriticAgent", "you")
        again = manager.answer(PIPELINE, run.session_id, call.call_id, {"text": "No major issues found."})
        seen = await ended(manager, again)
        assert "No major issues found." in texts(seen)
        assert manager.sessions.find(PIPELINE, run.session_id).status in ("completed", "paused")


@pytest.mark.parametrize(
    ("answer", "why"),
    [({"text": ""}, "empty"), ({"text": "x" * 100_000}, "97.7 KiB"), ({"calls": [{"name": "no"}]}, "no tool")],
)
async def test_what_cannot_be_taken_leaves_the_question_as_it_is(database, answer, why):
    with RunManager(database=database) as manager:
        run, _ = await started(manager)
        [call] = manager.pending()
        with pytest.raises(AnswerError, match=why):
            manager.answer(PIPELINE, run.session_id, call.call_id, answer)
        assert [each.call_id for each in manager.pending()] == [call.call_id]


async def test_a_replay_says_again_what_a_person_typed_without_asking(database):
    with RunManager(database=database) as manager:
        run, _ = await started(manager)
        while calls := manager.pending():
            await ended(
                manager, manager.answer(PIPELINE, run.session_id, calls[0].call_id, {"text": "Ending: Say what stayed."})
            )
        replay = manager.start(
            PIPELINE, "a lighthouse", model=f"{REPLAY_PREFIX}{PIPELINE}/{run.session_id}", simulated_speed=0
        )
        seen = await ended(manager, replay)
        assert status(seen) == "completed"
        [typed, *_] = [entry.event() for entry in entries(seen) if entry.kind == "event" and "typed_by_person" in entry.body]
        assert (typed.text, typed.custom_metadata["replay"]["drifted"]) == ("Ending: Say what stayed.", [])
        assert not any("replay_drifted" in entry.kind for entry in entries(seen))


async def test_the_usual_model_answers_what_nobody_answers_in_time(database):
    with RunManager(database=database) as manager:
        manager.models.change(answer_seconds=0.01)
        run = manager.start(PIPELINE, "a lighthouse", agent_models=CRITIC, simulated_speed=0)
        seen = await collect(
            manager.subscribe(PIPELINE, run.session_id), lambda seen: finished(seen) and status(seen) == "completed"
        )
        late = [
            part.response
            for entry in entries(seen)
            if entry.kind == "event"
            for part in entry.event().get_function_responses()
        ]
        assert {"pass": True, "late": True} in late


@pytest.mark.parametrize("later", [3600, None])
async def test_a_time_limit_outlives_the_server_and_a_change_of_the_setting(database, monkeypatch, later):
    with RunManager(database=database) as manager:
        manager.models.change(answer_seconds=3600)
        run, _ = await started(manager)
        [call] = manager.pending()
        assert call.args["seconds"] == 3600
        manager.models.change(answer_seconds=later)
    monkeypatch.setattr("agents.runs.limits.answer_limits.time.time", lambda: call.asked_at + 3601)
    with RunManager(database=database) as manager:
        news = manager.subscribe(PIPELINE, run.session_id)
        await collect(news, lambda seen: any('"late"' in entry.body for entry in entries(seen)))


async def test_a_file_of_code_gives_the_answers_again(database):
    with RunManager(database=database) as manager:
        run, _ = await started(manager)
        [call] = manager.pending()
        await ended(manager, manager.answer(PIPELINE, run.session_id, call.call_id, {"text": "Ending: weak."}))
        code = session_code(manager, PIPELINE, run.session_id)
        assert "YouLlm(usual=" in code.playground
        assert "Ending: weak." in code.playground
        assert "playground_request_answer" not in code.adk
        assert "The user answered as a model" in code.adk


def waiting_in(manager, session):
    return [call for call in manager.pending() if call.session_id == session]


async def test_a_fork_at_a_question_waits_and_one_at_an_answer_goes_on(database):
    with RunManager(database=database, preparation=prepare_fork) as manager:
        run, _ = await started(manager)
        [call] = manager.pending()
        await ended(manager, manager.answer(PIPELINE, run.session_id, call.call_id, {"text": "Ending: weak."}))
        events = [entry for entry in manager.sessions.log(PIPELINE, run.session_id) if entry.kind == "event"]
        asked, typed = (
            next(entry.seq for entry in events if mark in entry.body) for mark in (call.call_id, "Ending: weak.")
        )
        for at, said in ((asked, False), (typed, True)):
            [fork] = BackgroundForks(manager).rerun(PIPELINE, run.session_id, at=at)
            await collect(manager.subscribe(PIPELINE, fork), lambda _, fork=fork: waiting_in(manager, fork))
            texts_of_fork = [entry.event().text for entry in manager.sessions.log(PIPELINE, fork) if entry.kind == "event"]
            assert ("Ending: weak." in texts_of_fork) is said
            [waiting] = waiting_in(manager, fork)
            assert (waiting.agent, waiting.args["instruction"] == call.args["instruction"]) == ("CriticAgent", not said)
