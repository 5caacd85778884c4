"""`/health`, `/ready` and `/metrics`: what they say, and to whom."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from contextlib import closing

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from agents.access import OWNER, TokenScope
from agents.storage.sqlite.migrations import VERSION
from agents.workspace import Workspace
from tests.ui.stage import finish
from ui.access.guard import Guard, Reach
from ui.access.identity import Identity
from ui.state import runs
from ui.web.operations import readiness, traffic
from ui.web.operations.routes import operation_routes
from ui.web.operations.traffic import Counts, MessageCounter, Traffic

REACH = Reach(network=True)


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Nothing asked and counted yet."""
    monkeypatch.setattr(readiness, "_process", readiness._Process())
    monkeypatch.setattr(traffic, "counts", Counts())


@pytest.fixture
def stored(tmp_path, quiet_world):
    runs.adopt(Workspace(tmp_path / "playground.db"))
    yield runs.manager()
    runs.close()


def client(reach=REACH, peer=("203.0.113.9", 4000)):
    app = Starlette(routes=operation_routes())
    tokens = lambda: runs.manager().tokens  # noqa: E731
    return TestClient(Traffic(Guard(Identity(app, reach, tokens=tokens), reach)), base_url="http://127.0.0.1", client=peer)


def owner():
    return client(Reach(), ("127.0.0.1", 4000))


def test_a_server_whose_database_can_be_written_is_ready(stored):
    assert client().get("/health").json() == {"status": "ok"}
    answer = client().get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "problems": {}})


def unready():
    answers = [client().get("/ready"), owner().get("/ready")]
    assert {answer.status_code for answer in answers} == {503}
    return [answer.json()["problems"] for answer in answers]


def test_a_database_that_another_program_keeps_is_not_ready(stored, tmp_path, monkeypatch):
    monkeypatch.setattr("agents.storage.sqlite.copied_file.READY_SECONDS", 0.0)
    with closing(sqlite3.connect(tmp_path / "playground.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        others, owners = unready()
    assert others == {"database": "cannot be used"}
    assert "is locked" in owners["database"]


@pytest.mark.parametrize(("found", "told"), [(VERSION + 1, "made by a newer Agent Playground"), (1, "still to be upgraded")])
def test_a_database_of_another_schema_is_not_ready(stored, tmp_path, found, told):
    with closing(sqlite3.connect(tmp_path / "playground.db")) as other:
        other.execute(f"PRAGMA user_version = {found}")
    others, owners = unready()
    assert others == {"database": "cannot be used"}
    assert told in owners["database"]


def test_a_full_disk_is_not_ready(stored, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 5, 5))
    others, owners = unready()
    assert others == {"disk": "nearly full"}
    assert "MB are free" in owners["disk"]


def test_a_server_that_is_about_to_end_is_not_ready(stored):
    readiness.end()
    assert unready() == [{"server": "ending"}, {"server": "This server is about to end."}]


def test_many_questions_lock_the_database_once_a_second(stored, monkeypatch):
    asked = []
    monkeypatch.setattr(Workspace, "check_ready", lambda _: asked.append(1))
    answers = {client().get("/ready").status_code for _ in range(5)}
    assert answers == {200}
    assert len(asked) < 5


def metrics(text):
    """All samples by name and labels."""
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_runs_calls_requests_and_viewers(stored, monkeypatch):
    run = stored.start("tool_loop", "2 + 2")
    finish(stored, "tool_loop", run.session_id)
    somewhere = logging.getLogger("somewhere")
    monkeypatch.setattr(somewhere, "propagate", False)  # an app that was started here may count for the root, too
    monkeypatch.setattr(somewhere, "handlers", [MessageCounter()])
    somewhere.critical("the only one of its level")
    traffic.counts.opened("view", 1)
    client().get("/health")
    runs.workspace().run_counts.close()  # what has ended is counted then
    found = metrics(owner().get("/metrics").text)
    assert found["playground_runs_ended_total", "completed"] == 1
    assert found["playground_runs_started_total",] == 1
    assert found["playground_runs_at_work",] == 0
    assert found["playground_model_calls_total", "ok", "simulated"] >= 1
    assert found["playground_model_tokens_total", "input", "simulated"] > 0
    assert (
        found["playground_log_entries_appended_total",] == len(stored.sessions.log("tool_loop", run.session_id)) - run.after
    )
    assert found["playground_request_seconds_count", "2xx", "operations"] == 1
    assert found["playground_request_seconds_bucket", "+Inf", "2xx", "operations"] == 1
    assert found["playground_sockets", "view"] == 1
    assert found["playground_log_messages_total", "critical"] == 1
    assert found["playground_ready",] == 1
    assert found["process_resident_memory_bytes",] > 1e7
    assert found["process_open_fds",] > 3


def test_metrics_say_nothing_of_users_and_have_few_labels(stored):
    run = stored.start("tool_loop", "2 + 2 for Ann")
    finish(stored, "tool_loop", run.session_id)
    runs.workspace().run_counts.close()
    for path in ("/apps/a/users/ann/sessions/s1", "/shared/secret", "/v1/models", *(f"/x{n}" for n in range(50))):
        client().get(path)
    text = owner().get("/metrics").text
    assert not [
        word for word in ("Ann", "ann", "secret", run.session_id, run.invocation_id, OWNER.id, "/x1") if word in text
    ]
    assert len(text.splitlines()) < 200


@pytest.mark.parametrize("made_by", ["owner", "nobody"])
def test_metrics_are_the_owners_or_for_a_token_of_theirs(stored, made_by):
    headers = {}
    if made_by == "owner":
        _, text = stored.tokens.make(OWNER, "prometheus", {TokenScope.READ})
        headers = {"Authorization": f"Bearer {text}"}
    answer = client().get("/metrics", headers=headers)
    assert answer.status_code == (200 if made_by == "owner" else 401)
    assert ("playground_ready 1.0" in answer.text) is (made_by == "owner")


def test_every_answer_has_the_requests_id_and_takes_that_of_a_proxy(stored):
    assert client().get("/health", headers={"X-Request-ID": "abc-1"}).headers["x-request-id"] == "abc-1"
    ids = {
        client().get("/health", headers=given).headers["x-request-id"] for given in ({}, {"X-Request-ID": "a b\x01" * 99})
    }
    assert len(ids) == 2
    assert all(len(one) == 16 for one in ids)


def test_a_request_without_an_answer_is_counted():
    async def fails(scope, receive, send):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        TestClient(Traffic(fails)).get("/")
    assert dict(traffic.counts.seconds).keys() == {("page", "none")}


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "page"), ("/sessions", "page"), ("/api/log", "view"), ("/apiary", "page"), ("/v1/models", "api"),
     ("/ready", "operations"), ("/metrics", "operations"), ("/_stcore/stream", "streamlit"), ("/static/a.js", "static")],
)  # fmt: skip
def test_a_route_has_a_kind(path, kind):
    assert traffic.kind_of(path) == kind
