"""The fold over deltas: kept, caught up, begun again when the database says otherwise; from a snapshot as without one."""

from __future__ import annotations

import json
import sqlite3

import pytest

from agents.ace import DeltaBatch, Playbook
from agents.ace.operations import Commit
from agents.ace.store import ledger, snapshots
from agents.ace.store.ledger import KEPT, SNAPSHOT_EVERY, Ledger, Planned
from agents.errors import PlaybookNotFoundError
from agents.storage.reducer import Origin
from agents.storage.sqlite.database import transaction
from agents.storage.sqlite.migrations import PLAYBOOKS

NOBODY = Origin("", "", "", 0, 0.0)
HERE = Origin("app", "s1", "i1", 7, 5.0)


@pytest.fixture
def conn():
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(PLAYBOOKS)
    yield conn
    conn.close()


def add(conn, made: Ledger, text: str = "text", name: str = "p", origin: Origin = HERE, **more):
    batch = DeltaBatch(operations=[{"type": "ADD", "section": "units", "content": text}], **more)
    with transaction(conn):
        return made.commit(conn, name, batch, origin)


def texts(playbook: Playbook) -> list[str]:
    return [bullet.content for bullet in playbook.bullets]


def selects(conn) -> list[str]:
    """What is read from now on, by table."""
    found: list[str] = []
    conn.set_trace_callback(lambda sql: found.append(sql.partition(" FROM ")[2].split()[0]))
    return found


def test_a_commit_says_what_it_made_and_keeps_where_it_comes_from(conn):
    commit, playbook = add(conn, Ledger(), reasoning="Why.", by="reflector")
    assert (commit.playbook, commit.revision, commit.by, commit.reasoning) == ("p", 1, "reflector", "Why.")
    assert (playbook.name, playbook.revision, texts(playbook)) == ("p", 1, ["text"])
    assert playbook.bullets[0].created_at == 5.0
    row = conn.execute("SELECT app_name, session_id, invocation_id, seq, committed_at, by FROM playbook_deltas").fetchone()
    assert row == ("app", "s1", "i1", 7, 5.0, "reflector")


def test_there_is_nothing_before_the_first_commit(conn):
    made = Ledger()
    assert made.load(conn, "p") is None
    with pytest.raises(PlaybookNotFoundError, match="no playbook 'p'"):
        made.at(conn, "p", 0)
    add(conn, made)
    assert texts(made.at(conn, "p", 0)) == []
    for revision in (-1, 2):
        with pytest.raises(PlaybookNotFoundError, match=f"no revision {revision}. It has 0 to 1"):
            made.at(conn, "p", revision)


def test_a_batch_that_holds_nothing_makes_no_revision(conn):
    commit, playbook = Ledger().commit(conn, "p", DeltaBatch(reasoning="Nothing."), NOBODY)
    assert (commit.revision, commit.reasoning, playbook.revision, playbook.name) == (0, "Nothing.", 0, "p")
    assert conn.execute("SELECT count(*) FROM playbook_deltas").fetchone() == (0,)


def test_what_was_refused_elsewhere_stands_first_in_the_record(conn):
    batch = DeltaBatch(rejected=[{"operation": {"type": "ADD"}, "reason": "odd"}], operations=[
        {"type": "REMOVE", "bullet_id": "nobody"},
    ])  # fmt: skip
    commit, playbook = Ledger().commit(conn, "p", batch, NOBODY)
    assert [entry["reason"][:5] for entry in commit.rejected] == ["odd", "There"]
    assert (commit.revision, playbook.revision, len(playbook)) == (1, 1, 0)


def test_a_query_is_counted_even_if_nothing_was_cited(conn):
    made = Ledger()
    commit, playbook = made.commit(conn, "p", DeltaBatch(cited=[]), NOBODY)
    assert commit.applied == [{"type": "CITE", "bullet_ids": [], "query": 1}]
    assert (commit.cited, playbook.queries, playbook.revision) == ([], 1, 1)
    assert Ledger().load(conn, "p").queries == 1


def test_what_is_kept_is_not_read_again(conn):
    made = Ledger()
    for n in range(5):
        add(conn, made, str(n))
    read = selects(conn)
    first = made.load(conn, "p")
    assert made.load(conn, "p") is first
    assert made.at(conn, "p", 3).revision == 3
    assert "playbook_snapshots" not in read
    assert read.count("playbook_deltas") == 3  # a mark each


