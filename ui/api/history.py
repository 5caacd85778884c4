"""What was said before elsewhere: a client sends it along, and a session that begins with it holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from google.genai import types

from agents import Event, MessageError, SessionExistsError
from agents.runs import RunManager, answering

MOST_CHARACTERS = 4 * 1024 * 1024
"""Most characters of a history that begins a session."""


def begin_session(
    manager: RunManager, pipeline: str, session_id: str, history: Sequence[types.Content], state: Mapping[str, Any] = {}
) -> None:
    """Creates a session with its history, unless it is there: another request may be faster.

    Raises:
        MessageError: The history is too long.
    """
    if manager.sessions.find(pipeline, session_id) is not None:
        return
    events = events_of(manager, pipeline, history)
    with suppress(SessionExistsError):
        manager.sessions.create(pipeline, state=state, session_id=session_id)
        manager.sessions.add_history(pipeline, session_id, events)


def events_of(manager: RunManager, pipeline: str, history: Sequence[types.Content]) -> list[Event]:
    """A history as events, without calls of functions: what the assistant said is said by an agent that answers.

    Raises:
        MessageError: It is too long.
    """
    if sum(len(part.text or "") for content in history for part in content.parts or ()) > MOST_CHARACTERS:
        raise MessageError(f"The conversation has more than {MOST_CHARACTERS:,} characters. Send less of it.")
    agent = min(answering(manager.catalog.get(pipeline).root_agent).agents, default="assistant")
    return [
        Event(author="user" if content.role == "user" else agent, content=content, turn_complete=True)
        for content in history
        if content.parts and not any(part.function_call or part.function_response for part in content.parts)
    ]
