"""Artifacts in the session database: beside a session service, across processes, and when something is wrong."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from google.genai import types

from agents.errors import DatabaseError
from agents.storage.artifacts import SqliteArtifactService
from agents.storage.sessions import SqliteSessionService
from tests.agents.storage.artifacts.conftest import S1
from tests.agents.storage.conftest import said
from tests.processes import CLEAN

pytestmark = pytest.mark.anyio


def text(value: str) -> types.Part:
    return types.Part(text=value)


@pytest.fixture
async def sessions(sqlite: SqliteArtifactService):
    service = SqliteSessionService(sqlite.path)
    yield service
    await service.close()


async def test_bytes_are_stored_as_they_are(sqlite):
    data = bytes(range(256))
    await sqlite.save_artifact(**S1, filename="f", artifact=types.Part.from_bytes(data=data, mime_type="x/y"))
    with closing(sqlite3.connect(sqlite.path)) as conn:
        assert conn.execute("SELECT data FROM artifacts").fetchall() == [(data,)]


async def test_a_version_is_chosen_and_written_in_one_transaction(sqlite):
    await sqlite.list_artifact_keys(**S1)
    statements: list[str] = []
    sqlite._connection.get().set_trace_callback(statements.append)
    await sqlite.save_artifact(**S1, filename="f", artifact=text("a"))
    assert [statement.split()[0] for statement in statements] == ["BEGIN", "SELECT", "INSERT", "COMMIT"]


async def test_the_versions_of_a_file_are_found_by_the_index(sqlite):
    await sqlite.list_artifact_keys(**S1)
    sql = "SELECT version FROM artifacts WHERE app_name = ? AND user_id = ? AND session_id = ? AND filename = ?"
    [plan] = sqlite._connection.get().execute(f"EXPLAIN QUERY PLAN {sql}", ["a"] * 4).fetchall()
    assert "INDEX" in plan[3]
    assert "SCAN" not in plan[3]


# -- beside a session service


async def test_the_two_services_work_on_one_file_at_once(sqlite, sessions):
    session = await sessions.create_session(**S1)
    saves = [sqlite.save_artifact(**S1, filename="f", artifact=text(str(n))) for n in range(20)]
    appends = [sessions.append_event(session, said(str(n))) for n in range(20)]
    await asyncio.gather(*saves, *appends)
    assert await sqlite.list_versions(**S1, filename="f") == list(range(20))
    assert [event.text for event in session.events] == [str(n) for n in range(20)]


@pytest.mark.parametrize("first", ["sessions", "artifacts"])
async def test_either_service_makes_the_file(sqlite, sessions, first):
    async def use_sessions():
        assert (await sessions.list_sessions(app_name="app")).sessions == []

    async def use_artifacts():
        assert await sqlite.list_artifact_keys(**S1) == []

    for use in (use_sessions, use_artifacts)[:: 1 if first == "sessions" else -1]:
        await use()


async def test_a_deleted_sessions_files_stay_as_long_as_it_can_be_brought_back(sqlite, sessions):
    await sessions.create_session(**S1)
    await sqlite.save_artifact(**S1, filename="f", artifact=text("a"))
    await sessions.delete_session(**S1)
    assert await sqlite.load_artifact(**S1, filename="f") == text("a")
    assert await sessions.restore_session(**S1)
    assert await sqlite.load_artifact(**S1, filename="f") == text("a")


async def test_a_session_that_takes_a_deleted_ones_id_takes_none_of_its_files(sqlite, sessions):
    await sessions.create_session(**S1)
    for name in ("f", "user:f"):
        await sqlite.save_artifact(**S1, filename=name, artifact=text("a"))
        await sqlite.save_artifact(**{**S1, "session_id": "s2"}, filename=name, artifact=text("b"))
    await sessions.delete_session(**S1)
    await sessions.create_session(**S1)
    assert await sqlite.list_artifact_keys(**S1) == ["user:f"]
    assert await sqlite.load_artifact(**{**S1, "session_id": "s2"}, filename="f") == text("b")


# -- across processes


def save_some(path: Path, count: int, gate) -> None:
    """In another process: opens the file at the same moment as the others and saves."""

    async def work():
        service = SqliteArtifactService(path, busy_timeout=60)
        gate.wait()
        for _ in range(count):
            await service.save_artifact(**S1, filename="f", artifact=text("x"))
        await service.close()

    asyncio.run(work())


async def test_processes_share_a_file_and_no_version_is_given_twice(sqlite):
    gate = CLEAN.Event()
    workers = [CLEAN.Process(target=save_some, args=(sqlite.path, 10, gate)) for _ in range(2)]
    for worker in workers:
        worker.start()
    gate.set()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert await sqlite.list_versions(**S1, filename="f") == list(range(20))


# -- when something is wrong


async def test_a_locked_file_is_named_and_the_service_goes_on_afterwards(sqlite):
    await sqlite.list_artifact_keys(**S1)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseError, match="is locked"):
            await sqlite.save_artifact(**S1, filename="f", artifact=text("a"))
    assert await sqlite.save_artifact(**S1, filename="f", artifact=text("a")) == 0


async def test_a_closed_service_says_so(sqlite):
    await sqlite.close()
    await sqlite.close()
    with pytest.raises(DatabaseError, match=r"closed by close\(\). Make a new SqliteArtifactService"):
        await sqlite.load_artifact(**S1, filename="f")


def test_importing_the_services_loads_no_heavy_module():
    code = (
        "import sys, agents.storage.artifacts; print([m for m in ('sqlite_utils', 'pandas', 'psutil') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n"
