"""What a person prefers is kept, and what cannot be read harms nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from agents.errors import DatabaseError
from agents.models.pricing import list_prices
from agents.models.provider import Price
from agents.storage.postgres.pool import Pool
from agents.storage.preferences import InMemoryPreferenceStore, Preferences
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.tables.preferences import PreferenceTable

CHOSEN = {
    "model": "gemini-flash-latest",
    "models": ("llama/x",),
    "agent_models": {"p": {"Writer": "ollama/y"}},
    "base_urls": {"llama": "http://127.0.0.1:1/v1"},
    "prices": {"llama/x": Price(input=1, output=2)},
    "simulated_speed": 0.0,
}


@pytest.fixture(params=["memory", "file", "postgres"])
def kept(request, tmp_path):
    """A store, and how to look at what it holds anew."""
    match request.param:
        case "memory":
            store = again = InMemoryPreferenceStore()
        case "file":
            store, again = (PreferenceTable(OneConnection(tmp_path / "playground.db")) for _ in range(2))
        case "postgres":
            store, again = (PreferenceTable(Pool(request.getfixturevalue("postgres"))) for _ in range(2))
    yield SimpleNamespace(store=store, again=again)
    store.close()
    again.close()


def test_at_first_there_are_the_defaults(kept):
    assert kept.store.read() == Preferences()


def test_what_is_chosen_is_there_the_next_time(kept):
    assert kept.store.change(CHOSEN) == Preferences(**CHOSEN)
    assert kept.again.read() == Preferences(**CHOSEN)


def test_a_price_that_was_stored_before_there_were_fees_is_read(tmp_path):
    path = tmp_path / "playground.db"
    with closing(PreferenceTable(OneConnection(path))) as store:
        store.change({"prices": {"m": Price(input=1, output=2, cached=0.5, search_queries=14)}})
    with closing(sqlite3.connect(path)) as database, database:
        before = json.dumps({"m": {"input": 1, "output": 2, "cached": 0.5}})
        changed = database.execute("UPDATE preferences SET value = ? WHERE name = 'prices'", [before]).rowcount
    assert changed == 1
    with closing(PreferenceTable(OneConnection(path))) as store:
        assert store.read().prices == {"m": Price(input=1, output=2, cached=0.5)}


def test_a_change_leaves_the_others(kept):
    kept.store.change(CHOSEN)

    kept.again.change({"model": "simulated"})

    assert kept.store.read() == Preferences(**{**CHOSEN, "model": "simulated"})


def test_what_the_caller_changes_afterwards_is_not_stored(kept):
    urls = {"llama": "http://127.0.0.1:1/v1"}
    kept.store.change({"base_urls": urls})
    urls["ollama"] = "http://127.0.0.1:2"
    assert kept.again.read().base_urls == {"llama": "http://127.0.0.1:1/v1"}


@pytest.mark.parametrize("wrong", [{"simulated_speed": -1}, {"base_urls": {"nobody": "http://127.0.0.1:1"}}])
def test_a_value_that_cannot_be_is_refused_and_nothing_is_changed(kept, wrong):
    kept.store.change(CHOSEN)

    with pytest.raises(ValidationError):
        kept.store.change({"model": "simulated", **wrong})

    assert kept.again.read() == Preferences(**CHOSEN)


@pytest.mark.parametrize("text", ["", "{", "-1", '"fast"', "[" * 5000, "null x"])
def test_a_stored_value_that_cannot_be_read_is_left_alone(tmp_path, text):
    path = tmp_path / "playground.db"
    with closing(PreferenceTable(OneConnection(path))) as store:
        store.change({"model": "gemini-pro-latest"})
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("INSERT INTO preferences VALUES ('simulated_speed', ?)", (text,))
        conn.execute("INSERT INTO preferences VALUES ('of_a_later_version', ?)", (json.dumps(7),))

    with closing(PreferenceTable(OneConnection(path))) as store:
        assert store.read() == Preferences(model="gemini-pro-latest")
        store.change({"models": ("llama/x",)})

    with closing(sqlite3.connect(path)) as conn:
        rows = dict(conn.execute("SELECT name, value FROM preferences"))
    assert (rows["simulated_speed"], rows["of_a_later_version"]) == (text, "7")


def test_a_database_that_cannot_be_used_says_so(tmp_path):
    path = tmp_path / "playground.db"
    path.write_bytes(b"no database at all" * 100)

    with closing(PreferenceTable(OneConnection(path))) as store, pytest.raises(DatabaseError, match="not a SQLite database"):
        store.read()


def test_the_prices_that_count_are_the_persons_and_the_built_in_ones():
    mine = Price(input=9, output=9)
    table = Preferences(prices={"gemini-pro-latest": mine, "llama/x": mine}).price_table

    assert table == {**list_prices(), "gemini-pro-latest": mine, "llama/x": mine}
