"""Bullets over HTTP, behind the guard."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from agents.ace import DeltaBatch
from agents.errors import DatabaseError
from agents.runs import RunManager
from ui.access.guard import Guard, Reach
from ui.web.routes.playbooks import MOST, playbook_route


@pytest.fixture
def manager():
    with RunManager(database=None) as made:
        yield made


@pytest.fixture
def store(manager):
    """Revision 1 has two bullets, revision 2 says another thing in the first and has tagged it."""
    store = manager.playbooks("ace")
    first, _ = store.commit(DeltaBatch(operations=[add("units", "Grüße"), add("money", "Two decimals.")])).applied
    changes = [
        {"type": "UPDATE", "bullet_id": first["bullet_id"], "content": "Grüße <b>& more</b>"},
        {"type": "TAG", "bullet_id": first["bullet_id"], "tag": "helpful"},
    ]
    store.commit(DeltaBatch(operations=changes))
    return store


@pytest.fixture
def client(manager):
    app = Starlette(routes=[playbook_route(lambda: manager)], middleware=[Middleware(Guard, reach=Reach())])
    return TestClient(app, base_url="http://127.0.0.1:8501", client=("127.0.0.1", 5000))


def add(section: str, content: str) -> dict[str, str]:
    return {"type": "ADD", "section": section, "content": content}


def get(client: TestClient, **query: str):
    return client.get("/api/playbook", params={"playbook": "ace", **query})


def contents(answer) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [bullet["content"] for bullet in answer.json()["bullets"]]


def test_the_playbook_as_it_is_now(client, store):
    answer = get(client)
    first = store.playbook().bullets[0]
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() | {"bullets": answer.json()["bullets"][:1]} == {
        "playbook": "ace",
        "revision": 2,
        "bullets": [
            {
                "id": first.id,
                "section": "units",
                "content": "Grüße <b>& more</b>",
                "helpful": 1,
                "harmful": 0,
                "neutral": 0,
                "archived": False,
            }
        ],
        "more": 0,
    }
    assert contents(answer) == ["Grüße <b>& more</b>", "Two decimals."]


def test_a_revision_is_shown_as_it_was(client, store):
    assert contents(get(client, revision="1")) == ["Grüße", "Two decimals."]
    assert get(client, revision="1").json()["revision"] == 1
    assert contents(get(client, revision="0")) == []


def test_bullets_that_are_named_come_in_that_order_and_unknown_ones_are_left_out(client, store):
    units, money = (bullet.id for bullet in store.playbook().bullets)
    asked = get(client, ids=f"{money},gone-00009,{units},{money},")
    assert contents(asked) == ["Two decimals.", "Grüße <b>& more</b>"]
    assert asked.json()["more"] == 0
    assert contents(get(client, ids="")) == []


def test_of_many_bullets_the_first_are_shown_and_the_others_counted(client, manager):
    store = manager.playbooks("big")
    batch = DeltaBatch(by="person", operations=[add("all", f"Number {n}.") for n in range(MOST + 20)])
    ids = [change["bullet_id"] for change in store.commit(batch).applied]
    answer = get(client, playbook="big")
    assert (len(contents(answer)), answer.json()["more"]) == (MOST, 20)
    assert contents(get(client, playbook="big", ids=",".join(ids[-MOST:])))[-1] == f"Number {MOST + 19}."
    refused = get(client, playbook="big", ids=",".join(ids))
    assert refused.status_code == 400
    assert "several parts" in refused.json()["message"]


def test_a_playbook_that_is_not_there_yet_is_empty_now_and_has_no_past(client):
    assert get(client, playbook="not-yet").json() == {"playbook": "not-yet", "revision": 0, "bullets": [], "more": 0}
    missing = get(client, playbook="not-yet", revision="3")
    assert missing.status_code == 404
    assert "not-yet" in missing.json()["message"]


def test_a_revision_that_is_not_there_is_said(client, store):
    answer = get(client, revision="7")
    assert answer.status_code == 404
    assert "7" in answer.json()["message"]


@pytest.mark.parametrize(
    "query",
    [
        {"playbook": ""},
        {"playbook": "a" * 301},
        {"playbook": "a" * 200},
        {"playbook": "a\nb"},
        {"revision": "-1"},
        {"revision": "1e3"},
        {"revision": "⁵"},
    ],
)
def test_a_senseless_address_is_refused_with_a_message(client, store, query):
    answer = get(client, **query)
    assert answer.status_code == 400
    assert len(answer.json()["message"]) > 20


def test_a_database_that_stops_answering_is_said(manager, client, monkeypatch):
    def locked(_name):
        raise DatabaseError("The database is locked.")

    monkeypatch.setattr(manager, "playbooks", locked)
    answer = get(client)
    assert (answer.status_code, answer.json()) == (503, {"message": "The database is locked."})


@pytest.mark.parametrize("revision", ["", "99"])
def test_no_answer_can_act_as_a_page_or_be_kept(client, store, revision):
    headers = get(client, revision=revision).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-cache"


def test_strangers_are_kept_out(client, store):
    refused = client.get("/api/playbook", params={"playbook": "ace"}, headers={"Origin": "http://elsewhere.example"})
    assert refused.status_code == 403
