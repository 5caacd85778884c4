"""A case's run is kept as a session of its own, in one step: nothing else of the user's changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.access import OWNER
from agents.cases import AnswerContains, Case, Check, keep_run
from agents.cases.check import CaseRun
from agents.log import EVENT_KIND
from agents.runs.services import Services
from agents.session import GetSessionConfig
from tests.agents.cases.stage import CATALOG

pytestmark = pytest.mark.anyio

PIPELINE = "iterative_writing"
WRONG = Case(
    name="灯台守の話",
    pipeline=PIPELINE,
    messages=("a lighthouse keeper", "shorter"),
    state={"tone": "dry"},
    expect=(AnswerContains(text="not in any answer"),),
)


@pytest.fixture(params=["memory", "file"])
async def services(request, tmp_path):
    made = Services(None if request.param == "memory" else tmp_path / "kept.db")
    yield made
    await made.close()


@pytest.fixture
async def run():
    return (await Check(CATALOG).run(WRONG)).runs[0]


async def kept_by(services, run, **about):
    session_id = await keep_run(services.sessions, WRONG, run, user_id=OWNER.id, **about)
    session = await services.sessions.get_session(app_name=PIPELINE, user_id=OWNER.id, session_id=session_id)
    log = await services.sessions.read_log(app_name=PIPELINE, user_id=OWNER.id, session_id=session_id)
    return session, log


async def test_the_run_is_the_one_session_that_comes_of_it_and_none_is_left_behind_deleted(services, run):
    session, _ = await kept_by(services, run, about="with the delta")
    [found] = await services.sessions.summaries(user_id=OWNER.id)
    assert (found.id, found.title) == (session.id, "Case: 灯台守の話 (with the delta)")
    assert (found.status, found.origin) == ("completed", "")
    assert await services.collection.deleted(user_id=OWNER.id) == []


async def test_its_log_is_the_runs_with_what_the_case_said_so_that_it_opens_at_the_first_difference(services, run):
    await services.sessions.create_session(app_name="duet", user_id=OWNER.id)  # so that numbers differ from the run's
    session, log = await kept_by(services, run)
    events = [entry.event() for entry in log if entry.kind == EVENT_KIND]
    said = [entry.event() for entry in run.entries if entry.kind == EVENT_KIND]
    assert events == said
    assert events[run.differences[0].event - 1].text == said[run.differences[0].event - 1].text != ""
    assert [entry.kind for entry in log] == [*(entry.kind for entry in run.entries), "case_run"]
    assert log[-1].fields()["what"] == run.why
    numbers = {entry.seq for entry in log}
    asked = [entry.fields()["contents"]["until"] for entry in log if entry.kind == "model_started"]
    assert asked
    assert all(until in numbers for until in asked)
    assert await services.sessions.read_texts(list(run.texts)) == dict(run.texts)
    since = GetSessionConfig(after_timestamp=said[0].timestamp)
    name = {"app_name": PIPELINE, "user_id": OWNER.id, "session_id": session.id}
    assert (await services.sessions.get_session(**name, config=since)).events == said, "each is as old as it was in the run"


async def test_what_agents_set_for_all_sessions_stays_in_the_case(services, run):
    mine = {"user:name": "mine", "app:motto": "mine"}
    await services.sessions.create_session(app_name=PIPELINE, user_id=OWNER.id, state=mine)
    theirs = {"user:name": "of the case", "app:motto": "of the case"}
    session, _ = await kept_by(services, replace(run, state={**run.state, **theirs}))
    assert session.state["tone"] == "dry"
    other = await services.sessions.create_session(app_name=PIPELINE, user_id=OWNER.id)
    assert {key: other.state.get(key) for key in mine} == mine


async def test_a_run_that_did_not_get_as_far_as_a_session_leaves_nothing(services):
    assert await keep_run(services.sessions, WRONG, CaseRun(error="no such pipeline"), user_id=OWNER.id) is None
    assert await services.sessions.summaries(user_id=OWNER.id) == []
