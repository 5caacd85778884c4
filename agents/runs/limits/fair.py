"""Whose turn it is: runs begin round robin by user, in the order in which they came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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


def turns(places: Sequence[Place], *, of_user: int | None, of_all: int | None) -> Turns:
    """Decides which of the waiting runs begin.

    A user's n-th run, those under way counted, comes after all others' (n-1)-th. A user whose runs at once are used up keeps
    nobody else waiting.

    Args:
        places: The places of all runs, in the order in which they came.
        of_user: Most runs at once of a user; None for no limit.
        of_all: Most runs at once of all users; None for no limit.
    """
    count = Counter(place.user_id for place in places if place.started)
    free = None if of_all is None else of_all - count.total()
    ranked: list[tuple[int, int, str]] = []
    for arrival, place in enumerate(places):
        if not place.started:
            ranked.append((count[place.user_id], arrival, place.id))
            count[place.user_id] += 1
    ranked.sort()
    able = [place_id for before, _, place_id in ranked if of_user is None or before < of_user]
    may_start = frozenset(able if free is None else able[: max(0, free)])
    return Turns(may_start, tuple(place_id for _, _, place_id in ranked if place_id not in may_start))
