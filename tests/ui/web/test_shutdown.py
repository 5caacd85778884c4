"""The end of the server's process: after a while, at once, or because nothing is left to do."""

from __future__ import annotations

import threading

import pytest

from ui.web.shutdown import Shutdown


def quiet():
    pass


@pytest.fixture
def codes():
    return []


def test_it_ends_when_an_orderly_end_takes_too_long(capsys):
    left, codes = threading.Event(), []

    def leave(code: int) -> None:
        codes.append(code)
        left.set()

    Shutdown(seconds=0, leave=leave).signal(15, quiet)
    assert left.wait(20)
    assert codes == [143]
    assert "What was stored is kept" in capsys.readouterr().err


def test_a_second_signal_ends_it_at_once(codes):
    shutdown = Shutdown(seconds=600, leave=codes.append)
    shutdown.signal(2, quiet)
    assert codes == []
    shutdown.signal(2, quiet)
    assert codes == [130]


def test_threads_that_are_left_are_not_waited_for(codes):
    shutdown, end = Shutdown(seconds=600, leave=codes.append), threading.Event()
    shutdown.signal(2, quiet)
    thread = threading.Thread(target=end.wait, name="a tool that hangs")
    thread.start()
    shutdown.done()
    end.set()
    thread.join()
    assert codes == [0]


def test_sigterm_leaves_runs_their_time_and_then_begins_the_end(codes):
    looked, ended = [], threading.Event()

    def drained():
        looked.append(1)
        return len(looked) > 2

    shutdown = Shutdown(seconds=600, leave=codes.append, drain=600, drained=drained)
    shutdown.signal(15, ended.set)
    assert ended.wait(20)
    assert (len(looked), codes) == (3, [])


def test_runs_that_do_not_end_have_a_limit_of_time(codes):
    ended = threading.Event()
    Shutdown(seconds=600, leave=codes.append, drain=0.01, drained=lambda: False).signal(15, ended.set)
    assert ended.wait(20)


@pytest.mark.parametrize("number", [2, 15])
def test_a_second_signal_does_not_wait_for_runs(codes, number):
    ended = []
    shutdown = Shutdown(seconds=600, leave=codes.append, drain=600, drained=lambda: False)
    shutdown.signal(15, lambda: ended.append("waited"))
    shutdown.signal(number, lambda: ended.append("at once"))
    assert ended == ["at once"]
    shutdown.signal(number, quiet)
    assert codes == [128 + number]
