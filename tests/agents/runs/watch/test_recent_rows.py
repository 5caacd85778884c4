"""Rows are read once for all who are told of a change."""

from __future__ import annotations

import asyncio

import pytest

from agents.access import OWNER
from agents.runs.values import SessionKey
from agents.runs.watch.recent_rows import RecentRows
from agents.session_list import SessionSummary

pytestmark = pytest.mark.anyio
KEY = SessionKey("p", "s", OWNER.id)


class Rows:
    """Gives rows, and counts."""

    def __init__(self) -> None:
        self.reads = 0

    async def summary(self, *, app_name: str, user_id: str, session_id: str) -> SessionSummary | None:
        self.reads += 1
        await asyncio.sleep(0)
        return SessionSummary(app_name, user_id, session_id, f"title {self.reads}", 1.0, 2.0, 3, "idle")


async def test_fifty_tabs_that_hear_of_a_change_read_one_row():
    rows = Rows()
    recent = RecentRows(rows)
    found = await asyncio.gather(*(recent.row(KEY, 7) for _ in range(50)))
    assert ({row.title for row in found}, rows.reads) == ({"title 1"}, 1)


async def test_after_another_change_it_is_read_again():
    rows = Rows()
    recent = RecentRows(rows)
    assert (await recent.row(KEY, 1)).title == "title 1"
    assert (await recent.row(KEY, 2)).title == "title 2"


async def test_a_tab_that_leaves_does_not_end_the_read_of_the_others():
    recent = RecentRows(Rows())
    leaving = asyncio.ensure_future(recent.row(KEY, 1))
    staying = asyncio.ensure_future(recent.row(KEY, 1))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).title == "title 1"
