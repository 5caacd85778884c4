"""`Bullets`: bullets by section, as a value that never changes.

A change gives a new value that shares nearly all of the old one, so a run can keep its playbook while others change
theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, Self, TypeVar

from immutables import Map

from agents.ace.bullet import StoredBullet, number_of, section_key
from agents.ace.formats.shapes import first_twice
from agents.ace.formats.text import prompt_lines, write_prompt
from agents.ace.models import as_stored
from agents.ace.ordered import Chunk, Ordered
from agents.ace.value.totals import Totals, line_tokens

Value = TypeVar("Value", bound="Bullets")
"""A playbook, or what is changed like one: the result is of the same kind."""


class Bullets:
    """Bullets in order, grouped by section; equal to another with the same contents and counts.

    Attributes:
        totals: Counts of its bullets, their tags and the tokens of its prompt.

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

    __slots__ = ("_bullets", "_index", "_sections", "name", "next_number", "queries", "revision", "totals")

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
        index = {bullet.id: bullet.place for bullet in placed}
        if len(index) < len(placed):
            twice = first_twice(bullet.id for bullet in placed)
            raise ValueError(f"Two bullets are called {twice!r}. An id names one bullet: give one of them another.")
        self._bullets = Ordered[StoredBullet].of(placed)
        self._index: Map[str, int] = _with_index(Map(), index)
        self._sections: dict[str, tuple[StoredBullet, ...]] | None = None
        self.name = name
        self.revision = revision
        self.next_number = _past(placed) if next_number is None else next_number
        self.queries = queries
        self.totals = Totals.of(placed, tokens=tokens)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, bullet_id: object) -> bool:
        return bullet_id in self._index

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
        return tuple(self._bullets)

    @property
    def active(self) -> tuple[StoredBullet, ...]:
        """Those that are not archived."""
        return tuple(bullet for bullet in self._bullets if not bullet.archived)

    @property
    def sections(self) -> dict[str, tuple[StoredBullet, ...]]:
        """Bullets by section, sections in the order of their first bullets. Do not change it."""
        if self._sections is None:
            found: dict[str, list[StoredBullet]] = {}
            for bullet in self._bullets:
                found.setdefault(bullet.section, []).append(bullet)
            self._sections = {name: tuple(bullets) for name, bullets in found.items()}
        return self._sections

    def get(self, bullet_id: str) -> StoredBullet | None:
        """The bullet of that id, or None."""
        place = self._index.get(bullet_id)
        return None if place is None else self._bullets.get(place)

    def section_like(self, name: str) -> str:
        """The existing section that `name` means, however it is spelled; `name` itself if there is none."""
        return name if name in self.totals.sections else self.sections_like()(name)

    def sections_like(self) -> Callable[[str], str]:
        """`section_like` for many names; the sections are read once."""
        known = {section_key(name): name for name in sorted(self.totals.sections, reverse=True)}
        return lambda name: name if name in self.totals.sections else known.get(section_key(name), name)

    def with_bullet(self, bullet: StoredBullet) -> Self:
        """With a bullet at its place, or at the next free place. It replaces a bullet with the same id.

        Raises:
            ValueError: Another bullet has that place.
        """
        bullet, old = as_stored(bullet), self.get(bullet.id)
        if not bullet.place:
            bullet = bullet._replace(place=self.next_number if old is None else old.place)
        is_in_place = old is not None and old.place == bullet.place
        bullets = self._bullets if old is None or is_in_place else self._bullets.without(old.place)
        if not is_in_place and (there := bullets.get(bullet.place)) is not None:
            raise ValueError(f"Place {bullet.place} of {bullet.id!r} is that of {there.id!r}. Give it another, or 0.")
        index = self._index if is_in_place else self._index.set(bullet.id, bullet.place)
        copy = self._with(bullets.with_item(bullet), index)
        if old is None:
            copy.next_number = max(self.next_number, number_of(bullet.id) + 1, bullet.place + 1)
            copy.totals = copy.totals.with_bullet(bullet, self._line_tokens(bullet))
        elif old[1:3] == bullet[1:3] and old.archived == bullet.archived:
            copy.totals = copy.totals.with_tags(old, bullet)
        else:
            rest = copy.totals.without(old, self._line_tokens(old))
            copy.totals = rest.with_bullet(bullet, self._line_tokens(bullet))
        return copy

    def without(self, bullet_id: str) -> Self:
        """Without a bullet; it must be there."""
        place = self._index[bullet_id]
        bullet = self._bullets.get(place)
        assert bullet is not None
        copy = self._with(self._bullets.without(place), self._index.delete(bullet_id))
        copy.totals = copy.totals.without(bullet, self._line_tokens(bullet))
        return copy

    def with_all(self, bullets: Sequence[StoredBullet]) -> Self:
        """With many bullets, as by `with_bullet` one after the other; in one step where all are new and come last."""
        places = [self._bullets.chunks[-1].end if self._bullets.chunks else 0, *(bullet.place for bullet in bullets)]
        added = {bullet.id: bullet.place for bullet in bullets}
        is_behind = all(before < after for before, after in pairwise(places))
        if len(added) < len(bullets) or not is_behind or any(id_ in self._index for id_ in added):
            playbook = self
            for bullet in bullets:
                playbook = playbook.with_bullet(bullet)
            return playbook
        copy = self._with(self._bullets.followed_by(bullets), _with_index(self._index, added))
        copy.next_number = max(self.next_number, _past(bullets))
        copy.totals = copy.totals.plus(Totals.of(bullets))
        return copy

    def without_all(self, ids: Collection[str]) -> Self:
        """Without many bullets, which must be there."""
        gone = [bullet for id_ in ids if (bullet := self.get(id_)) is not None]
        left = self._index.mutate()
        for bullet in gone:
            del left[bullet.id]
        copy = self._with(self._bullets.without_all({bullet.place for bullet in gone}), left.finish())
        for bullet in gone:
            copy.totals = copy.totals.without(bullet, self._line_tokens(bullet))
        return copy

    def replace(self, **attributes: Any) -> Self:
        """With another `name`, `revision`, `next_number` or `queries`."""
        copy = self._with(self._bullets, self._index)
        copy._sections = self._sections
        for name, value in attributes.items():
            setattr(copy, name, value)
        return copy

    def _with(self, bullets: Ordered[StoredBullet], index: Map[str, int]) -> Self:
        copy = type(self).__new__(type(self))
        copy._bullets, copy._index, copy._sections = bullets, index, None
        copy.name, copy.revision, copy.totals = self.name, self.revision, self.totals
        copy.next_number, copy.queries = self.next_number, self.queries
        return copy

    def _become(self, other: Bullets) -> None:
        for slot in Bullets.__slots__:
            setattr(self, slot, getattr(other, slot))

    def _line_tokens(self, bullet: StoredBullet) -> int:
        return line_tokens(bullet)

    def chunks(self) -> Sequence[Chunk[StoredBullet]]:
        """The bullets in chunks, which other playbooks may share; results are cached with a chunk."""
        return self._bullets.chunks

    def as_prompt(self, ids: Collection[str] | None = None) -> str:
        """The playbook as a model reads it: active bullets, or those of `ids`, by section in the official format.

        No content of a bullet can pass for another bullet, a section or a tag.
        """
        if ids is None:
            return write_prompt(chunk.computed("prompt", _active_lines) for chunk in self._bullets.chunks)
        chosen = set(ids)
        return write_prompt([prompt_lines(bullet for bullet in self._bullets if bullet.id in chosen)])


def _placed(bullets: list[StoredBullet]) -> list[StoredBullet]:
    """Bullets in order with unique places that grow; as they are if theirs do."""
    places = [bullet.place for bullet in bullets]
    if all(before < after for before, after in zip([0, *places], places, strict=False)):
        return bullets
    return [bullet._replace(place=place) for place, bullet in enumerate(bullets, start=1)]


def _past(bullets: Iterable[StoredBullet]) -> int:
    return max((max(number_of(bullet.id), bullet.place) for bullet in bullets), default=0) + 1


_AT_ONCE = 5000
"""Entries that go into an index at once: others may run in between, for which 300,000 would be a third of a second."""


def _with_index(index: Map[str, int], more: Mapping[str, int]) -> Map[str, int]:
    changing, entries = index.mutate(), iter(more.items())
    while some := dict(islice(entries, _AT_ONCE)):
        changing.update(some)
    return changing.finish()


def _active_lines(bullets: tuple[StoredBullet, ...]) -> dict[str, str]:
    return prompt_lines(bullet for bullet in bullets if not bullet.archived)
