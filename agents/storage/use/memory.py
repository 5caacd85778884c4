"""`InMemoryUseStore`: what users use of sessions in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from agents.storage.use.store import Held, Kind, ModelUse, Place, UseStore


class InMemoryUseStore(UseStore):
    """Counts in this process, which holds all places.

    Args:
        held: Returns what each user keeps, by user id.
    """

    def __init__(self, held: Callable[[], Mapping[str, Held]] = dict) -> None:
        self._lock = threading.Lock()
        self._held = held
        self._use: dict[tuple[int, str, str], ModelUse] = {}
        self._places: dict[str, Place] = {}

    def add(self, spent: Mapping[tuple[int, str], ModelUse]) -> None:
        """Adds what entries spent; see `agents.storage.use.store.spent`."""
        with self._lock:
            for (day, _), use in spent.items():
                self._add(day, use)

    def model_use(self, day: int, user_id: str | None = None) -> list[ModelUse]:
        with self._lock:
            return self._of(day, user_id)

    def held(self, user_id: str | None = None) -> list[Held]:
        found = self._held()
        return list(found.values()) if user_id is None else [found.get(user_id, Held(user_id, 0, 0))]

    def count_call(self, user_id: str, day: int, check: Callable[[list[ModelUse]], object], *, of_all: bool = False) -> None:
        with self._lock:
            check(self._of(day, None if of_all else user_id))
            self._add(day, ModelUse(user_id, "", 1))

    def take(self, wanted: Place, decide: Callable[[Sequence[Place]], Place], *, is_new: bool = True) -> Place:
        with self._lock:
            made = {wanted.id: wanted} if is_new and wanted.id not in self._places else {}
            there = {**self._places, **made}
            found = decide([place._replace(work="") for place in there.values() if place.kind == wanted.kind])
            self._places = {**there, found.id: found._replace(work=there[found.id].work)}
            return found

    def places(self, kind: Kind) -> list[Place]:
        with self._lock:
            return [place._replace(work="") for place in self._places.values() if place.kind == kind]

    def leave(self, place_id: str, holder: str) -> bool:
        with self._lock:
            is_there = place_id in self._places and self._places[place_id].holder == holder
            if is_there:
                del self._places[place_id]
            return is_there

    def withdraw(self, place_id: str) -> Place | None:
        with self._lock:
            found = self._places.get(place_id)
            return self._places.pop(place_id) if found and found.kind == "run" and not found.started else None

    def renew(self, holder: str, *, ends: bool = False) -> None:
        if ends:
            with self._lock:
                self._places = {key: place for key, place in self._places.items() if place.holder != holder}

    def adopt(self, holder: str) -> list[Place]:
        return []

    def _of(self, day: int, user_id: str | None) -> list[ModelUse]:
        return [use for (at, user, _), use in sorted(self._use.items()) if at == day and user_id in (None, user)]

    def _add(self, day: int, use: ModelUse) -> None:
        key = (day, use.user_id, use.model)
        self._use[key] = self._use.get(key, ModelUse(use.user_id, use.model)).plus(use)
