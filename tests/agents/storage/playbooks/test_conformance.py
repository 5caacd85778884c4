"""What every playbook repository does."""

from __future__ import annotations

import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.errors import PlaybookExistsError, PlaybookNotFoundError
from agents.playbook import GrowthPoint, JudgedAnswer, PlaybookRepository, PlaybookTransaction, StoredDelta, StoredSnapshot
from tests.agents.storage.playbooks.conftest import KINDS, made


def delta(revision: int, body: str = "{}", *, undoes: int | None = None) -> StoredDelta:
    """A delta whose every field tells its revision."""
    place = ("app", "s1", "i1", 10 * revision)
    totals = (revision, revision + 1, revision + 2, revision + 3)
    return StoredDelta(revision, 1000 + revision, float(revision), "curator", undoes, *place, *totals, body)


def answer(seq: int, *, right: bool | None = True) -> JudgedAnswer:
    return JudgedAnswer(3, 5.0, "app", "s1", seq, "How much? 净", right, "person")


def filled(playbooks: PlaybookTransaction, name: str = "mine", revisions: int = 5) -> int:
    """The key of a playbook with deltas whose bodies are their numbers as words."""
    key = playbooks.create(name, 1.0).key
    for revision, word in enumerate(("one", "two", "three", "four", "five")[:revisions], start=1):
        playbooks.append(key, delta(revision, f'{{"said": "{word}"}}'), updated_at=float(revision), pending=revision)
    return key


def revisions(playbooks: PlaybookTransaction, key: int, **asked: Any) -> list[int]:
    return [found.revision for found in playbooks.deltas(key, **asked)]


@contextmanager
def taken_back(repository: PlaybookRepository):
    """A transaction that fails at its end."""
    with suppress(ZeroDivisionError), repository.writing() as playbooks:
        yield playbooks
        raise ZeroDivisionError


def test_nothing_is_there_at_first(repository):
    with repository.reading() as playbooks:
        assert (playbooks.find("mine"), playbooks.infos()) == (None, [])
        with pytest.raises(PlaybookNotFoundError, match="no playbook 'mine'"):
            playbooks.must_find("mine")


def test_a_playbook_is_found_by_its_name_and_has_what_was_set(repository):
    with repository.writing() as playbooks:
        made = playbooks.create("mine", 1.5)
        assert made[:7] == ("mine", 0, 0, False, 1.5, 1.5, "")
        assert playbooks.find_or_create("mine") == made == playbooks.must_find("mine")
        playbooks.freeze(made.key, frozen=True)
        playbooks.guard(made.key, "cases/mine")
        playbooks.append(made.key, delta(4), updated_at=9.5, pending=7)
    with repository.reading() as playbooks:
        found = playbooks.find("mine")
        assert found == ("mine", 4, 4, True, 1.5, 9.5, "cases/mine", 7, made.key)
        assert found.frozen is True


def test_a_name_is_given_once_and_has_to_be_valid(repository):
    with repository.writing() as playbooks:
        playbooks.create("mine", 1.0)
        with pytest.raises(PlaybookExistsError, match="'mine'"):
            playbooks.create("mine", 2.0)
        with pytest.raises(ValueError, match="cannot name a playbook"):
            playbooks.find_or_create(" x")
        assert [info.name for info in playbooks.infos()] == ["mine"]


def test_the_last_changed_is_listed_first(repository):
    with repository.writing() as playbooks:
        keys = [playbooks.create(name, at).key for name, at in (("a", 1.0), ("b", 2.0), ("c", 2.0))]
        playbooks.append(keys[0], delta(1), updated_at=3.0)
        assert [info.name for info in playbooks.infos()] == ["a", "c", "b"]


