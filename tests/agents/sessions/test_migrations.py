from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from sqlite_utils import Database

from agents.sessions import SqliteSessionService, migrations, statements
from tests.agents.sessions.conftest import S1, said

pytestmark = pytest.mark.anyio


async def test_the_file_says_which_steps_it_has_had(sqlite):
    await sqlite.open()
    database = Database(sqlite.path)
    assert database.journal_mode == "wal"
    assert database.execute("PRAGMA user_version").fetchone() == (migrations.VERSION,)
    steps = [row["name"] for row in database[migrations.MIGRATIONS_TABLE].rows_where("migration_set = 'sessions'")]
    assert steps == [str(n + 1) for n in range(migrations.VERSION)]
    database.close()


async def test_a_failed_step_leaves_an_empty_file_that_can_be_tried_again(sqlite, monkeypatch):
    monkeypatch.setattr(migrations, "_STEP_1", "CREATE TABLE texts (hash); CREATE TABLE texts (hash);")
    with pytest.raises(Exception, match="already exists"):
        await sqlite.open()
    monkeypatch.undo()
    await sqlite.create_session(**S1)


@pytest.mark.parametrize("name", ["_ENTRIES", "_RECENT", "_MISSED"])
async def test_reading_a_log_searches_the_index_and_sorts_nothing(sqlite, name):
    await sqlite.open()
    sql = getattr(statements, name)
    plan = sqlite._writing.get().execute(f"EXPLAIN QUERY PLAN {sql}", [0] * sql.count("?")).fetchall()
    steps = [row[3] for row in plan]
    assert len(steps) == 1, steps
    assert "USING INDEX log_by_session (session=?" in steps[0]


async def test_an_append_writes_the_same_however_much_state_there_is(sqlite):
    """The statements of an append, counted by their size, do not grow with the state."""
    session = await sqlite.create_session(**S1, state={f"k{n}": "x" * 100 for n in range(500)})
    written: list[str] = []
    sqlite._writing.get().set_trace_callback(written.append)
    await sqlite.append_event(session, said("hello"))
    assert len(written) <= 6
    assert sum(map(len, written)) < 2000


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout


def test_importing_the_services_loads_no_heavy_module():
    code = "import sys, agents.sessions; print([m for m in ('sqlite_utils', 'pandas', 'psutil') if m in sys.modules])"
    assert run(code) == "[]\n"


async def test_opening_a_file_that_is_up_to_date_loads_no_heavy_module(sqlite: SqliteSessionService):
    await sqlite.create_session(**S1)
    code = inspect.cleandoc(f"""
        import asyncio, sys
        from agents.sessions import SqliteSessionService
        async def main():
            service = SqliteSessionService({str(sqlite.path)!r})
            assert (await service.list_sessions(app_name="app")).sessions
            await service.close()
        asyncio.run(main())
        print([m for m in ("sqlite_utils", "pandas") if m in sys.modules])
    """)
    assert run(code) == "[]\n"
