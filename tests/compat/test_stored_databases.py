"""Databases that earlier versions wrote open with this one, and go on where they were.

`databases/schema-6.db.gz` was written by version 0.1.0: seven sessions of five pipelines, one of which waits for
an approval, and a playbook with five deltas.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from agents.ace import PlaybookStore
from agents.runs import RunManager
from tests.agents.runs.stage import collect, finished, status

STORED = Path(__file__).parent / "databases" / "schema-6.db.gz"

pytestmark = pytest.mark.anyio


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "playground.db"
    path.write_bytes(gzip.decompress(STORED.read_bytes()))
    return path


async def test_sessions_are_listed_and_read(database):
    with RunManager(database=database) as manager:
        found = {(one.app_name, one.status) for one in manager.sessions.summaries()}
        lengths = [
            len(await manager.sessions.newest(one.app_name, one.id, limit=1000)) for one in manager.sessions.summaries()
        ]

    assert found == {
        ("iterative_writing", "completed"),
        ("ace", "completed"),
        ("approval", "paused"),
        ("banana_painter", "completed"),
        ("report_writer", "completed"),
    }
    assert len(lengths) == 7
    assert sum(lengths) == 471


def test_what_was_said_is_found(database):
    with RunManager(database=database) as manager:
        found = manager.collection.search("critic refiner")
        sizes = manager.collection.sizes()

    assert [(app_name, found.unread) for app_name, _ in found.sessions] == [("iterative_writing", 0)]
    assert len(sizes) == 7


async def test_a_run_that_waited_goes_on(database):
    with RunManager(database=database) as manager:
        [call] = manager.pending()
        run = manager.answer(call.pipeline, call.session_id, call.call_id, {"confirmed": True})
        seen = await collect(manager.subscribe(run.pipeline, run.session_id, after=run.after), finished)

    assert status(seen) == "completed"


def test_the_playbook_is_as_it_was_and_takes_deltas(database):
    with PlaybookStore(database, name="ace") as store:
        before = store.playbook()
        undone = store.undo(before.revision)

    assert before.revision == 5
    assert undone.revision == 6
    assert any("current ratio" in bullet.content for bullet in before.bullets)
