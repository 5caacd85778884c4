"""The queue of runs that wait for their turn. It is in the store: all servers share it, and it outlives them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
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
        waiting: The sessions whose runs wait, of other servers as they were at the last look. Read it in any thread.

    Args:
        desk: Decides whose turn it is.
        store: Where places are.
    """

    def __init__(self, desk: UseDesk, store: UseStore) -> None:
        self._desk, self._store = desk, store
        self.waiting: frozenset[SessionKey] = frozenset()
        self._changes = 0  # of `waiting` by this process
        self._freed = asyncio.Event()
        self._read: asyncio.Task[list[Place]] | None = None
        self._is_closing = False

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
            self._set_waiting(self.waiting | {_session_of(taken)})
        return taken

    @asynccontextmanager
    async def turn(self, place: Place, tell: Callable[[str], None]) -> AsyncGenerator[None, None]:
        """Waits for a place's turn, and gives it up at the end of the block.

        Args:
            place: The place.
            tell: Called with a sentence while it waits, and with "" then.

        Raises:
            asyncio.CancelledError: Somebody has given the place up, in this process or in another one.
        """
        waits = not place.started
        try:
            if waits:
                await self._wait(place, tell)
                waits = False
                self._set_waiting(self.waiting - {_session_of(place)})
            yield
        finally:
            if not (waits and self._is_closing):
                await self.leave(place)

    async def leave(self, place: Place) -> None:
        """Gives a place up."""
        try:
            with suppress(DatabaseError):  # it ends with its lease
                await asyncio.shield(asyncio.to_thread(self._desk.leave, place.id))
        finally:
            self._set_waiting(self.waiting - {_session_of(place)})
        self._freed.set()
        self._freed = asyncio.Event()

    async def take_out(self, key: SessionKey) -> bool:
        """Gives up the place of a session's waiting run, whichever process it is of; that one ends the run at its next look.

        Returns:
            False if none waits.
        """
        places = await asyncio.to_thread(self._store.places, "run")
        found = [place for place in places if not place.started and _session_of(place) == key]
        for place in found:
            await asyncio.to_thread(self._store.leave, place.id, place.holder)
        self._set_waiting(self.waiting - {key})
        return bool(found)

    async def keep(self, begin: Callable[[RunOrder], Coroutine[Any, Any, object]] | None) -> None:
        """Renews this process's places; with `begin`, has it begin the waiting runs of processes that live no longer.

        Ends when it is cancelled.
        """
        while True:
            try:
                if self._desk.has_places:
                    await asyncio.to_thread(self._store.renew, self._desk.holder)
                await self._look()
                if begin is not None:
                    for place in await asyncio.to_thread(self._store.adopt, self._desk.holder):
                        await self._adopt(place, begin)
            except DatabaseError as error:
                _log.warning("The places of runs cannot be renewed: %s", error)
            await asyncio.sleep(KEEP_SECONDS)

    async def _look(self) -> None:
        """Looks which runs wait, of this process and of others, again until nothing has changed here meanwhile."""
        while True:
            changes = self._changes
            places = await asyncio.to_thread(self._store.places, "run")
            if changes == self._changes:
                self.waiting = frozenset(_session_of(one) for one in places if not one.started)
                return

    def _set_waiting(self, keys: frozenset[SessionKey]) -> None:
        self.waiting = keys
        self._changes += 1

    async def close(self) -> None:
        """Leaves what waits to another process, or to the next start. Call it before the runs are ended."""
        self._is_closing = True
        if self._desk.has_places:
            with suppress(DatabaseError, TimeoutError):  # else they are left when their lease ends
                async with asyncio.timeout(CLOSE_SECONDS):
                    await asyncio.to_thread(self._store.renew, self._desk.holder, ends=True)

    async def _adopt(self, place: Place, begin: Callable[[RunOrder], Coroutine[Any, Any, object]]) -> None:
        try:
            await begin(_ORDER.validate_json(place.work))
        except (PlaygroundError, ValidationError) as error:
            _log.warning("A waiting run of a process that has ended cannot begin: %s", error)
            await self.leave(place)

    async def _wait(self, place: Place, tell: Callable[[str], None]) -> None:
        told = -1
        while True:
            freed = self._freed
            places = await self._places()
            if not self._has(places, place):
                await asyncio.to_thread(self._store.renew, self._desk.holder)  # this process may have stood still
                places = await asyncio.to_thread(self._store.places, "run")
                if not self._has(places, place):
                    raise asyncio.CancelledError(f"The place of {place.id} was given up.")
            found = self._desk.turns(places)
            if place.id in found.may_start:
                with suppress(KeyError):
                    if (await asyncio.to_thread(self._desk.take_run, place)).started:
                        break
            elif place.id in found.waiting and (position := found.waiting.index(place.id)) != told:
                told = position
                tell(f"Waiting for its turn: number {position + 1} of {len(found.waiting)} in the queue. Stop takes it out.")
            with suppress(TimeoutError):
                await asyncio.wait_for(freed.wait(), LOOK_SECONDS)
        tell("")

    def _has(self, places: Sequence[Place], place: Place) -> bool:
        return any((one.id, one.holder) == (place.id, place.holder) for one in places)

    async def _places(self) -> list[Place]:
        """The places; many who ask at a time read them once."""
        if self._read is None or self._read.done():
            self._read = asyncio.create_task(asyncio.to_thread(self._store.places, "run"))
        return await asyncio.shield(self._read)


def _session_of(place: Place) -> SessionKey:
    pipeline, _, session_id = place.of.partition("/")
    return SessionKey(pipeline, session_id, place.user_id)
