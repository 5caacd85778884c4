"""`python -m tests.benchmarks.users`: many users at once, beside the budgets.

A server process with thousands of stored sessions; as many tabs as there are users, all of which press Run at once. The
tabs are `streamlit_tab.Tab`s in this process, so two cores are the server's and the browsers'; the CPU time of both is
printed. A page that only has a button is measured beside it, in the same way: what Streamlit and the machine take.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from agents import SqliteSessionService
from agents.access import OWNER
from tests.benchmarks.many_sessions import PIPELINE, write_sessions
from tests.benchmarks.peers import bare_streamlit
from tests.benchmarks.streamlit_tab import PATIENCE, Tab
from tests.journeys.app import App

STORED = 3_000
WORDS_PER_SECOND = 40
"""The playground's default."""
TABS = 200
IDLE = 10.0
"""Seconds for which the server is watched while tabs are open and nothing runs."""
BARE = """import streamlit as st
st.button("▶ Run")
"""
SETTLE = 5.0
"""Seconds for a server to end what belonged to closed tabs."""


@dataclass(frozen=True, slots=True)
class Holds:
    """What a process holds."""

    megabytes: float
    threads: int
    descriptors: int

    @classmethod
    def of(cls, pid: int) -> Holds:
        """What it holds now."""
        process = psutil.Process(pid)
        return cls(process.memory_info().rss / 2**20, process.num_threads(), process.num_fds())

    def __str__(self) -> str:
        return f"{self.megabytes:.0f} MB, {self.threads} threads, {self.descriptors} descriptors"


class BareTab(Tab):
    """A tab of a page without components."""

    async def _watch(self, path: str, take: Any, **query: str) -> None:
        pass


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has used."""
    return sum(psutil.Process(pid).cpu_times()[:2])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="poe bench-users", description=__doc__)
    parser.add_argument("users", nargs="*", type=int, default=[10, 50], help="how many at once; each number is a round")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        app = App(Path(name) / "app.db", words_per_second=WORDS_PER_SECOND)
        asyncio.run(write_sessions(app.database, STORED))
        print(f"{STORED:,} sessions stored, {PIPELINE} at {WORDS_PER_SECOND} words a second", flush=True)
        with bare_streamlit(Path(name), source=BARE) as url:
            for count in arguments.users:
                asyncio.run(measure_bare(url, count))
        for count in arguments.users:
            app.start()
            try:
                asyncio.run(measure(app, count))
            finally:
                app.kill()
        app.start()
        try:
            asyncio.run(open_and_close(app, TABS))
        finally:
            app.kill()


async def measure_bare(url: str, users: int) -> None:
    """So many users, all of whom press a button that does nothing."""
    tabs = [await BareTab(_address(url), PIPELINE).open() for _ in range(users)]
    began = time.perf_counter()

    async def press(tab: Tab) -> float:
        await tab.press("▶ Run")
        return time.perf_counter() - began

    say(f"{users} users: a page with only a button: pressed → drawn", await asyncio.gather(*map(press, tabs)))
    for tab in tabs:
        await tab.close()


async def measure(app: App, users: int) -> None:
    """So many users, all of whom press Run at once."""
    address = _address(app.url)
    warm = await Tab(address, PIPELINE).open()
    await run(warm)
    await warm.close()
    await asyncio.sleep(SETTLE)
    before = Holds.of(app.pid)
    tabs = [await Tab(address, PIPELINE).open() for _ in range(users)]
    try:
        spent, own = cpu_seconds(app.pid), time.process_time()
        pressed, began = time.time(), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for tab in tabs:
                group.create_task(run(tab))
        took, during = time.perf_counter() - began, Holds.of(app.pid)
        firsts = [tab.seen.first - began for tab in tabs if tab.seen.first is not None]
        made = [tab.seen.made - pressed for tab in tabs if tab.seen.made is not None]
        say(f"{users} users: Run pressed → first event made", made, 1.0)
        say(f"{users} users: Run pressed → page of the session drawn, first event seen", firsts, 1.0)
        say(f"{users} users: entry made → viewer", [delay for tab in tabs for delay in tab.seen.delays], 0.15)
        server, clients = cpu_seconds(app.pid) - spent, time.process_time() - own
        print(f"{users} users: all runs ended after {took:.1f} s; CPU: server {server:.1f} s, tabs {clients:.1f} s")
        lost = await missing(app.database, tabs)
        print(f"{users} users: {sum(len(tab.seen.seqs) for tab in tabs):,} entries seen, {lost} lost (budget 0)")
        each = (during.megabytes - before.megabytes) / users
        print(f"{users} users: {each:.2f} MB a user (budget 2 MB); {before} → {during}", flush=True)
        spent = cpu_seconds(app.pid)
        await asyncio.sleep(IDLE)
        idle = (cpu_seconds(app.pid) - spent) / IDLE / users
        print(f"{users} users: {idle:.2%} of a core for each open tab when nothing runs (budget 0.5 %)", flush=True)
    finally:
        for tab in tabs:
            await tab.close()


async def run(tab: Tab) -> None:
    """Runs the first sample and waits for its end."""
    await tab.press("▶ Run")
    async with asyncio.timeout(PATIENCE):
        await tab.seen.ended.wait()


async def missing(database: Path, tabs: Sequence[Tab]) -> int:
    """How many stored entries of the tabs' sessions were not seen once."""
    service = SqliteSessionService(database)
    lost = 0
    for tab in tabs:
        log = await service.read_log(app_name=PIPELINE, user_id=OWNER.id, session_id=tab.session)
        lost += len({entry.seq for entry in log}.symmetric_difference(tab.seen.seqs))
        lost += len(tab.seen.seqs) - len(set(tab.seen.seqs))
    await service.close()
    return lost


async def open_and_close(app: App, tabs: int) -> None:
    """Opens tabs, twenty at a time, and closes them."""
    address = _address(app.url)

    async def visit() -> None:
        tab = await Tab(address, PIPELINE).open()
        await tab.close()

    for _ in range(2):  # what is made once is made in the first round
        await asyncio.gather(*(visit() for _ in range(20)))
    await asyncio.sleep(SETTLE)
    before = Holds.of(app.pid)
    for _ in range(tabs // 20):
        await asyncio.gather(*(visit() for _ in range(20)))
    await asyncio.sleep(SETTLE)
    print(f"{tabs} tabs opened and closed: {before} → {Holds.of(app.pid)}", flush=True)


def _address(url: str) -> str:
    return url.removeprefix("http://").rstrip("/")


def say(what: str, seconds: Sequence[float], budget: float | None = None) -> None:
    """One line: median and 95th percentile."""
    high = statistics.quantiles(seconds, n=20)[-1]
    figures = f"{1000 * statistics.median(seconds):.0f} ms, 95 % within {1000 * high:.0f} ms"
    allowed = "" if budget is None else f" (budget {1000 * budget:.0f} ms)"
    print(f"{what}: {figures}, most {1000 * max(seconds):.0f} ms{allowed}", flush=True)


if __name__ == "__main__":
    main()
