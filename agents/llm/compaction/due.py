"""Which events are to be summed up now, by ADK's rules. Pure functions of the events."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from google.genai import types

from agents.event import Event, EventActions, EventCompaction
from agents.history.branches import is_in_tool
from agents.history.rewinds import without_rewound
from agents.history.summaries import summaries_in, with_summaries
from agents.llm.compaction.config import EventsCompactionConfig
from agents.llm.contents import history_for
from agents.runtime.confirmation import QUESTIONS

_CHARACTERS_PER_TOKEN = 4


def due_by_tokens(
    events: Sequence[Event], config: EventsCompactionConfig, *, agent_name: str = "", branch: str | None = None
) -> list[Event]:
    """What is to be summed up because a model was sent too many tokens; nothing if it was not.

    The last summary comes first: it is summed up with the others.

    Args:
        events: The session's, oldest first.
        config: The threshold, and how many events stay.
        agent_name: Whose model is about to be called; "" after a run.
        branch: Where that agent runs.
    """
    if config.token_threshold is None or config.event_retention_size is None:
        return []
    events = _of_session(events)
    if _prompt_tokens(events, agent_name, branch) < config.token_threshold:
        return []
    standing = summaries_in(events)
    last = standing[-1] if standing else None
    ended = last.compaction.end_timestamp if last else 0.0
    fresh = [event for event in events if event.actions.compaction is None and event.timestamp > ended]
    if len(fresh) <= config.event_retention_size:
        return []
    due = _closed(fresh[: _before_calls(fresh, len(fresh) - config.event_retention_size)], events)
    if due and last:
        said = Event(author="model", content=last.compaction.compacted_content, timestamp=last.compaction.start_timestamp)
        due.insert(0, said)
    return due if _is_worth_it(events, due) else []


def due_by_runs(events: Sequence[Event], config: EventsCompactionConfig) -> list[Event]:
    """What is to be summed up because there are enough new invocations; nothing if there are not.

    Args:
        events: The session's, oldest first.
        config: How many are enough, and how many before them are summed up again.
    """
    if config.compaction_interval is None or config.overlap_size is None:
        return []
    events = _of_session(events)
    made = [event.actions.compaction for event in events if event.actions.compaction is not None]
    ended = made[-1].end_timestamp if made else 0.0
    said = [event for event in events if event.actions.compaction is None]
    latest: dict[str, float] = {}
    for event in said:
        if event.invocation_id:
            latest[event.invocation_id] = max(latest.get(event.invocation_id, 0.0), event.timestamp)
    runs = list(latest)
    new = [run for run in runs if latest[run] > ended]
    if len(new) < config.compaction_interval:
        return []
    first = runs[max(0, runs.index(new[0]) - config.overlap_size)]
    start = next(place for place, event in enumerate(said) if event.invocation_id == first)
    end = next(place for place in reversed(range(len(said))) if said[place].invocation_id == new[-1])
    due = _closed(said[start : end + 1], events)
    return due if _is_worth_it(events, due) else []


def _of_session(events: Sequence[Event]) -> list[Event]:
    """The events that were not taken back, without those of agents called as tools, which have a history of their own."""
    return [event for event in without_rewound(events) if not is_in_tool(event.branch)]


# -- how much a model is sent


def _prompt_tokens(events: Sequence[Event], agent_name: str, branch: str | None) -> int:
    """Tokens of the last prompt since the last summary; where no model counted them, an estimate."""
    for event in reversed(events):
        if event.actions.compaction is not None:
            break
        usage = event.usage_metadata
        if usage is not None and usage.prompt_token_count is not None and agent_name in ("", event.author):
            return usage.prompt_token_count
    if agent_name:
        contents = history_for(events, agent_name=agent_name, branch=branch)
    else:
        contents = [event.content for event in with_summaries(events, "") if event.content is not None]
    return sum(map(_characters, contents)) // _CHARACTERS_PER_TOKEN


def _characters(content: types.Content) -> int:
    count = 0
    for part in content.parts or ():
        count += len(part.text or "")
        if (call := part.function_call) is not None:
            count += len(call.name or "") + _json_length(call.args)
        if (response := part.function_response) is not None:
            count += len(response.name or "") + _json_length(response.response)
    return count


def _json_length(value: Mapping[str, Any] | None) -> int:
    return len(json.dumps(value, default=str)) if value else 0


def _is_worth_it(events: Sequence[Event], due: Sequence[Event]) -> bool:
    """Whether a summary as long as the last one would make prompts shorter."""
    if not due:
        return False
    times = [event.timestamp for event in due]
    made = EventCompaction(start_timestamp=min(times), end_timestamp=max(times), compacted_content=types.Content(parts=[]))
    nothing = Event(author="user", actions=EventActions(compaction=made))
    standing = summaries_in(events)
    last = _size(standing[-1].compaction.compacted_content) if standing else 0
    return _size_of(events) - _size_of([*events, nothing]) > last


def _size_of(events: Sequence[Event]) -> int:
    return sum(_size(event.content) for event in with_summaries(events, "") if event.content is not None)


def _size(content: types.Content) -> int:
    return len(content.model_dump_json(exclude_none=True, fallback=str))


# -- no call is summed up without its response


def _before_calls(events: Sequence[Event], most: int) -> int:
    """The last place, not after `most`, from which every response comes after its call."""
    if most == len(events):
        return most
    unmatched: set[str] = set()
    for place in reversed(range(len(events))):
        unmatched |= _response_ids(events[place])
        unmatched -= _call_ids(events[place])
        if not unmatched and place <= most:
            return place
    return 0


def _closed(due: list[Event], events: Sequence[Event]) -> list[Event]:
    """The longest beginning after which no call or question is open, but for calls that can have no response any more."""
    length = _closed_length(due, ())
    if length == len(due) or (length and due[length - 1].invocation_id != due[length].invocation_id):
        return due[:length]
    dead = _dead_ids(due, events)
    return due[: max(length, _closed_length(due, dead))] if dead else due[:length]


def _closed_length(due: Sequence[Event], dead: Collection[str]) -> int:
    opened: set[str] = set()
    length = 0
    for place, event in enumerate(due):
        opened -= _response_ids(event)
        opened |= (_call_ids(event) | set(event.actions.requested_tool_confirmations)).difference(dead)
        if not opened:
            length = place + 1
    return length


def _dead_ids(due: Sequence[Event], events: Sequence[Event]) -> set[str]:
    """Calls of earlier invocations without a response, but for those that a user may still answer."""
    said = [event for event in events if event.actions.compaction is None]
    newest = next((event.invocation_id for event in reversed(said) if event.invocation_id), "")
    kept: set[str] = set()
    for event in said:
        waiting = event.long_running_tool_ids or set()
        kept |= _response_ids(event).difference(event.actions.requested_tool_confirmations)
        if event.invocation_id in ("", newest):
            kept |= waiting | set(event.actions.requested_tool_confirmations)
        else:
            kept |= waiting - {call.id for call in event.get_function_calls() if call.name in QUESTIONS}
    old = [event for event in due if not newest or event.invocation_id != newest]
    return {call_id for event in old for call_id in _call_ids(event)} - kept


def _call_ids(event: Event) -> set[str]:
    return {call.id for call in event.get_function_calls() if call.id}


def _response_ids(event: Event) -> set[str]:
    return {response.id for response in event.get_function_responses() if response.id}
