"""How long writes wait, on a clock that only the test moves."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from agents.errors import DatabaseError
from agents.storage.sqlite import patience
from agents.storage.sqlite.patience import GiveUp, Patience


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(patience, "time", clock)
    return clock


def failure(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    return error


class Attempt:
    """Fails until a moment on the clock; every attempt takes a quarter of a second."""

    def __init__(self, clock: Clock, until: float, code: int = sqlite3.SQLITE_BUSY) -> None:
        self.clock, self.until, self.code, self.count = clock, until, code, 0

    def __call__(self) -> str:
        self.count += 1
        if self.clock.now >= self.until:
            return "done"
        self.clock.now += 0.25
        raise failure(self.code)


@pytest.fixture
def heard():
    return []


@pytest.fixture
def patient(heard):
    return Patience(Path("some.db"), 10, heard.append)


@pytest.mark.parametrize(("code", "reason"), [(sqlite3.SQLITE_BUSY, "is locked"), (sqlite3.SQLITE_FULL, "disk is full")])
def test_what_passes_in_time_is_waited_for_and_told(clock, patient, heard, code, reason):
    assert patient.run(Attempt(clock, until=109, code=code), GiveUp()) == "done"
    assert len(heard) == 2
    assert heard[0].startswith("Waiting for the session database some.db, which ")
    assert reason in heard[0]
    assert heard[1] is None


def test_what_passes_soon_is_not_told(clock, patient, heard):
    assert patient.run(Attempt(clock, until=100.8), GiveUp()) == "done"
    assert heard == []


def test_what_does_not_pass_in_time_fails(clock, patient, heard):
    with pytest.raises(DatabaseError, match="for more than 10 s"):
        patient.run(Attempt(clock, until=999), GiveUp())
    assert 110 <= clock.now < 111
    assert heard[-1] is None


def test_after_the_time_is_over_writes_are_tried_once_until_one_works(clock, patient):
    with pytest.raises(DatabaseError):
        patient.run(Attempt(clock, until=999), GiveUp())
    for _ in range(3):
        clock.now += 1
        attempt = Attempt(clock, until=999)
        with pytest.raises(DatabaseError):
            patient.run(attempt, GiveUp())
        assert attempt.count == 1
    assert patient.run(lambda: "works", GiveUp()) == "works"
    assert patient.run(Attempt(clock, until=clock.now + 5), GiveUp()) == "done"


def test_a_failure_long_after_the_last_one_is_waited_for_again(clock, patient):
    with pytest.raises(DatabaseError):
        patient.run(Attempt(clock, until=999), GiveUp())
    clock.now += 60
    assert patient.run(Attempt(clock, until=clock.now + 5), GiveUp()) == "done"


def test_a_queue_of_writes_waits_once(clock, patient):
    for _ in range(5):
        with pytest.raises(DatabaseError):
            patient.run(Attempt(clock, until=999), GiveUp())
    assert clock.now < 113


def test_who_gives_up_fails_after_the_attempt(clock, patient):
    give_up, attempt = GiveUp(), Attempt(clock, until=999)
    give_up.now()
    with pytest.raises(DatabaseError, match=r"from being written\. Nothing"):
        patient.run(attempt, give_up)
    assert attempt.count == 1


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_READONLY])
def test_what_does_not_pass_by_itself_fails_at_once(clock, patient, code):
    attempt = Attempt(clock, until=999, code=code)
    with pytest.raises(DatabaseError, match=r"some\.db"):
        patient.run(attempt, GiveUp())
    assert attempt.count == 1


def test_a_lock_may_be_waited_for_longer_than_a_full_disk(clock):
    attempt = Attempt(clock, until=150)
    assert Patience(Path("some.db"), 10, for_lock=60).run(attempt, GiveUp()) == "done"
    full = Attempt(clock, until=999, code=sqlite3.SQLITE_FULL)
    with pytest.raises(DatabaseError, match="for more than 10 s"):
        Patience(Path("some.db"), 10, for_lock=60).run(full, GiveUp())
