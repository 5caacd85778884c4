"""Sessions, events and files as ADK's clients read and send them: JSON with names in camel case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import types
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from agents import EVENT_KIND, Event, LogEntry, SessionSummary
from agents.runs import Partial
from agents.sharing import event_to_adk

_NO_ACTIONS: Mapping[str, Any] = {
    "stateDelta": {},
    "artifactDelta": {},
    "requestedAuthConfigs": {},
    "requestedToolConfirmations": {},
}
"""What clients look up without asking whether it is there."""


class _Sent(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, validate_by_alias=True)


class RunAgentRequest(_Sent):
    """What `/run` and `/run_sse` are sent; see the class of this name in ADK's `cli/api_server.py`.

    Attributes:
        new_message: A message, or answers to calls; None goes on with `invocation_id`.
        streaming: Whether pieces of answers are sent as they come.
        function_call_event_id: Whether the client resumes a call: it then takes files and texts in one event.
    """

    app_name: str
    user_id: str
    session_id: str
    new_message: types.Content | None = None
    streaming: bool = False
    state_delta: dict[str, Any] | None = None
    function_call_event_id: str | None = None
    invocation_id: str | None = None


class CreateSessionRequest(_Sent):
    """What a session is created with."""

    session_id: str | None = Field(default=None, min_length=1, max_length=200)
    state: dict[str, Any] = Field(default_factory=dict)
    events: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


class UpdateSessionRequest(_Sent):
    """A change of a session's state."""

    state_delta: dict[str, Any]


class SaveArtifactRequest(_Sent):
    """A file to save."""

    filename: str
    artifact: types.Part


def event_json(event: Event) -> dict[str, Any]:
    """An event."""
    found = event_to_adk(event)
    return {**found, "actions": {**_NO_ACTIONS, **found["actions"]}}


def partial_json(piece: Partial, invocation_id: str, at: float) -> dict[str, Any]:
    """A piece of an answer, as the event that it is to ADK's clients."""
    part = {"text": piece.text, **({"thought": True} if piece.thought else {})}
    found = {
        "content": {"parts": [part], "role": "model"},
        "partial": True,
        "invocationId": invocation_id,
        "author": piece.author,
        "actions": dict(_NO_ACTIONS),
        "id": piece.id,
        "timestamp": at,
    }
    return found if piece.branch is None else {**found, "branch": piece.branch}


def shown(entry: LogEntry) -> Event | None:
    """The event of an entry; None for a trace record, and for what asks a person to answer as a model."""
    if entry.kind != EVENT_KIND or (event := entry.event()).is_of_person:
        return None
    return event


def session_json(
    row: SessionSummary, user_id: str, *, state: Mapping[str, Any] | None = None, log: Sequence[LogEntry] = ()
) -> dict[str, Any]:
    """A session; in lists it has no events and no state."""
    return {
        "id": row.id,
        "appName": row.app_name,
        "userId": user_id,
        "state": dict(state or {}),
        "events": [event_json(event) for entry in log if (event := shown(entry)) is not None],
        "lastUpdateTime": row.updated_at,
    }


def version_json(name: str, version: int, part: types.Part, at: float) -> dict[str, Any]:
    """What is known of a version of a file."""
    mime = (part.inline_data and part.inline_data.mime_type) or (part.file_data and part.file_data.mime_type) or "text/plain"
    return {
        "version": version,
        "canonicalUri": f"artifact://{name}/versions/{version}",
        "customMetadata": {},
        "createTime": at,
        "mimeType": mime,
    }
