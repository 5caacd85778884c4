"""Rewinds: what a session's agents no longer see because the user went back. The log keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from agents.event import Event


def without_rewound(events: Sequence[Event]) -> Sequence[Event]:
    """The events without those that a rewind takes back, and without the events of rewinds.

    A rewind takes back everything from the first event of the invocation that it names.

    Args:
        events: The session's events, oldest first.
    """
    if all(event.actions.rewind_before_invocation_id is None for event in events):
        return events
    first: dict[str, int] = {}
    for place, event in enumerate(events):
        first.setdefault(event.invocation_id, place)
    kept: list[Event] = []
    place = len(events) - 1
    while place >= 0:
        event = events[place]
        if (target := event.actions.rewind_before_invocation_id) is None:
            kept.append(event)
        else:
            place = min(place, first.get(target, place))
        place -= 1
    return kept[::-1]
