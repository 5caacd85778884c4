"""Live sessions: who watches, whether the log grew, and text that is still being streamed.

Lives in one event loop. Watchers read stored entries from the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agents.event import Event
from agents.log import EVENT_KIND, LogEntry
from agents.records import RunFinished
from agents.runs.values import LostRun

TICK = 0.01
"""Shortest time between two wake-ups of watchers, in seconds: a fast stream is read in bigger pieces."""


@dataclass(slots=True)
class Stream:
    """The text so far, or the thoughts so far, of an event that is being streamed."""

    id: str
    invocation_id: str
    author: str
    branch: str | None
    thought: bool
    text: str = ""


class Channel:
    """One session's news."""

    def __init__(self) -> None:
        self.growth = 0
        """Grows whenever entries may have been stored."""
        self.running = False
        """Whether a run streams into this channel."""
        self.waiting = ""
        """The reason why runs wait to store entries; "" if they do not."""
        self.blocked = ""
        """What the session's run does instead of responding; "" if it responds."""
        self.turn = ""
        """What is said of the session's run while it waits for its turn, in whichever process; "" if none waits."""
        self.lost: LostRun | None = None
        """The session's last run, if it ended and its end could not be stored."""
        self._streams: dict[tuple[str, bool], Stream] = {}
        self._bells: set[asyncio.Event] = set()
        self._last_ring = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    @property
    def streams(self) -> Iterator[Stream]:
        """Texts being streamed, in the order of their starts."""
        return iter(self._streams.values())

    @property
    def unused(self) -> bool:
        """Whether there is no watcher and no run."""
        return not self._bells and not self.running

    def listen(self, bell: asyncio.Event) -> None:
        """Sets `bell` on all news, until `leave`."""
        self._bells.add(bell)

    def leave(self, bell: asyncio.Event) -> None:
        """Ends `listen`."""
        self._bells.discard(bell)
        if not self._bells and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stored(self) -> None:
        """Entries may have been stored."""
        self.growth += 1
        self._ring_soon()

    def wait(self, reason: str) -> None:
        """Runs wait for the storage; "" when the wait is over."""
        self.waiting = reason
        self._ring_soon()

    def tell(self, blocked: str) -> None:
        """The session's run does not respond, and what it does; "" when it does again."""
        self.blocked = blocked
        self._ring_soon()

    def tell_turn(self, turn: str) -> None:
        """The session's run waits for its turn; "" when it does no more."""
        if turn != self.turn:
            self.turn = turn
            self._ring_soon()

    def lose(self, lost: LostRun | None) -> None:
        """A run ended and its end could not be stored; None once the log says that it ended."""
        self.lost = lost
        self._ring_soon()

    def add_partial(self, event: Event) -> None:
        """Adds a streamed piece to the text so far. A new stream ends an earlier one of the same agent and branch."""
        for part in event.parts:
            if not part.text:
                continue
            key = (event.id, bool(part.thought))
            if key not in self._streams:
                self._discard(lambda old: old.id != event.id and (old.author, old.branch) == (event.author, event.branch))
                self._streams[key] = Stream(event.id, event.invocation_id, event.author, event.branch, key[1])
            self._streams[key].text += part.text
        self._ring_soon()

    def finish(self, event_id: str) -> None:
        """The event is stored: drops its text so far."""
        self._discard(lambda stream: stream.id == event_id)

    def settle(self, entries: Sequence[LogEntry]) -> None:
        """Drops streams whose event, or the end of whose run, is among stored entries."""
        if not self._streams:
            return
        for entry in entries:
            if entry.kind == EVENT_KIND:
                self._discard(lambda stream, entry=entry: _names(entry, "id", stream.id))
            elif entry.kind == RunFinished.kind:
                self._discard(lambda stream, entry=entry: _names(entry, "invocation_id", stream.invocation_id))

    def end_run(self) -> None:
        """The run is over: drops what it did not store."""
        self.running = False
        self.blocked = ""
        self._streams.clear()
        self._ring_soon()

    def ring(self) -> None:
        """Wakes all watchers now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._last_ring = asyncio.get_running_loop().time()
        for bell in self._bells:
            bell.set()

    def _ring_soon(self) -> None:
        if self._timer is not None or not self._bells:
            return
        loop = asyncio.get_running_loop()
        due = self._last_ring + TICK
        if loop.time() >= due:
            self.ring()
        else:
            self._timer = loop.call_at(due, self.ring)

    def _discard(self, over: Callable[[Stream], bool]) -> None:
        for key in [key for key, stream in self._streams.items() if over(stream)]:
            del self._streams[key]


def _names(entry: LogEntry, field: str, value: str) -> bool:
    """Whether a field of an entry has a value; bodies that do not hold it at all are not parsed."""
    return value in entry.body and entry.fields().get(field) == value
