"""Every store of learners' progress keeps the contract."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.storage.lessons.memory import InMemoryProgressStore
from agents.storage.postgres.pool import Pool
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.tables.progress import ProgressTable


@pytest.fixture(params=["memory", "file", "postgres"])
def store(request, tmp_path):
    match request.param:
        case "memory":
            made = InMemoryProgressStore()
        case "file":
            made = ProgressTable(OneConnection(tmp_path / "play.db"))
        case "postgres":
            made = ProgressTable(Pool(request.getfixturevalue("postgres")))
    yield made
    made.close()


def names(rows):
    return [(row.user_id, row.lesson, row.step) for row in rows]


def test_rows_are_found_by_learner_and_lesson_and_cleared_for_both(store):
    for key in (("b", "x", "1"), ("a", "x", "2"), ("a", "x", "1"), ("a", "y", "1")):
        store.change(*key, lambda _: "{}")
    assert names(store.rows()) == [("a", "x", "1"), ("a", "x", "2"), ("a", "y", "1"), ("b", "x", "1")]
    assert names(store.rows(user_id="a", lesson="x")) == [("a", "x", "1"), ("a", "x", "2")]
    assert names(store.rows(lesson="y")) == [("a", "y", "1")]
    store.clear("a", "x")
    assert names(store.rows()) == [("a", "y", "1"), ("b", "x", "1")]


def test_a_change_is_given_what_is_there_and_one_that_fails_changes_nothing(store):
    assert store.change("a", "x", "1", str) == "None"
    with pytest.raises(ZeroDivisionError):
        store.change("a", "x", "1", lambda _: 1 / 0)
    assert [row.body for row in store.rows()] == ["None"]
    store.change("a", "x", "1", lambda body: body + "!")
    assert [row.body for row in store.rows()] == ["None!"]


def test_no_change_of_several_at_once_is_lost(store):
    def count(_):
        store.change("a", "x", "1", lambda body: json.dumps(json.loads(body or "0") + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(200)))
    assert [row.body for row in store.rows()] == ["200"]
