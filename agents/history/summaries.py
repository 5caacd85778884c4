"""Summaries of events: what stands in a history in place of the events that a summary covers.

As in ADK, a summary covers the events of a time range. The log keeps them all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agents.event import Event, EventCompaction


class Summary(NamedTuple):
    """A summary that stands in the history.

    Attributes:
        place: The place of its event.
        compaction: What it says, and of which time.
    """

    place: int
    compaction: EventCompaction


def summaries_in(events: Sequence[Event]) -> list[Summary]:
    """The summaries that stand, in the order of their events: without those whose range lies within that of another."""
    found = [Summary(place, made) for place, event in enumerate(events) if (made := event.actions.compaction) is not None]
    by_range = sorted(found, key=lambda one: (one.compaction.start_timestamp, -one.compaction.end_timestamp, -one.place))
    standing: set[int] = set()
    end = float("-inf")
    for one in by_range:
        if one.compaction.end_timestamp > end:
            standing.add(one.place)
            end = one.compaction.end_timestamp
    return [one for one in found if one.place in standing]


def with_summaries(events: Sequence[Event], author: str) -> list[Event]:
    """The events of a history, with each summary in the place of those that it covers.

    An event that was stored after all summaries is never covered, whatever its time. A response that is not covered brings
    back the event of its call, and the responses to the other calls of that event.

    Args:
        events: The session's events, oldest first.
        author: Whose message a summary is.
    """
    standing = summaries_in(events)
    if not standing:
        return list(events)
    is_covered = _Coverage(standing)
    last = standing[-1].place
    waiting = deque(sorted(standing, key=lambda one: (one.compaction.end_timestamp, one.place)))
    kept: list[Event] = []
    for place, event in enumerate(events):
        if event.actions.compaction is not None or (place < last and event.timestamp in is_covered):
            continue
        while waiting and (place > last or waiting[0].compaction.end_timestamp < event.timestamp):
            kept.append(_as_message(events, waiting.popleft(), author))
        kept.append(event)
    kept += [_as_message(events, one, author) for one in waiting]
    return list(_with_calls(kept, events))


class _Coverage:
    """The times that summaries cover."""

    def __init__(self, standing: Sequence[Summary]) -> None:
        ranges = sorted((one.compaction.start_timestamp, one.compaction.end_timestamp) for one in standing)
        self._starts: list[float] = []
        self._ends: list[float] = []
        for start, end in ranges:
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, time: float) -> bool:
        place = bisect_right(self._starts, time) - 1
        return place >= 0 and time <= self._ends[place]


def _as_message(events: Sequence[Event], summary: Summary, author: str) -> Event:
    """A summary as an event of the history: it has the place in the log of the event that brought it."""
    source, made = events[summary.place], summary.compaction
    message = Event(
        id=source.id,
        invocation_id=source.invocation_id,
        author=author,
        branch=source.branch,
        content=made.compacted_content,
        timestamp=made.end_timestamp,
    )
    if source.seq is not None:
        message.stored_as(source.seq)
    return message


def _with_calls(kept: Sequence[Event], events: Sequence[Event]) -> Iterator[Event]:
    """The kept events, before each response whose call is covered the event of the call."""
    calls, answers = _pairs(events)
    there = {id(event) for event in kept}
    for event in kept:
        for response in event.get_function_responses():
            call = calls.get((id(event), response.id or ""))
            if call is None or id(call) in there:
                continue
            there.add(id(call))
            yield call
            for other in call.get_function_calls():
                answer = answers.get((id(call), other.id or ""))
                if answer is not None and id(answer) not in there:
                    there.add(id(answer))
                    yield answer
        yield event


def _pairs(events: Sequence[Event]) -> tuple[dict[tuple[int, str], Event], dict[tuple[int, str], Event]]:
    """The event of the call of each response, and of the last response to each call: by event and the call's id."""
    latest: dict[str, Event] = {}
    calls: dict[tuple[int, str], Event] = {}
    answers: dict[tuple[int, str], Event] = {}
    for event in events:
        latest |= {call.id: event for call in event.get_function_calls() if call.id}
        for response in event.get_function_responses():
            if response.id and (call := latest.get(response.id)) is not None:
                calls[id(event), response.id] = call
                answers[id(call), response.id] = event
    return calls, answers