def test_only_deltas_since_are_read(conn):
    one, other = Ledger(), Ledger()
    for n in range(4):
        add(conn, one, str(n))
    assert texts(other.load(conn, "p")) == list("0123")
    add(conn, one, "4")
    read = selects(conn)
    assert texts(other.load(conn, "p")) == list("01234")
    assert "playbook_snapshots" not in read
    assert read.count("playbook_deltas") == 2  # the mark, and one delta


def test_old_revisions_are_given_up_and_folded_again(conn):
    made = Ledger()
    for n in range(KEPT + 3):
        add(conn, made, str(n))
    assert [len(made.at(conn, "p", revision)) for revision in range(KEPT + 4)] == list(range(KEPT + 4))
    newest = made.load(conn, "p")
    read = selects(conn)
    assert made.load(conn, "p") is newest
    assert "playbook_snapshots" not in read


def test_what_a_transaction_took_back_is_forgotten(conn):
    made = Ledger()
    add(conn, made, "kept")
    conn.execute("BEGIN IMMEDIATE")
    made.commit(conn, "p", DeltaBatch(operations=[{"type": "ADD", "section": "u", "content": "lost"}]), NOBODY)
    conn.execute("ROLLBACK")
    assert texts(made.load(conn, "p")) == ["kept"]
    commit, playbook = add(conn, made, "next")
    assert (commit.revision, commit.applied[0]["bullet_id"], texts(playbook)) == (2, "units-00002", ["kept", "next"])
    assert Ledger().load(conn, "p").to_json() == playbook.to_json()


def test_another_history_of_the_same_length_is_noticed(conn):
    made, other = Ledger(), Ledger()
    for text in ("shared", "mine 2", "mine 3"):
        add(conn, made, text)
    conn.execute("DELETE FROM playbook_deltas WHERE revision > 1")  # as a backup of then would have it
    conn.execute("UPDATE playbooks SET revision = 1")
    for text in ("theirs 2", "theirs 3"):
        add(conn, other, text)
    assert texts(made.load(conn, "p")) == ["shared", "theirs 2", "theirs 3"]
    assert texts(made.at(conn, "p", 2)) == ["shared", "theirs 2"]
    add(conn, made, "4")
    assert texts(other.load(conn, "p")) == ["shared", "theirs 2", "theirs 3", "4"]


def test_an_older_state_is_noticed(conn):
    made = Ledger()
    for text in "abc":
        add(conn, made, text)
    conn.execute("DELETE FROM playbook_deltas WHERE revision > 2")
    conn.execute("UPDATE playbooks SET revision = 2")
    assert texts(made.load(conn, "p")) == ["a", "b"]
    conn.execute("DELETE FROM playbook_deltas")
    conn.execute("UPDATE playbooks SET revision = 0")
    assert texts(made.load(conn, "p")) == []


def test_a_delta_that_was_planned_for_an_earlier_state_is_not_stored(conn):
    made = Ledger()
    add(conn, made, "a")
    base = made.base(conn, "p")
    planned = Planned.of(base, Commit(playbook="p", revision=2, reasoning="Planned."), base.playbook, 5.0)
    conn.execute("BEGIN IMMEDIATE")
    add_more, _ = made.commit(conn, "p", DeltaBatch(operations=[{"type": "ADD", "section": "u", "content": "b"}]), NOBODY)
    assert (add_more.revision, made.store(conn, "p", planned)) == (2, False)
    conn.execute("ROLLBACK")
    assert made.store(conn, "p", planned)
    assert conn.execute("SELECT body FROM playbook_deltas WHERE revision = 2").fetchall() == [
        ('{"reasoning": "Planned.", "applied": [], "rejected": []}',)
    ]


def test_playbooks_do_not_mix(conn):
    made = Ledger()
    add(conn, made, "one", name="a")
    add(conn, made, "two", name="b")
    add(conn, made, "three", name="a")
    assert texts(made.load(conn, "a")) == ["one", "three"]
    assert texts(made.load(conn, "b")) == ["two"]
    assert made.load(conn, "b").name == "b"


def grow(conn, made: Ledger, commits: int) -> None:
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
            last = [bullet.id for bullet in made.load(conn, "p").bullets[-2:]]
            operations.append({"type": "MERGE", "bullet_ids": last, "content": "both"})
            operations.append({"type": "REMOVE", "bullet_id": made.load(conn, "p").bullets[0].id})
        with transaction(conn):
            made.commit(conn, "p", DeltaBatch(operations=operations, cited=[id_]), Origin("", "", "", 0, n / 3 + 1))


