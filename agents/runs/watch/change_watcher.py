"""One subscriber's view of the list of sessions: which of them may have changed.

Level-triggered: changes of one session between two calls are one piece of news, however many there were. Lives in one event
loop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agents.runs.values import SessionKey
from agents.runs.watch.channels import Channel


@dataclass(frozen=True, slots=True)
class Changes:
    """What may have changed since the last call.

    Attributes:
        everything: Any session may have; else those of `keys`.
        keys: The sessions.
    """

    everything: bool
    keys: frozenset[SessionKey] = frozenset()


class ChangeWatcher:
    """Waits for changes of any session. May be made in any thread; used in the loop of the service."""

    def __init__(self) -> None:
        self._channel = Channel()
        self._bell = asyncio.Event()
        self._bell.set()  # the first call returns at once: the subscriber has read nothing yet
        self._everything = True
        self._keys: set[SessionKey] = set()
        self._closed = False

    def attach(self, channel: Channel) -> None:
        """Listens to the channel of all sessions; call it before the first `next`."""
        self._channel = channel
        channel.listen(self._bell)

    def note(self, key: SessionKey | None) -> None:
        """A session may have changed; None: any may have. The channel rings for it."""
        if key is None:
            self._everything = True
        else:
            self._keys.add(key)

    def close(self) -> None:
        """Ends a waiting `next` and all that follow."""
        self._closed = True
        self._channel.leave(self._bell)
        self._bell.set()

    async def next(self) -> Changes | None:
        """Returns at the first call, then when a session may have changed since the last one; None once closed."""
        await self._bell.wait()
        if self._closed:
            return None
        self._bell.clear()
        changes = Changes(self._everything, frozenset(self._keys))
        self._everything = False
        self._keys.clear()
        return changes
