"""Lists of sessions, over memory and SQLite alike: one found by its key, and pages."""

from __future__ import annotations

import sqlite3

import pytest

from agents.log import TraceRecord
from agents.session_list import SessionFilter
from agents.storage.sessions.sqlite import SqliteSessionService
from tests.agents.storage.conftest import NAMES, S1, said

pytestmark = pytest.mark.anyio

MINE = SessionFilter(user_ids=frozenset({"user"}))


async def make(service, *ids: str, app: str = "app", user: str = "user"):
    return [await service.create_session(app_name=app, user_id=user, session_id=id_) for id_ in ids]


async def ids(service, wanted=MINE, **how) -> list[str]:
    return [row.id for row in (await service.page(wanted, limit=100, **how)).rows]


async def test_one_session_is_found_by_its_key(service):
    await make(service, "s1", "s2")
    await make(service, "s1", app="other")
    await service.rename_session(**S1, title="tea")
    found = await service.summary(**S1)
    assert found == next(row for row in await service.summaries() if (row.app_name, row.id) == ("app", "s1"))
    assert found.title == "tea"
    assert await service.summary(**NAMES, session_id="none") is None
    await service.delete_session(**S1)
    assert await service.summary(**S1) is None


async def test_pages_join_to_the_whole_list(service):
    await make(service, *(f"s{number}" for number in range(7)))
    seen, cursor = [], None
    while True:
        page = await service.page(MINE, limit=3, before=cursor)
        assert page.found == 7
        seen.append([row.id for row in page.rows])
        if (cursor := page.next) is None:
            break
    assert seen == [["s6", "s5", "s4"], ["s3", "s2", "s1"], ["s0"]]


async def test_a_last_page_that_is_full_says_that_it_is_the_last(service):
    await make(service, "s1", "s2")
    assert (await service.page(MINE, limit=2)).next is None
    assert (await service.page(MINE, limit=1)).next is not None


async def test_a_session_that_changes_between_two_pages_moves_to_the_front_and_none_is_left_out(service):
    first, *_ = await make(service, "s0", "s1", "s2", "s3")
    page = await service.page(MINE, limit=2)
    await service.append(first, [said("again")])
    assert await ids(service, before=page.next) == ["s1"]
    assert await ids(service) == ["s0", "s3", "s2", "s1"]


async def test_a_limit_of_none_only_counts(service):
    await make(service, "s1", "s2")
    page = await service.page(MINE, limit=0)
    assert (page.rows, page.found, page.next) == ((), 2, None)


async def test_a_page_is_of_a_user_an_app_an_id_and_statuses(service):
    running, *_ = await make(service, "s1", "s2", "s3")
    await make(service, "s1", app="other")
    await make(service, "s1", user="somebody")
    await service.append(running, [TraceRecord("run_started", "i", "A", data={})])
    await service.delete_session(**NAMES, session_id="s3")
    assert await ids(service) == ["s1", "s1", "s2"]
    assert await ids(service, SessionFilter(user_ids=frozenset({"user"}), app_name="app")) == ["s1", "s2"]
    assert await ids(service, SessionFilter(user_ids=frozenset({"user"}), session_id="s1")) == ["s1", "s1"]
    assert await ids(service, SessionFilter(user_ids=frozenset({"user"}), statuses=frozenset({"running", "paused"}))) == [
        "s1"
    ]
    assert len(await ids(service, SessionFilter())) == 4
    named = frozenset({("app", "s2"), ("app", "s3"), ("other", "s1"), ("app", "none")})
    assert await ids(service, SessionFilter(among=named)) == ["s1", "s2"]
    assert await ids(service, SessionFilter(among=frozenset())) == []


@pytest.mark.parametrize("words", ["BERN  bak", "ｂｅｒｎ", "é 100%", "'"])
async def test_words_are_looked_for_in_titles(service, words):
    await make(service, "s1", "s2")
    await service.rename_session(**S1, title="A Baker in Bern: É, 100% 'rye'")
    await service.rename_session(**NAMES, session_id="s2", title="A Butcher in Basel, 100 x")
    page = await service.page(SessionFilter(user_ids=frozenset({"user"}), title=words), limit=1)
    assert ([row.id for row in page.rows], page.found, page.next) == (["s1"], 1, None)


@pytest.fixture
async def many(tmp_path):
    """A service with thousands of sessions."""
    service = SqliteSessionService(tmp_path / "many.db")
    await make(service, "s0")
    with sqlite3.connect(tmp_path / "many.db") as conn:
        conn.execute(
            "INSERT INTO sessions (app_name, user_id, id, title, created_at, updated_at, last_seq) "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
            "SELECT 'app', 'user', 'more' || i, '', 0, 0, 1000 + i FROM n"
        )
    yield service
    await service.close()


async def test_a_page_of_thousands_is_read_from_an_index(many):
    asked: list[str] = []
    conn = many._database._readers[0].connection.get()
    for reader in many._database._readers:
        reader.connection.get().set_trace_callback(asked.append)
    page = await many.page(SessionFilter(user_ids=frozenset({"user"}), app_name="app"), limit=20)
    found = await many.summary(app_name="app", user_id="user", session_id="more7")
    assert (len(page.rows), page.found, found.id) == (20, 3001, "more7")
    conn.set_trace_callback(None)
    selects = [sql for sql in asked if sql.startswith("SELECT")]
    plans = [" ".join(row[-1] for row in conn.execute(f"EXPLAIN QUERY PLAN {sql}")) for sql in selects]
    assert len(plans) == 3
    assert all("USING" in plan and "SCAN" not in plan and "TEMP B-TREE" not in plan for plan in plans), plans