def test_a_fold_from_a_snapshot_is_that_from_the_log(conn, monkeypatch):
    monkeypatch.setattr(ledger, "SNAPSHOT_EVERY", 20)
    made = Ledger()
    grow(conn, made, 60)
    stored = [revision for (revision,) in conn.execute("SELECT revision FROM playbook_snapshots ORDER BY revision")]
    assert len(stored) > 3
    with_them = [Ledger().at(conn, "p", revision).to_json() for revision in range(61)]
    assert Ledger().load(conn, "p").to_json() == made.load(conn, "p").to_json() == with_them[-1]
    read = selects(conn)
    Ledger().at(conn, "p", stored[-1])
    assert read.count("playbook_deltas") == 1  # only for what joins it: none are folded
    conn.set_trace_callback(None)
    conn.execute("DELETE FROM playbook_snapshots")
    assert [Ledger().at(conn, "p", revision).to_json() for revision in range(61)] == with_them


def test_a_snapshot_is_all_of_a_playbook(conn, monkeypatch):
    monkeypatch.setattr(ledger, "SNAPSHOT_EVERY", 1)
    made = Ledger()
    grow(conn, made, 30)
    last = f"units-{made.load(conn, 'p').next_number:05d}"
    tags = [{"type": "TAG", "bullet_id": last, "tag": "neutral"}] * 40
    gone = [{"type": "ADD", "section": "units", "content": "x"}, *tags, {"type": "REMOVE", "bullet_id": last}]
    commit, _ = made.commit(conn, "p", DeltaBatch(operations=gone), NOBODY)
    assert not commit.rejected
    [(key, revision)] = conn.execute("SELECT playbook, max(revision) FROM playbook_snapshots").fetchall()
    assert revision == commit.revision
    (read, _), live = snapshots.read(conn, key, revision), made.at(conn, "p", revision)
    assert read.bullets == live.bullets
    for name in ("revision", "next_number", "queries", "tokens", "helpful", "harmful"):
        assert getattr(read, name) == getattr(live, name)
    assert snapshots.read(conn, key, 0)[0].to_json() == Playbook().to_json()


def test_snapshots_come_by_the_number_of_changes_and_of_bullets(conn):
    made = Ledger()
    tag = {"type": "TAG", "bullet_id": "units-00001", "tag": "helpful"}
    add(conn, made)
    for _ in range(SNAPSHOT_EVERY // 50 + 1):
        with transaction(conn):
            made.commit(conn, "p", DeltaBatch(operations=[tag] * 50), NOBODY)
    assert conn.execute("SELECT revision FROM playbook_snapshots").fetchall() == [(1 + SNAPSHOT_EVERY // 50,)]
    assert conn.execute("SELECT pending FROM playbooks").fetchone() == (50,)
    big = [{"type": "ADD", "section": "u", "content": f"{n}"} for n in range(1000)]
    with transaction(conn):
        made.commit(conn, "big", DeltaBatch(operations=big, by="person"), NOBODY)  # one commit may be enough
        for _ in range(8):
            made.commit(conn, "big", DeltaBatch(operations=[{**tag, "bullet_id": "u-00001"}] * 50), NOBODY)
    found = conn.execute("SELECT s.revision FROM playbook_snapshots s JOIN playbooks ON key = playbook WHERE name = 'big'")
    assert found.fetchall() == [(1,)]  # not yet 200 + 1000 / 4


def test_counts_of_each_revision_are_those_of_its_playbook(conn):
    made = Ledger()
    grow(conn, made, 20)
    rows = conn.execute("SELECT revision, bullets, helpful, harmful, tokens FROM playbook_deltas").fetchall()
    for revision, *counts in rows:
        anew = Playbook(Ledger().at(conn, "p", revision).bullets)
        assert counts == [len(anew), anew.helpful, anew.harmful, anew.tokens]
    assert conn.execute("SELECT bullets, revision FROM playbooks").fetchone() == (rows[-1][1], 20)


def test_the_log_is_text_that_anybody_can_read(conn):
    add(conn, Ledger(), "净利润", reasoning="为什么")
    [(body,)] = conn.execute("SELECT body FROM playbook_deltas").fetchall()
    assert "净利润" in body
    assert json.loads(body)["applied"][0]["bullet_id"] == "units-00001"
