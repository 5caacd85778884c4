"""What goes wrong with a database file: a readable error, nothing half stored, and a service that works on."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from agents.errors import DatabaseError, DatabaseLostError, DatabaseReadOnlyError
from agents.log import TraceRecord
from agents.storage.sessions import SqliteSessionService
from agents.storage.sessions.incoming import prepare
from agents.storage.sqlite import migrations, patience
from agents.storage.sqlite.migrations import VERSION
from tests.agents.storage.conftest import NAMES, S1, delta, said, writing

pytestmark = pytest.mark.anyio


@contextmanager
def locked(path: Path):
    """Another program in the middle of writing."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def refused(service: SqliteSessionService) -> str:
    with pytest.raises(DatabaseError) as caught:
        await service.open()
    await service.close()
    assert str(service.path) in str(caught.value)
    return str(caught.value)


async def test_a_locked_database_changes_nothing_and_works_afterwards(sqlite):
    session = await sqlite.create_session(**S1, state={"a": 1})
    await sqlite.append_event(session, said("before"))
    before = session.model_copy(deep=True)
    event = delta(a=2, temp__b=3)
    with locked(sqlite.path):
        with pytest.raises(DatabaseError, match=r"is locked: .* more than 0\.2 s.*Nothing was stored.*try again"):
            await sqlite.append_event(session, event)
        assert (session, session.last_seq) == (before, before.last_seq)
        assert event.seq is None
        assert event.actions.state_delta == {"a": 2, "temp:b": 3}
        assert await sqlite.get_session(**S1) == before
    await sqlite.append_event(session, event)
    assert session.state == {"a": 2, "temp:b": 3}
    assert (await sqlite.get_session(**S1)).events == session.events


async def test_a_lock_shorter_than_the_timeout_is_waited_for(tmp_path):
    service = SqliteSessionService(tmp_path / "test.db", busy_timeout=30)
    session = await service.create_session(**S1)
    with locked(service.path):
        pass
    await service.append_event(session, said("x"))
    await service.close()


async def test_a_claim_is_free_again_after_a_failed_release(sqlite, caplog):
    session = await sqlite.create_session(**S1)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        async with sqlite.claim(session, "i1"):
            other.execute("BEGIN IMMEDIATE")
        assert "still holds its session" in caplog.text
        other.execute("ROLLBACK")
    async with sqlite.claim(session, "i2"):
        pass


async def test_a_full_disk_loses_nothing_that_was_stored(sqlite):
    session = await sqlite.create_session(**S1, state={"a": 1})
    await sqlite.append_event(session, said("before"))
    before = session.model_copy(deep=True)
    pages = writing(sqlite)[0].execute("PRAGMA page_count").fetchone()[0]
    for conn in writing(sqlite):
        conn.execute(f"PRAGMA max_page_count = {pages}")
    for entries, texts in (([delta(a=2), said("x" * 100_000)], {"hash": "text"}), ([delta(a=2), said("x" * 20_000)], None)):
        with pytest.raises(DatabaseError, match=r"disk is full\. Nothing was stored.*Free some space"):
            await sqlite.append(session, entries, texts=texts)
    assert (session, session.last_seq) == (before, before.last_seq)
    assert await sqlite.get_session(**S1) == before
    assert await sqlite.read_texts(["hash"]) == {}
    for conn in writing(sqlite):
        conn.execute("PRAGMA max_page_count = 1000000")
    await sqlite.append_event(session, said("x" * 100_000))
    await sqlite.append_event(session, said("x" * 20_000))
    assert await sqlite.get_session(**S1) == session


async def test_an_append_that_fails_halfway_stores_nothing(sqlite):
    session = await sqlite.create_session(**S1, state={"a": 1})
    before = session.model_copy(deep=True)
    with pytest.raises(AttributeError):
        await sqlite.append(session, [delta(a=2, app__b=3)], texts={"hash": None})  # found after the event was written
    assert (session, session.last_seq) == (before, before.last_seq)
    assert await sqlite.get_session(**S1) == before
    assert len(await sqlite.read_log(**S1)) == 1


async def test_a_deleted_session_is_gone_for_good_once_its_id_is_used_again(sqlite):
    session = await sqlite.create_session(**S1, state={"a": 1})
    await sqlite.append_event(session, said("old"))
    await sqlite.delete_session(**S1)
    await sqlite.create_session(**S1)
    conn = writing(sqlite)[0]
    counts = [conn.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("sessions", "log", "session_state")]
    assert counts == [(1,), (1,), (0,)]


