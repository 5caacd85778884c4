"""A backup is whole or is not there, and is believed only where it holds what it says."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from agents.access import visitor
from agents.errors import DatabaseError, NotPermittedError
from agents.storage.address import parse_database
from agents.storage.backup import restore, write
from agents.storage.backup.manifest import read_manifest
from agents.storage.sessions import SqliteSessionService
from agents.storage.stores import count_records
from agents.workspace import Workspace
from tests.agents.storage.conftest import S1, said

pytestmark = pytest.mark.anyio


def files_in(folder):
    """The files without those that SQLite keeps beside a database in use."""
    return [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and not p.name.endswith(("-wal", "-shm"))]


FILES = ("teams/crew/root_agent.yaml", "cases/猫 é.yaml", "files/app/s1/a.txt", "lesson_copies/x/y.yaml", "lab/r/notes")


def quiet(*_):
    pass


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a database, one session in it, and files in all folders beside it."""
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path / "here" / "files"))
    here = tmp_path / "here"
    here.mkdir()
    (here / "mcp.json").write_text('{"mcpServers": {}, "key": "secret"}')
    (here / "playground.db.visitor-key").write_bytes(b"k" * 32)
    for file in (
        "teams/crew/root_agent.yaml",
        "cases/猫 é.yaml",
        "files/app/s1/a.txt",
        "lesson_copies/x/y.yaml",
        "lab/r/notes",
    ):
        (here / file).parent.mkdir(parents=True, exist_ok=True)
        (here / file).write_text(f"content of {file}")
    with closing(sqlite3.connect(here / "lab" / "r" / "run.db")) as conn:
        conn.execute("CREATE TABLE a (b)")
        conn.execute("INSERT INTO a VALUES (7)")
        conn.commit()
    asyncio.run(filled(here / "playground.db"))
    return here


async def filled(path):
    service = SqliteSessionService(path)
    session = await service.create_session(**S1, state={"mood": "good"})
    await service.append_event(session, said("hello"))
    await service.close()


@pytest.fixture
def backup(place, tmp_path):
    with Workspace(place / "playground.db") as workspace:
        return workspace.back_up(tmp_path / "b.zip", quiet)[0]


def restored(backup, folder):
    with Workspace(folder / "playground.db") as workspace:
        return workspace.restore(backup, quiet)


async def test_what_is_restored_is_what_was_there_without_keys(place, backup, tmp_path):
    manifest = restored(backup, tmp_path / "new")
    assert {*files_in(tmp_path / "new")} == {*files_in(place)} - {"mcp.json"}
    assert "secret" not in str(zipfile.ZipFile(backup).namelist()) + backup.read_bytes().decode("latin-1")
    assert (tmp_path / "new" / "cases" / "猫 é.yaml").read_text() == "content of cases/猫 é.yaml"
    assert (tmp_path / "new" / "playground.db.visitor-key").read_bytes() == b"k" * 32
    assert manifest.records["sessions"] == 1
    service = SqliteSessionService(tmp_path / "new" / "playground.db")
    assert [(row.id, row.events) for row in await service.summaries()] == [("s1", 1)]
    await service.close()
    with closing(sqlite3.connect(tmp_path / "new" / "lab" / "r" / "run.db")) as conn:
        assert conn.execute("SELECT b FROM a").fetchall() == [(7,)]
    assert backup.stat().st_mode & 0o777 == 0o600


def test_an_empty_place_is_backed_up_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_FILES", str(tmp_path / "none"))
    with Workspace(tmp_path / "playground.db") as workspace:
        assert workspace.runs.sessions.summaries() == []
        file, manifest = workspace.back_up(tmp_path, quiet)
    assert file.parent == tmp_path
    assert file.name.startswith("playground-2")
    assert manifest.records["sessions"] == 0
    assert restored(file, tmp_path / "new").files == manifest.files


def test_nothing_is_overwritten(place, backup, tmp_path):
    before = backup.read_bytes()
    with Workspace(place / "playground.db") as workspace:
        with pytest.raises(DatabaseError, match="no backup overwrites a file"):
            workspace.back_up(backup, quiet)
        with pytest.raises(DatabaseError, match="a restore overwrites nothing"):
            workspace.restore(backup, quiet)
    assert backup.read_bytes() == before
    (tmp_path / "new" / "teams").mkdir(parents=True)
    (tmp_path / "new" / "teams" / "mine").write_text("mine")
    with pytest.raises(DatabaseError, match="teams is there already"):
        restored(backup, tmp_path / "new")
    assert [p.name for p in (tmp_path / "new").rglob("*")] == ["teams", "mine"]


def test_others_than_the_owner_may_do_neither(place, backup, tmp_path):
    with Workspace(place / "playground.db") as workspace:
        for act in (workspace.as_user(visitor("ann")).back_up, workspace.as_user(visitor("ann")).restore):
            with pytest.raises(NotPermittedError):
                act(backup, quiet)


WRITER = """
import asyncio, sys
from pathlib import Path
from agents.storage.sessions import SqliteSessionService
from tests.agents.storage.conftest import said
async def main():
    service = SqliteSessionService(Path(sys.argv[1]))
    number = 0
    while True:
        session = await service.create_session(app_name="app", user_id="user", session_id=f"w{sys.argv[2]}-{number}")
        for text in "abc":
            await service.append_event(session, said(text))
        number += 1
        print(number, flush=True)
asyncio.run(main())
"""


