"""The schema of the session database: how a file gets it, and what it is good for."""

from __future__ import annotations

import asyncio
import inspect
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from google.genai import types
from sqlite_utils import Database

from agents.errors import DatabaseError
from agents.storage.artifacts import SqliteArtifactService
from agents.storage.sessions import SqliteSessionService, statements
from agents.storage.sqlite import migrations
from tests.agents.storage.conftest import S1, reading, said, writing

pytestmark = pytest.mark.anyio


async def test_the_file_says_which_steps_it_has_had(sqlite):
    await sqlite.open()
    database = Database(sqlite.path)
    assert database.journal_mode == "wal"
    assert database.execute("PRAGMA user_version").fetchone() == (migrations.VERSION,)
    steps = [
        row["name"]
        for row in database[migrations.MIGRATIONS_TABLE].rows_where("migration_set = 'sessions'", order_by="rowid")
    ]
    assert steps == [str(n + 1) for n in range(migrations.VERSION)]
    database.close()


async def test_a_failed_step_leaves_an_empty_file_that_can_be_tried_again(sqlite, monkeypatch):
    monkeypatch.setattr(migrations, "_STEP_1", "CREATE TABLE texts (hash); CREATE TABLE texts (hash);")
    with pytest.raises(Exception, match="already exists"):
        await sqlite.open()
    monkeypatch.undo()
    await sqlite.create_session(**S1)


