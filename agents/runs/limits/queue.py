"""The queue of runs that wait for their turn. It is in the store: all servers share it, and it outlives them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agents.errors import DatabaseError, PlaygroundError
from agents.runs.limits.use_desk import UseDesk
from agents.runs.values import SessionKey
from agents.runs.workers.orders import RunOrder
from agents.storage.use.store import LEASE_SECONDS, Place, UseStore

LOOK_SECONDS = 1.0
"""Seconds between two looks for a turn, unless a run of this process ends."""
KEEP_SECONDS = LEASE_SECONDS / 3
"""Seconds between two renewals of this process's places, and between two looks for what dead processes left."""

CLOSE_SECONDS = 1.0
"""How long it may take to say that this process ends."""

_ORDER: TypeAdapter[RunOrder] = TypeAdapter(RunOrder)
_log = logging.getLogger(__name__)


class RunQueue:
    """The places of this process's runs. Used in one event loop.

    Attributes:
        waiting: The sessions whose runs wait, of other servers as they were at the last look, and a sentence about each for
            its watchers. Read it in any thread.

    Args:
        desk: Decides whose turn it is.
        store: Where places are.
        tell: Called with `waiting` when it has changed.
    """

    def __init__(self, desk: UseDesk, store: UseStore, tell: Callable[[Mapping[SessionKey, str]], None]) -> None:
        self._desk, self._store, self._tell = desk, store, tell
        self.waiting: Mapping[SessionKey, str] = {}
        self._changes = 0  # of `waiting` by this process
        self._freed = asyncio.Event()
        self._read: asyncio.Task[list[Place]] | None = None
        self._is_closing = False
        self._renewing = asyncio.Lock()
        self._may_start: frozenset[str] = frozenset()

    async def enter(self, order: RunOrder) -> Place:
        """Takes a place for a run that another user than the owner starts; it may be under way at once.

        Raises:
            LimitReachedError: No more runs may wait.
        """
        assert order.invocation_id is not None
        place = Place(
            order.invocation_id,
            "run",
            order.user_id,
            self._desk.holder,
            of=f"{order.pipeline}/{order.session_id}",
            work=_ORDER.dump_json(order).decode(),
        )
        taken = await asyncio.to_thread(self._desk.take_run, place, is_new=True)
        if not taken.started:
            with suppress(DatabaseError):  # it is looked at again while it waits
                await self._look()
        return taken

    async def turn(self, place: Place) -> Place:
        """Waits for a place's turn; returns the place as it is then.

        Raises:
            asyncio.CancelledError: Another process has the place, or has given it up, or may take it since this one ends.
        """
        if place.started:
            return place
        while True:
            freed = self._freed
            if not self._has(await self._places(), place):
                await self._renew()  # this process may have stood still
                if not self._has(await asyncio.to_thread(self._store.places, "run"), place):
                    raise asyncio.CancelledError(f"The place of {place.id} was given up.")
            if self._is_closing:
                raise asyncio.CancelledError("This process ends.")
            if place.id in self._may_start:
                with suppress(KeyError):
                    if (taken := await asyncio.to_thread(self._desk.take_run, place)).started:
                        break
            with suppress(TimeoutError):
                await asyncio.wait_for(freed.wait(), LOOK_SECONDS)
        self._waits_no_longer(_session_of(place))
        return taken

    async def leave(self, place: Place) -> bool:
        """Gives a place up.

        Returns:
            False if another process has it or has given it up, or takes it over since this one ends.
        """
        key, left = _session_of(place), False
        if self._is_closing and not place.started:
            return False
        try:
            with suppress(DatabaseError):  # it ends with its lease
                left = await asyncio.shield(asyncio.to_thread(self._desk.leave, place.id))
        finally:
            self._waits_no_longer(key)
        self._freed.set()
        self._freed = asyncio.Event()
        return left

    async def take_out(self, key: SessionKey) -> RunOrder | None:
        """Takes a session's waiting run from whichever process has it, which ends it at its next look.

        Returns:
            The run; None if none waits.
        """
        taken: Place | None = None
        for place in await asyncio.to_thread(self._store.places, "run"):
            if not place.started and _session_of(place) == key:
                taken = await asyncio.to_thread(self._store.withdraw, place.id)
        if taken is None:
            return None
        self._waits_no_longer(key)
        return _ORDER.validate_json(taken.work)

    async def keep(self, begin: Callable[[RunOrder], Coroutine[Any, Any, object]] | None) -> None:
        """Renews this process's places; with `begin`, has it begin the waiting runs of processes that live no longer.

        Ends when it is cancelled.
        """
        while True:
            try:
                await self._renew()
                await self._look()
                if begin is not None:
                    for place in await asyncio.to_thread(self._store.adopt, self._desk.holder):
                        await self._adopt(place, begin)
            except DatabaseError as error:
                _log.warning("The places of runs cannot be renewed: %s", error)
            await asyncio.sleep(KEEP_SECONDS)

    async def _look(self) -> list[Place]:
        """Looks which runs wait, of this process and of others, again until nothing has changed here meanwhile."""
        while True:
            changes = self._changes
            places = await asyncio.to_thread(self._store.places, "run")
            if changes == self._changes:
                break
        turns = self._desk.turns(places)
        self._may_start = turns.may_start
        position = {place_id: number for number, place_id in enumerate(turns.waiting, 1)}
        waiting = {_session_of(one): _sentence(position.get(one.id), len(position)) for one in places if not one.started}
        if waiting != self.waiting:
            self._set_waiting(waiting)
        return places

    def _waits_no_longer(self, key: SessionKey) -> None:
        if key in self.waiting:
            self._set_waiting({other: said for other, said in self.waiting.items() if other != key})

    def _set_waiting(self, waiting: Mapping[SessionKey, str]) -> None:
        self.waiting = waiting
        self._changes += 1
        self._tell(waiting)

    async def close(self) -> None:
        """Leaves what waits to another process, or to the next start. Call it before the runs are ended."""
        self._is_closing = True
        if self._desk.has_places:
            with suppress(DatabaseError, TimeoutError):  # else they are left when their lease ends
                async with asyncio.timeout(CLOSE_SECONDS), self._renewing:
                    await asyncio.to_thread(self._store.renew, self._desk.holder, ends=True)

    async def _renew(self) -> None:
        """Renews this process's places, but none after they were left to others."""
        async with self._renewing:
            if self._desk.has_places and not self._is_closing:
                await asyncio.to_thread(self._store.renew, self._desk.holder)

    async def _adopt(self, place: Place, begin: Callable[[RunOrder], Coroutine[Any, Any, object]]) -> None:
        try:
            await begin(_ORDER.validate_json(place.work))
        except (PlaygroundError, ValidationError) as error:
            _log.warning("A waiting run of a process that has ended cannot begin: %s", error)
            await self.leave(place)

    def _has(self, places: Sequence[Place], place: Place) -> bool:
        return any((one.id, one.holder) == (place.id, place.holder) for one in places)

    async def _places(self) -> list[Place]:
        """The places, as `_look` finds them; many who ask at a time read them once."""
        if self._read is None or self._read.done():
            self._read = asyncio.create_task(self._look())
        return await asyncio.shield(self._read)


def _sentence(position: int | None, count: int) -> str:
    place = "it is next" if position is None else f"number {position} of {count} in the queue"
    return f"Waiting for its turn: {place}. Stop takes it out."


def _session_of(place: Place) -> SessionKey:
    pipeline, _, session_id = place.of.partition("/")
    return SessionKey(pipeline, session_id, place.user_id)
