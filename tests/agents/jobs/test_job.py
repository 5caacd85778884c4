"""Background work: its progress, its end, its problem; one job of a name at a time."""

from __future__ import annotations

import threading

import pytest

from agents.errors import PlaygroundError
from agents.jobs import Job, Jobs


@pytest.fixture
def gate():
    opened = threading.Event()
    yield opened
    opened.set()


def test_it_tells_how_far_it_is_and_ends():
    job = Job[int]("count", lambda job: [job.tell(number) for number in range(3)])
    assert (job.progress, job.goes_on) == (None, False)
    job.start()
    job.wait()
    assert (job.progress, job.goes_on, job.problem) == (2, False, "")


def test_what_ends_it_early_is_kept():
    def work(_):
        raise PlaygroundError("The model is gone.")

    job = Job[int]("count", work)
    job.start()
    job.wait()
    assert job.problem == "The model is gone."


def test_an_error_that_nobody_expected_is_kept_by_its_name_and_told_in_the_terminal(monkeypatch):
    told: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    job = Job[int]("count", lambda _: {}["a key"])
    job.start()
    job.wait()
    assert job.problem.startswith("An unexpected KeyError ended it")
    assert "a key" not in job.problem
    assert [one.exc_type for one in told] == [KeyError]


def test_it_is_asked_to_stop():
    asked = threading.Event()
    job = Job[int]("wait", lambda job: asked.wait(30) and job.tell(1 if job.is_stopping else 0), on_stop=asked.set)
    job.start()
    assert job.goes_on
    job.stop()
    job.wait()
    assert job.progress == 1


def test_it_idles_until_it_is_asked_to_stop():
    job = Job[int]("idle", lambda job: [job.tell(1), job.idle(threading.TIMEOUT_MAX), job.tell(2)])
    job.start()
    job.stop()
    job.wait(30)
    assert job.progress == 2


def test_of_a_name_one_goes_on_at_a_time(gate):
    jobs = Jobs()
    first, second, other, another_kind = (Job[int](name, lambda _: gate.wait(30)) for name in ("a", "a", "b", "a"))
    for job in (first, second, other):
        jobs.start("lab run", job)
    jobs.start("measurement", another_kind)
    assert jobs.of("lab run", "a") is first
    assert [job.goes_on for job in (first, second, other, another_kind)] == [True, False, True, True]

    jobs.stop("lab run", "a")
    jobs.stop("lab run", "nothing of that name")
    assert [job.is_stopping for job in (first, other)] == [True, False]
    jobs.stop_all()
    gate.set()
    for job in (first, other, another_kind):
        job.wait()
    assert other.is_stopping

    jobs.start("lab run", second)
    assert jobs.of("lab run", "a") is second
    second.wait()
