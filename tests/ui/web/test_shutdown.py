"""The end of the server's process: after a while, at once, or because nothing is left to do."""

from __future__ import annotations

import threading

import pytest

from ui.web.shutdown import Shutdown


@pytest.fixture
def codes():
    return []


def test_it_ends_when_an_orderly_end_takes_too_long(capsys):
    left, codes = threading.Event(), []

    def leave(code: int) -> None:
        codes.append(code)
        left.set()

    Shutdown(seconds=0, leave=leave).signal(15)
    assert left.wait(20)
    assert codes == [143]
    assert "What was stored is kept" in capsys.readouterr().err


def test_a_second_signal_ends_it_at_once(codes):
    shutdown = Shutdown(seconds=600, leave=codes.append)
    shutdown.signal(2)
    assert codes == []
    shutdown.signal(2)
    assert codes == [130]


def test_threads_that_are_left_are_not_waited_for(codes):
    shutdown, end = Shutdown(seconds=600, leave=codes.append), threading.Event()
    shutdown.signal(2)
    thread = threading.Thread(target=end.wait, name="a tool that hangs")
    thread.start()
    shutdown.done()
    end.set()
    thread.join()
    assert codes == [0]
