"""What a session was last asked."""

from __future__ import annotations

import pytest
from google.genai import types

from agents.access import OWNER
from agents.errors import MessageError
from agents.event import Event
from agents.log import TraceRecord
from agents.runs.recordings.last_run import read_last_run
from agents.runs.values import SessionKey
from agents.storage.sessions import InMemorySessionService
from tests.agents.stage import say

pytestmark = pytest.mark.anyio

KEY = SessionKey("app", "s1", OWNER.id)


def started(model: str) -> TraceRecord:
    return TraceRecord("run_started", data={"model": model})


def answer(branch: str | None = None) -> Event:
    response = types.Part(function_response=types.FunctionResponse(id="1", name="f", response={}))
    return Event(author="user", branch=branch, content=types.Content(role="user", parts=[response]))


async def last_run(*entries):
    service = InMemorySessionService()
    session = await service.create_session(app_name="app", user_id=OWNER.id, session_id="s1")
    await service.append(session, entries)
    found = await read_last_run(service, KEY)
    return found.message.parts[0].text, found.model


async def test_it_is_the_last_message_and_the_last_model():
    asked = [started("one"), say("user", "first"), started("two"), say("user", "second"), say("writer", "An answer.")]
    assert await last_run(*asked) == ("second", "two")


@pytest.mark.parametrize(
    "other",
    [
        say("user", "search", branch="searcher:1a2b3c"),
        say("user", "search", branch="p.a.searcher:1a2b3c.q.b"),
        answer(),
        Event(author="user"),
        say("user", " "),
    ],
    ids=["a request to an agent as a tool", "the same inside branches", "an answer to a call", "a change of state", "blank"],
)
async def test_what_is_no_message_is_passed_over(other):
    assert await last_run(say("user", "write"), other) == ("write", None)


async def test_without_a_message_there_is_nothing_to_run_again():
    with pytest.raises(MessageError, match="no message that could be run again"):
        await last_run(say("user", "search", branch="searcher:1a2b3c"))
