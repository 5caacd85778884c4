"""The contract of what users use. Counts come from the store alone: all servers and workers of a database share them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from agents.event import Event
from agents.log import TraceRecord
from agents.records import ModelFinished, ModelStarted

DAY_SECONDS = 86_400
"""Seconds of a day. Days begin at 00:00 UTC, so that all servers agree on them."""
LEASE_SECONDS = 15.0
"""Seconds after which a place is given up whose holder does not renew it."""


Kind = Literal["run", "viewer"]


class ModelUse(NamedTuple):
    """What a user asked of a model on one day.

    Attributes:
        user_id: The user.
        model: The model; "" counts the calls that were let through by `UseStore.count_call`.
        calls: Calls.
        input: Tokens sent, cached ones included.
        cached: Cached tokens among them.
        output: Tokens received, thoughts included.
        searches: Searches that the provider bills.
    """

    user_id: str
    model: str
    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    searches: int = 0

    def plus(self, other: ModelUse) -> ModelUse:
        """The sum of both, with the names of this one."""
        return ModelUse(
            self.user_id,
            self.model,
            self.calls + other.calls,
            self.input + other.input,
            self.cached + other.cached,
            self.output + other.output,
            self.searches + other.searches,
        )


class Held(NamedTuple):
    """What a user keeps.

    Attributes:
        user_id: The user.
        sessions: Sessions that are not deleted.
        bytes: Bytes of all their logs, deleted ones until they are removed for good, and of the files that agents saved.
    """

    user_id: str
    sessions: int
    bytes: int


class Place(NamedTuple):
    """The place of a run, under way or waiting, or of a socket.

    Attributes:
        id: Names it.
        kind: What it is of.
        user_id: Whose it is.
        holder: The process that renews it.
        of: The pipeline and the id of the session that is run, with a slash between; "" for a socket.
        work: What a waiting run is to do, as JSON, so that another process can do it. Only `adopt` and `withdraw` read it.
        started: Whether it is under way.
        turn: Runs begin in the order of their turns.
    """

    id: str
    kind: Kind
    user_id: str
    holder: str
    of: str = ""
    work: str = ""
    started: bool = False
    turn: int = 0


class UseStore(ABC):
    """Counts what users use. For any thread; methods block, and may raise `DatabaseError`. It checks no rights."""

    @abstractmethod
    def model_use(self, day: int, user_id: str | None = None) -> list[ModelUse]:
        """What was asked of models on a day, by user and model.

        Args:
            day: The day, in days since the epoch.
            user_id: One user's; None for all.
        """

    @abstractmethod
    def held(self, user_id: str | None = None) -> list[Held]:
        """What each user keeps; with an id that user alone, who may keep nothing."""

    @abstractmethod
    def count_call(self, user_id: str, day: int, check: Callable[[list[ModelUse]], object], *, of_all: bool = False) -> None:
        """Counts a model call that is to be made, in one step with a check; see `ModelUse.model`.

        Args:
            user_id: The user.
            day: The day.
            check: Called with the day's use so far. What it raises is raised, and nothing is counted.
            of_all: Whether it is called with the use of all users, not of this one alone.
        """

    @abstractmethod
    def take(self, wanted: Place, decide: Callable[[Sequence[Place]], Place], *, is_new: bool = True) -> Place:
        """Takes a place or tries again for one that waits, in one step with the decision.

        Args:
            wanted: The place. If it is there, it is renewed, unless another holder has it.
            decide: Called with all places of its kind in the order in which they came. It returns this one as it is to be.
                What it raises is raised, and nothing is changed.
            is_new: Whether the place is made if it is not there.

        Returns:
            The place as it is now.
        """

    @abstractmethod
    def places(self, kind: Kind) -> list[Place]:
        """The places of a kind whose holders live, in the order in which they came."""

    @abstractmethod
    def leave(self, place_id: str, holder: str) -> bool:
        """Gives a holder's place up; False if it is not there, or another holder has it."""

    @abstractmethod
    def withdraw(self, place_id: str) -> Place | None:
        """Takes a waiting run's place from whoever holds it, and returns it; None if it is not there, or under way."""

    @abstractmethod
    def renew(self, holder: str, *, ends: bool = False) -> None:
        """Renews all places of a holder for `LEASE_SECONDS`; or ends them now, so that others may adopt them."""

    @abstractmethod
    def adopt(self, holder: str) -> list[Place]:
        """Takes over the waiting runs of holders that live no longer, and forgets their other places."""

    def close(self) -> None:
        """Closes the file, if there is one."""
        return


def _count(value: Any) -> int:
    """A number of a record, which users' models may have told: never less than 0."""
    return max(0, value) if isinstance(value, int) else 0


def _priced_name(finished: TraceRecord) -> str:
    """The first of `agents.models.pricing.priced_names`."""
    asked, answered = str(finished.data.get("model") or ""), finished.data.get("answered_by")
    return str(answered) if answered and "/" not in asked.removeprefix("models/") else asked


def spent(user_id: str, entries: Iterable[Event | TraceRecord | None]) -> dict[tuple[int, str], ModelUse]:
    """What entries add to a user's use, by day and model."""
    found: dict[tuple[int, str], ModelUse] = {}
    for entry in entries:
        if type(entry) is not TraceRecord:
            continue
        if entry.kind == ModelStarted.kind:
            use = ModelUse(user_id, str(entry.data.get("model") or ""), 1)
        elif entry.kind == ModelFinished.kind:
            tokens: Mapping[str, Any] = entry.data.get("usage") or {}
            sent, cached, output, thoughts = (_count(tokens.get(name)) for name in ("input", "cached", "output", "thoughts"))
            searches = _count(entry.data.get("searches"))
            use = ModelUse(user_id, _priced_name(entry), 0, sent, cached, output + thoughts, searches)
        else:
            continue
        key = (int(entry.timestamp // DAY_SECONDS), use.model or "?")
        found[key] = found.get(key, ModelUse(user_id, key[1])).plus(use)
    return found
