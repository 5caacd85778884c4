"""The fold over deltas: kept, caught up, begun again when the database says otherwise; from a snapshot as without one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from agents.ace import DeltaBatch, Playbook
from agents.ace.operations import Commit
from agents.ace.store import ledger, snapshots
from agents.ace.store.ledger import KEPT, SNAPSHOT_EVERY, Ledger, Planned
from agents.errors import PlaybookNotFoundError
from agents.storage.playbooks.stored import StoredPlaybookTransaction
from agents.storage.reducer import Origin
from agents.storage.sqlite.database import transaction
from agents.storage.sqlite.migrations import migrate

NOBODY = Origin("", "", "", 0, 0.0)
HERE = Origin("app", "s1", "i1", 7, 5.0)


@pytest.fixture
def playbooks():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        with transaction(conn):
            migrate(conn)
        yield StoredPlaybookTransaction(conn)


def add(playbooks, made: Ledger, text: str = "text", name: str = "p", origin: Origin = HERE, **more):
    batch = DeltaBatch(operations=[{"type": "ADD", "section": "units", "content": text}], **more)
    with transaction(playbooks.conn):
        return made.commit(playbooks, name, batch, origin)


def texts(playbook: Playbook) -> list[str]:
    return [bullet.content for bullet in playbook.bullets]


def selects(playbooks) -> list[str]:
    """What is read from now on, by table."""
    found: list[str] = []
    playbooks.conn.set_trace_callback(lambda sql: found.append(sql.partition(" FROM ")[2].split()[0]))
    return found


def test_a_commit_says_what_it_made_and_keeps_where_it_comes_from(playbooks):
    commit, playbook = add(playbooks, Ledger(), reasoning="Why.", by="reflector")
    assert (commit.playbook, commit.revision, commit.by, commit.reasoning) == ("p", 1, "reflector", "Why.")
    assert (playbook.name, playbook.revision, texts(playbook)) == ("p", 1, ["text"])
    assert playbook.bullets[0].created_at == 5.0
    row = playbooks.conn.execute(
        "SELECT app_name, session_id, invocation_id, seq, committed_at, by FROM playbook_deltas"
    ).fetchone()
    assert row == ("app", "s1", "i1", 7, 5.0, "reflector")


def test_there_is_nothing_before_the_first_commit(playbooks):
    made = Ledger()
    assert made.load(playbooks, "p") is None
    with pytest.raises(PlaybookNotFoundError, match="no playbook 'p'"):
        made.at(playbooks, "p", 0)
    add(playbooks, made)
    assert texts(made.at(playbooks, "p", 0)) == []
    for revision in (-1, 2):
        with pytest.raises(PlaybookNotFoundError, match=f"no revision {revision}. It has 0 to 1"):
            made.at(playbooks, "p", revision)


def test_a_batch_that_holds_nothing_makes_no_revision(playbooks):
    commit, playbook = Ledger().commit(playbooks, "p", DeltaBatch(reasoning="Nothing."), NOBODY)
    assert (commit.revision, commit.reasoning, playbook.revision, playbook.name) == (0, "Nothing.", 0, "p")
    assert playbooks.conn.execute("SELECT count(*) FROM playbook_deltas").fetchone() == (0,)


def test_what_was_refused_elsewhere_stands_first_in_the_record(playbooks):
    batch = DeltaBatch(rejected=[{"operation": {"type": "ADD"}, "reason": "odd"}], operations=[
        {"type": "REMOVE", "bullet_id": "nobody"},
    ])  # fmt: skip
    commit, playbook = Ledger().commit(playbooks, "p", batch, NOBODY)
    assert [entry["reason"][:5] for entry in commit.rejected] == ["odd", "There"]
    assert (commit.revision, playbook.revision, len(playbook)) == (1, 1, 0)


def test_a_query_is_counted_even_if_nothing_was_cited(playbooks):
    made = Ledger()
    commit, playbook = made.commit(playbooks, "p", DeltaBatch(cited=[]), NOBODY)
    assert commit.applied == [{"type": "CITE", "bullet_ids": [], "query": 1}]
    assert (commit.cited, playbook.queries, playbook.revision) == ([], 1, 1)
    assert Ledger().load(playbooks, "p").queries == 1


def test_what_is_kept_is_not_read_again(playbooks):
    made = Ledger()
    for n in range(5):
        add(playbooks, made, str(n))
    read = selects(playbooks)
    first = made.load(playbooks, "p")
    assert made.load(playbooks, "p") is first
    assert made.at(playbooks, "p", 3).revision == 3
    assert "playbook_snapshots" not in read
    assert read.count("playbook_deltas") == 3  # a mark each


def test_only_deltas_since_are_read(playbooks):
    one, other = Ledger(), Ledger()
    for n in range(4):
        add(playbooks, one, str(n))
    assert texts(other.load(playbooks, "p")) == list("0123")
    add(playbooks, one, "4")
    read = selects(playbooks)
    assert texts(other.load(playbooks, "p")) == list("01234")
    assert "playbook_snapshots" not in read
    assert read.count("playbook_deltas") == 2  # the mark, and one delta


def test_old_revisions_are_given_up_and_folded_again(playbooks):
    made = Ledger()
    for n in range(KEPT + 3):
        add(playbooks, made, str(n))
    assert [len(made.at(playbooks, "p", revision)) for revision in range(KEPT + 4)] == list(range(KEPT + 4))
    newest = made.load(playbooks, "p")
    read = selects(playbooks)
    assert made.load(playbooks, "p") is newest
    assert "playbook_snapshots" not in read


def test_what_a_transaction_took_back_is_forgotten(playbooks):
    made = Ledger()
    add(playbooks, made, "kept")
    playbooks.conn.execute("BEGIN IMMEDIATE")
    made.commit(playbooks, "p", DeltaBatch(operations=[{"type": "ADD", "section": "u", "content": "lost"}]), NOBODY)
    playbooks.conn.execute("ROLLBACK")
    assert texts(made.load(playbooks, "p")) == ["kept"]
    commit, playbook = add(playbooks, made, "next")
    assert (commit.revision, commit.applied[0]["bullet_id"], texts(playbook)) == (2, "units-00002", ["kept", "next"])
    assert Ledger().load(playbooks, "p").to_json() == playbook.to_json()


def test_another_history_of_the_same_length_is_noticed(playbooks):
    made, other = Ledger(), Ledger()
    for text in ("shared", "mine 2", "mine 3"):
        add(playbooks, made, text)
    playbooks.conn.execute("DELETE FROM playbook_deltas WHERE revision > 1")  # as a backup of then would have it
    playbooks.conn.execute("UPDATE playbooks SET revision = 1")
    for text in ("theirs 2", "theirs 3"):
        add(playbooks, other, text)
    assert texts(made.load(playbooks, "p")) == ["shared", "theirs 2", "theirs 3"]
    assert texts(made.at(playbooks, "p", 2)) == ["shared", "theirs 2"]
    add(playbooks, made, "4")
    assert texts(other.load(playbooks, "p")) == ["shared", "theirs 2", "theirs 3", "4"]


def test_an_older_state_is_noticed(playbooks):
    made = Ledger()
    for text in "abc":
        add(playbooks, made, text)
    playbooks.conn.execute("DELETE FROM playbook_deltas WHERE revision > 2")
    playbooks.conn.execute("UPDATE playbooks SET revision = 2")
    assert texts(made.load(playbooks, "p")) == ["a", "b"]
    playbooks.conn.execute("DELETE FROM playbook_deltas")
    playbooks.conn.execute("UPDATE playbooks SET revision = 0")
    assert texts(made.load(playbooks, "p")) == []


def test_a_delta_that_was_planned_for_an_earlier_state_is_not_stored(playbooks):
    made = Ledger()
    add(playbooks, made, "a")
    base = made.base(playbooks, "p")
    planned = Planned.of(base, Commit(playbook="p", revision=2, reasoning="Planned."), base.playbook, 5.0)
    playbooks.conn.execute("BEGIN IMMEDIATE")
    add_more, _ = made.commit(
        playbooks, "p", DeltaBatch(operations=[{"type": "ADD", "section": "u", "content": "b"}]), NOBODY
    )
    assert (add_more.revision, made.store(playbooks, "p", planned)) == (2, False)
    playbooks.conn.execute("ROLLBACK")
    assert made.store(playbooks, "p", planned)
    assert playbooks.conn.execute("SELECT body FROM playbook_deltas WHERE revision = 2").fetchall() == [
        ('{"reasoning": "Planned.", "applied": [], "rejected": []}',)
    ]


def test_playbooks_do_not_mix(playbooks):
    made = Ledger()
    add(playbooks, made, "one", name="a")
    add(playbooks, made, "two", name="b")
    add(playbooks, made, "three", name="a")
    assert texts(made.load(playbooks, "a")) == ["one", "three"]
    assert texts(made.load(playbooks, "b")) == ["two"]
    assert made.load(playbooks, "b").name == "b"


def grow(playbooks, made: Ledger, commits: int) -> None:
    """Changes of each kind, several a commit."""
    for n in range(commits):
        id_ = f"units-{max(1, n):05d}"
        operations = [
            {"type": "ADD", "section": f"units {n % 3}" if n % 3 else "units", "content": f"净 text\n{n}\u2028"},
            {"type": "TAG", "bullet_id": id_, "tag": ("helpful", "harmful", "neutral")[n % 3]},
            {"type": "UPDATE", "bullet_id": id_, "content": f"now {n}"},
            {"type": ("ARCHIVE", "UNARCHIVE")[n % 2], "bullet_id": id_},
        ]
        if n % 7 == 6:
            last = [bullet.id for bullet in made.load(playbooks, "p").bullets[-2:]]
            operations.append({"type": "MERGE", "bullet_ids": last, "content": "both"})
            operations.append({"type": "REMOVE", "bullet_id": made.load(playbooks, "p").bullets[0].id})
        with transaction(playbooks.conn):
            made.commit(playbooks, "p", DeltaBatch(operations=operations, cited=[id_]), Origin("", "", "", 0, n / 3 + 1))


def test_a_fold_from_a_snapshot_is_that_from_the_log(playbooks, monkeypatch):
    monkeypatch.setattr(ledger, "SNAPSHOT_EVERY", 20)
    made = Ledger()
    grow(playbooks, made, 60)
    stored = [
        revision for (revision,) in playbooks.conn.execute("SELECT revision FROM playbook_snapshots ORDER BY revision")
    ]
    assert len(stored) > 3
    with_them = [Ledger().at(playbooks, "p", revision).to_json() for revision in range(61)]
    assert Ledger().load(playbooks, "p").to_json() == made.load(playbooks, "p").to_json() == with_them[-1]
    read = selects(playbooks)
    Ledger().at(playbooks, "p", stored[-1])
    assert read.count("playbook_deltas") == 1  # only for what joins it: none are folded
    playbooks.conn.set_trace_callback(None)
    playbooks.conn.execute("DELETE FROM playbook_snapshots")
    assert [Ledger().at(playbooks, "p", revision).to_json() for revision in range(61)] == with_them


def test_a_snapshot_is_all_of_a_playbook(playbooks, monkeypatch):
    monkeypatch.setattr(ledger, "SNAPSHOT_EVERY", 1)
    made = Ledger()
    grow(playbooks, made, 30)
    last = f"units-{made.load(playbooks, 'p').next_number:05d}"
    tags = [{"type": "TAG", "bullet_id": last, "tag": "neutral"}] * 40
    gone = [{"type": "ADD", "section": "units", "content": "x"}, *tags, {"type": "REMOVE", "bullet_id": last}]
    commit, _ = made.commit(playbooks, "p", DeltaBatch(operations=gone), NOBODY)
    assert not commit.rejected
    [(key, revision)] = playbooks.conn.execute("SELECT playbook, max(revision) FROM playbook_snapshots").fetchall()
    assert revision == commit.revision
    read, live = snapshots.playbook_of(playbooks.snapshot(key, revision)), made.at(playbooks, "p", revision)
    assert read.bullets == live.bullets
    for name in ("revision", "next_number", "queries", "tokens", "helpful", "harmful"):
        assert getattr(read, name) == getattr(live, name)
    assert playbooks.snapshot(key, 0) is None


def test_snapshots_come_by_the_number_of_changes_and_of_bullets(playbooks):
    made = Ledger()
    tag = {"type": "TAG", "bullet_id": "units-00001", "tag": "helpful"}
    add(playbooks, made)
    for _ in range(SNAPSHOT_EVERY // 50 + 1):
        with transaction(playbooks.conn):
            made.commit(playbooks, "p", DeltaBatch(operations=[tag] * 50), NOBODY)
    assert playbooks.conn.execute("SELECT revision FROM playbook_snapshots").fetchall() == [(1 + SNAPSHOT_EVERY // 50,)]
    assert playbooks.conn.execute("SELECT pending FROM playbooks").fetchone() == (50,)
    big = [{"type": "ADD", "section": "u", "content": f"{n}"} for n in range(1000)]
    with transaction(playbooks.conn):
        made.commit(playbooks, "big", DeltaBatch(operations=big, by="person"), NOBODY)  # one commit may be enough
        for _ in range(8):
            made.commit(playbooks, "big", DeltaBatch(operations=[{**tag, "bullet_id": "u-00001"}] * 50), NOBODY)
    found = playbooks.conn.execute(
        "SELECT s.revision FROM playbook_snapshots s JOIN playbooks ON key = playbook WHERE name = 'big'"
    )
    assert found.fetchall() == [(1,)]  # not yet 200 + 1000 / 4


def test_counts_of_each_revision_are_those_of_its_playbook(playbooks):
    made = Ledger()
    grow(playbooks, made, 20)
    rows = playbooks.conn.execute("SELECT revision, bullets, helpful, harmful, tokens FROM playbook_deltas").fetchall()
    for revision, *counts in rows:
        anew = Playbook(Ledger().at(playbooks, "p", revision).bullets)
        assert counts == [len(anew), anew.helpful, anew.harmful, anew.tokens]
    assert playbooks.conn.execute("SELECT bullets, revision FROM playbooks").fetchone() == (rows[-1][1], 20)


def test_the_log_is_text_that_anybody_can_read(playbooks):
    add(playbooks, Ledger(), "净利润", reasoning="为什么")
    [(body,)] = playbooks.conn.execute("SELECT body FROM playbook_deltas").fetchall()
    assert "净利润" in body
    assert json.loads(body)["applied"][0]["bullet_id"] == "units-00001"
