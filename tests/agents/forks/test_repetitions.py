"""What the repetitions of a run are counted by."""

from __future__ import annotations

import pytest

from agents import Event, InMemorySessionService
from agents.access import OWNER
from agents.forks.repetitions import repetitions_of
from agents.session_list import RunStatus

pytestmark = pytest.mark.anyio

MESSAGE = ("user", "", "go")


async def counted(*sessions: list[tuple[str, str, str]]) -> list[tuple[list[str], bool]]:
    """The groups of sessions with events of (author, branch, text), as ids and whether the first session is alike."""
    service, statuses = InMemorySessionService(), dict[str, RunStatus]()
    for number, events in enumerate(sessions):
        session = await service.create_session(app_name="p", user_id=OWNER.id, session_id=str(number))
        for author, branch, text in events:
            content = {"role": "model", "parts": [{"text": text}]}
            await service.append_event(
                session, Event.model_validate({"author": author, "branch": branch or None, "content": content})
            )
        statuses[session.id] = "completed"
    found = await repetitions_of(service, "p", statuses, origin="0", user_id=OWNER.id)
    return [(list(same.sessions), same.as_origin) for same in found.groups]


async def test_agents_that_speak_at_once_say_the_same_in_any_order():
    one = [MESSAGE, ("A", "Both.A", "a"), ("B", "Both.B", "b"), ("C", "", "c")]
    other = [MESSAGE, ("B", "Both.B", "b"), ("A", "Both.A", "a"), ("C", "", "c")]
    assert await counted(one, other) == [(["0", "1"], True)]


async def test_calls_of_an_agent_at_once_say_the_same_in_any_order():
    def calls(*order: str) -> list[tuple[str, str, str]]:
        asked = [("user", f"R:{name}", name) for name in order]
        return [MESSAGE, ("W", "", "asks"), *asked, *(("R", f"R:{name}", name) for name in order), ("W", "", "done")]

    assert await counted(calls("x", "y"), calls("y", "x"), calls("x", "z")) == [(["0", "1"], True), (["2"], False)]


async def test_what_an_agent_said_before_it_called_another_counts():
    def thinking(said: str) -> list[tuple[str, str, str]]:
        return [MESSAGE, ("P", "", said), ("user", "R:1", "request"), ("R", "R:1", "result"), ("W", "", "done")]

    assert await counted(thinking("plan"), thinking("other")) == [(["0"], True), (["1"], False)]
