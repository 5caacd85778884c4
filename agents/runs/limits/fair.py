"""Whose turn it is: runs begin round robin by user, in the order in which they came (start-time fair queueing)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agents.storage.use.store import Place


class Turns(NamedTuple):
    """What places come to.

    Attributes:
        may_start: The ids of waiting runs whose turn it is.
        waiting: The ids of the others, in the order in which they are expected to begin.
    """

    may_start: frozenset[str]
    waiting: tuple[str, ...]


def next_turn(places: Iterable[Place], user_id: str) -> int:
    """The turn of a user's next run: after the user's own runs, and not before the turn that the queue is at."""
    there = list(places)
    own = max((place.turn + 1 for place in there if place.user_id == user_id), default=0)
    begun = max((place.turn for place in there if place.started), default=None)
    return max(own, min((place.turn for place in there), default=0) if begun is None else begun)


def turns(places: Sequence[Place], *, of_user: int | None, of_all: int | None) -> Turns:
    """Decides which of the waiting runs begin.

    A user whose runs at once are used up keeps nobody else waiting.

    Args:
        places: The places of all runs, in the order in which they came.
        of_user: Most runs at once of a user; None for no limit.
        of_all: Most runs at once of all users; None for no limit.
    """
    running = Counter(place.user_id for place in places if place.started)
    free = None if of_all is None else of_all - running.total()
    may_start: set[str] = set()
    waiting: list[str] = []
    for place in sorted((place for place in places if not place.started), key=lambda place: place.turn):
        is_able = of_user is None or running[place.user_id] < of_user
        if is_able and (free is None or len(may_start) < free):
            may_start.add(place.id)
            running[place.user_id] += 1
        else:
            waiting.append(place.id)
    return Turns(frozenset(may_start), tuple(waiting))