def make_version_1(path: Path) -> None:
    """A file as the first schema had it, with a session in it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        migrations._steps().apply(Database(conn), stop_before="2")
        conn.execute("PRAGMA user_version = 1")
        conn.execute("INSERT INTO sessions VALUES (1, 'app', 'user', 's1', 'hello', 1.0, 2.0, NULL, 1, 1, 'completed')")
        body = json.dumps({"author": "user", "content": {"role": "user", "parts": [{"text": "hello"}]}})
        conn.execute("INSERT INTO log VALUES (1, 1, 'event', 2.0, ?)", (body,))
        conn.execute("INSERT INTO session_state VALUES (1, 'mood', '\"good\"', 1)")


async def test_a_file_of_the_first_schema_is_brought_up_to_date_and_goes_on_working(sqlite):
    make_version_1(sqlite.path)
    session = await sqlite.get_session(**S1)
    assert session is not None
    assert ([event.text for event in session.events], session.state) == (["hello"], {"mood": "good"})
    await sqlite.append_event(session, said("again"))
    with closing(sqlite3.connect(sqlite.path)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (migrations.VERSION,)
        assert conn.execute("SELECT count(*) FROM artifacts").fetchone() == (0,)


async def test_what_earlier_sessions_were_run_with_is_found_in_their_logs(sqlite):
    make_version_1(sqlite.path)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as conn:
        conn.execute("INSERT INTO sessions VALUES (2, 'app', 'user', 's2', '', 1.0, 2.0, NULL, 4, 0, 'completed')")
        runs = [{"model": "simulated", "simulated": True}, {"model": "gemini-x", "simulated": False}]
        rows = [(1, runs[1]), (1, runs[0]), (2, runs[0]), (2, runs[1])]
        conn.executemany("INSERT INTO log VALUES (NULL, ?, 'run_started', 2.0, ?)", [(s, json.dumps(r)) for s, r in rows])
        conn.execute("INSERT INTO sessions VALUES (3, 'app', 'user', 's3', '', 1.0, 2.0, NULL, 0, 0, 'idle')")
    told = {row.id: (row.model, row.simulated) for row in await sqlite.summaries()}
    assert told == {"s1": ("simulated", True), "s2": ("gemini-x", False), "s3": ("", False)}


async def test_the_models_of_earlier_sessions_are_found_in_their_logs(sqlite):
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as conn:
        migrations._steps().apply(Database(conn), stop_before="13")
        conn.execute("PRAGMA user_version = 12")
        for key in (1, 2):
            conn.execute(
                "INSERT INTO sessions (key, app_name, user_id, id, created_at, updated_at) "
                "VALUES (?, 'app', 'user', ?, 1.0, 2.0)",
                (key, f"s{key}"),
            )
        rows = [("model_started", "old"), ("run_started", "x"), ("model_started", "b"), ("model_started", "a")]
        conn.executemany(
            "INSERT INTO log VALUES (NULL, 1, ?, 2.0, ?)",
            [(kind, json.dumps({"model": model})) for kind, model in (*rows, rows[2])],
        )
    assert {row.id: row.models.splitlines() for row in await sqlite.summaries()} == {"s1": ["b", "a"], "s2": []}


async def test_what_earlier_forks_changed_is_found_in_their_logs(sqlite):
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as conn:
        migrations._steps().apply(Database(conn), stop_before="11")
        conn.execute("PRAGMA user_version = 10")
        for key, session in enumerate(("plain", "fork", "fork of fork", "imported"), start=1):
            conn.execute(
                "INSERT INTO sessions (key, app_name, user_id, id, created_at, updated_at, origin) "
                "VALUES (?, 'app', 'user', ?, 1.0, 2.0, 'o')",
                (key, session),
            )
        forked = [{"origin": "o", "seq": 1, "what": what} for what in ("model x", "")]
        rows = [(2, "forked", forked[0]), (3, "forked", forked[0]), (3, "forked", forked[1]), (4, "forked", forked[0])]
        rows.append((4, "imported", {"origin": "o"}))
        conn.executemany(
            "INSERT INTO log VALUES (NULL, ?, ?, 2.0, ?)", [(key, kind, json.dumps(body)) for key, kind, body in rows]
        )
    told = {row.id: (row.fork, row.changed) for row in await sqlite.summaries()}
    assert told == {"plain": (False, ""), "fork": (True, "model x"), "fork of fork": (True, ""), "imported": (False, "")}


async def test_a_file_that_somebody_has_open_is_brought_up_to_date_under_them(sqlite):
    """A program of an earlier version reads on from the file, and stores nothing: its entries have no number."""
    make_version_1(sqlite.path)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as older:
        [(title,)] = older.execute("SELECT title FROM sessions").fetchall()
        artifacts = SqliteArtifactService(sqlite.path)
        saves = [artifacts.save_artifact(**S1, filename="f", artifact=types.Part(text=text)) for text in "ab"]
        assert [await sqlite.get_session(**S1) is not None, *await asyncio.gather(*saves)] == [True, 0, 1]
        await artifacts.close()
        assert older.execute("SELECT seq, kind FROM log WHERE session = 1 AND seq > 0").fetchall() == [(1, "event")]
        with pytest.raises(sqlite3.IntegrityError, match=r"log\.seq"):
            older.execute("INSERT INTO log (session, kind, timestamp, body) VALUES (1, 'noted', 3.0, '{}')")
        assert title == "hello"
    assert [entry.kind for entry in await sqlite.read_log(**S1)] == ["event"]


async def test_earlier_sessions_keep_their_numbers_and_go_on_from_their_last_one(sqlite):
    make_version_1(sqlite.path)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as conn:
        conn.execute("INSERT INTO sessions VALUES (2, 'app', 'user', 's2', 'other', 1.0, 2.0, NULL, 4, 1, 'completed')")
        conn.execute("UPDATE sessions SET last_seq = 5 WHERE key = 1")
        rows = [(2, 2), (4, 2), (5, 1), (9, 2)]
        conn.executemany("INSERT INTO log VALUES (?, ?, 'noted', 2.0, '{}')", rows)
        conn.execute("DELETE FROM log WHERE seq = 9")
    assert [row.id for row in await sqlite.summaries()] == ["s1", "s2"]
    session = await sqlite.get_session(**S1)
    seqs = [await sqlite.append(session, [said("again")]) for _ in range(2)]
    assert seqs == [[6], [7]]
    assert [entry.seq for entry in await sqlite.read_log(**S1)] == [1, 5, 6, 7]
    assert [entry.seq for entry in await sqlite.read_log(app_name="app", user_id="user", session_id="s2")] == [2, 4]
    with closing(sqlite3.connect(sqlite.path)) as conn:
        assert conn.execute("SELECT id FROM log ORDER BY id").fetchall() == [(1,), (2,), (4,), (5,), (10,), (11,)]


async def test_a_failed_later_step_leaves_the_file_as_it_was(sqlite, monkeypatch):
    make_version_1(sqlite.path)
    monkeypatch.setattr(migrations, "_STEP_2", "CREATE TABLE artifacts (a); CREATE TABLE artifacts (a);")
    with pytest.raises(DatabaseError, match="already exists"):
        await sqlite.open()
    with closing(sqlite3.connect(sqlite.path)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (1,)
        assert conn.execute("SELECT name FROM sqlite_master WHERE name = 'artifacts'").fetchall() == []
    monkeypatch.undo()
    assert (await sqlite.list_sessions(app_name="app")).sessions[0].id == "s1"


@pytest.mark.parametrize(
    ("name", "index"),
    [("_ENTRIES", "log_by_seq"), ("_OF_RECORDS", "log_of_records"), ("_RECENT", "log_by_seq"), ("_MISSED", "log_by_seq")],
)
async def test_reading_a_log_searches_the_index_and_sorts_nothing(sqlite, name, index):
    await sqlite.open()
    sql = getattr(statements, name)
    sql = sql if "ORDER BY" in sql else f"{sql} ORDER BY seq"
    values = {"session": 0, "after": 0, "kind": ""} if ":" in sql else [0] * sql.count("?")
    plan = reading(sqlite).execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
    steps = [row[3] for row in plan]
    assert len(steps) == 1, steps
    assert f"USING INDEX {index} (session=?" in steps[0]


async def test_events_are_counted_from_indexes_alone(sqlite):
    await sqlite.open()
    plan = reading(sqlite).execute(f"EXPLAIN QUERY PLAN {statements._COUNT}", (0, 0, 0, 0)).fetchall()
    searches = [row[3] for row in plan if "SEARCH" in row[3]]
    assert [step.split(" (")[0] for step in searches] == [
        "SEARCH log USING COVERING INDEX log_by_seq",
        "SEARCH log USING COVERING INDEX log_of_records",
    ]


async def test_an_append_writes_the_same_however_much_state_there_is(sqlite):
    """The statements of an append, counted by their size, do not grow with the state."""
    session = await sqlite.create_session(**S1, state={f"k{n}": "x" * 100 for n in range(500)})
    written: list[str] = []
    for connection in writing(sqlite):
        connection.set_trace_callback(written.append)
    await sqlite.append_event(session, said("hello"))
    assert 3 <= len(written) <= 6
    assert sum(map(len, written)) < 2000


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout


def test_importing_the_services_loads_no_heavy_module():
    code = (
        "import sys, agents.storage.sessions; print([m for m in ('sqlite_utils', 'pandas', 'psutil') if m in sys.modules])"
    )
    assert run(code) == "[]\n"


async def test_opening_a_file_that_is_up_to_date_loads_no_heavy_module(sqlite: SqliteSessionService):
    await sqlite.create_session(**S1)
    code = inspect.cleandoc(f"""
        import asyncio, sys
        from agents.storage.sessions import SqliteSessionService
        async def main():
            service = SqliteSessionService({str(sqlite.path)!r})
            assert (await service.list_sessions(app_name="app")).sessions
            await service.close()
        asyncio.run(main())
        print([m for m in ("sqlite_utils", "pandas") if m in sys.modules])
    """)
    assert run(code) == "[]\n"