def test_deltas_come_as_they_were_appended(repository):
    bodies = ['{"said": "净利润\u2028"}', "{}"]
    with repository.writing() as playbooks:
        key, other = playbooks.create("mine", 1.0).key, playbooks.create("other", 1.0).key
        for revision, body in enumerate(bodies, start=1):
            playbooks.append(key, delta(revision, body, undoes=revision - 1 or None), updated_at=1.0)
        playbooks.append(other, delta(1), updated_at=1.0)
    with repository.reading() as playbooks:
        assert [*playbooks.deltas(key)] == [delta(1, bodies[0]), delta(2, bodies[1], undoes=1)]
        assert [*playbooks.deltas(other)] == [delta(1)]
        assert [playbooks.mark(key, revision) for revision in (0, 1, 2, 3)] == [None, 1001, 1002, None]
        assert playbooks.growth(key) == [GrowthPoint(1, 1.0, 1, 2, 3, 4), GrowthPoint(2, 2.0, 2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"after": 2}, [3, 4, 5]),
        ({"upto": 2}, [1, 2]),
        ({"upto": 99}, [1, 2, 3, 4, 5]),
        ({"after": 1, "upto": 3}, [2, 3]),
        ({"limit": 2}, [1, 2]),
        ({"limit": 0}, []),
        ({"newest_first": True, "limit": 2}, [5, 4]),
        ({"newest_first": True, "upto": 3, "after": 1}, [3, 2]),
        ({"containing": '"t'}, [2, 3]),
        ({"containing": '"t', "newest_first": True, "limit": 1}, [3]),
        ({"containing": "%"}, []),
        ({"containing": "ONE"}, []),
    ],
)
def test_deltas_are_chosen(repository, asked, expected):
    with repository.writing() as playbooks:
        key = filled(playbooks)
        assert revisions(playbooks, key, **asked) == expected


def test_an_imported_playbook_begins_at_a_later_revision(repository):
    with repository.writing() as playbooks:
        key = playbooks.create("mine", 1.0).key
        for revision in (7, 8):
            playbooks.append(key, delta(revision), updated_at=1.0, snapshot=f"as of {revision}")
        assert (revisions(playbooks, key), revisions(playbooks, key, after=7)) == ([7, 8], [8])
        assert playbooks.snapshot(key, 6) is None


def test_the_newest_snapshot_up_to_a_revision_is_found(repository):
    with repository.writing() as playbooks:
        key = playbooks.create("mine", 1.0).key
        for revision in range(1, 6):
            snapshot = f"[{revision}]\n净" if revision in (2, 4) else None
            playbooks.append(key, delta(revision), updated_at=1.0, snapshot=snapshot)
    with repository.reading() as playbooks:
        found = [playbooks.snapshot(key, revision) for revision in range(6)]
    two, four = StoredSnapshot(2, "[2]\n净", 5, 1002), StoredSnapshot(4, "[4]\n净", 7, 1004)
    assert found == [None, None, two, two, four, four]


def test_judgements_are_kept_in_order(repository):
    given = [answer(9), answer(2, right=None), answer(9, right=False)]
    with repository.writing() as playbooks:
        key, other = playbooks.create("mine", 1.0).key, playbooks.create("other", 1.0).key
        for one in given:
            playbooks.add_answer(key, one)
    with repository.reading() as playbooks:
        found = playbooks.answers(key)
        assert (found, playbooks.answers(other)) == (given, [])
        assert [one.right for one in found] == [True, None, False]
        assert found[0].right is True


def test_a_deleted_playbook_frees_its_name_and_comes_back_whole(repository):
    with repository.writing() as playbooks:
        key = filled(playbooks)
        before = playbooks.find("mine")
        playbooks.delete(key)
        assert (playbooks.find("mine"), playbooks.infos()) == (None, [])
    with repository.writing() as playbooks:
        assert playbooks.restore("mine")
        assert playbooks.find("mine") == before
        assert revisions(playbooks, key) == [1, 2, 3, 4, 5]
        assert not playbooks.restore("mine")
        assert not playbooks.restore("other")


