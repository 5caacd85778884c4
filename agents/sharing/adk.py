"""ADK's session JSON (google-adk 2.13, `Session.model_dump_json(by_alias=True)`), both ways.

ADK keeps events and state. What was around them stays behind on the way there: trace records, requests, files, playbooks. On
the way here each invocation becomes a run, so that the session is shown as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from agents.errors import SessionFileError
from agents.event import Event, EventActions
from agents.history.cursor import StateHistory
from agents.log import EVENT_KIND, LogEntry, TraceRecord, event_to_json
from agents.model import StopReason
from agents.sharing.entries import checked_entry
from agents.sharing.reader import file_text, first_problem, load_json
from agents.sharing.session_file import SessionFile, to_line
from agents.state import is_stored
from agents.storage.sessions.incoming import as_title

_OURS = {"stop_reason", "url_context_metadata"}
"""Fields of our events that ADK's lack."""
_SHARED = {to_camel(name): name for name in Event.model_fields.keys() - _OURS}
_ACTIONS = {to_camel(name): name for name in EventActions.model_fields}
_STOPS: Mapping[str, StopReason] = {"MAX_TOKENS": "max_tokens", "SAFETY": "safety", "PROHIBITED_CONTENT": "safety"}


class _AdkSession(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    id: str = Field(min_length=1, max_length=200)
    app_name: str = Field(min_length=1, max_length=200)
    state: dict[str, Any] = Field(default_factory=dict)
    events: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    last_update_time: float = Field(default=0.0, ge=0)


def to_adk(file: SessionFile) -> str:
    """The session as ADK writes it."""
    events = [event for entry in file.entries if entry.kind == EVENT_KIND and not (event := entry.event()).is_of_person]
    state = {key: found.value for key, found in StateHistory.of(file.entries).at(len(file.entries)).items()}
    return to_line({
        "id": file.session,
        "appName": file.pipeline,
        "userId": "user",
        "state": state,
        "events": [event_to_adk(event) for event in events],
        "lastUpdateTime": float(file.entries[-1].fields()["timestamp"]) if file.entries else 0.0,
    })  # fmt: skip


def event_to_adk(event: Event) -> dict[str, Any]:
    """An event as ADK writes it."""
    fields = event.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={*_OURS, "actions"})
    actions = event.actions.model_dump(mode="json", exclude_defaults=True)
    return {
        **{to_camel(name): value for name, value in fields.items()},
        "actions": {to_camel(name): value for name, value in actions.items()},
    }


def read_adk_session(content: bytes) -> SessionFile:
    """Reads and checks ADK's JSON.

    Raises:
        SessionFileError: It is no such file, or an event in it cannot be read; the message says which.
    """
    text = file_text(content)
    try:
        value = load_json(text)
        found = _AdkSession.model_validate(value)
    except ValidationError as error:
        raise SessionFileError(f"This is not a session of ADK: {first_problem(error)}. {_CURE}") from None
    except ValueError as error:
        raise SessionFileError(f"This is not a session of ADK: it is not JSON ({str(error)[:200]}). {_CURE}") from None
    events = [_from_adk(event, number) for number, event in enumerate(found.events, start=1)]
    kept = [event for event in events if not event.partial]
    for before, event in pairwise(kept):
        if event.actions.compaction is not None:  # an invocation of its own in ADK, here the end of the one before it
            event.invocation_id, event.content = before.invocation_id, None
    written = {key for event in kept for key in event.actions.state_delta}
    first = {key: value for key, value in found.state.items() if key not in written and is_stored(key)}
    began = min((event.timestamp for event in kept), default=found.last_update_time)
    records = [TraceRecord("session_created", data={"state": first}, timestamp=began), *_in_runs(kept)]
    title = next((as_title(event.text) for event in kept if event.author == "user" and event.text), "")
    return SessionFile(session=found.id, pipeline=found.app_name, title=title, entries=tuple(_entries(records)))


_CURE = "Choose the JSON that `session.model_dump_json(by_alias=True)` wrote, or a file of JSON lines exported here."


def _from_adk(given: Mapping[str, Any], number: int) -> Event:
    fields = _named(given, _SHARED)
    actions = fields.get("actions")
    if isinstance(actions, dict):
        fields["actions"] = _named(cast("dict[str, Any]", actions), _ACTIONS)
    fields = {name: value for name, value in fields.items() if value is not None}
    try:
        event = Event.model_validate_json(to_line(fields))
    except ValidationError as error:
        raise SessionFileError(f"Event {number} cannot be read: {first_problem(error)}. Nothing was imported.") from None
    except (AttributeError, TypeError) as error:  # google-genai's enumerations ask a value for its letters
        raise SessionFileError(f"Event {number} cannot be read: {str(error)[:200]}. Nothing was imported.") from None
    if event.author != "user":
        event.stop_reason = _stop_reason(event)
    delta = event.actions.state_delta
    event.actions.state_delta = {key: value for key, value in delta.items() if is_stored(key)}
    return event


def _named(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The fields that are ours, too, under our names; ADK reads either spelling."""
    found: dict[str, Any] = {}
    for alias, name in names.items():
        if (value := given.get(alias, given.get(name))) is not None:
            found[name] = value
    return found


def _stop_reason(event: Event) -> StopReason | None:
    if event.error_code:
        return "error"
    if event.get_function_calls():
        return "tool_use"
    if event.content is None or event.get_function_responses():
        return None
    return _STOPS.get(event.finish_reason or "", "end_turn")


def _in_runs(events: Sequence[Event]) -> Iterator[Event | TraceRecord]:
    """Events between the start and the end of their runs."""
    for invocation_id, group in groupby(events, key=lambda event: event.invocation_id):
        run = list(group)
        agent = next((event.author for event in run if event.author != "user"), "")
        yield TraceRecord("run_started", invocation_id, agent, data={"shared": {}}, timestamp=run[0].timestamp)
        yield from run
        calls, tokens = 0, Counter(input=0, output=0)
        for event in run:
            if (used := event.usage_metadata) is not None:
                calls += 1
                tokens.update(input=used.prompt_token_count or 0, output=used.candidates_token_count or 0)
        data = {
            "status": "failed" if run[-1].error_code else "completed",
            "calls": calls,
            "tokens": dict(tokens),
            "duration": max(0.0, run[-1].timestamp - run[0].timestamp),
        }
        yield TraceRecord("run_finished", invocation_id, agent, data=data, timestamp=run[-1].timestamp)


def _entries(records: Sequence[Event | TraceRecord]) -> Iterator[LogEntry]:
    for place, record in enumerate(records, start=1):
        kind, text = (EVENT_KIND, event_to_json(record)) if isinstance(record, Event) else (record.kind, record.to_json())
        try:
            yield checked_entry({"type": "entry", "kind": kind, "body": load_json(text)}, place=place)
        except ValueError as error:
            raise SessionFileError(f"Entry {place} of the session cannot be kept: {error}. Nothing was imported.") from None
