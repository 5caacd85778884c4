"""Databases that earlier versions wrote open with this one, and go on where they were.

`databases/schema-6.db.gz` was written by version 0.1.0: seven sessions of five pipelines, one of which waits for
an approval, and a playbook with five deltas.

`databases/schema-13.db.xz` has playbooks of the version that stored large changes in parts: one with 10,002 bullets, the
most of them imported, and one whose import was undone; and parts that a process left behind.

`databases/schema-14.db.xz` is of the version that numbered the entries of all sessions together: seven sessions, two of
which ran at once, among them a fork, an import, a deleted one, one that waits for an approval, and one with tags.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.store.ledger import Ledger
from agents.errors import PlaybookFormatError
from agents.forks import BackgroundForks
from agents.log import TraceRecord
from agents.runs import RunManager
from agents.session_list import SessionFilter
from agents.sharing.entries import checked_entry
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.sessions import SqliteSessionService
from tests.agents.runs.stage import collect, finished, status

DATABASES = Path(__file__).parent / "databases"
REVISIONS = {
    "large": [(1, "4415374318b9eb0c"), (10_002, "b3cbbc5607c2fe94"), (10_002, "98754c3d8fdf40e9")],
    "undone": [(1200, "8d6fd3e19e207c53"), (0, "c08cf23c5d3dadaa")],
}
"""What the version that wrote them said of each revision: bullets, and the beginning of the hash of its JSON."""

pytestmark = pytest.mark.anyio


def unpacked(name: str, folder: Path) -> Path:
    path = folder / "playground.db"
    unpack = gzip.decompress if name.endswith(".gz") else lzma.decompress
    path.write_bytes(unpack((DATABASES / name).read_bytes()))
    return path


@pytest.fixture
def database(tmp_path):
    return unpacked("schema-6.db.gz", tmp_path)


@pytest.mark.parametrize("name", ["schema-6.db.gz", "schema-14.db.xz"])
def test_records_of_earlier_versions_can_be_exported_and_imported(tmp_path, name):
    with closing(sqlite3.connect(unpacked(name, tmp_path))) as conn:
        records = conn.execute("SELECT kind, body FROM log WHERE kind NOT IN ('event', 'imported')").fetchall()
    assert len(records) > 300
    for kind, body in records:
        entry = {"type": "entry", "kind": kind, "body": json.loads(body)}
        place = 1 if kind == "session_created" else len(records) + 1_000
        assert checked_entry(entry, place=place).kind == kind


@pytest.mark.parametrize("name", ["schema-6.db.gz", "schema-14.db.xz"])
async def test_logs_keep_their_entries_and_numbers_and_go_on_from_the_last_one(tmp_path, name):
    path = unpacked(name, tmp_path)
    with closing(sqlite3.connect(path)) as conn:
        stored = conn.execute(
            "SELECT key, app_name, user_id, id, deleted_at FROM sessions ORDER BY last_seq DESC"
        ).fetchall()
        read = "SELECT seq, kind, body FROM log WHERE session = ? ORDER BY seq"
        logs = {tuple(row[1:4]): conn.execute(read, row[:1]).fetchall() for row in stored}
    service = SqliteSessionService(path)
    listed = [(row.app_name, row.user_id, row.id) for row in await service.summaries()]
    assert listed == [tuple(row[1:4]) for row in stored if row[4] is None]
    for app_name, user_id, session_id in listed:
        names = {"app_name": app_name, "user_id": user_id, "session_id": session_id}
        log = await service.read_log(**names)
        assert [(entry.seq, entry.kind, entry.body) for entry in log] == logs[app_name, user_id, session_id]
        session = await service.get_session(**names)
        assert await service.append(session, [TraceRecord("noted")]) == [log[-1].seq + 1]
        assert await service.count_events(**names, until=log[-1].seq) == len(session.events)
    new = await service.create_session(app_name="ace", user_id="user")
    assert new.last_seq == 1
    assert {row.id for row in (await service.page(SessionFilter(), limit=1)).rows} == {new.id}
    await service.close()


async def test_references_to_entries_name_what_they_named(tmp_path):
    with RunManager(database=unpacked("schema-14.db.xz", tmp_path)) as manager:
        [fork] = [row for row in manager.sessions.summaries() if row.fork]
        origin = BackgroundForks(manager).origin(fork.app_name, fork.id)
        [named] = [entry for entry in manager.sessions.log(fork.app_name, fork.origin) if entry.seq == origin.seq]
        found = [manager.sessions.provenance(record) for record in manager.playbooks("ace").history()]
        asked = {answer.question for answer in manager.playbooks("ace").answers()}
        tags = manager.collection.tags()
    assert named.kind == "event"
    assert {provenance.query for provenance in found} == asked
    assert len(asked) == 2
    assert list(tags.values()) == [("finance", "kept")]


async def test_sessions_are_listed_and_read(database):
    with RunManager(database=database) as manager:
        found = {(one.app_name, one.status) for one in manager.sessions.summaries()}
        lengths = [
            len(await manager.sessions.newest(one.app_name, one.id, limit=1000)) for one in manager.sessions.summaries()
        ]

    assert found == {
        ("iterative_writing", "completed"),
        ("ace", "completed"),
        ("approval", "paused"),
        ("banana_painter", "completed"),
        ("report_writer", "completed"),
    }
    assert len(lengths) == 7
    assert sum(lengths) == 471


def test_what_was_said_is_found(database):
    with RunManager(database=database) as manager:
        found = manager.collection.search("critic refiner")
        sizes = manager.collection.sizes()

    assert [(app_name, found.unread) for app_name, _ in found.sessions] == [("iterative_writing", 0)]
    assert len(sizes) == 7


@pytest.mark.parametrize("name", ["schema-6.db.gz", "schema-14.db.xz"])
async def test_a_run_that_waited_goes_on(tmp_path, name):
    with RunManager(database=unpacked(name, tmp_path)) as manager:
        [call] = manager.pending()
        run = manager.answer(call.pipeline, call.session_id, call.call_id, {"confirmed": True})
        seen = await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished)

    assert status(seen) == "completed"


def test_the_playbook_is_as_it_was_and_takes_deltas(database):
    with PlaybookStore(database, name="ace") as store:
        before = store.playbook()
        undone = store.undo(before.revision)

    assert before.revision == 5
    assert undone.revision == 6
    assert any("current ratio" in bullet.content for bullet in before.bullets)


@pytest.fixture
def in_parts(tmp_path):
    """The playbook of more bullets than one may have today."""
    with PlaybookStore(unpacked("schema-13.db.xz", tmp_path), "large") as store:
        yield store


def adding(text: str) -> DeltaBatch:
    return DeltaBatch.model_validate({"operations": [{"type": "ADD", "section": "RULES", "content": text}]})


@pytest.mark.parametrize("name", REVISIONS)
def test_playbooks_in_parts_are_read_as_they_were(in_parts, name):
    store = in_parts.beside(name)
    assert [(len(found), digest(found)) for found in map(store.at, range(1, len(REVISIONS[name]) + 1))] == REVISIONS[name]


def test_changes_in_parts_are_those_that_were_made(in_parts, tmp_path):
    added = [len(record.applied) for record in in_parts.history()]
    undone = [len(record.applied) for record in in_parts.beside("undone").history()]
    contents = [change["bullet"]["content"] for change in in_parts.history()[1].applied]
    with closing(sqlite3.connect(tmp_path / "playground.db")) as conn:
        conn.execute("DELETE FROM playbook_snapshots")
        assert digest(Ledger().at(StoredPlaybookTransaction(conn), "large", 3)) == REVISIONS["large"][2][1]

    assert (added, undone) == ([1, 10_001, 1], [1200, 1200])
    assert contents == [f"Rule {number}." for number in range(1, 10_002)]
    assert [record.revision for record in in_parts.lineage("rules-02000")] == [2]


def test_parts_of_a_process_that_ended_are_gone(in_parts, tmp_path):
    in_parts.names()
    with closing(sqlite3.connect(tmp_path / "playground.db")) as conn:
        assert conn.execute("SELECT count(*) FROM playbook_bundles").fetchone() == (0,)


def test_a_playbook_beyond_the_limit_is_exported_and_changed_and_cannot_grow(in_parts):
    before = in_parts.playbook()
    assert Playbook.from_json(before.to_json()) == before
    done = in_parts.commit(DeltaBatch(operations=[{"type": "TAG", "bullet_id": "rules-00001", "tag": "harmful"}]))
    assert (len(done.applied), len(in_parts.playbook())) == (1, 10_002)
    [rejection] = in_parts.commit(adding("One more.")).rejected
    assert rejection["reason"] == (
        "The playbook has 10,002 bullets, and 10,000 is the most, since a model reads them. Remove or merge some first."
    )
    with pytest.raises(PlaybookFormatError, match="10,003 bullets in it, and 10,000 is the most, since a model reads them"):
        in_parts.import_playbook(Playbook.from_text("## A\n[a-00001] helpful=0 harmful=0 :: One more.\n"))


def test_an_import_in_parts_is_undone_and_the_undo_too(in_parts):
    before = in_parts.playbook()
    undone = in_parts.undo(2)
    assert [bullet.content for bullet in in_parts.playbook().bullets] == ["It was there."]
    assert in_parts.undo(undone.revision).rejected == []
    assert in_parts.playbook() == before


def digest(playbook: Playbook) -> str:
    return hashlib.sha256(playbook.to_json().encode()).hexdigest()[:16]