async def test_not_a_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes\n" * 100)
    assert "is not a SQLite database. It was left as it is" in await refused(SqliteSessionService(path))
    assert path.read_text() == "these are my notes\n" * 100


async def test_another_programs_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE sessions (id)")
        other.execute("PRAGMA user_version = 30")
    content = path.read_bytes()
    assert "belongs to another program: it has the tables sessions" in await refused(SqliteSessionService(path))
    assert path.read_bytes() == content


async def test_a_newer_database_is_refused_with_both_versions(sqlite):
    await sqlite.open()
    await sqlite.close()
    with closing(sqlite3.connect(sqlite.path)) as other:
        other.execute("PRAGMA user_version = 70")
    message = await refused(SqliteSessionService(sqlite.path))
    assert (
        f"has schema version 70, made by a newer Agent Playground; this one knows versions up to {migrations.VERSION}"
        in message
    )
    assert "Update" in message


async def test_a_damaged_database_says_so(sqlite):
    session = await sqlite.create_session(**S1)
    await sqlite.append(session, [said("x" * 1000) for _ in range(200)])
    await sqlite.close()
    content = bytearray(sqlite.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    sqlite.path.write_bytes(content)
    broken = SqliteSessionService(sqlite.path)
    with pytest.raises(DatabaseError, match=r"is damaged.*restore a backup"):
        await broken.get_session(**S1)
    await broken.close()


async def test_a_folder_is_refused(tmp_path):
    assert "is a folder. Name a file" in await refused(SqliteSessionService(tmp_path))


async def test_a_missing_folder_is_made(tmp_path):
    service = SqliteSessionService(tmp_path / "not" / "yet" / "test.db")
    await service.create_session(**S1)
    await service.close()
    assert service.path.is_file()


async def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    assert "file is a file, not a folder" in await refused(SqliteSessionService(tmp_path / "file" / "test.db"))


@pytest.fixture
def public_folder():
    """A folder that an unprivileged user reaches, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def unprivileged():
    """Permissions do not bind root: become nobody meanwhile."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
@pytest.mark.parametrize("what", ["file", "folder"])
async def test_a_read_only_place_can_be_read_and_says_so_when_it_is_written_to(public_folder, what):
    path = public_folder / "test.db"
    first = SqliteSessionService(path)
    session = await first.create_session(**S1)
    await first.append_event(session, said("before"))
    await first.close()
    path.chmod(0o444 if what == "file" else 0o666)
    public_folder.chmod(0o777 if what == "file" else 0o555)
    service = SqliteSessionService(path)
    with unprivileged():
        await service.open()
        assert await service.recover() == 0
        assert [row.id for row in await service.summaries()] == ["s1"]
        assert await texts_in(service) == ["before"]
        assert (await service.collection.search(user_id=S1["user_id"], text="")).sessions
        for _ in range(2):
            with pytest.raises(DatabaseReadOnlyError, match=r"read-only.*choose a file"):
                await service.append_event(session, said("x"))
    path.chmod(0o666)
    public_folder.chmod(0o777)
    await service.append_event(session, said("after"))
    assert await texts_in(service) == ["before", "after"]
    await service.close()


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
async def test_a_read_only_database_of_an_older_schema_says_what_to_do(public_folder):
    path = public_folder / "test.db"
    first = SqliteSessionService(path)
    await first.open()
    await first.close()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"PRAGMA user_version = {VERSION - 1}")
    path.chmod(0o444)
    with unprivileged():
        assert "Copy it to a folder that you may write to" in await refused(SqliteSessionService(path))


async def test_a_schema_that_another_process_makes_is_waited_for_longer_than_a_lock(tmp_path):
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    service = SqliteSessionService(tmp_path / "test.db", busy_timeout=patience.TELL_SECONDS / 2)
    service.add_waiting_listener(lambda reason: loop.call_soon_threadsafe(told.set) if reason else None)
    with locked(service.path):
        opening = asyncio.ensure_future(service.open())
        await asyncio.wait({opening, asyncio.ensure_future(told.wait())}, return_when=asyncio.FIRST_COMPLETED)
    await opening
    await service.close()


async def test_opening_needs_no_write_lock(sqlite):
    await sqlite.create_session(**S1)
    other = SqliteSessionService(sqlite.path, busy_timeout=0)
    with locked(sqlite.path):
        await other.open()
        assert await other.recover() == 0
        assert [row.id for row in await other.summaries()] == ["s1"]
    await other.close()


