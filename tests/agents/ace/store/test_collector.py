"""What a large playbook is made of is not walked through by collections of garbage, and is freed all the same."""

from __future__ import annotations

import gc
import weakref

import pytest

from agents.ace import Playbook, PlaybookStore
from agents.ace.bullet import StoredBullet
from agents.ace.store import snapshots
from agents.ace.store.collector import spared
from agents.ace.store.large_commits import LargeCommits


@pytest.fixture(autouse=True)
def as_it_was():
    yield
    assert gc.isenabled()


class Kept:
    """Something that a weak reference can point to."""


def test_what_was_made_is_not_walked_through_and_is_freed_by_its_last_reference():
    with spared() as settle:
        assert not gc.isenabled()
        first = [Kept() for _ in range(10)]
        settle()
        assert not any(thing is first[0] for thing in gc.get_objects())
        second = [Kept() for _ in range(10)]
    assert not any(thing is second[0] for thing in gc.get_objects())
    gone = weakref.ref(first[0])
    del first
    assert gone() is None


def test_two_at_once_leave_it_on():
    with spared(), spared():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_leaves_it_on():
    with pytest.raises(ValueError, match="no"), spared():
        raise ValueError("no")


def test_bullets_of_a_large_playbook_that_is_read_are_spared(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshots, "LARGE_PLAYBOOK", 1000)
    with PlaybookStore(tmp_path / "p.db", "p") as store:
        bullets = [StoredBullet(f"a-{n:05d}", "A", f"Rule {n}.") for n in range(1, 3001)]
        LargeCommits(store, lambda *_: None).import_playbook(Playbook(bullets), new=True)
    with PlaybookStore(tmp_path / "p.db", "p") as store:
        read = store.playbook()
        mine = {id(bullet) for bullet in read.bullets}
        assert len(mine) == 3000
        assert not [thing for thing in gc.get_objects() if id(thing) in mine]
