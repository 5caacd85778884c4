"""Large changes in parts: short transactions with others in between, all or nothing, one revision, undone as one."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agents.ace import DeltaBatch, Playbook, PlaybookStore
from agents.ace.bullet import StoredBullet
from agents.ace.store import bundles
from agents.ace.store.bundles import BundledChanges
from agents.ace.store.large_commits import ROOM, LargeCommits
from agents.ace.store.ledger import Ledger
from agents.errors import PlaybookBusyError, PlaybookExistsError, PlaybookFormatError, PlaybookFrozenError
from agents.event import Event, EventActions
from agents.storage.sessions import SqliteSessionService
from tests.forks import Fork

pytestmark = pytest.mark.anyio

MANY = 3500


def playbook(count: int = MANY) -> Playbook:
    return Playbook(
        StoredBullet(
            f"units-{n:05d}", f"SECTION {n % 3}", f"Rule {n}: " + "é" * (n % 50), helpful=n % 4, archived=n % 10 == 0
        )
        for n in range(1, count + 1)
    )


def add(content: str) -> DeltaBatch:
    return DeltaBatch.model_validate({"operations": [{"type": "ADD", "section": "units", "content": content}]})


def nothing(_doing: str, _done: int, _of: int) -> None:
    """Tells nobody."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "p.db"


@pytest.fixture
def store(path):
    with PlaybookStore(path, "p") as made:
        yield made