def taken_away(path: Path, to: Path, *, whole: bool = True) -> list[Path]:
    """Moves the database, or of it the main file only."""
    to.mkdir(exist_ok=True)
    return [file.rename(to / file.name) for file in sorted(path.parent.glob(f"{path.name}*" if whole else path.name))]


async def texts_in(service: SqliteSessionService) -> list[str]:
    return [event.text for event in (await service.get_session(**S1)).events]


@pytest.mark.parametrize("whole", [True, False])
async def test_a_file_taken_away_is_noticed_and_nothing_is_put_in_its_place(sqlite, tmp_path, whole):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, said("before"))
    taken = taken_away(sqlite.path, tmp_path / "moved", whole=whole)
    for _ in range(3):
        with pytest.raises(DatabaseLostError, match=r"was moved or deleted.*nothing can be found.*Put it back"):
            await sqlite.append_event(session, said("x"))
        with pytest.raises(DatabaseLostError, match=r"nothing can be found"):
            await sqlite.get_session(**S1)
    with pytest.raises(DatabaseLostError):
        await sqlite.recover()
    assert not sqlite.path.exists()
    for file in taken:
        if file.exists():
            file.rename(tmp_path / file.name)
    await sqlite.append_event(session, said("y"))
    assert await texts_in(sqlite) == ["before", "y"]


async def test_a_database_that_was_deleted_is_begun_anew_on_demand(sqlite, tmp_path):
    session = await sqlite.create_session(**S1)
    for file in tmp_path.glob("test.db*"):
        file.unlink()
    with pytest.raises(DatabaseLostError):
        await sqlite.append_event(session, said("x"))
    await sqlite.open()
    await sqlite.create_session(**S1)
    assert await texts_in(sqlite) == []


async def test_a_file_moved_without_its_log_is_complete_by_itself(sqlite, tmp_path):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, said("only in the write-ahead log"))
    taken_away(sqlite.path, tmp_path / "moved", whole=False)
    with pytest.raises(DatabaseLostError):
        await sqlite.append_event(session, said("x"))
    other = SqliteSessionService(tmp_path / "moved" / sqlite.path.name)
    assert await texts_in(other) == ["only in the write-ahead log"]
    await other.close()


