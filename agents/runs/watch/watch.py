"""All watchers of one process, and what wakes them. Lives in one event loop, not the one that runs agents.

Entries stored by this process are reported as they come. Entries of other processes are found by polling the service's
change mark, about twice a second while anything is watched.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress

from agents.access import OWNER
from agents.errors import PlaygroundError
from agents.event import Event
from agents.runs.values import LostRun, SessionKey
from agents.runs.watch.change_watcher import ChangeWatcher
from agents.runs.watch.channels import TICK, Channel
from agents.runs.watch.watcher import Watcher
from agents.session import BaseSessionService

POLL_SECONDS = 0.5
"""Seconds between two checks for writes of other processes."""

WAIT, LONGEST_WAIT = 0.001, 0.08
"""Seconds for each watcher, and most seconds, that streamed text waits for more: a frame for each word of fifty runs would
take most of the CPU. Stored entries do not wait."""

LOOK_SECONDS = 2.0
"""Seconds between two readings of lists for writes of other processes, while this process writes, too."""

DEAD_SECONDS = 2.0
"""Seconds between two checks whether the processes live that run sessions."""

_log = logging.getLogger(__name__)


class Live:
    """What a run streams, for the run's own loop: every method returns at once and may be called from any thread."""

    def __init__(self, watching: Watching, key: SessionKey) -> None:
        self._watching, self._key = watching, key
        self._pieces: deque[Event] = deque()
        self._is_over = False
        self._is_due = False  # pieces that come until they are taken need no call of their own
        watching.post(self._begin)

    def _begin(self) -> None:
        self._channel = self._watching.open(self._key)
        self._channel.running = True

    def add_partial(self, event: Event) -> None:
        """Adds a streamed piece; see `Channel`. Pieces are taken together: the more watchers, the less often."""
        self._pieces.append(event)
        if not self._is_due:
            self._is_due = True
            self._watching.post(self._take_soon)

    def finish(self, event_id: str) -> None:
        """The event is stored; see `Channel`."""
        self._watching.post(lambda: self._finish(event_id))

    def tell(self, notice: str) -> None:
        """The run does not respond, and why; "" when it does again."""
        self._watching.post(lambda: self._channel.tell(notice))

    def end(self) -> None:
        """The run is over; see `Channel`. What it still streams is dropped: it may be blocked code's."""
        self._watching.post(self._end)

    def _take_soon(self) -> None:
        self._watching.later(self._take)

    def _take(self) -> None:
        self._is_due = False
        while self._pieces and not self._is_over:
            self._channel.add_partial(self._pieces.popleft())

    def _finish(self, event_id: str) -> None:
        self._take()
        if not self._is_over:
            self._channel.finish(event_id)

    def _end(self) -> None:
        self._take()
        self._is_over = True
        self._channel.end_run()
        self._watching.tidy(self._key)