def test_the_one_deleted_last_comes_back_unless_its_name_is_taken(repository):
    with repository.writing() as playbooks:
        for at in (1.0, 2.0):
            playbooks.delete(playbooks.create("mine", at).key)
        playbooks.create("mine", 3.0)
        with pytest.raises(PlaybookExistsError):
            playbooks.restore("mine")
    with repository.writing() as playbooks:
        playbooks.delete(playbooks.find("mine").key)
        assert playbooks.restore("mine")
        assert playbooks.find("mine").created_at == 3.0


def test_a_transaction_that_fails_leaves_nothing(repository):
    with repository.writing() as playbooks:
        key, gone = filled(playbooks, revisions=2), filled(playbooks, "gone", revisions=1)
        playbooks.delete(gone)
        before = playbooks.infos(), [*playbooks.deltas(key)], playbooks.growth(key)
    with taken_back(repository) as playbooks:
        playbooks.append(key, delta(3), updated_at=8.0, snapshot="lost")
        playbooks.add_answer(key, answer(1))
        playbooks.freeze(key, frozen=True)
        playbooks.guard(key, "lost")
        playbooks.append(playbooks.create("lost", 1.0).key, delta(1), updated_at=1.0)
        assert playbooks.restore("gone")
        playbooks.delete(key)
    with repository.writing() as playbooks:
        assert (playbooks.infos(), [*playbooks.deltas(key)], playbooks.growth(key)) == before
        assert (playbooks.answers(key), playbooks.snapshot(key, 9), playbooks.find("lost")) == ([], None, None)
        assert not playbooks.restore("mine")
        playbooks.append(key, delta(3, "next"), updated_at=8.0)
        assert [*playbooks.deltas(key, after=2)] == [delta(3, "next")]
        assert playbooks.restore("gone")


def test_writers_wait_for_each_other(repository):
    with repository.writing() as playbooks:
        key = playbooks.create("mine", 0.0).key

    def write() -> None:
        for _ in range(20):
            with repository.writing() as playbooks:
                revision = playbooks.find("mine").revision + 1
                playbooks.append(key, delta(revision), updated_at=1.0)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with repository.reading() as playbooks:
        assert revisions(playbooks, key) == [*range(1, 81)]


NAMES = st.sampled_from(["a", "b"])
STEPS = st.tuples(st.sampled_from(["append", "freeze", "guard", "answer", "delete", "restore"]), NAMES, st.booleans())
TRANSACTIONS = st.lists(st.tuples(st.booleans(), st.lists(STEPS, max_size=5)), max_size=8)


def step(playbooks: PlaybookTransaction, doing: str, name: str, *, flag: bool) -> object:
    if doing == "restore":
        with suppress(PlaybookExistsError):
            return playbooks.restore(name)
        return "taken"
    info = playbooks.find_or_create(name, 1.0)
    match doing:
        case "append":
            snapshot = f"as of {info.revision + 1}" if flag else None
            playbooks.append(info.key, delta(info.revision + 1), updated_at=info.updated_at + 1, snapshot=snapshot)
        case "freeze":
            playbooks.freeze(info.key, frozen=flag)
        case "guard":
            playbooks.guard(info.key, "cases" if flag else "")
        case "answer":
            playbooks.add_answer(info.key, answer(info.revision, right=flag))
        case "delete":
            playbooks.delete(info.key)
    return None


def told(playbooks: PlaybookTransaction) -> list[Any]:
    """All that a repository says, but for keys."""
    found = [(info, info.key) for info in playbooks.infos()]
    return [
        (
            info._replace(key=0),
            [*playbooks.deltas(key)],
            playbooks.snapshot(key, 99),
            playbooks.growth(key),
            playbooks.answers(key),
        )
        for info, key in found
    ]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TRANSACTIONS)
def test_all_of_them_say_the_same(postgres_server, transactions):
    said = []
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder, made(kind, Path(folder), postgres_server) as repository:
            found = []
            for is_kept, steps in transactions:
                with repository.writing() if is_kept else taken_back(repository) as playbooks:
                    found += [step(playbooks, doing, name, flag=flag) for doing, name, flag in steps]
                with repository.reading() as playbooks:
                    found += told(playbooks)
            said.append(found)
    assert all(found == said[0] for found in said)
