"""The law of state: whatever was appended, state is the fold of the log, in every service, also after reopening."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.event import Event, EventActions
from agents.storage.sessions import InMemorySessionService, SqliteSessionService
from tests.agents.storage.conftest import NAMES

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
KEYS = st.builds(str.__add__, st.sampled_from(["", "user:", "app:", "temp:"]), st.sampled_from(["a", "b", "c"]))
DELTAS = st.dictionaries(KEYS, VALUES, max_size=3)
STEPS = st.lists(st.tuples(st.integers(0, 2), st.booleans(), DELTAS), max_size=12)


async def play(service, starts, steps):
    """Appends each step's delta to one of three sessions, through an object kept since its creation or a fresh one."""
    names = [{**NAMES, "session_id": f"s{n}"} for n in range(3)]
    kept = [await service.create_session(**name, state=start) for name, start in zip(names, starts, strict=True)]
    for which, fresh, delta in steps:
        session = await service.get_session(**names[which]) if fresh else kept[which]
        await service.append_event(session, Event(author="a", actions=EventActions(state_delta=dict(delta))))
    return kept


async def states(service):
    read = [await service.get_session(**NAMES, session_id=f"s{n}") for n in range(3)]
    return [session.state for session in read]


async def folded(service, steps, shared):
    """The three states from the logs, read in the order of the steps, with the shared values of the beginning."""
    logs = [iter(await service.read_log(**NAMES, session_id=f"s{n}")) for n in range(3)]
    own = [{}, {}, {}]
    for n in (0, 1, 2, *(which for which, _, _ in steps)):
        entry = next(logs[n])
        is_event = entry.kind == "event"
        values = entry.event().actions.state_delta if is_event else entry.fields()["state"]
        assert not any(key.startswith("temp:") for key in values)
        for key, value in values.items():
            (shared if key.startswith(("user:", "app:")) else own[n])[key] = value
    return [{**state, **shared} for state in own]


async def check(folder, starts, steps):
    shared = {k: v for start in starts for k, v in start.items() if k.startswith(("user:", "app:"))}
    found = []
    for make in (InMemorySessionService, lambda: SqliteSessionService(Path(folder) / "test.db")):
        async with AsyncExitStack() as stack:
            service = make()
            stack.push_async_callback(service.close)
            kept = await play(service, starts, steps)
            state = await states(service)
            found.append(state)
            assert state == await folded(service, steps, dict(shared))
            for n, session in enumerate(kept):
                if steps and steps[-1][:2] == (n, False):  # it has just caught up with its own log
                    own = {key: value for key, value in session.state.items() if ":" not in key}
                    assert own == {key: value for key, value in state[n].items() if ":" not in key}
    reopened = SqliteSessionService(Path(folder) / "test.db")
    found.append(await states(reopened))
    await reopened.close()
    assert found[0] == found[1] == found[2]


@settings(max_examples=30, deadline=None)
@given(starts=st.tuples(DELTAS, DELTAS, DELTAS), steps=STEPS)
def test_state_is_the_fold_of_the_log(starts, steps):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(check(folder, starts, steps))