class Watching:
    """Opens watchers and wakes them when there may be news."""

    def __init__(self, service: BaseSessionService) -> None:
        self._service = service
        self._channels: dict[SessionKey, Channel] = {}
        self._all = Channel()
        """The news of every session."""
        self._watchers: set[Watcher | ChangeWatcher] = set()
        self._pollers: tuple[asyncio.Task[None], ...] = ()
        self._mark: int | None = None
        self._changes = 0
        self._elsewhere = 0
        self._stamps: dict[SessionKey, int] = {}
        self._waiting = ""
        self._turns: Mapping[SessionKey, str] = {}
        self._lost: dict[SessionKey, LostRun] = {}
        self._loop = asyncio.get_running_loop()
        service.add_listener(self._on_commit)
        service.add_waiting_listener(self._on_waiting)

    def open(self, key: SessionKey) -> Channel:
        """The session's channel."""
        if (channel := self._channels.get(key)) is None:
            channel = self._channels[key] = Channel()
            channel.waiting, channel.lost = self._waiting, self._lost.get(key)
            channel.turn = self._turns.get(key, "")
        return channel

    def post(self, function: Callable[[], None]) -> None:
        """Calls a function in this loop, in the order of the calls. Call it from any thread."""
        with suppress(RuntimeError):  # the loop was closed: nobody watches
            self._loop.call_soon_threadsafe(function)

    def later(self, function: Callable[[], None]) -> None:
        """Calls a function that gives watchers streamed text: soon for a few of them. Call it in this loop."""
        wait = min(LONGEST_WAIT, WAIT * len(self._watchers))
        if wait < TICK:
            function()
        else:
            self._loop.call_later(wait, function)

    def begin(self, key: SessionKey) -> Live:
        """What a run of a session streams into. Call it from any thread."""
        self.lose(key, None)
        return Live(self, key)

    def lose(self, key: SessionKey, lost: LostRun | None) -> None:
        """The session's last run ended and its end could not be stored; None once another one starts. From any thread."""
        if lost is not None:
            self._lost[key] = lost
        elif self._lost.pop(key, None) is None:
            return
        self.post(lambda: self._tell_lost(key, lost))

    def _tell_lost(self, key: SessionKey, lost: LostRun | None) -> None:
        if (channel := self._channels.get(key)) is not None:
            for watcher in self._watchers:
                if lost is not None and isinstance(watcher, Watcher) and watcher.key == key:
                    watcher.note(lost)
            channel.lose(lost)
        self._list_changed(key)

    def found(self) -> None:
        """All runs' ends are in their logs. Call it from any thread."""
        for key in list(self._lost):
            self.lose(key, None)

    def lost(self, key: SessionKey) -> LostRun | None:
        """The session's last run, if it ended and the log does not say so. Call it from any thread."""
        return self._lost.get(key)

    def all_lost(self) -> list[SessionKey]:
        """The sessions with such a run. Call it from any thread."""
        return list(self._lost)

    def tidy(self, key: SessionKey) -> None:
        """Drops the session's channel if it is unused."""
        if (channel := self._channels.get(key)) is not None and channel.unused:
            del self._channels[key]

    def enter(self, watcher: Watcher | ChangeWatcher) -> None:
        """Starts to wake a watcher; `leave` stops it."""
        if not self._pollers:
            self._mark = self._change_mark()  # before the watcher's first read, so that nothing is missed
            self._pollers = (
                asyncio.create_task(self._poll(), name="watch what other processes write"),
                asyncio.create_task(self._find_dead(), name="watch whether other processes live"),
            )
        watcher.attach(self.open(watcher.key) if isinstance(watcher, Watcher) else self._all)
        self._watchers.add(watcher)

    def leave(self, watcher: Watcher | ChangeWatcher) -> None:
        """Ends a watcher."""
        watcher.close()
        self._watchers.discard(watcher)
        if isinstance(watcher, Watcher):
            self.tidy(watcher.key)
        if not self._watchers:
            for poller in self._pollers:
                poller.cancel()
            self._pollers = ()

    def close(self) -> None:
        """Ends all watchers."""
        self._service.remove_listener(self._on_commit)
        for watcher in list(self._watchers):
            self.leave(watcher)

    def _on_commit(self, app_name: str, user_id: str, session_id: str, _last_seq: int) -> None:
        """The listener of the service; called in the thread that did the work."""
        if OWNER.sees(user_id):  # who sees most
            self.post(lambda: self._grew(SessionKey(app_name, session_id, user_id)))

    def _on_waiting(self, sentence: str | None) -> None:
        """The listener of the service; called in any thread."""
        self.post(lambda: self._wait(sentence or ""))

    def _wait(self, reason: str) -> None:
        self._waiting = reason
        for channel in self._channels.values():
            channel.wait(reason)

    def tell_turns(self, turns: Mapping[SessionKey, str]) -> None:
        """The runs of these sessions wait for their turns, and what is said of each. Call it from any thread."""
        self.post(lambda: self._tell_turns(turns))

    def _tell_turns(self, turns: Mapping[SessionKey, str]) -> None:
        before, self._turns = self._turns, turns
        for key in before.keys() | turns.keys():
            if (channel := self._channels.get(key)) is not None:
                channel.tell_turn(turns.get(key, ""))
            if key not in before or key not in turns:
                self._list_changed(key)

    def _grew(self, key: SessionKey) -> None:
        if (channel := self._channels.get(key)) is not None:
            channel.stored()
        self._list_changed(key)

    def stamp(self, key: SessionKey) -> int:
        """A number that differs after a session may have changed."""
        return self._stamps.get(key, self._elsewhere)

    def _list_changed(self, key: SessionKey | None) -> None:
        """A session may have changed; None: any may have, in another process."""
        self._changes += 1
        if key is None:
            self._elsewhere = self._changes
            self._stamps.clear()
        else:
            self._stamps[key] = self._changes
        for watcher in self._watchers:
            if isinstance(watcher, ChangeWatcher):
                watcher.note(key)
        self._all.stored()

    async def _poll(self) -> None:
        seen, looked = self._changes, float("-inf")
        while True:
            await asyncio.sleep(POLL_SECONDS)
            mark, now = self._change_mark(), self._loop.time()
            if mark == self._mark:
                continue
            self._mark = mark
            for channel in self._channels.values():
                channel.stored()
            # The mark may have changed by what this process wrote, and lists know of that: they are read less often then.
            if seen == self._changes or now - looked >= LOOK_SECONDS:
                self._list_changed(None)
                looked = now
            seen = self._changes

    async def _find_dead(self) -> None:
        """Marks the runs of processes that have died, so that everybody sees their end and may run them again."""
        while True:
            await asyncio.sleep(DEAD_SECONDS)
            with suppress(PlaygroundError):  # it cannot be read or written now: readers get the same error
                await self._service.recover()

    def _change_mark(self) -> int | None:
        try:
            return self._service.change_mark()
        except PlaygroundError as error:  # watchers will read and get the same error
            _log.warning("Cannot tell whether other processes wrote: %s", error)
            return None
