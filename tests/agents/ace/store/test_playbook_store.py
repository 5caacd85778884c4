"""`PlaybookStore`, on a file and in memory: what it answers, what it refuses, who sees what when, and old files."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlite_utils import Database

from agents.ace import Bullet, DeltaBatch, Playbook, PlaybookStore, import_changes
from agents.ace.store import playbook_store
from agents.ace.store.playbook_store import TRIES
from agents.errors import DatabaseError, PlaybookExistsError, PlaybookFrozenError, PlaybookNotFoundError
from agents.storage.playbooks.memory import InMemoryPlaybookRepository
from agents.storage.sqlite import migrations


@pytest.fixture(params=["file", "memory"])
def store(request, tmp_path):
    with PlaybookStore(tmp_path / "p.db" if request.param == "file" else InMemoryPlaybookRepository(), name="mine") as store:
        yield store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "p.db"


def batch(*plain: dict, **more) -> DeltaBatch:
    return DeltaBatch(operations=list(plain), **more)


def add(text: str, section: str = "units") -> dict:
    return {"type": "ADD", "section": section, "content": text}


def tag(id_: str, name: str = "helpful") -> dict:
    return {"type": "TAG", "bullet_id": id_, "tag": name}


def texts(playbook: Playbook) -> list[str]:
    return [bullet.content for bullet in playbook.bullets]


def test_it_is_empty_until_the_first_commit(store):
    assert (len(store.playbook()), store.playbook().name, store.playbook().revision) == (0, "mine", 0)
    assert (store.names(), store.history(), store.growth(), store.lineage("u-00001"), store.frozen) == (
        [],
        [],
        [],
        [],
        False,
    )
    assert len(store.at(0)) == 0
    for attempt in (lambda: store.at(1), lambda: store.undo(1), lambda: store.dependents(1)):
        with pytest.raises(PlaybookNotFoundError, match="no playbook 'mine'"):
            attempt()
    commit = store.commit(batch(add("x")))
    assert (commit.playbook, commit.revision) == ("mine", 1)
    assert [(info.name, info.revision, info.bullets, info.frozen) for info in store.names()] == [("mine", 1, 1, False)]


@pytest.mark.parametrize("name", ["", " ", " x", "x\n", "x" * 81, "\ud800"])
def test_a_name_that_nobody_can_type_is_refused(store, name):
    for attempt in (
        lambda: PlaybookStore(InMemoryPlaybookRepository(), name),
        lambda: store.beside(name),
        lambda: store.create(name),
    ):
        with pytest.raises(ValueError, match="cannot name a playbook"):
            attempt()
    assert store.names() == []


def test_history_is_newest_first_and_can_be_paged(store):
    for n in range(5):
        store.commit(batch(add(str(n)), reasoning=f"r{n}", by="curator"))
    assert [record.revision for record in store.history()] == [5, 4, 3, 2, 1]
    assert [record.reasoning for record in store.history(limit=2)] == ["r4", "r3"]
    assert [record.revision for record in store.history(limit=2, before=4)] == [3, 2]
    assert (store.history(limit=0), store.history(before=1)) == ([], [])
    record = store.history(limit=1)[0]
    assert (record.app_name, record.session_id, record.invocation_id, record.seq, record.undoes) == ("", "", "", 0, None)
    assert record.applied[0]["bullet_id"] == "units-00005"


def test_every_revision_is_there_and_differences_between_any_two(store):
    store.commit(batch(add("a"), add("b")))
    store.commit(batch({"type": "UPDATE", "bullet_id": "units-00001", "content": "A"}, add("c")))
    store.commit(batch({"type": "REMOVE", "bullet_id": "units-00002"}))
    assert [texts(store.at(revision)) for revision in range(4)] == [[], ["a", "b"], ["A", "b", "c"], ["A", "c"]]
    assert [store.at(revision).revision for revision in range(4)] == [0, 1, 2, 3]
    found = store.diff(1, 3)
    assert [bullet.content for bullet in found.added] == ["c"]
    assert [bullet.content for bullet in found.removed] == ["b"]
    assert [(old.content, new.content) for old, new in found.changed] == [("a", "A")]
    back = store.diff(3, 1)
    assert [bullet.content for bullet in back.added] == ["b"]
    with pytest.raises(PlaybookNotFoundError, match=r"no revision 4\. It has 0 to 3"):
        store.diff(1, 4)


# Undo, roll back


def test_an_undo_is_a_delta_that_names_what_rested_on_it(store):
    store.commit(batch(add("a")))
    store.commit(batch(add("b"), tag("units-00001")))
    store.commit(batch({"type": "UPDATE", "bullet_id": "units-00002", "content": "B"}))
    store.commit(batch(tag("units-00001")))
    assert store.dependents(2) == [3]
    undone = store.undo(2)
    assert (undone.revision, undone.undoes, undone.dependent, undone.by) == (5, 2, [3], "person")
    assert [(bullet.content, bullet.helpful) for bullet in store.playbook().bullets] == [("a", 1)]
    record = store.history(limit=1)[0]
    assert (record.revision, record.undoes, record.reasoning) == (5, 2, "Undo of revision 2.")
    assert undone.to_json()["undoes"] == 2


def test_an_undo_can_be_undone_and_then_done_again(store):
    store.commit(batch(add("a")))
    store.commit(batch(tag("units-00001")))
    counts = []
    for revision in (2, 3, 2, 5):
        assert store.undo(revision).rejected == []
        counts.append(store.playbook().bullets[0].helpful)
    assert counts == [0, 1, 0, 1]


def test_what_was_taken_back_is_not_taken_back_again(store):
    store.commit(batch(add("a"), tag("units-00001"), tag("units-00001")))
    store.commit(batch(tag("units-00001")))
    store.undo(2)
    again = store.undo(2)
    assert (again.applied, again.revision, again.undoes) == ([], 3, None)
    assert [entry["reason"] for entry in again.rejected] == ["Revision 2 was taken back already."]
    assert (store.playbook().bullets[0].helpful, store.playbook().revision) == (2, 3)


def test_what_an_undo_could_not_take_back_can_be_tried_again(store):
    store.commit(batch(add("a"), add("b")))
    store.commit(batch(tag("units-00001"), tag("units-00002")))
    store.commit(batch({"type": "REMOVE", "bullet_id": "units-00002"}))
    first = store.undo(2)
    assert (len(first.applied), len(first.rejected)) == (1, 1)
    assert [len(part) for part in (store.undo(2).applied, store.undo(2).rejected)] == [0, 1]  # its bullet is still gone
    store.undo(3)
    assert [bullet.helpful for bullet in store.playbook().bullets] == [0, 1]
    last = store.undo(2)
    assert (len(last.applied), last.rejected) == (1, [])
    assert [bullet.helpful for bullet in store.playbook().bullets] == [0, 0]


def test_what_was_taken_back_and_done_again_counts_as_resting(store):
    store.commit(batch(add("a")))
    store.commit(batch(tag("units-00001")))
    assert store.dependents(1) == [2]
    store.undo(2)
    assert store.dependents(1) == []
    store.undo(3)
    assert store.dependents(1) == [2]


def test_an_undo_that_came_to_nothing_took_nothing_back(store):
    store.commit(batch(add("a")))
    for text in "bc":
        store.commit(batch({"type": "UPDATE", "bullet_id": "units-00001", "content": text}))
    assert store.undo(2).applied == []
    assert store.dependents(1) == [2, 3]


def test_an_undo_of_a_query_alone_makes_no_revision(store):
    store.commit(batch(cited=[]))
    undone = store.undo(1)
    assert (undone.revision, undone.applied, undone.rejected, undone.dependent) == (1, [], [], [])
    assert store.playbook().revision == 1


def test_a_delta_that_is_not_there_cannot_be_undone(store):
    store.commit(batch(add("a")))
    for revision in (0, 2, -1):
        with pytest.raises(PlaybookNotFoundError, match=f"no revision {revision}. It has 1 to 1"):
            store.undo(revision)
    store.create("empty")
    with pytest.raises(PlaybookNotFoundError, match="has no revisions yet"):
        store.beside("empty").undo(1)


def test_rolling_back_is_one_more_delta(store):
    store.commit(batch(add("a"), add("b")))
    store.commit(batch({"type": "MERGE", "bullet_ids": ["units-00001", "units-00002"], "content": "ab"}, add("c")))
    commit = store.roll_back(1)
    assert (commit.revision, commit.by, commit.reasoning) == (3, "person", "Rolled back to revision 1.")
    assert store.playbook() == store.at(1)
    assert store.commit(batch(add("d"))).applied[0]["bullet_id"] == "units-00005"
    store.undo(3)
    assert texts(store.playbook()) == ["ab", "c", "d"]
    assert store.roll_back(0).revision == 6
    assert len(store.playbook()) == 0


def test_rolling_back_to_where_it_is_does_nothing(store):
    store.commit(batch(add("a")))
    assert (store.roll_back(1).revision, store.roll_back(1).applied) == (1, [])
    assert len(store.history()) == 1


# Several playbooks


def test_playbooks_live_side_by_side(store):
    other = store.create("other")
    with pytest.raises(PlaybookExistsError, match="'other' already"):
        store.create("other")
    store.commit(batch(add("mine")))
    other.commit(batch(add("theirs")))
    assert (texts(store.playbook()), texts(other.playbook())) == (["mine"], ["theirs"])
    store.commit(batch(add("also theirs"), playbook="other"))
    assert texts(store.beside("other").playbook()) == ["theirs", "also theirs"]
    assert {info.name: info.revision for info in store.names()} == {"mine": 1, "other": 2}


def test_a_copy_has_the_bullets_and_a_history_of_its_own(store):
    store.commit(batch(add("a"), add("b"), tag("units-00001")))
    store.commit(batch({"type": "ARCHIVE", "bullet_id": "units-00002"}))
    copied = store.copy_to("copy")
    assert copied.playbook() == store.playbook()
    assert [record.reasoning for record in copied.history()] == ["Copied from mine, revision 2."]
    copied.commit(batch(add("c")))
    assert texts(store.playbook()) == ["a", "b"]
    for _ in range(2):
        with pytest.raises(PlaybookExistsError):
            store.copy_to("copy")
    assert len(copied.playbook()) == 3
    assert len(store.beside("nothing").copy_to("empty").playbook()) == 0
    assert {info.name for info in store.names()} == {"mine", "copy", "empty"}


def test_a_copy_that_fails_leaves_nothing(store):
    store.commit(batch(add("a")))
    with pytest.raises(ValueError, match="cannot name a playbook"):
        store.copy_to(" ")
    assert [info.name for info in store.names()] == ["mine"]


def test_a_frozen_playbook_can_be_read_and_copied_only(store):
    store.commit(batch(add("a")))
    store.freeze()
    assert (store.frozen, store.names()[0].frozen) == (True, True)
    refused = store.commit(batch(add("b"), tag("units-00001"), cited=["units-00001"]))
    assert (refused.revision, refused.applied) == (1, [])
    assert ["frozen" in entry["reason"] for entry in refused.rejected] == [True, True]
    attempts = (
        lambda: store.undo(1),
        lambda: store.roll_back(0),
        lambda: store.import_playbook(Playbook([Bullet("u-00009", "u", "x")])),
    )
    for attempt in attempts:
        with pytest.raises(PlaybookFrozenError, match="'mine' is frozen"):
            attempt()
    copied = store.copy_to("copy")
    assert not copied.frozen
    copied.commit(batch(add("b")))
    assert (texts(store.playbook()), store.playbook().queries) == (["a"], 0)
    store.freeze(frozen=False)
    assert store.commit(batch(add("b"))).revision == 2


def test_an_empty_playbook_can_be_frozen_before_anything_is_in_it(store):
    store.freeze()
    assert store.frozen
    assert store.commit(batch(add("a"))).revision == 0


def test_an_import_is_one_delta_that_can_be_undone(store):
    store.commit(batch(add("a")))
    theirs = Playbook(
        [Bullet("units-00001", "UNITS", "b", helpful=4, harmful=1), Bullet("x-00007", "x", "c", archived=True)]
    )
    commit = store.import_playbook(theirs, reasoning="From a file.")
    assert (commit.revision, commit.by, store.history(limit=1)[0].reasoning) == (2, "import", "From a file.")
    made = store.playbook()
    assert [(b.id, b.section, b.content, b.helpful, b.harmful, b.archived) for b in made.bullets] == [
        ("units-00001", "units", "a", 0, 0, False),
        ("units-00008", "units", "b", 4, 1, False),
        ("x-00007", "x", "c", 0, 0, True),
    ]
    store.undo(2)
    assert texts(store.playbook()) == ["a"]
    assert store.commit(batch(add("d"))).applied[0]["bullet_id"] == "units-00009"
    assert store.import_playbook(Playbook()).applied == []


@pytest.mark.parametrize("others", [1, TRIES])
def test_an_import_is_worked_out_while_others_write_and_anew_after_them(path, monkeypatch, others):
    tries: list[int] = []

    def importing(now, bullets):
        tries.append(now.revision)
        if len(tries) <= others:
            with PlaybookStore(path, "mine", busy_timeout=0) as other:
                other.commit(batch(add(f"other {len(tries)}")))
        return import_changes(now, bullets)

    monkeypatch.setattr(playbook_store, "import_changes", importing)
    with PlaybookStore(path, "mine") as store:
        store.commit(batch(add("was there")))
        done = store.import_playbook(Playbook([Bullet("units-00001", "units", "imported")]))
        written = ["was there", *(f"other {number}" for number in range(1, others + 1)), "imported"]
        assert texts(store.playbook()) == written
        assert done.revision == len(written)
    assert tries == list(range(1, others + 2))


def test_lineage_follows_a_bullet_through_merges(store):
    store.commit(batch(add("a")))
    store.commit(batch(add("b")))
    store.commit(batch(add("c", "rates")))
    store.commit(batch(tag("units-00001")))
    store.commit(batch({"type": "MERGE", "bullet_ids": ["units-00001", "units-00002"], "content": "ab"}))
    store.commit(batch({"type": "MERGE", "bullet_ids": ["units-00004", "rates-00003"], "content": "abc"}))
    store.commit(batch(tag("units-00005"), cited=["units-00005"]))
    store.commit(batch(add("[units-00005]", "rates")))
    assert [record.revision for record in store.lineage("units-00005")] == [1, 2, 3, 4, 5, 6, 7]
    assert [record.revision for record in store.lineage("units-00001")] == [1, 4, 5]
    assert [record.revision for record in store.lineage("rates-00003")] == [3, 6]
    assert store.lineage("units-0000") == []


def test_growth_is_what_it_came_to_each_time(store):
    store.commit(batch(add("one two")))
    store.commit(batch(tag("units-00001"), tag("units-00001", "harmful"), add("three")))
    store.commit(batch({"type": "REMOVE", "bullet_id": "units-00001"}))
    points = store.growth()
    assert [(p.revision, p.bullets, p.helpful, p.harmful) for p in points] == [(1, 1, 0, 0), (2, 2, 1, 1), (3, 1, 0, 0)]
    assert [p.tokens for p in points] == [store.at(n).tokens for n in (1, 2, 3)]
    assert points[0].at <= points[1].at <= points[2].at


# Several at once


def test_threads_lose_nothing(store):
    stores = [store, store.beside("mine"), PlaybookStore(store._repository, "mine")]
    with ThreadPoolExecutor(6) as threads:
        commits = list(threads.map(lambda n: stores[n % len(stores)].commit(batch(add(str(n)))), range(60)))
    assert sorted(commit.revision for commit in commits) == list(range(1, 61))
    for each in stores:
        assert sorted(texts(each.playbook()), key=int) == [str(n) for n in range(60)]
    assert len({bullet.id for bullet in store.playbook().bullets}) == 60
    stores[-1].close()


def test_a_reader_sees_nothing_of_a_commit_under_way(path):
    writer, reader = PlaybookStore(path), PlaybookStore(path)
    writer.commit(batch(add("a")))
    assert texts(reader.playbook()) == ["a"]
    with writer._repository.writing() as conn:
        commit, playbook = writer.ledger.commit(conn, "default", batch(add("b")), _nobody())
        assert (commit.revision, texts(playbook)) == (2, ["a", "b"])
        assert texts(reader.playbook()) == ["a"]
    assert texts(reader.playbook()) == ["a", "b"]
    writer.close()
    reader.close()


def test_a_reader_that_stands_in_the_past_is_not_told_the_present(path):
    store = PlaybookStore(path)
    store.commit(batch(add("a")))
    with PlaybookStore(path) as other, other._repository.reading() as conn:
        assert texts(store.ledger.load(conn, "default")) == ["a"]
        store.commit(batch(add("b")))
        assert texts(store.ledger.load(conn, "default")) == ["a"]  # one ledger, and a database as it was
        assert texts(other.ledger.load(conn, "default")) == ["a"]
    assert texts(store.playbook()) == ["a", "b"]
    store.close()


def test_a_thread_waits_for_another_that_writes(path):
    store = PlaybookStore(path)
    store.commit(batch(add("a")))
    began, done = threading.Event(), threading.Event()

    def write():
        with store._repository.writing() as conn:
            began.set()
            done.wait(10)
            store.ledger.commit(conn, "default", batch(add("b")), _nobody())

    thread = threading.Thread(target=write)
    thread.start()
    began.wait(10)
    with ThreadPoolExecutor(1) as other:
        read = other.submit(store.playbook)
        assert not read.done()
        done.set()
        assert texts(read.result(10)) == ["a", "b"]
    thread.join()
    store.close()


def _nobody():
    from agents.storage.reducer import Origin

    return Origin("", "", "", 0, 0.0)


# The file


def test_a_database_that_was_replaced_is_not_mistaken_for_the_old_one(path, tmp_path):
    with PlaybookStore(tmp_path / "other.db") as other:
        other.commit(batch(add("other 1")))
        other.commit(batch(add("other 2")))
    store = PlaybookStore(path)
    store.commit(batch(add("mine 1")))
    store.commit(batch(add("mine 2")))
    kept = store.playbook()
    store_files = [file for file in path.parent.iterdir() if file.name.startswith("p.db-")]
    (tmp_path / "other.db").replace(path)
    for file in store_files:
        file.unlink(missing_ok=True)
    with pytest.raises(DatabaseError, match="replaced"):
        store.playbook()
    assert texts(store.playbook()) == ["other 1", "other 2"]
    assert texts(store.at(1)) == ["other 1"]
    assert store.commit(batch(add("3"))).revision == 3
    assert texts(kept) == ["mine 1", "mine 2"]
    store.close()


def test_a_database_that_was_set_back_to_a_backup_is_what_counts(path, tmp_path):
    store = PlaybookStore(path)
    store.commit(batch(add("a")))
    with closing(sqlite3.connect(path)) as live, closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
        live.backup(backup)
    for text in "bc":
        store.commit(batch(add(text)))
    with closing(sqlite3.connect(path)) as live, closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
        backup.backup(live)
    assert texts(store.playbook()) == ["a"]
    with PlaybookStore(path) as other:
        for text in "BC":
            other.commit(batch(add(text)))
    assert texts(store.playbook()) == ["a", "B", "C"]
    assert texts(store.at(2)) == ["a", "B"]
    store.close()


def test_a_locked_database_changes_nothing_and_works_afterwards(path):
    store = PlaybookStore(path, busy_timeout=0.1)
    store.commit(batch(add("a")))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseError, match=r"is locked.*Nothing was stored"):
            store.commit(batch(add("b")))
        assert texts(store.playbook()) == ["a"]
        other.execute("ROLLBACK")
    assert store.commit(batch(add("b"))).revision == 2
    store.close()


def test_a_full_disk_loses_nothing_that_was_stored(path):
    store = PlaybookStore(path)
    store.commit(batch(add("a")))
    conn = store._repository._database._connection.get()
    conn.execute(f"PRAGMA max_page_count = {conn.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(DatabaseError, match="disk is full"):
        store.commit(DeltaBatch(by="person", operations=[add("x" * 2000) for _ in range(200)]))
    assert texts(store.playbook()) == ["a"]
    conn.execute("PRAGMA max_page_count = 1000000")
    assert store.commit(batch(add("b"))).applied[0]["bullet_id"] == "units-00002"
    store.close()


def test_a_closed_store_opens_again(path):
    store = PlaybookStore(str(path))
    store.commit(batch(add("a")))
    store.close()
    store.close()
    assert texts(store.beside("default").playbook()) == ["a"]
    store.close()


def test_making_a_store_touches_no_file(path):
    PlaybookStore(path)
    assert not path.exists()


def test_a_file_of_the_second_schema_gains_the_tables_and_keeps_what_it_had(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        migrations._steps().apply(Database(conn), stop_before="3")
        conn.execute("PRAGMA user_version = 2")
        conn.execute("INSERT INTO sessions VALUES (1, 'app', 'user', 's1', 'hello', 1.0, 2.0, NULL, 1, 1, 'completed')")
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE name LIKE 'playbook%'")}
        assert tables == set()
    with PlaybookStore(path) as store:
        assert (store.names(), len(store.playbook())) == ([], 0)
        store.commit(batch(add("a")))
    with PlaybookStore(path) as store:
        assert texts(store.playbook()) == ["a"]
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (migrations.VERSION,)
        assert conn.execute("SELECT id, title FROM sessions").fetchall() == [("s1", "hello")]


def test_a_folder_and_a_foreign_file_are_refused(tmp_path):
    with pytest.raises(DatabaseError, match="is a folder"):
        PlaybookStore(tmp_path).playbook()
    (tmp_path / "notes.txt").write_text("notes " * 100)
    with pytest.raises(DatabaseError, match="not a SQLite database"):
        PlaybookStore(tmp_path / "notes.txt").commit(batch(add("a")))


def test_a_playbook_in_memory_ends_with_its_tables():
    tables = InMemoryPlaybookRepository()
    PlaybookStore(tables).commit(batch(add("a")))
    assert texts(PlaybookStore(tables).playbook()) == ["a"]
    assert texts(PlaybookStore(InMemoryPlaybookRepository()).playbook()) == []
