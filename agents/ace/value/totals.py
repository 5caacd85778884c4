"""`Totals`: counts of bullets, tags and prompt tokens, kept up to date with each change of a playbook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
        helpful: Number of helpful tags.
        harmful: Number of harmful tags.
        tokens: Estimated tokens of the active bullets in a prompt: their lines and the headers of their sections.
        sections: Number of bullets by section.
        active: Number of active bullets by section; only sections that have one.
        harmed: The bullets with harmful tags, by id: few, mostly, so that pruning need not look at all bullets.
    """

    helpful: int
    harmful: int
    tokens: int
    sections: Map[str, int]
    active: Map[str, int]
    harmed: Map[str, bool]

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
        harmed = Map({bullet.id: True for bullet in bullets if bullet.harmful})
        return Totals(helpful, harmful, tokens, Map(sections), Map(active), harmed)

    def with_bullet(self, bullet: StoredBullet) -> Totals:
        """With one more bullet."""
        section, tokens, active = bullet.section, self.tokens + line_tokens(bullet), self.active
        if not bullet.archived:
            tokens += 0 if section in active else _header_tokens(section)
            active = active.set(section, active.get(section, 0) + 1)
        sections = self.sections.set(section, self.sections.get(section, 0) + 1)
        harmed = self.harmed.set(bullet.id, True) if bullet.harmful else self.harmed
        return Totals(self.helpful + bullet.helpful, self.harmful + bullet.harmful, tokens, sections, active, harmed)

    def without(self, bullet: StoredBullet) -> Totals:
        """With one bullet less."""
        section, tokens, active = bullet.section, self.tokens - line_tokens(bullet), self.active
        if not bullet.archived:
            active = _one_less(active, section)
            tokens -= 0 if section in active else _header_tokens(section)
        sections = _one_less(self.sections, section)
        harmed = self.harmed.delete(bullet.id) if bullet.harmful else self.harmed
        return Totals(self.helpful - bullet.helpful, self.harmful - bullet.harmful, tokens, sections, active, harmed)

    def replaced(self, old: StoredBullet, new: StoredBullet) -> Totals:
        """With one bullet for another. If only counters differ, the text is not counted again."""
        if _line(old) != _line(new) or bool(old.harmful) != bool(new.harmful):
            return self.without(old).with_bullet(new)
        helpful, harmful = new.helpful - old.helpful, new.harmful - old.harmful
        return self._replace(helpful=self.helpful + helpful, harmful=self.harmful + harmful)


def line_tokens(bullet: StoredBullet) -> int:
    """Estimated tokens of a bullet's line in a prompt, never too few; 0 for an archived bullet, which has no line."""
    if bullet.archived:
        return 0
    id_, _, content, _, helpful, harmful = _line(bullet)
    return count_tokens(f"[{id_}] {in_prompt(content)} helpful={helpful} harmful={harmful} ::\n")


def _line(bullet: StoredBullet) -> tuple[str, str, str, bool, int, int]:
    """What the tokens of a bullet depend on. Counters have room to grow."""
    counters = max(bullet.helpful, _COUNTER_ROOM), max(bullet.harmful, _COUNTER_ROOM)
    return bullet.id, bullet.section, bullet.content, bullet.archived, *counters


def _header_tokens(section: str) -> int:
    return count_tokens(write_header(section, prompt=True) + "\n")


def _one_less(counts: Map[str, int], name: str) -> Map[str, int]:
    left = counts[name] - 1
    return counts.set(name, left) if left else counts.delete(name)