def rows(path, query: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute(query).fetchall()


def imported(store: PlaybookStore, count: int = MANY):
    return LargeCommits(store, nothing).import_playbook(playbook(count), new=False)


def test_an_import_in_parts_is_one_revision_that_says_what_one_in_one_piece_does(store, path):
    store.commit(add("was there"))
    other = store.beside("other")
    other.commit(add("was there"))
    imported(store)
    other.import_playbook(playbook())
    [found, whole] = [each.history(limit=1)[0] for each in (store, other)]
    assert found.revision == whole.revision == 2
    assert isinstance(found.applied, BundledChanges)
    assert len(found.applied) == len(whole.applied) == MANY
    assert [change["bullet"]["content"] for change in found.applied] == [c["bullet"]["content"] for c in whole.applied]
    contents = [[(b.section, b.content, b.helpful, b.archived) for b in each.playbook().bullets] for each in (store, other)]
    assert contents[0] == contents[1]
    points = [each.growth()[-1][2:] for each in (store, other)]
    assert points[0][:3] == points[1][:3]
    assert points[0][3] == Playbook(store.playbook().bullets).tokens


def test_changes_of_a_bundle_are_a_sequence_like_any(store):
    imported(store)
    applied = store.history(limit=1)[0].applied
    whole = list(applied)
    assert applied[0] == whole[0]
    assert applied[-1] == whole[-1]
    assert applied[995:1005] == whole[995:1005]
    assert applied[::-500] == whole[::-500]
    assert applied[MANY:] == []
    with pytest.raises(IndexError):
        applied[MANY]


def test_each_part_is_short_and_a_transaction_of_its_own_and_another_process_writes_between_any_two(store, path):
    store.commit(add("was there"))
    mine = PlaybookStore(path, "p", busy_timeout=0)  # waits for nobody
    written: list[int] = []
    seen: list[tuple[str, int]] = []

    def write(doing: str, done: int, of: int) -> None:
        written.append(mine.commit(add(f"{doing} {done}")).revision)
        seen.append((doing, len(mine.playbook()) - 1 - len(written)))

    done = LargeCommits(store, write).import_playbook(playbook(), new=False)
    mine.close()
    assert len(written) > 6
    assert {count for doing, count in seen if doing == "storing"} == {0}
    assert {count for doing, count in seen if doing == "finishing"} == {MANY}
    assert sorted([1, done.revision, *written]) == list(range(1, len(written) + 3))
    [[longest]] = rows(path, "SELECT max(length(body)) FROM playbook_parts")
    assert longest <= bundles.MOST_CHARACTERS
    assert rows(path, "SELECT max(length(body)) FROM playbook_deltas")[0][0] < 1000
    assert len(store.playbook()) == 1 + MANY + len(written)
    ids = [bullet.id for bullet in store.playbook().bullets]
    assert len(set(ids)) == len(ids)
    assert Ledger().load(sqlite3.connect(path), "p").to_json() == store.playbook().to_json()


def test_a_part_holds_few_items_and_few_characters():
    changes = [{"type": "RESTORE", "bullet_id": f"x-{n}", "bullet": {"content": "y" * 2000}} for n in range(1500)]
    parts = list(bundles.parts_of_changes(changes))
    assert max(len(text) for _, text in parts) <= bundles.MOST_CHARACTERS + bundles.MOST_ITEMS + 2
    assert [first for first, _ in parts] == sorted({first for first, _ in parts})


def test_where_others_take_the_numbers_that_it_had_left_it_is_worked_out_again(store, path):
    store.commit(add("was there"))
    mine = PlaybookStore(path, "p")
    rounds: list[int] = []

    def write(doing: str, done: int, of: int) -> None:
        if doing == "began" and not rounds:
            rounds.append(done)
            mine.import_playbook(Playbook([StoredBullet("a-2000", "a", "far away")]))

    done = LargeCommits(store, write).import_playbook(playbook(), new=False)
    mine.close()
    ids = [bullet.id for bullet in store.playbook().bullets]
    assert len(set(ids)) == len(ids) == MANY + 2
    assert done.revision == 3
    assert ROOM < 2000
    assert rows(path, f"SELECT count(*) FROM playbook_bundles WHERE key = {rounds[0]}") == [(0,)]


def test_a_playbook_that_is_changed_each_time_is_left_alone(store, path):
    imported(store)
    mine = PlaybookStore(path, "p")

    def write(doing: str, done: int, of: int) -> None:
        if doing == "began":
            mine.commit(add("in between"))

    with pytest.raises(PlaybookBusyError, match="Nothing was stored"):
        LargeCommits(store, write).undo(1)
    mine.close()
    assert [record.undoes for record in store.history() if record.undoes] == []
    assert rows(path, "SELECT count(*) FROM playbook_bundles WHERE published = 0") == [(0,)]


def test_an_import_is_undone_as_one_and_the_undo_too(store, path):
    store.commit(add("was there"))
    before = store.playbook()
    imported(store)
    after = store.playbook()
    later = store.commit(
        DeltaBatch.model_validate({"operations": [{"type": "TAG", "bullet_id": after.bullets[-1].id, "tag": "helpful"}]})
    )
    undone = LargeCommits(store, nothing).undo(2)
    assert store.playbook() == before
    assert undone.undoes == 2
    assert undone.dependent == [later.revision]
    LargeCommits(store, nothing).undo(undone.revision)
    assert [b.content for b in store.playbook().bullets] == [b.content for b in after.bullets]
    assert store.playbook().bullets[-1].helpful == after.bullets[-1].helpful + 1
    with closing(sqlite3.connect(path)) as conn:
        for revision in range(1, store.playbook().revision + 1):
            assert Ledger().at(conn, "p", revision).to_json() == store.at(revision).to_json()


def test_without_its_snapshot_it_is_read_from_its_changes(store, path):
    imported(store)
    with_it = store.playbook()
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("DELETE FROM playbook_snapshots")
        assert Ledger().load(conn, "p").to_json() == with_it.to_json()


def test_the_lineage_of_an_imported_bullet_has_its_own_changes_only(store):
    imported(store)
    [record] = store.lineage("units-02000")
    assert [change["bullet_id"] for change in record.applied] == ["units-02000"]
    assert store.lineage("units-99999") == []


@pytest.mark.parametrize(("new", "error"), [(True, PlaybookExistsError), (False, PlaybookFrozenError)])
def test_what_cannot_be_stored_is_refused_before_anything_is_written(store, path, new, error):
    store.commit(add("was there"))
    store.freeze()
    with pytest.raises(error):
        LargeCommits(store, nothing).import_playbook(playbook(), new=new)
    assert rows(path, "SELECT count(*) FROM playbook_bundles") == [(0,)]


def test_a_name_that_is_taken_meanwhile_leaves_nothing(store, path):
    def take(doing: str, done: int, of: int) -> None:
        if doing == "began":
            store.create("new")

    with pytest.raises(PlaybookExistsError):
        LargeCommits(store.beside("new"), take).import_playbook(playbook(), new=True)
    assert rows(path, "SELECT count(*) FROM playbook_parts") == [(0,)]
    assert len(store.beside("new").playbook()) == 0


def test_more_bullets_than_a_playbook_may_have_are_refused(store, monkeypatch):
    monkeypatch.setattr("agents.ace.formats.reader.MAX_PLAYBOOK_BULLETS", MANY)
    imported(store)
    with pytest.raises(PlaybookFormatError, match="3,501 bullets in it, and 3,500 is the most"):
        imported(store, 1)


KILLED = """
import os, signal, sys
from agents.ace import PlaybookStore
from agents.ace.store.large_commits import LargeCommits
from tests.agents.ace.store.test_large_commits import playbook
left = int(sys.argv[2])
def tell(doing, done, of):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
with PlaybookStore(sys.argv[1], "p") as store:
    LargeCommits(store, tell).import_playbook(playbook(), new=False)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_at_any_step_it_leaves_the_playbook_as_it_was_or_has_all_of_it(store, path):
    store.commit(add("was there"))
    before = store.playbook()
    steps: list[str] = []
    LargeCommits(store.beside("other"), lambda doing, *_: steps.append(doing)).import_playbook(playbook(), new=False)
    first = [steps.index(doing) for doing in ("checking", "began", "storing", "finishing")]
    last = [len(steps) - 1 - steps[::-1].index(doing) for doing in ("storing", "finishing")]
    outcomes: list[int] = []
    for step in sorted({*first, *last}):
        with Fork(["-c", KILLED, str(path), str(step + 1)], cwd=Path.cwd()) as process:
            assert process.wait() == -signal.SIGKILL
        now = store.playbook()
        outcomes.append(len(now) - len(before))
        assert outcomes[-1] in {0, MANY}
        if outcomes[-1]:
            assert Ledger().load(sqlite3.connect(path), "p").to_json() == now.to_json()
            LargeCommits(store, nothing).undo(now.revision)
    assert {0, MANY} == set(outcomes)
    imported(store)  # clears up what was left behind
    assert rows(path, "SELECT count(*) FROM playbook_bundles WHERE published = 0") == [(0,)]
    assert rows(path, "SELECT count(*) FROM playbook_parts WHERE bundle NOT IN (SELECT key FROM playbook_bundles)") == [(0,)]


def test_nobody_waits_while_a_large_playbook_is_read_before_it_is_written_to(store, path, monkeypatch):
    imported(store)
    other = PlaybookStore(path, "p", busy_timeout=0)
    locked: list[bool] = []
    read = bundles.read_all

    def reading(conn, key):
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as writer:
            try:
                writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                locked.append(True)
            else:
                writer.execute("ROLLBACK")
                locked.append(False)
        yield from read(conn, key)

    monkeypatch.setattr("agents.ace.store.ledger.LARGE_PLAYBOOK", 100)
    monkeypatch.setattr(bundles, "read_all", reading)
    assert other.commit(add("one more")).revision == 2
    other.close()
    assert locked == [False]


async def test_nobody_waits_while_a_session_reads_a_large_playbook_before_it_writes_to_it(store, path, monkeypatch):
    imported(store)
    service = SqliteSessionService(path)
    session = await service.create_session(app_name="p", user_id="u", session_id="s")
    waiting: list[bool] = []
    load = Ledger.load

    def loading(ledger, conn, name, *, writing=False):
        waiting.append(writing)
        return load(ledger, conn, name, writing=writing)

    monkeypatch.setattr("agents.ace.store.ledger.LARGE_PLAYBOOK", 100)
    monkeypatch.setattr(Ledger, "load", loading)
    delta = {"app:playbook": add("one more").model_dump(mode="json")}
    event = await service.append_event(session, Event(author="x", actions=EventActions(state_delta=delta)))
    assert event.actions.state_delta["app:playbook"]["revision"] == 2
    assert waiting[0] is False
    assert len(store.playbook()) == MANY + 1
    await service.close()
