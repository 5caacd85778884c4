"""How long a write waits for a lock: a while, and longer where others write in turn."""

from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path

import pytest

from agents.errors import DatabaseError
from agents.storage.sqlite import patience
from agents.storage.sqlite.patience import CROWDED, RETRY_SECONDS, Patience
from agents.storage.tables.worker import GiveUp

LIMIT = 10.0


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(patience.time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    return now


def locked():
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise error


def test_a_lock_that_one_program_holds_is_given_up_after_the_limit(clock):
    with pytest.raises(DatabaseError, match="is locked"):
        Patience(Path("x.db"), LIMIT, mark=lambda: 1).run(locked, GiveUp())
    assert LIMIT <= clock[0] <= LIMIT + 1


def test_a_lock_that_others_take_in_turn_is_waited_for_longer_but_not_for_ever(clock):
    marks = itertools.count()
    with pytest.raises(DatabaseError, match="is locked"):
        Patience(Path("x.db"), LIMIT, mark=lambda: next(marks)).run(locked, GiveUp())
    assert CROWDED * LIMIT <= clock[0] <= (CROWDED + 1) * LIMIT + 2 * RETRY_SECONDS
