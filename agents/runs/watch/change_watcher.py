"""One subscriber's view of all sessions: that any of them may have changed.

Level-triggered: changes between two calls are one piece of news, however many there were. Lives in one event loop.
"""

from __future__ import annotations

import asyncio

from agents.runs.watch.channels import Channel


class ChangeWatcher:
    """Waits for changes of any session. May be made in any thread; used in the loop of the service."""

    def __init__(self) -> None:
        self._channel = Channel()
        self._bell = asyncio.Event()
        self._bell.set()  # the first call returns at once: the subscriber has read nothing yet
        self._closed = False

    def attach(self, channel: Channel) -> None:
        """Listens to the channel of all sessions; call it before the first `next`."""
        self._channel = channel
        channel.listen(self._bell)

    def close(self) -> None:
        """Ends a waiting `next` and all that follow."""
        self._closed = True
        self._channel.leave(self._bell)
        self._bell.set()

    async def next(self) -> bool:
        """Returns at the first call, then when a session may have changed since the last one; False once closed."""
        await self._bell.wait()
        if not self._closed:
            self._bell.clear()
        return not self._closed
