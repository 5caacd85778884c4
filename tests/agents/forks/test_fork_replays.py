"""A rerun without a change of a session whose model was a record: the same answers again, from every event."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from agents import Event
from agents.forks import BackgroundForks, prepare_fork
from agents.log import LogEntry
from agents.models import REPLAY_PREFIX
from agents.pipelines.catalog import Catalog
from agents.runs import RunManager

OTHERS = {
    "approval": "it waits for a person",
    "invitation": "so does it",
    "planning_mode": "so does it",
    "ace": "it has learned from the record's run",
}
"""Pipelines whose second run is not the first one again, and why."""
PIPELINES = sorted(set(Catalog().names()) - OTHERS.keys())


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunManager]:
    monkeypatch.setenv("PLAYGROUND_SIMULATED_SPEED", "0")
    with RunManager(database=None, preparation=prepare_fork) as manager:
        yield manager


def ended(manager: RunManager, pipeline: str, session: str) -> list[LogEntry]:
    """The log of a session once its run has ended."""
    asyncio.run(_wait(manager, pipeline, session))
    return manager.sessions.log(pipeline, session)


async def _wait(manager: RunManager, pipeline: str, session: str) -> None:
    async with asyncio.timeout(30), aclosing(manager.subscribe(pipeline, session)) as news:
        async for _ in news:
            [last] = await manager.sessions.newest(pipeline, session, limit=1)
            if last.kind == "run_finished":
                return


def told(log: list[LogEntry]) -> list[tuple[str, str]]:
    return sorted((event.author, event.text) for event in events(log).values())


def events(log: list[LogEntry]) -> dict[int, Event]:
    return {entry.seq: entry.event() for entry in log if entry.kind == "event"}


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_every_cut_of_a_replayed_session_gives_the_same_session(manager: RunManager, pipeline: str):
    message = manager.catalog.get(pipeline).card.samples[0]
    recorded = manager.start(pipeline, message).session_id
    expected = told(ended(manager, pipeline, recorded))
    replayed = manager.start(pipeline, message, model=f"{REPLAY_PREFIX}{pipeline}/{recorded}").session_id
    log = ended(manager, pipeline, replayed)
    assert told(log) == expected
    forks = BackgroundForks(manager)
    for seq in events(log):
        [fork] = forks.rerun(pipeline, replayed, at=seq)
        again = ended(manager, pipeline, fork)
        assert told(again) == expected, seq
        assert not [entry for entry in again if entry.kind == "replay_drifted"], seq
        assert {entry.fields()["model"] for entry in again if entry.kind == "model_started"} == {
            entry.fields()["model"] for entry in log if entry.kind == "model_started"
        }
