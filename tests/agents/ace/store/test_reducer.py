"""`PlaybookReducer`: which playbook a batch goes to, what is refused, and what an event's delta says afterwards."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.store.reducer import NAME_KEY, PLAYBOOK_KEY, PlaybookReducer, ledger_of, name_for
from agents.errors import StateValueError
from agents.state import check_state_value
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Origin, Reducers
from agents.storage.sqlite.database import transaction
from agents.storage.sqlite.migrations import migrate

HERE = Origin("app", "s1", "i1", 7, 5.0)


@pytest.fixture
def playbooks():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        with transaction(conn):
            migrate(conn)
        yield StoredPlaybookTransaction(conn)


def batch(**more) -> dict:
    return DeltaBatch(operations=[{"type": "ADD", "section": "units", "content": "x"}], **more).model_dump(mode="json")


@pytest.mark.parametrize(
    ("state", "name"),
    [
        ({}, "app"),
        ({NAME_KEY: "mine"}, "mine"),
        ({NAME_KEY: ""}, "app"),
        ({NAME_KEY: "  "}, "app"),
        ({NAME_KEY: None}, "app"),
        ({NAME_KEY: 7}, "app"),
        ({NAME_KEY: "x" * 81}, "app"),
    ],
)
def test_the_session_names_its_playbook_or_the_app_does(playbooks, state, name):
    assert name_for("app", state) == name
    reducer = PlaybookReducer()
    assert reducer.commit(playbooks, batch(), state, HERE)["playbook"] == name
    read = reducer.read(playbooks, "app", state)
    assert (read.name, len(read)) == (name, 1)
    assert PlaybookReducer().read(playbooks, "app", state) == read


def test_the_batch_has_the_first_word(playbooks):
    recorded = PlaybookReducer().commit(playbooks, batch(playbook="other"), {NAME_KEY: "mine"}, HERE)
    assert recorded["playbook"] == "other"
    assert PlaybookReducer().read(playbooks, "app", {NAME_KEY: "mine"}).to_json() == Playbook(name="mine").to_json()


def test_what_is_recorded_is_json_and_tells_all(playbooks):
    operations = [
        {"type": "ADD", "section": "units", "content": "x"},
        {"type": "TAG", "bullet_id": "nobody-00001", "tag": "helpful"},
    ]
    operation = DeltaBatch(reasoning="Why.", operations=operations, by="reflector", cited=[]).model_dump(mode="json")
    recorded = PlaybookReducer().commit(playbooks, operation, {}, HERE)
    assert json.loads(json.dumps(recorded)) == recorded
    assert recorded == {
        "playbook": "app",
        "revision": 1,
        "by": "reflector",
        "reasoning": "Why.",
        "applied": [
            {"type": "CITE", "bullet_ids": [], "query": 1},
            {"type": "ADD", "bullet_id": "units-00001", "section": "units", "content": "x"},
        ],
        "rejected": [
            {"operation": operations[1], "reason": "There is no bullet 'nobody-00001' in this playbook."},
        ],
        "cited": [],
    }


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("a text", "the value: "),
        (None, "the value: "),
        (["x"], "the value: "),
        ({"operations": [{"type": "EXPLODE"}]}, "operations.0"),
        ({"operations": [{"type": "ADD", "section": "x"}]}, "operations.0.ADD.content"),
        ({"operations": [{"type": "TAG", "bullet_id": "x", "tag": "lovely"}]}, "operations.0.TAG.tag"),
        ({"playbook": "p", "revision": 3, "applied": []}, "revision"),
    ],
)
def test_what_is_no_batch_is_refused_with_what_is_wrong(value, problem):
    with pytest.raises(StateValueError, match=f"(?s)'app:playbook' takes changes.*{problem}.*DeltaBatch\\("):
        check_state_value(PLAYBOOK_KEY, value)


def test_many_problems_are_named_in_part():
    with pytest.raises(StateValueError) as caught:
        check_state_value(PLAYBOOK_KEY, {"operations": [{"type": "ADD"}] * 50})
    assert str(caught.value).count("Field required") == 5


def test_a_batch_passes():
    check_state_value(PLAYBOOK_KEY, {})
    check_state_value(PLAYBOOK_KEY, batch(playbook="mine"))


@pytest.mark.parametrize("name", [" ", "a\n", "x" * 81])
def test_a_batch_for_a_playbook_that_cannot_be_is_refused(name):
    with pytest.raises(StateValueError, match=r"'app:playbook' takes changes.*cannot name a playbook"):
        check_state_value(PLAYBOOK_KEY, batch(playbook=name))


def test_an_app_whose_name_cannot_be_a_playbooks_stores_nothing(playbooks):
    with pytest.raises(ValueError, match="cannot name a playbook"):
        PlaybookReducer().commit(playbooks, batch(), {}, HERE._replace(app_name="x" * 81))
    assert playbooks.conn.execute("SELECT count(*) FROM playbooks").fetchone() == (0,)


def test_a_store_can_share_what_a_session_service_has_folded():
    tables, reducers = InMemoryPlaybookRepository(), Reducers()
    reducer = reducers.for_key(PLAYBOOK_KEY)
    store = PlaybookStore(tables, "app", ledger=ledger_of(reducers))
    with tables.writing() as playbooks:
        reducer.commit(playbooks, batch(), {}, HERE)
        assert store.playbook() is reducer.read(playbooks, "app", {})
    store.beside("app").commit(DeltaBatch.model_validate(batch()))
    with tables.writing() as playbooks:
        assert store.playbook() is reducer.read(playbooks, "app", {})
    assert len(store.playbook()) == 2
    assert PlaybookStore(tables, "app").playbook() is not store.playbook()
