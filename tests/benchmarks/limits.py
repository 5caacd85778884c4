"""What the checks of limits take: 3,000 sessions stored, a third of them one user's. `python -m tests.benchmarks.limits`."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.access.limits import Limits, UserQuota, WorkspaceQuota
from agents.runs.limits.use_desk import UseDesk
from agents.storage.stores import Store, open_store
from agents.storage.use.store import Place

SESSIONS, ROUNDS, BAR = 3000, 200, 2.0
ALL = WorkspaceQuota(sessions=10**6, storage=10**12, model_calls=10**6, tokens=10**9, cost=10**6)


async def fill(store: Store) -> None:
    """Makes the sessions of three users."""
    for number in range(SESSIONS):
        await store.sessions.create_session(app_name="app", user_id=f"visitor-{number % 3}", state={"text": "x" * 300})


def median(check: Callable[[], object]) -> float:
    """Milliseconds of a check."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        check()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def main() -> None:
    """Prints the figures; ends with an error if one is above the bar."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "play.db")
        asyncio.run(fill(store))
        desk = UseDesk(Limits(user=UserQuota(cost=10.0), workspace=ALL), store.use, dict)
        place = Place("1", "run", "visitor-1", desk.holder)
        figures = {
            "model call": median(lambda: desk.allow_call("visitor-1")),
            "start of a run": median(lambda: desk.check_run("visitor-1")),
            "storage": median(lambda: desk.check_storage("visitor-1")),
            "place in the queue": median(lambda: desk.take_run(place)),
        }
        asyncio.run(store.close())
    for name, milliseconds in figures.items():
        print(f"{name:<20} {milliseconds:.2f} ms")
    if max(figures.values()) > BAR:
        raise SystemExit(f"A check takes more than {BAR:g} ms.")


if __name__ == "__main__":
    main()
