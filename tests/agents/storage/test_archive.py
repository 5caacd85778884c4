"""A store is copied to another one: all of it, again after an interruption, and never over other content."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from google.genai import types

from agents.errors import DatabaseError
from agents.log import TraceRecord, text_hash
from agents.playbook import JudgedAnswer, StoredDelta
from agents.storage.archive import KINDS, Archive, copy_archive
from agents.storage.sqlite.archive import copied_archive, kept_archive
from agents.storage.sqlite.migrations import MIGRATIONS_TABLE, migrate
from agents.storage.stores import copy_database, open_store
from agents.storage.tables.archive import SHAPES
from tests.agents.storage.conftest import NAMES, delta, said
from tests.agents.storage.contents import contents

pytestmark = pytest.mark.anyio

DERIVED = {"session_texts", "session_sizes", "search_progress"}
"""What search makes anew from the logs."""
OF_ONE_FILE = {"runs", "places", "playbook_bundles", MIGRATIONS_TABLE, "sqlite_sequence"}


class Box(Archive):
    """Another kind of store: a dictionary."""

    def __init__(self):
        self.records = {kind: {} for kind in KINDS}

    def names(self, kind):
        return [*self.records[kind]]

    def read(self, kind, name):
        return self.records[kind][name]

    def add(self, kind, record):
        self.records[kind][record.name] = record


class LossyBox(Box):
    def add(self, kind, record):
        super().add(kind, record._replace(parts={}))


def silent(*_: object) -> None:
    """No progress is shown."""


def playbook_delta(revision: int) -> StoredDelta:
    return StoredDelta(revision, 7, 5.5, "user", None, "app", "s1", "i1", 3, revision, 1, 0, 9, '{"applied": []}')


async def filled(path: Path) -> Path:
    """A database with something of everything; the session that was created first changed last."""
    store = open_store(path)
    text = "You write."
    for name in ("s1", "s2", "gone", "running"):
        session = await store.sessions.create_session(
            **NAMES, session_id=name, state={"own": name, "user:u": 1, "app:a": [2]}
        )
        prompt = TraceRecord("model_started", data={"instruction": text_hash(text)})
        await store.sessions.append(session, [said(f"I am {name}.", author="user"), prompt], texts={text_hash(text): text})
    await store.sessions.append(session, [TraceRecord("run_started", invocation_id="i2")])
    first = await store.sessions.get_session(**NAMES, session_id="s1")
    await store.sessions.append(first, [delta(own="later")])
    await store.sessions.rename_session(**NAMES, session_id="s2", title="Second")
    await store.collection.tag(**NAMES, session_id="s2", add=["kept", "finance"])
    await store.collection.set_deleted(user_id="user", sessions=[("app", "gone")], deleted=True)
    for data in (b"\x00\xff", b"2"):
        part = types.Part.from_bytes(data=data, mime_type="image/png")
        await store.artifacts.save_artifact(**NAMES, session_id="s1", filename="a.png", artifact=part)
        await store.artifacts.save_artifact(**NAMES, filename="user:b.png", artifact=part)
    await store.artifacts.delete_artifact(**NAMES, filename="user:b.png")
    store.preferences.change({"models": ("one", "two")})
    for number in range(2):
        store.journal.append("class", {"number": number})
    store.lessons.change("user", "app", "one", lambda _: '{"points": 2}')
    with store.playbooks.writing() as playbooks:
        for name, revisions, deleted in (("rules", 1, True), ("rules", 2, False), ("old", 2, True), ("empty", 0, False)):
            key = playbooks.create(name, 1.5).key
            playbooks.guard(key, f"cases of {name}")
            for revision in range(1, revisions + 1):
                snapshot = "lines" if revision == 1 else None
                playbooks.append(key, playbook_delta(revision), updated_at=2.5, pending=revision, snapshot=snapshot)
            playbooks.add_answer(key, JudgedAnswer(1, 2.5, "app", "s1", 3, "Why?", right=None, feedback="person"))
            if deleted:
                playbooks.delete(key)
    await store.close()
    return path


@pytest.fixture
async def source(tmp_path, anyio_backend):
    return await filled(tmp_path / "playground.db")


def added(copied) -> dict:
    return {one.kind: one.added for one in copied}


def test_every_table_is_copied_made_anew_or_of_one_file():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        migrate(conn)
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    copied = {table for shape in SHAPES.values() for table in (shape.table, *shape.parts)}
    searched = {table for table in tables if table.startswith("session_texts")}
    assert tables == copied | DERIVED | OF_ONE_FILE | searched


async def test_a_copy_has_everything_and_keeps_the_order(source, tmp_path):
    target = tmp_path / "copy.db"
    copied = copy_database(source, target, silent)
    assert added(copied) == {
        "texts": 1, "files": 4, "playbooks": 4, "app state": 1, "user state": 1, "preferences": 1, "journals": 2,
        "lessons": 1, "use": 1, "sessions": 4,
    }  # fmt: skip
    assert {one.kind: one.running for one in copied if one.running} == {"sessions": 1}
    for path in (source, target):
        store = open_store(path)
        with store.playbooks.writing() as playbooks:
            assert [playbooks.restore(name) for name in ("old", "empty")] == [True, False]
        await store.close()
    assert (there := await contents(target)) == await contents(source)
    assert [row.id for row in there["summaries"]] == ["s1", "running", "s2"]
    assert [row.id for row in there["sessions"]["app"]] == ["s1", "s2", "running"]


async def test_what_was_deleted_can_be_restored_in_the_copy_and_no_version_is_reused(source, tmp_path):
    copy_database(source, tmp_path / "copy.db", silent)
    store = open_store(tmp_path / "copy.db")
    part = types.Part(text="new")
    assert await store.sessions.restore_session(**NAMES, session_id="gone")
    assert await store.artifacts.save_artifact(**NAMES, filename="user:b.png", artifact=part) == 2
    await store.close()


async def test_a_run_that_went_on_is_interrupted_in_the_copy(source, tmp_path):
    copy_database(source, tmp_path / "copy.db", silent)
    store = open_store(tmp_path / "copy.db")
    assert await store.sessions.recover() == 1
    assert (await store.sessions.summary(**NAMES, session_id="running")).status == "interrupted"
    await store.close()


STOPPED = ["texts", "files", "playbooks", "sessions"]


@pytest.mark.parametrize("stopped", STOPPED)
async def test_an_interrupted_copy_goes_on(source, tmp_path, stopped):
    target = tmp_path / "copy.db"

    def interrupt(kind: str, done: int, total: int) -> None:
        if (kind, done) == (stopped, 1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_database(source, target, interrupt)
    copied = {one.kind: one for one in copy_database(source, target, silent)}
    assert copied[stopped].found == 1
    assert copied["sessions"].running == 1
    assert await contents(target) == await contents(source)


async def test_a_database_that_has_more_keeps_it(source, tmp_path):
    store = open_store(tmp_path / "other.db")
    await store.sessions.create_session(app_name="other", user_id="user", session_id="s1")
    await store.close()
    assert added(copy_database(source, tmp_path / "other.db", silent))["sessions"] == 4
    with kept_archive(tmp_path / "other.db") as archive:
        assert ("other", "user", "s1") in archive.names("sessions")
        assert len(archive.names("sessions")) == 5


async def test_other_content_of_the_same_name_is_refused_and_nothing_is_copied(source, tmp_path):
    target = tmp_path / "other.db"
    store = open_store(target)
    await store.sessions.create_session(**NAMES, session_id="s1")
    await store.close()
    before = await contents(target)
    with pytest.raises(
        DatabaseError, match=r"other content under the same name, in its sessions: 'app', 'user', 's1'. Nothing"
    ):
        copy_database(source, target, silent)
    assert await contents(target) == before


async def test_another_kind_of_store_is_copied_to_and_from(source, tmp_path):
    box = Box()
    with copied_archive(source) as archive:
        copy_archive(archive, box, silent)
    with kept_archive(tmp_path / "copy.db") as archive:
        copy_archive(box, archive, silent)
    assert await contents(tmp_path / "copy.db") == await contents(source)


async def test_what_is_not_kept_is_noticed(source):
    with (
        copied_archive(source) as archive,
        pytest.raises(DatabaseError, match="What was copied is not what was read, in the playbooks: 'rules'"),
    ):
        copy_archive(archive, LossyBox(), silent)


async def test_the_source_may_be_in_use_and_is_not_changed(source, tmp_path):
    store = open_store(source)
    await store.sessions.create_session(**NAMES, session_id="newest")
    before = source.read_bytes(), source.with_name("playground.db-wal").read_bytes()
    assert added(copy_database(source, tmp_path / "copy.db", silent))["sessions"] == 5
    assert (source.read_bytes(), source.with_name("playground.db-wal").read_bytes()) == before
    await store.close()


async def test_a_read_only_file_in_a_read_only_folder_is_copied(source, tmp_path, monkeypatch):
    connect = sqlite3.connect

    def refuse(place, *args, **kwargs):
        if "playground.db" in place and "immutable" not in place:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return connect(place, *args, **kwargs)

    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "to").mkdir()
    monkeypatch.setattr(sqlite3, "connect", refuse)
    copy_database(source, tmp_path / "to" / "copy.db", silent)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def refused(source: Path, target: Path, message: str) -> None:
    with pytest.raises(DatabaseError, match=message):
        copy_database(source, target, silent)


async def test_files_that_cannot_be_copied_are_refused_with_the_reason(source, tmp_path):
    target = tmp_path / "copy.db"
    refused(tmp_path / "missing.db", target, "There is no session database .*missing.db to copy")
    refused(tmp_path, target, "it is a folder")
    (tmp_path / "text.db").write_text("no database at all " * 100)
    refused(tmp_path / "text.db", target, "text.db is not a SQLite database")
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as conn:
        conn.execute("CREATE TABLE birds (name)")
    refused(tmp_path / "foreign.db", target, "belongs to another program: it has the tables birds")
    assert not target.exists()
    os.link(source, tmp_path / "link.db")
    refused(source, tmp_path / "link.db", "are the same database")
    with closing(sqlite3.connect(source)) as conn:
        conn.execute("PRAGMA user_version = 99")
    refused(source, target, "playground.db has schema version 99, made by a newer Agent Playground")
    assert not target.exists()
