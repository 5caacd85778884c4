from __future__ import annotations

import asyncio
import threading

import pytest

from agents.runs.loops.loop_thread import LoopClosedError, LoopThread


@pytest.fixture
def thread():
    made = LoopThread("test")
    yield made
    assert made.close(timeout=5)


async def at_once():
    return threading.current_thread()


async def after_a_wait():
    await asyncio.sleep(0)
    return threading.current_thread()


def test_what_waits_for_no_loop_is_read_in_the_callers_thread_while_the_loop_is_busy(thread):
    release = threading.Event()
    thread.post(release.wait)
    try:
        assert thread.read_here(at_once) is threading.current_thread()
    finally:
        release.set()


def test_what_waits_is_read_in_the_loop(thread):
    assert thread.read_here(after_a_wait) is not threading.current_thread()
    assert thread.read_here(after_a_wait) is thread.call(at_once)


def test_a_closed_loop_reads_nothing():
    closed = LoopThread("test")
    closed.close(timeout=5)

    with pytest.raises(LoopClosedError):
        closed.read_here(at_once)
