"""Connections to PostgreSQL: transactions, what breaks them, and what is said then."""

from __future__ import annotations

import pytest

from agents.errors import DatabaseError
from agents.storage.postgres.pool import Pool


@pytest.fixture
def pool(postgres):
    pool = Pool(postgres, wait=2)
    yield pool
    pool.close()


def tags(pool: Pool) -> list[str]:
    with pool.reading() as conn:
        return [text for (text,) in conn.execute("SELECT text FROM texts ORDER BY hash")]


def note(pool: Pool, text: str) -> None:
    with pool.writing() as conn:
        conn.execute("INSERT INTO texts VALUES (?, ?)", (text, text))


def test_a_block_that_fails_stores_nothing(pool):
    with pytest.raises(ZeroDivisionError), pool.writing() as conn:
        assert conn.execute("INSERT INTO texts VALUES (?, ?)", ("a", "b")).rowcount / 0
    assert tags(pool) == []
    note(pool, "kept")
    assert tags(pool) == ["kept"]


def test_each_test_has_a_database_of_its_own(pool):
    assert tags(pool) == []


@pytest.mark.parametrize("text", ["a\0b", "\x1b", "\x1b0", "\0\x1b\0", "\x1b1", "100 % ?", "灯台 𝄞"])
def test_any_text_is_stored_as_it_is(pool, text):
    note(pool, text)
    assert tags(pool) == [text]


def test_connections_that_the_database_ended_are_replaced(pool):
    note(pool, "a")
    with pool.connect().raw as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid()")
    note(pool, "b")
    assert tags(pool) == ["a", "b"]


def test_a_statement_that_fails_says_why(pool):
    with pytest.raises(DatabaseError, match=r"nowhere.*Nothing was stored"), pool.writing() as conn:
        conn.execute("SELECT * FROM nowhere")