async def test_a_backup_while_others_write_restores_to_a_database_that_verifies(place, tmp_path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place / "playground.db"), str(n)], stdout=subprocess.PIPE, text=True
        )
        for n in range(3)
    ]
    try:
        for writer in writers:
            assert writer.stdout.readline()
        with Workspace(place / "playground.db") as workspace:
            file, manifest = workspace.back_up(tmp_path / "during.zip", quiet)
        assert all(writer.poll() is None and writer.stdout.readline() for writer in writers)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    restored(file, tmp_path / "new")
    counts = count_records(tmp_path / "new" / "playground.db", quiet)
    assert counts == manifest.records
    assert counts["sessions"] >= 4
    service = SqliteSessionService(tmp_path / "new" / "playground.db")
    for row in await service.summaries():
        log = await service.read_log(app_name=row.app_name, user_id=row.user_id, session_id=row.id)
        assert [entry.seq for entry in log] == list(range(log[0].seq, log[-1].seq + 1))
    await service.close()


@pytest.mark.parametrize("error", [OSError("disk"), KeyboardInterrupt()])
def test_an_interrupted_backup_leaves_nothing(place, tmp_path, monkeypatch, error):
    def fails(*_):
        raise error

    monkeypatch.setattr(write, "_beside", fails)
    before = {*files_in(tmp_path)}
    with Workspace(place / "playground.db") as workspace, pytest.raises(type(error)):
        workspace.back_up(tmp_path / "b.zip", quiet)
    assert {*files_in(tmp_path)} == before


def changed(backup: Path, to: Path, *, without=(), files=(), **manifest):
    """A backup with another manifest, without some files, and with more of them."""
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        listed = json.loads(old.read("manifest.json")) | manifest
        for name in old.namelist():
            if name not in (*without, "manifest.json"):
                new.writestr(name, old.read(name))
        for name, content, claim in files:
            new.writestr(name, content)
            listed["files"].append({"path": name, **claim})
        new.writestr("manifest.json", json.dumps(listed))
    return to


CLAIM = {"size": 1, "sha256": "0" * 64}


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "teams/../../out.txt", "C:/out.txt", "teams\\..\\out", "a//b"])
def test_a_path_that_leads_elsewhere_is_refused(backup, tmp_path, name):
    bad = changed(backup, tmp_path / "bad.zip", files=[(name, b"x", CLAIM)])
    with pytest.raises(DatabaseError, match="list of contents is wrong"):
        restored(bad, tmp_path / "new")
    assert {*(tmp_path / "new").rglob("*")} == set()
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "later version"),
        ({"format": "other"}, "list of contents is wrong"),
        ({"records": {"sessions": 5}}, "other records than it says"),
        ({"without": ["database.db"]}, "not what its list of contents says"),
        ({"files": [("teams/bomb", b"\0" * 50_000_000, CLAIM)]}, "not what its list of contents says"),
        ({"files": [("teams/huge", b"x", {"size": 10**18, "sha256": "0" * 64})]}, "GB free"),
        ({"files": [("database.db", b"x", CLAIM)]}, "a file twice"),
        ({"files": [("home/x", b"x", CLAIM)]}, "folders that this version does not know"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_not_what_it_says_is_refused_and_leaves_nothing(backup, tmp_path, change, told):
    bad = changed(backup, tmp_path / "bad.zip", **change)
    with pytest.raises(DatabaseError, match=told):
        restored(bad, tmp_path / "new")
    assert {*(tmp_path / "new").rglob("*")} == set()


def test_a_damaged_file_is_refused(backup, tmp_path):
    content = bytearray(backup.read_bytes())
    content[300] ^= 0xFF
    (tmp_path / "bad.zip").write_bytes(content)
    (tmp_path / "cut.zip").write_bytes(content[:200])
    for name in ("bad.zip", "cut.zip"):
        with pytest.raises(DatabaseError, match="damaged"):
            restored(tmp_path / name, tmp_path / "new")
    assert {*(tmp_path / "new").rglob("*")} == set()


def test_a_list_of_contents_that_does_not_end_is_not_read(backup, tmp_path, monkeypatch):
    monkeypatch.setattr(restore, "MOST_BYTES", 100)
    with pytest.raises(DatabaseError, match="too long"):
        restored(backup, tmp_path / "new")
    with pytest.raises(DatabaseError, match="contents is wrong"):
        read_manifest(b"[]", "b.zip")


def test_a_backup_goes_to_postgresql_and_from_there_to_a_folder_that_is_not_there(backup, postgres, tmp_path, monkeypatch):
    address = parse_database(postgres)
    monkeypatch.setenv("PLAYGROUND_DATA", str(tmp_path / "data"))
    with Workspace(address) as workspace:
        kept = workspace.restore(backup, quiet).records
        workspace.check_ready()
        with pytest.raises(DatabaseError, match="overwrites nothing"):
            workspace.restore(backup, quiet)
        again = workspace.back_up(tmp_path / "again.zip", quiet)[0]
    monkeypatch.delenv("PLAYGROUND_DATA")
    with Workspace(tmp_path / "new" / "deep" / "play.db") as workspace:
        assert workspace.restore(again, quiet).records == kept
        assert workspace.runs.in_store(session_of) == ["hello"]


async def session_of(services):
    session = await services.sessions.get_session(**S1)
    return [event.text for event in session.events]
