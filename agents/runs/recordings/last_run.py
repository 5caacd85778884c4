"""A session's last user message and models, found in its log, so that the run can be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from google.genai import types

from agents.errors import MessageError
from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.records import RunStarted
from agents.runs.requests import text_of
from agents.runs.values import ModelChoice, SessionKey
from agents.session import BaseSessionService
from agents.storage.sessions.incoming import is_message

_PAGE = 1000


class LastRun(NamedTuple):
    """A session's last message, the state that was set with it, and the models of its last run if they are known."""

    message: types.Content
    state: Mapping[str, Any]
    model: str | None
    agent_models: Mapping[str, str]

    def models_unless(self, model: str | None, by_agent: Mapping[str, str] | None) -> ModelChoice:
        """Its models, unless others are named. A new model for the run replaces those of single agents too."""
        kept = {agent: name for agent, name in self.agent_models.items() if model is None or name != self.model}
        return ModelChoice(model or self.model, kept if by_agent is None else by_agent)


async def read_last_run(service: BaseSessionService, key: SessionKey) -> LastRun:
    """Reads a session's log for its last user message.

    Raises:
        SessionNotFoundError: There is no such session.
        MessageError: The session has no message yet.
    """
    message: Event | None = None
    model: str | None = None
    by_agent: dict[str, str] = {}
    seq = 0
    while entries := await service.read_log(**key.name, after=seq, limit=_PAGE):
        seq = entries[-1].seq
        for entry in entries:
            if (started := entry.of(RunStarted)) is not None:
                model = started.model or model
                by_agent = {agent: name for agent, name in started.agent_models.items() if name}
            message = _user_message(entry) or message
    if message is None or message.content is None:
        raise MessageError(
            f"Session {key.session_id!r} of {key.pipeline!r} has no message that could be run again. Send it one first."
        )
    return LastRun(message.content, message.actions.state_delta, model, by_agent)


def _user_message(entry: LogEntry) -> Event | None:
    if entry.kind != EVENT_KIND or '"user"' not in entry.body:
        return None
    event = entry.event()
    if event.author != "user" or not is_message(event) or event.content is None or not text_of(event.content).strip():
        return None
    return event
