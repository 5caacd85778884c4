"""Comparison of sessions, aligned by agent path, loop pass and turn: what is the same, what changed, what only one has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain, zip_longest
from typing import Literal

from agents.history.turns import COMPARED, Place, Turn, TurnFold, Usage
from agents.log import LogEntry
from agents.models.pricing import recorded_cost
from agents.models.provider import Price

Kind = Literal["same", "changed", "only"]


@dataclass(frozen=True, slots=True)
class Row:
    """One place in all sessions.

    Attributes:
        place: The place.
        turns: The turn of each session; None where a session has none.
        kind: "same" if all have it and read the same, "changed" if all have it, "only" if not all have it.
        differs: The fields of `Turn` in which they differ, and "order" if they came in another order.
    """

    place: Place
    turns: tuple[Turn | None, ...]
    kind: Kind
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sessions side by side.

    Attributes:
        rows: All places, in the order in which the sessions reached them.
        usage: What each session used; `seconds` is the time of its runs.
        divergence: Index of the first row that is not the same; None if all are.
        changed: What was changed in each that is a fork, in words; "" for the others.
    """

    rows: tuple[Row, ...]
    usage: tuple[Usage, ...]
    divergence: int | None
    changed: tuple[str, ...] = ()

    def count(self, kind: Kind) -> int:
        """How many rows are of a kind."""
        return sum(row.kind == kind for row in self.rows)


def compare(logs: Sequence[Sequence[LogEntry]], *, prices: Mapping[str, Price] | None = None) -> Comparison:
    """Compares two or more sessions, of one pipeline or of several. Takes time in proportion to the logs.

    Args:
        logs: The log of each session from its beginning; it may still grow.
        prices: Prices by model; without them only models on this machine have a cost, 0.
    """
    growing = GrowingComparison(len(logs), prices=prices)
    growing.take(logs)
    return growing.result


class GrowingComparison:
    """A comparison of sessions that may still run: each entry of their logs is read once.

    Args:
        count: How many sessions.
        prices: As for `compare`.
    """

    def __init__(self, count: int, *, prices: Mapping[str, Price] | None = None) -> None:
        self._folds = [TurnFold(partial(recorded_cost, table=prices or {})) for _ in range(count)]
        self._result: Comparison | None = None

    @property
    def last(self) -> list[int]:
        """`seq` of the last entry that was taken of each session."""
        return [fold.last for fold in self._folds]

    def take(self, more: Sequence[Sequence[LogEntry]]) -> None:
        """Takes what each log has gained since."""
        for fold, entries in zip(self._folds, more, strict=True):
            for entry in entries:
                fold.take(entry)
        if any(more):
            self._result = None

    @property
    def result(self) -> Comparison:
        """The comparison of what was taken."""
        if self._result is None:
            self._result = _compared(self._folds)
        return self._result


def _compared(folds: Sequence[TurnFold]) -> Comparison:
    by_place = [{turn.place: turn for turn in fold.turns} for fold in folds]
    order = reduce(_merged, (list(found) for found in by_place))
    moved = _moved(by_place)
    rows = tuple(_row(place, tuple(found.get(place) for found in by_place), moved=place in moved) for place in order)
    divergence = next((index for index, row in enumerate(rows) if row.kind != "same"), None)
    return Comparison(rows, tuple(fold.total() for fold in folds), divergence, tuple(fold.changed for fold in folds))


def _row(place: Place, turns: tuple[Turn | None, ...], *, moved: bool) -> Row:
    there = [turn for turn in turns if turn is not None]
    differs = tuple(name for name in COMPARED if any(getattr(turn, name) != getattr(there[0], name) for turn in there[1:]))
    if moved:
        differs = (*differs, "order")
    if len(there) < len(turns):
        return Row(place, turns, "only", differs)
    return Row(place, turns, "changed" if differs else "same", differs)


def _moved(by_place: Sequence[Mapping[Place, Turn]]) -> set[Place]:
    """The places that all have, and that one session reached in another order within their parallel branch."""
    shared = set(by_place[0]).intersection(*by_place[1:])
    orders = [_by_branch(found, shared) for found in by_place]
    return {
        place
        for branch, places in orders[0].items()
        for other in orders[1:]
        for place, theirs in zip_longest(places, other.get(branch, ()))
        if place != theirs and place is not None
    }


def _by_branch(found: Mapping[Place, Turn], shared: Collection[Place]) -> dict[str, list[Place]]:
    places: dict[str, list[Place]] = {}
    for place, turn in found.items():
        if place in shared:
            places.setdefault(turn.branch, []).append(place)
    return places


def _merged(one: list[Place], other: list[Place]) -> list[Place]:
    """The places of both, in an order that does not depend on which is first.

    Places of both are in the order of their ranks. What only one has follows the
    last place of both before it.
    """
    shared = set(one).intersection(other)
    after_one, after_other = _after_shared(one, shared), _after_shared(other, shared)
    ranks = [{place: rank for rank, place in enumerate(p for p in places if p in shared)} for places in (one, other)]
    known = sorted(shared, key=lambda place: (ranks[0][place] + ranks[1][place], place))
    blocks = ([*([] if place is None else [place]), *_blocks(place, after_one, after_other)] for place in (None, *known))
    return list(chain.from_iterable(blocks))


def _blocks(place: Place | None, *after: Mapping[Place | None, list[Place]]) -> list[Place]:
    return list(chain.from_iterable(sorted(found[place] for found in after if place in found)))


def _after_shared(places: list[Place], shared: set[Place]) -> dict[Place | None, list[Place]]:
    """The places that only one has, by the place of both that they follow."""
    found: dict[Place | None, list[Place]] = {}
    last: Place | None = None
    for place in places:
        if place in shared:
            last = place
        else:
            found.setdefault(last, []).append(place)
    return found
