"""`Bullets`: bullets by section, as a value that never changes.

A change gives a new value that shares nearly all of the old one, so a change takes the same time however many bullets there
are, and a run can keep its playbook while others change theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from operator import attrgetter
from typing import Any, Self, TypeVar

from immutables import Map

from agents.ace.bullet import StoredBullet, number_of, section_key
from agents.ace.formats.shapes import first_twice
from agents.ace.formats.text import write_prompt
from agents.ace.models import as_stored
from agents.ace.value.totals import Totals

_MOST_RECENT = 64
"""Changes that a value remembers: more than a batch makes."""

Value = TypeVar("Value", bound="Bullets")
"""A playbook, or what is changed like one: the result is of the same kind."""


class Bullets:
    """Bullets in order, grouped by section; equal to another with the same contents and counts.

    Attributes:
        by_id: All by their ids, in no order.
        totals: Counts of its bullets, their tags and the tokens of its prompt.
        recent: The last changes that made it: ids of bullets, each with a mark of its own; see `changed_since`.

    Args:
        bullets: In order; those without a place get the next one.
        name: What the store calls it.
        revision: How many commits made it.
        next_number: The number of the next id, in any section, and the place of its bullet; by default past all
            numbers in use.
        queries: How many queries were counted.
        tokens: Tokens of the prompt, if known; None counts them.

    Raises:
        ValueError: Two bullets have one id.
    """

    __slots__ = (
        "_in_order",
        "_prompt",
        "_sections",
        "by_id",
        "name",
        "next_number",
        "queries",
        "recent",
        "revision",
        "totals",
    )

    def __init__(
        self,
        bullets: Iterable[StoredBullet] = (),
        *,
        name: str = "",
        revision: int = 0,
        next_number: int | None = None,
        queries: int = 0,
        tokens: int | None = None,
    ) -> None:
        placed = _placed([as_stored(bullet) for bullet in bullets])
        self.by_id: Map[str, StoredBullet] = Map({bullet.id: bullet for bullet in placed})
        if len(self.by_id) < len(placed):
            twice = first_twice(bullet.id for bullet in placed)
            raise ValueError(f"Two bullets are called {twice!r}. An id names one bullet: give one of them another.")
        self._in_order: tuple[StoredBullet, ...] | None = tuple(placed)
        self._sections: dict[str, tuple[StoredBullet, ...]] | None = None
        self._prompt: str | None = None
        self.name = name
        self.revision = revision
        self.next_number = max(map(_past, placed), default=1) if next_number is None else next_number
        self.queries = queries
        self.totals = Totals.of(placed, tokens=tokens)
        self.recent: tuple[tuple[object, str], ...] = ()

    def __len__(self) -> int:
        return len(self.by_id)

    def __contains__(self, bullet_id: object) -> bool:
        return bullet_id in self.by_id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bullets):
            return NotImplemented
        return len(self) == len(other) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, revision={self.revision}, {len(self)} bullets)"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def _said(self) -> tuple[Any, ...]:
        return tuple(bullet.said for bullets in self.sections.values() for bullet in bullets)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the prompt: of the active bullets' lines and of their sections' headers."""
        return self.totals.tokens

    @property
    def helpful(self) -> int:
        """How often its bullets were tagged helpful."""
        return self.totals.helpful

    @property
    def harmful(self) -> int:
        """How often its bullets were tagged harmful."""
        return self.totals.harmful

    @property
    def bullets(self) -> tuple[StoredBullet, ...]:
        """All, in the order of their places."""
        if self._in_order is None:
            self._in_order = tuple(sorted(self.by_id.values(), key=attrgetter("place")))
        return self._in_order

    @property
    def active(self) -> tuple[StoredBullet, ...]:
        """Those that are not archived."""
        return tuple(bullet for bullet in self.bullets if not bullet.archived)

    @property
    def sections(self) -> dict[str, tuple[StoredBullet, ...]]:
        """Bullets by section, sections in the order of their first bullets. Do not change it."""
        if self._sections is None:
            found: dict[str, list[StoredBullet]] = {}
            for bullet in self.bullets:
                found.setdefault(bullet.section, []).append(bullet)
            self._sections = {name: tuple(bullets) for name, bullets in found.items()}
        return self._sections

    def get(self, bullet_id: str) -> StoredBullet | None:
        """The bullet of that id, or None."""
        return self.by_id.get(bullet_id)

    def section_like(self, name: str) -> str:
        """The existing section that `name` means, however it is spelled; `name` itself if there is none."""
        return name if name in self.totals.sections else self.sections_like()(name)

    def sections_like(self) -> Callable[[str], str]:
        """`section_like` for many names; the sections are read once."""
        known = {section_key(name): name for name in sorted(self.totals.sections, reverse=True)}
        return lambda name: name if name in self.totals.sections else known.get(section_key(name), name)

    def with_bullet(self, bullet: StoredBullet) -> Self:
        """With a bullet at its place, or at the next free place. It replaces a bullet with the same id."""
        bullet, old = as_stored(bullet), self.get(bullet.id)
        if not bullet.place:
            bullet = bullet._replace(place=self.next_number if old is None else old.place)
        copy = self._with(self.by_id.set(bullet.id, bullet), bullet.id)
        copy.next_number = max(self.next_number, _past(bullet))
        copy.totals = self.totals.with_bullet(bullet) if old is None else self.totals.replaced(old, bullet)
        return copy

    def without(self, bullet_id: str) -> Self:
        """Without a bullet; it must be there."""
        copy = self._with(self.by_id.delete(bullet_id), bullet_id)
        copy.totals = self.totals.without(self.by_id[bullet_id])
        return copy

    def changed_since(self, mark: object) -> Collection[str] | None:
        """The ids of the bullets that may have changed since a change in `recent` of an earlier value.

        Args:
            mark: The mark of that change.

        Returns:
            None if that change is too long ago, or is none of this value's.
        """
        marks = [one for one, _ in self.recent]
        return {id_ for _, id_ in self.recent[marks.index(mark) + 1 :]} if mark in marks else None

    def replace(self, **attributes: Any) -> Self:
        """With another `name`, `revision`, `next_number`, `queries` or `totals`."""
        copy = type(self).__new__(type(self))
        copy._become(self)
        for name, value in attributes.items():
            setattr(copy, name, value)
        return copy

    def _with(self, bullets: Map[str, StoredBullet], changed: str) -> Self:
        copy = self.replace(by_id=bullets, _in_order=None, _sections=None, _prompt=None)
        copy.recent = (*self.recent[1 - _MOST_RECENT :], (object(), changed))
        return copy

    def _become(self, other: Bullets) -> None:
        for slot in Bullets.__slots__:
            setattr(self, slot, getattr(other, slot))

    def as_prompt(self, ids: Collection[str] | None = None) -> str:
        """The playbook as a model reads it: active bullets, or those of `ids`, by section in the official format.

        No content of a bullet can pass for another bullet, a section or a tag.
        """
        if ids is None:
            if self._prompt is None:  # kept: the samples of a lab run read the same playbook again and again
                self._prompt = write_prompt(self.active)
            return self._prompt
        chosen = set(ids)
        return write_prompt(bullet for bullet in self.bullets if bullet.id in chosen)


def _placed(bullets: list[StoredBullet]) -> list[StoredBullet]:
    """Bullets in order with unique places that grow; as they are if theirs do."""
    if all(before < after for before, after in pairwise([0, *(bullet.place for bullet in bullets)])):
        return bullets
    return [bullet._replace(place=place) for place, bullet in enumerate(bullets, start=1)]


def _past(bullet: StoredBullet) -> int:
    return max(number_of(bullet.id), bullet.place) + 1
