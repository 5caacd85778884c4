"""What users use of their limits, and the checks of them, for callers in any thread."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial

from agents.access import OWNER, Action, User, require
from agents.access.limits import BYTES, DAILY, LIMITS, Limit, Limits, Quota, reached
from agents.models.pricing import call_cost
from agents.models.provider import Price
from agents.runs.limits.fair import Turns, next_turn, turns
from agents.storage.use.store import DAY_SECONDS, Held, ModelUse, Place, UseStore

_KILO = 1000.0
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True)
class Use:
    """What is used of a limit.

    Attributes:
        limit: The limit.
        used: How much is used, in the limit's unit.
        most: The limit's value; None for none.
        free_at: When a day's use begins anew, in seconds since the epoch; None for what is no day's.
    """

    limit: Limit
    used: float
    most: float | None
    free_at: float | None = None


class UseDesk:
    """What is used, and what may still be used; see `agents.access.limits`. Methods may raise `DatabaseError`.

    Attributes:
        limits: The limits.
        holder: Names this process as the holder of places.

    Args:
        limits: The limits.
        store: Where use is counted.
        prices: Returns the prices in effect.
        now: Tells the time, in seconds since the epoch.
    """

    def __init__(
        self,
        limits: Limits,
        store: UseStore,
        prices: Callable[[], Mapping[str, Price]],
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.limits, self.holder = limits, uuid.uuid4().hex
        self._store, self._prices, self._now = store, prices, now
        self._places: set[str] = set()
        self._user = OWNER

    def as_user(self, user: User) -> UseDesk:
        """The same for another user."""
        bound = copy(self)
        bound._user = user
        return bound

    @property
    def has_places(self) -> bool:
        """Whether this process holds places, which `UseStore.renew` has to renew."""
        return bool(self._places)

    def own(self) -> list[Use]:
        """What the user uses of each limit but uploads, which a server counts."""
        quota = Quota() if self._user.is_owner else self.limits.user
        places = [*self._store.places("run"), *self._store.places("viewer")]
        return self._uses(self._user.id, self._store.model_use(self._day(), self._user.id), self._store.held(self._user.id),
                          places, quota)  # fmt: skip

    def everyone(self) -> dict[str, list[Use]]:
        """The same of all users who use something, by user id.

        Raises:
            NotPermittedError: The user may not see that.
        """
        require(self._user, Action.MANAGE_USERS)
        models, held = self._store.model_use(self._day()), self._store.held()
        places = [*self._store.places("run"), *self._store.places("viewer")]
        users = {each.user_id for each in (*models, *held, *places)}
        return {
            user: self._uses(user, models, held, places, Quota() if user == OWNER.id else self.limits.user)
            for user in sorted(users)
        }

    def check_room(self, user_id: str, count: Callable[[bool], int]) -> None:
        """See `BaseSessionService.check_room`.

        Raises:
            LimitReachedError: The user, or all together, may have no more sessions, or no more bytes.
        """
        if user_id == OWNER.id:
            return
        for of_all, quota in self._quotas():
            if quota.sessions is not None and (used := count(not of_all)) >= quota.sessions:
                raise _reached("sessions", used, quota.sessions, of_all=of_all)
        self.check_storage(user_id)

    def check_storage(self, user_id: str) -> None:
        """Checks that a user may store more.

        Raises:
            LimitReachedError: They may not.
        """
        if user_id == OWNER.id:
            return
        for of_all, quota in self._quotas():
            if quota.storage is not None:
                held = self._store.held(None if of_all else user_id)
                used = sum(each.bytes for each in held if not of_all or each.user_id != OWNER.id)
                if used >= quota.storage:
                    raise _reached("storage", used, quota.storage, of_all=of_all)

    def check_uploads(self, size: int, own: int, held: int) -> None:
        """Checks that a file may be uploaded to this server.

        Args:
            size: Its bytes.
            own: Bytes of the user's uploads that the server holds.
            held: Bytes of all uploads that it holds.

        Raises:
            LimitReachedError: It may not; all uploads have the workspace's limit, the owner's too.
        """
        for of_all, quota in self._quotas():
            used = held if of_all else own
            if quota.uploads is not None and used + size > quota.uploads and (of_all or not self._user.is_owner):
                raise _reached("uploads", used + size, quota.uploads, of_all=of_all)

    def check_run(self, user_id: str) -> None:
        """Checks that a run may begin.

        Raises:
            LimitReachedError: The user may store no more, or the day's calls, tokens or dollars are used up.
        """
        self.check_storage(user_id)
        self._check_day(user_id, self._store.model_use(self._day(), None if self._counts_all else user_id))

    def allow_call(self, user_id: str) -> None:
        """Counts a model call that a user's run is about to make.

        Raises:
            LimitReachedError: The day's calls, tokens or dollars are used up.
        """
        self._store.count_call(user_id, self._day(), partial(self._check_day, user_id), of_all=self._counts_all)

    @property
    def _counts_all(self) -> bool:
        return any(self.limits.workspace.most(limit) is not None for limit in DAILY)

    def _check_day(self, user_id: str, rows: Sequence[ModelUse]) -> None:
        for of_all, quota in self._quotas():
            mine = [row for row in rows if (row.user_id != OWNER.id if of_all else row.user_id == user_id)]
            for limit in LIMITS:
                most = quota.most(limit) if limit in DAILY else None
                if most is not None and (used := self._spent(limit, mine)) >= most:
                    raise _reached(limit, used, most, of_all=of_all, seconds=self._next_day() - self._now())

    def turns(self, places: Sequence[Place]) -> Turns:
        """Whose turn it is among the places of runs."""
        return turns(places, of_user=self.limits.user.runs, of_all=self.limits.workspace.runs)

    def take_run(self, place: Place, *, is_new: bool = False) -> Place:
        """Takes a run's place, or tries again for one that waits; it is under way if it may begin.

        Raises:
            LimitReachedError: No more runs may wait.
            KeyError: The place is not this process's any more.
        """

        def decide(places: Sequence[Place]) -> Place:
            mine = next((one for one in places if (one.id, one.holder) == (place.id, place.holder)), None)
            if mine is None:
                raise KeyError(place.id)
            others = [one for one in places if one.id != place.id]
            if is_new:
                mine = mine._replace(turn=next_turn(others, place.user_id))
            found = self.turns([mine if one.id == place.id else one for one in places])
            if mine.started or place.id in found.may_start:
                return mine._replace(started=True)
            if is_new:
                waits = {one.id: one.user_id for one in places if one.id in found.waiting and one.id != place.id}
                own = sum(user == place.user_id for user in waits.values())
                self._check_places("waiting", own, len(waits))
            return mine

        taken = self._store.take(place, decide, is_new=is_new)
        self._places.add(place.id)
        return taken

    def take_viewer(self) -> str | None:
        """Takes a place for an open page of the user; give it to `leave`. None for the owner, who needs none.

        Raises:
            LimitReachedError: They, or all together, have too many open.
        """
        if self._user.is_owner:
            return None
        place = Place(uuid.uuid4().hex, "viewer", self._user.id, self.holder)

        def decide(places: Sequence[Place]) -> Place:
            self._check_places("viewers", sum(one.user_id == self._user.id for one in places) - 1, len(places) - 1)
            return place._replace(started=True)

        self._store.take(place, decide)
        self._places.add(place.id)
        return place.id

    def leave(self, place_id: str) -> bool:
        """Gives a place up; False if this process does not hold it any more."""
        self._places.discard(place_id)
        return self._store.leave(place_id, self.holder)

    def _check_places(self, limit: Limit, own: int, of_all: int) -> None:
        for is_all, quota in self._quotas():
            most, used = quota.most(limit), of_all if is_all else own
            if most is not None and used >= most:
                raise _reached(limit, used, most, of_all=is_all)

    def _quotas(self) -> Iterable[tuple[bool, Quota]]:
        return (False, self.limits.user), (True, self.limits.workspace)

    def _uses(
        self, user: str, models: Iterable[ModelUse], held: Iterable[Held], places: Iterable[Place], quota: Quota
    ) -> list[Use]:
        rows = [row for row in models if row.user_id == user]
        kept = next((each for each in held if each.user_id == user), Held(user, 0, 0))
        own = [place for place in places if place.user_id == user]
        counts: dict[Limit, float] = {
            "runs": sum(place.kind == "run" and place.started for place in own),
            "waiting": sum(place.kind == "run" and not place.started for place in own),
            "sessions": kept.sessions,
            "storage": kept.bytes,
            "viewers": sum(place.kind == "viewer" for place in own),
            **{limit: self._spent(limit, rows) for limit in DAILY},
        }
        tomorrow = self._next_day()
        return [
            Use(limit, counts[limit], quota.most(limit), tomorrow if limit in DAILY else None)
            for limit in LIMITS
            if limit in counts
        ]

    def _spent(self, limit: Limit, rows: Sequence[ModelUse]) -> float:
        if limit == "tokens":
            return sum(row.input + row.output for row in rows)
        if limit == "model_calls":  # of a run in a worker, the one that was let through may not be in the log yet
            by_user = {row.user_id for row in rows}
            return sum(_calls([row for row in rows if row.user_id == user]) for user in by_user)
        prices = self._prices()
        return sum(_cost(row, prices) for row in rows)

    def _day(self) -> int:
        return int(self._now() // DAY_SECONDS)

    def _next_day(self) -> float:
        return (self._day() + 1.0) * DAY_SECONDS


def _calls(rows: Sequence[ModelUse]) -> int:
    """A user's calls: those that were let through; the owner's are in the log alone."""
    return next((row.calls for row in rows if not row.model), sum(row.calls for row in rows))


def _cost(use: ModelUse, prices: Mapping[str, Price]) -> float:
    tokens = {"input": use.input, "cached": use.cached, "output": use.output}
    return call_cost(use.model, None, tokens, use.searches, prices) or 0.0


def _reached(limit: Limit, used: float, most: float, *, of_all: bool, seconds: float | None = None) -> Exception:
    return reached(limit, used, most, of_all=of_all, shown=(in_words(limit, used), in_words(limit, most)), seconds=seconds)


def in_words(limit: Limit, amount: float) -> str:
    """An amount of what a limit counts, e.g. "2.0 GB", "12,000", "1.50"."""
    if limit == "cost":
        return f"{amount:,.2f}"
    if limit not in BYTES:
        return f"{amount:,.0f}"
    unit = 0
    while amount >= _KILO and unit < len(_UNITS) - 1:
        amount, unit = amount / _KILO, unit + 1
    return f"{amount:.{1 if unit else 0}f} {_UNITS[unit]}"
