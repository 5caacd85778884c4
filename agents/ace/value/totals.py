"""`Totals`: counts of bullets, tags and prompt tokens, kept up to date with each change of a playbook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from immutables import Map

from agents.ace.bullet import StoredBullet
from agents.ace.formats.text import in_prompt, write_header
from agents.ace.value.tokens import count_tokens

_COUNTER_ROOM = 999_999
"""Tokens for a counter of up to this are counted from the start: a new tag does not change the tokens of a line."""


class Totals(NamedTuple):
    """Counts over bullets; a value that never changes.

    Attributes:
        bullets: Number of bullets.
        helpful: Number of helpful tags.
        harmful: Number of harmful tags.
        tokens: Estimated tokens of the active bullets in a prompt: their lines and the headers of their sections.
        sections: Number of bullets by section.
        active: Number of active bullets by section; only sections that have one.
    """

    bullets: int
    helpful: int
    harmful: int
    tokens: int
    sections: Map[str, int]
    active: Map[str, int]

    @staticmethod
    def of(bullets: Sequence[StoredBullet], *, tokens: int | None = None) -> Totals:
        """Counts bullets.

        Args:
            bullets: The bullets.
            tokens: Their tokens, where they are known; None counts them.
        """
        sections = Counter(bullet.section for bullet in bullets)
        active = sections - Counter(bullet.section for bullet in bullets if bullet.archived)
        if tokens is None:
            tokens = sum(map(line_tokens, bullets)) + sum(map(_header_tokens, active))
        helpful, harmful = sum(bullet.helpful for bullet in bullets), sum(bullet.harmful for bullet in bullets)
        return Totals(len(bullets), helpful, harmful, tokens, Map(sections), Map(active))

    def plus(self, more: Totals) -> Totals:
        """The totals of these and other bullets; a header of both counts once."""
        twice = sum(_header_tokens(section) for section in more.active if section in self.active)
        return Totals(
            self.bullets + more.bullets,
            self.helpful + more.helpful,
            self.harmful + more.harmful,
            self.tokens + more.tokens - twice,
            _sum(self.sections, more.sections),
            _sum(self.active, more.active),
        )

    def with_bullet(self, bullet: StoredBullet, tokens: int) -> Totals:
        """With one more bullet, whose line has so many tokens."""
        section, active = bullet.section, self.active
        if not bullet.archived:
            tokens += 0 if section in active else _header_tokens(section)
            active = active.set(section, active.get(section, 0) + 1)
        sections = self.sections.set(section, self.sections.get(section, 0) + 1)
        return self._changed(1, bullet.helpful, bullet.harmful, tokens, sections, active)

    def without(self, bullet: StoredBullet, tokens: int) -> Totals:
        """With one bullet less, whose line has so many tokens."""
        section, active = bullet.section, self.active
        if not bullet.archived:
            active = _one_less(active, section)
            tokens += 0 if section in active else _header_tokens(section)
        sections = _one_less(self.sections, section)
        return self._changed(-1, -bullet.helpful, -bullet.harmful, -tokens, sections, active)

    def with_tags(self, old: StoredBullet, new: StoredBullet) -> Totals:
        """With other counters of a bullet whose text stays, so that the text is not counted again."""
        tokens = 0 if new.archived else _rest_of_line(new) - _rest_of_line(old)
        helpful, harmful = new.helpful - old.helpful, new.harmful - old.harmful
        return self._changed(0, helpful, harmful, tokens, self.sections, self.active)

    def _changed(
        self, bullets: int, helpful: int, harmful: int, tokens: int, sections: Map[str, int], active: Map[str, int]
    ) -> Totals:
        return Totals(
            self.bullets + bullets, self.helpful + helpful, self.harmful + harmful, self.tokens + tokens, sections, active
        )


_REST_OF_LINE = count_tokens(f"helpful={_COUNTER_ROOM} harmful={_COUNTER_ROOM} ::\n")


def line_tokens(bullet: StoredBullet) -> int:
    """Estimated tokens of a bullet's line in a prompt, never too few; 0 for an archived bullet, which has no line."""
    if bullet.archived:
        return 0
    return count_tokens(f"[{bullet.id}] {in_prompt(bullet.content)}") + _rest_of_line(bullet)


def _rest_of_line(bullet: StoredBullet) -> int:
    """Tokens of the counters, with room for them to grow."""
    if bullet.helpful <= _COUNTER_ROOM and bullet.harmful <= _COUNTER_ROOM:
        return _REST_OF_LINE
    helpful, harmful = max(bullet.helpful, _COUNTER_ROOM), max(bullet.harmful, _COUNTER_ROOM)
    return count_tokens(f"helpful={helpful} harmful={harmful} ::\n")


def _header_tokens(section: str) -> int:
    return count_tokens(write_header(section, prompt=True) + "\n")


def _sum(counts: Map[str, int], more: Mapping[str, int]) -> Map[str, int]:
    return counts.update({name: counts.get(name, 0) + count for name, count in more.items()})


def _one_less(counts: Map[str, int], name: str) -> Map[str, int]:
    left = counts[name] - 1
    return counts.set(name, left) if left else counts.delete(name)
