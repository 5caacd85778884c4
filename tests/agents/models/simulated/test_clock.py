from __future__ import annotations

import asyncio
from collections import deque

import pytest

from agents.models.simulated.clock import SpeechClock

pytestmark = pytest.mark.anyio
WORDS = ("one", " two", " three", " four", " five")


class Loop:
    """Stands in for an event loop's clock: each sleep takes so many seconds longer than asked."""

    def __init__(self, late):
        self.now, self.late = 0.0, late

    def time(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds + self.late


async def said(monkeypatch, *, speed, late):
    loop = Loop(late)
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    monkeypatch.setattr(asyncio, "sleep", loop.sleep)
    clock, left, found = SpeechClock(speed), deque(WORDS), []
    while left:
        found.append(await clock.say(left))
    monkeypatch.undo()
    return found, loop.now


async def test_each_word_comes_by_itself_in_a_loop_that_has_time(monkeypatch):
    assert await said(monkeypatch, speed=4, late=0.125) == (list(WORDS), pytest.approx(5 / 4 + 0.125))


async def test_quick_words_come_several_at_a_time(monkeypatch):
    assert await said(monkeypatch, speed=40, late=0) == (["one two", " three four", " five"], pytest.approx(5 / 40))


async def test_words_that_are_due_come_together_in_a_loop_that_is_late(monkeypatch):
    found, took = await said(monkeypatch, speed=4, late=0.5)

    assert found == ["one two three", " four five"]
    assert took == pytest.approx(1.5), "lateness adds up"


async def test_words_said_at_once_come_one_by_one(monkeypatch):
    assert (await said(monkeypatch, speed=0, late=0.5))[0] == list(WORDS)
