"""All watchers of one process, and what wakes them. Lives in one event loop.

Entries stored by this process are reported as they come. Entries of other processes are found by polling the service's
change mark, about twice a second while anything is watched.
"""

from __future__ import annotations

import asyncio
import logging

from agents.access import OWNER
from agents.errors import PlaygroundError
from agents.runs.values import LostRun, SessionKey
from agents.runs.watch.change_watcher import ChangeWatcher
from agents.runs.watch.channels import Channel
from agents.runs.watch.watcher import Watcher
from agents.session import BaseSessionService

POLL_SECONDS = 0.5
"""Seconds between two checks for writes of other processes."""

_log = logging.getLogger(__name__)


class Watching:
    """Opens watchers and wakes them when there may be news.

    Args:
        service: Where the logs are.
    """

    def __init__(self, service: BaseSessionService) -> None:
        self._service = service
        self._channels: dict[SessionKey, Channel] = {}
        self._all = Channel()
        """The news of every session."""
        self._watchers: set[Watcher | ChangeWatcher] = set()
        self._poller: asyncio.Task[None] | None = None
        self._mark: int | None = None
        self._waiting = ""
        self._lost: dict[SessionKey, LostRun] = {}
        self._loop = asyncio.get_running_loop()
        service.add_listener(self._on_commit)
        service.add_waiting_listener(self._on_waiting)

    def open(self, key: SessionKey) -> Channel:
        """The session's channel."""
        if (channel := self._channels.get(key)) is None:
            channel = self._channels[key] = Channel()
            channel.waiting, channel.lost = self._waiting, self._lost.get(key)
        return channel

    def lose(self, key: SessionKey, lost: LostRun | None) -> None:
        """The session's last run ended and its end could not be stored; None once another one starts."""
        if lost is not None:
            self._lost[key] = lost
        elif self._lost.pop(key, None) is None:
            return
        if (channel := self._channels.get(key)) is not None:
            channel.lose(lost)
        self._all.stored()

    def found(self) -> None:
        """All runs' ends are in their logs."""
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
        if self._poller is None:
            self._mark = self._change_mark()  # before the watcher's first read, so that nothing is missed
            self._poller = asyncio.create_task(self._poll(), name="watch other processes")
        watcher.attach(self.open(watcher.key) if isinstance(watcher, Watcher) else self._all)
        self._watchers.add(watcher)

    def leave(self, watcher: Watcher | ChangeWatcher) -> None:
        """Ends a watcher."""
        watcher.close()
        self._watchers.discard(watcher)
        if isinstance(watcher, Watcher):
            self.tidy(watcher.key)
        if not self._watchers and self._poller is not None:
            self._poller.cancel()
            self._poller = None

    def close(self) -> None:
        """Ends all watchers."""
        self._service.remove_listener(self._on_commit)
        for watcher in list(self._watchers):
            self.leave(watcher)

    def _on_commit(self, app_name: str, user_id: str, session_id: str, _last_seq: int) -> None:
        """The listener of the service; called in the thread that did the work."""
        if OWNER.sees(user_id):  # who sees most
            self._loop.call_soon_threadsafe(self._grew, SessionKey(app_name, session_id, user_id))

    def _on_waiting(self, sentence: str | None) -> None:
        """The listener of the service; called in any thread."""
        self._loop.call_soon_threadsafe(self._wait, sentence or "")

    def _wait(self, reason: str) -> None:
        self._waiting = reason
        for channel in self._channels.values():
            channel.wait(reason)

    def _grew(self, key: SessionKey) -> None:
        if (channel := self._channels.get(key)) is not None:
            channel.stored()
        self._all.stored()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            mark = self._change_mark()
            if mark != self._mark:
                self._mark = mark
                for channel in (*self._channels.values(), self._all):
                    channel.stored()

    def _change_mark(self) -> int | None:
        try:
            return self._service.change_mark()
        except PlaygroundError as error:  # watchers will read and get the same error
            _log.warning("Cannot tell whether other processes wrote: %s", error)
            return None