async def test_the_log_of_a_replaced_file_is_not_applied_to_the_new_one(sqlite, tmp_path):
    session = await sqlite.create_session(**S1)
    await sqlite.append(session, [said("x" * 1000) for _ in range(50)])
    other = SqliteSessionService(tmp_path / "other.db")
    await other.append_event(await other.create_session(**S1), said("other"))
    await other.close()
    other.path.replace(sqlite.path)
    with pytest.raises(DatabaseLostError, match=r"was replaced by another file.*Nothing was stored"):
        await sqlite.append_event(session, said("x"))
    assert await texts_in(sqlite) == ["other"]
    with closing(sqlite3.connect(sqlite.path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
async def test_a_deleted_log_is_noticed_and_nothing_is_lost(sqlite, ending):
    session = await sqlite.create_session(**S1)
    await sqlite.append_event(session, said("before"))
    sqlite.path.with_name(sqlite.path.name + ending).unlink()
    with pytest.raises(DatabaseLostError, match=r"is incomplete: test\.db-wal or test\.db-shm was moved"):
        await sqlite.append_event(session, said("x"))
    await sqlite.append_event(session, said("after"))
    await sqlite.close()
    again = SqliteSessionService(sqlite.path)
    assert await texts_in(again) == ["before", "after"]
    await again.close()


async def test_an_emptied_file_is_noticed(sqlite):
    session = await sqlite.create_session(**S1)
    os.truncate(sqlite.path, 0)
    with pytest.raises(DatabaseLostError, match=r"was emptied.*restore a backup"):
        await sqlite.append_event(session, said("x"))


async def test_reading_makes_no_file(sqlite, tmp_path):
    await sqlite.create_session(**S1)
    await sqlite.get_session(**S1)
    for file in tmp_path.glob("test.db*"):
        file.unlink()
    mark = sqlite.change_mark()
    with pytest.raises(DatabaseLostError):
        await sqlite.summaries()
    assert sqlite.change_mark() == mark == -1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
async def patient(tmp_path, monkeypatch):
    """A service that waits for longer than any test, and says at once that it waits."""
    monkeypatch.setattr(patience, "TELL_SECONDS", 0)
    service = SqliteSessionService(tmp_path / "test.db", busy_timeout=3600)
    yield service
    await service.close()


async def test_a_lock_that_passes_is_waited_for_and_told(patient):
    session = await patient.create_session(**S1)
    heard = []
    with closing(sqlite3.connect(patient.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")

        def listen(sentence):
            heard.append(sentence)
            if sentence is not None:
                other.execute("ROLLBACK")

        patient.add_waiting_listener(listen)
        await patient.append_event(session, said("x"))
    assert heard == [f"Waiting for the session database {patient.path}, which is locked by another process.", None]
    assert await texts_in(patient) == ["x"]


async def test_a_full_disk_that_passes_is_waited_for_and_told(patient):
    session = await patient.create_session(**S1)
    pages = writing(patient)[0].execute("PRAGMA page_count").fetchone()[0]
    writing(patient)[0].execute(f"PRAGMA max_page_count = {pages}")
    heard = []

    def listen(sentence):
        heard.append(sentence)
        writing(patient)[0].execute("PRAGMA max_page_count = 1000000")

    patient.add_waiting_listener(listen)
    await patient.append_event(session, said("x" * 200_000))
    assert heard == [f"Waiting for the session database {patient.path}, which cannot grow because the disk is full.", None]
    assert len((await texts_in(patient))[0]) == 200_000


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_who_waits_for_a_lock_can_give_up(patient, how):
    session = await patient.create_session(**S1)
    waits = asyncio.Event()
    loop = asyncio.get_running_loop()
    patient.add_waiting_listener(lambda _: loop.call_soon_threadsafe(waits.set))
    with locked(patient.path):
        task = asyncio.create_task(patient.append_event(session, said("x")))
        await asyncio.wait_for(waits.wait(), 20)
        if how == "close":
            await asyncio.wait_for(patient.close(), 20)
            with pytest.raises(DatabaseError, match=r"kept it from being written\. Nothing"):
                await task
            return
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await asyncio.wait_for(task, 20)
        assert isinstance(caught.value.__cause__, DatabaseError)
        assert session.events == []


async def test_an_operation_is_applied_once_however_often_it_is_tried(tmp_path):
    class Reducers:
        def for_key(self, _):
            return self

        def commit(self, _conn, operation, *_):
            return f"result of {operation}"

    [entry] = prepare([delta(app__key="operation")])
    entry.reduced = frozenset({"app:key"})
    for _ in range(3):
        entry.begin_again()
        entry.reduce(Reducers(), None, {}, ("app", "s1"), 1)
    assert entry.delta == {"app:key": "result of operation"}


async def test_a_closed_service_says_so(sqlite):
    await sqlite.create_session(**S1)
    await sqlite.close()
    await sqlite.close()
    with pytest.raises(DatabaseError, match=r"was closed by close\(\)"):
        await sqlite.get_session(**S1)
    with pytest.raises(DatabaseError, match=r"was closed by close\(\)"):
        await sqlite.create_session(**NAMES)


async def test_a_database_is_opened_again_as_it_was(sqlite):
    session = await sqlite.create_session(**S1, state={"a": 1, "app:b": [2]})
    await sqlite.append(session, [said("hello", author="user"), TraceRecord("run_started", "i1")], texts={"h": "text"})
    again = SqliteSessionService(str(sqlite.path))
    assert await again.get_session(**S1) == session
    assert await again.read_log(**S1) == await sqlite.read_log(**S1)
    assert await again.read_texts(["h"]) == {"h": "text"}
    assert await again.summaries() == await sqlite.summaries()
    await again.close()


async def test_making_a_service_touches_no_file(tmp_path):
    service = SqliteSessionService(tmp_path / "test.db")
    assert service.change_mark() == 0
    assert list(tmp_path.iterdir()) == []
    await service.close()


async def test_the_change_mark_moves_when_another_process_writes(sqlite):
    session = await sqlite.create_session(**S1)
    mark = sqlite.change_mark()
    assert sqlite.change_mark() == mark
    other = SqliteSessionService(sqlite.path)
    await other.append_event(await other.get_session(**S1), said("x"))
    await other.close()
    assert sqlite.change_mark() != mark
    await sqlite.append_event(session, said("y"))
    assert [event.text for event in session.events] == ["x", "y"]
