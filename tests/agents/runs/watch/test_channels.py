"""Text that is being streamed: how it adds up, and what ends it."""

from __future__ import annotations

import asyncio

import pytest

from agents.event import Event
from agents.log import LogEntry, TraceRecord, event_to_json
from agents.runs.watch import channels as channels_module
from agents.runs.watch.channels import Channel
from tests.agents.runs.stage import content

pytestmark = pytest.mark.anyio


def piece(text: str, *, id: str = "one", author: str = "A", branch: str | None = None, run: str = "e-1") -> Event:
    return Event(id=id, author=author, branch=branch, invocation_id=run, content=content(text), partial=True)


def stored(event: Event) -> LogEntry:
    return LogEntry(1, "event", event_to_json(event))


def finished(run: str) -> LogEntry:
    return LogEntry(1, "run_finished", TraceRecord("run_finished", run).to_json())


@pytest.fixture
def channel():
    channel = Channel()
    channel.running = True
    return channel


def live(channel: Channel) -> list[tuple[str, str]]:
    return [(stream.id, stream.text) for stream in channel.streams]


async def test_pieces_add_up_by_event(channel):
    for event in (piece("a"), piece("x", id="two", author="B"), piece("b")):
        channel.add_partial(event)
    assert live(channel) == [("one", "ab"), ("two", "x")]


async def test_a_new_stream_of_an_agent_ends_its_last_one_in_the_same_branch(channel):
    channel.add_partial(piece("left", branch="P.L"))
    channel.add_partial(piece("right", id="two", branch="P.R"))
    channel.add_partial(piece("again", id="three", branch="P.L"))
    assert live(channel) == [("two", "right"), ("three", "again")]


async def test_stored_entries_end_the_streams_they_complete_and_no_other(channel):
    channel.add_partial(piece("a"))
    channel.settle([stored(Event(id="other", author="A", content=content("one"))), finished("e-0")])
    assert live(channel) == [("one", "a")]
    channel.settle([stored(Event(id="one", author="A", content=content("ab")))])
    assert live(channel) == []


async def test_the_end_of_its_run_ends_a_stream(channel):
    channel.add_partial(piece("a"))
    channel.settle([finished("e-1")])
    assert live(channel) == []


async def test_a_run_that_stored_no_end_leaves_no_stream_either(channel):
    channel.add_partial(piece("a"))
    channel.end_run()
    assert live(channel) == []


async def test_watchers_of_a_fast_stream_are_woken_once_a_tick(channel, monkeypatch):
    monkeypatch.setattr(channels_module, "TICK", 3600)
    bell = asyncio.Event()
    channel.listen(bell)
    channel.add_partial(piece("a"))
    assert bell.is_set(), "the first piece waits for nothing"
    bell.clear()
    channel.add_partial(piece("b"))
    channel.stored()
    assert not bell.is_set()
    channel.ring()
    assert bell.is_set()
    channel.leave(bell)


async def test_who_left_is_not_woken(channel):
    bell = asyncio.Event()
    channel.listen(bell)
    channel.leave(bell)
    channel.stored()
    assert not bell.is_set()
    assert not channel.unused
    channel.end_run()
    assert channel.unused
