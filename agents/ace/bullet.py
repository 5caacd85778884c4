"""`StoredBullet`, and the names of sections and bullets. Values and pure functions."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+")
_NOT_LATIN = re.compile(r"[^a-z0-9]")
SLUG_LENGTH = 5
TAGS = ("helpful", "harmful", "neutral")


class StoredBullet(NamedTuple):
    """One piece of knowledge.

    Attributes:
        id: Given by the store, e.g. "units-00003".
        section: Name of its section.
        content: Its text.
        helpful: Number of helpful tags.
        harmful: Number of harmful tags.
        neutral: Number of neutral tags.
        created_at: Seconds since the epoch.
        updated_at: Seconds since the epoch, of the last change of its text.
        created_by: Who submitted it.
        updated_by: Who changed its text last.
        last_cited: Number of the last query that cited it; at first that of the last query before it was added.
        archived: Whether it is left out of prompts.
        merged_from: The bullets that it was made of.
        place: Its position in the order; unique in a playbook, and never given twice.
        helpful_before: Helpful tags that an earlier text got: those before the last change of the text.
        harmful_before: Harmful tags that an earlier text got.
    """

    id: str
    section: str
    content: str
    helpful: int = 0
    harmful: int = 0
    neutral: int = 0
    created_at: float = 0.0
    updated_at: float = 0.0
    created_by: str = ""
    updated_by: str = ""
    last_cited: int = 0
    archived: bool = False
    merged_from: tuple[str, ...] = ()
    place: int = 0
    helpful_before: int = 0
    harmful_before: int = 0

    def tag(self, tag: str, increment: int = 1) -> StoredBullet:
        """A bullet like this one with a tag counted; this one stays as it is.

        Raises:
            ValueError: It is none of "helpful", "harmful" and "neutral".
        """
        if tag not in TAGS:
            raise ValueError(f"{tag!r} is no tag: it must be one of {', '.join(TAGS)}.")
        return self._replace(**{tag: getattr(self, tag) + increment})

    @property
    def tagged(self) -> tuple[int, int]:
        """Helpful and harmful tags of its present text."""
        return self.helpful - self.helpful_before, self.harmful - self.harmful_before

    @property
    def said(self) -> tuple[str, str, str, int, int, int, bool]:
        """The fields by which bullets are equal: text and counts, without provenance."""
        return self.id, self.section, self.content, self.helpful, self.harmful, self.neutral, self.archived


class Contents(NamedTuple):
    """The contents of a playbook file.

    Attributes:
        bullets: In order.
        name: Name of the playbook.
        revision: Its revision.
        next_number: The number of its next id.
        queries: Number of queries counted.
    """

    bullets: list[StoredBullet]
    name: str = ""
    revision: int = 0
    next_number: int = 1
    queries: int = 0


@lru_cache(maxsize=1024)
def section_key(name: str) -> str:
    """The key of a section's name, the same for all spellings: "strategies_and_insights", "STRATEGIES AND INSIGHTS"."""
    return " ".join(_WORD.findall(name.casefold())) or name


@lru_cache(maxsize=1024)
def slug_of(section: str) -> str:
    """The first part of the ids in a section: initials of several words, or the start of one; "ctx" if not Latin."""
    plain = unicodedata.normalize("NFKD", section).encode("ascii", "ignore").decode().lower()
    words = [word for found in _WORD.findall(plain) if (word := _NOT_LATIN.sub("", found))]
    slug = "".join(word[0] for word in words) if len(words) > 1 else "".join(words)
    return slug[:SLUG_LENGTH] or "ctx"


def number_of(bullet_id: str) -> int:
    """The number in an id; 0 if no store could have given it."""
    digits = bullet_id.rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else 0


MOST_DIGITS = 9
