"""One subscriber's view of a session: the stored log from some entry on, then what is being streamed.

Nothing is queued for a subscriber. It asks for news since its last call, so a slow one gets bigger pieces. Stored entries
come from the log alone: none is lost and none comes twice, whichever process wrote it. Lives in one event loop.
"""

from __future__ import annotations

import asyncio

from agents.errors import SessionNotFoundError
from agents.runs.values import LogBatch, LostRun, News, Partial, SessionKey, Waiting
from agents.runs.watch.channels import Channel
from agents.session import BaseSessionService

BATCH = 500
"""Most entries of one `LogBatch`."""


class Watcher:
    """Reads one session's news. May be made in any thread; used in the loop of the service.

    Args:
        service: Where the log is.
        key: The session.
        after: `seq` of the last entry that the subscriber has.
    """

    def __init__(self, service: BaseSessionService, key: SessionKey, *, after: int) -> None:
        self.key = key
        self._service = service
        self._channel = Channel()
        self._after = after
        self._seen_growth = -1
        self._sent: dict[tuple[str, bool], int] = {}
        self._bell = asyncio.Event()
        self._closed = False
        self._waiting = Waiting("")
        self._lost: list[LostRun] = []

    def attach(self, channel: Channel) -> None:
        """Listens to the session's channel; call it before the first `next`."""
        self._channel = channel
        if channel.lost is not None:
            self.note(channel.lost)
        channel.listen(self._bell)

    def note(self, lost: LostRun) -> None:
        """The session's run is lost. It is told, even if the log has the run's end by then; the channel rings for it."""
        self._lost.append(lost)

    def close(self) -> None:
        """Ends a waiting `next` and all that follow."""
        self._closed = True
        self._channel.leave(self._bell)
        self._bell.set()

    async def next(self) -> list[News]:
        """The news since the last call, waiting until there is some; [] once the watcher is closed.

        Raises:
            SessionNotFoundError: There is no such session, or it was deleted. While a run of it goes on here, the file was
                replaced: the run says so when it ends.
        """
        while not self._closed:
            self._bell.clear()
            batch = await self._read()
            news: list[News] = [batch] if batch is not None else []
            if batch is None or not batch.more:
                news.extend(self._pieces())
                news.extend(self._notices())
            if news:
                return news
            if not self._closed:
                await self._bell.wait()
        return []

    async def _read(self) -> LogBatch | None:
        growth = self._channel.growth
        if growth == self._seen_growth:
            return None
        try:
            entries = await self._service.read_log(**self.key.name, after=self._after, limit=BATCH + 1)
        except SessionNotFoundError:
            if not self._channel.running:
                raise
            entries = []
        more = len(entries) > BATCH
        if not more:
            self._seen_growth = growth
        if not entries:
            return None
        entries = entries[:BATCH]
        self._after = entries[-1].seq
        self._channel.settle(entries)
        return LogBatch(tuple(entries), more)

    def _notices(self) -> list[Waiting | LostRun]:
        """News about the storage and the run's code that is not reported yet."""
        notices: list[Waiting | LostRun] = []
        reason, turn = self._channel.waiting or self._channel.blocked, self._channel.turn
        if (waiting := Waiting(reason or turn, bool(turn))) != self._waiting:
            self._waiting = waiting
            notices.append(waiting)
        notices += self._lost
        self._lost.clear()
        return notices

    def _pieces(self) -> list[Partial]:
        pieces: list[Partial] = []
        live: dict[tuple[str, bool], int] = {}
        for stream in self._channel.streams:
            key = (stream.id, stream.thought)
            sent = self._sent.get(key, 0)
            live[key] = len(stream.text)
            if text := stream.text[sent:]:
                pieces.append(Partial(stream.id, stream.author, stream.branch, sent, text, stream.thought))
        self._sent = live
        return pieces
