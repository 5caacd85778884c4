"""Playbooks of other implementations as JSON: skillbooks, lists of bullets, and sections that hold their bullets.

Each form is turned into the dictionary form of `dictionary`, which is checked there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from agents.ace.bullet import TAGS, Contents
from agents.ace.formats.dictionary import from_dict
from agents.ace.formats.shapes import expect, quoted, refuse
from agents.ace.formats.text_reader import DEFAULT_SECTION

_COLLECTIONS = ("bullets", "skills", "strategies")
"""Names of what holds the bullets: the ADK version's, the skillbook's, and those of others."""
_IDS = ("id", "bullet_id", "skill_id")
_CONTENTS = ("content", "text", "title", "strategy")
_SECTIONS = ("section", "category")
_NAMES = ("name", "section", "title", "id")
_COUNTERS = ("metadata", "counters", "stats")
"""Names of an object that holds a bullet's counters."""
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")


def from_foreign(value: Any) -> Contents | None:
    """Reads a playbook of another implementation.

    A bullet without an id gets one from its section. A skill that is marked invalid is archived: it is in no prompt there.

    Args:
        value: The JSON value of a file.

    Returns:
        None if there is nothing in it that could be a playbook.

    Raises:
        PlaybookFormatError: It is a playbook, and something in it cannot be read; the message says where.
    """
    if isinstance(value, list):
        listed = cast("list[Any]", value)
        return _read({"bullets": listed}) if any(_is_bullet(one) for one in listed) else None
    if not isinstance(value, Mapping):
        return None
    top = cast("Mapping[str, Any]", value)
    if isinstance(inner := top.get("playbook"), dict | list):
        return from_foreign(inner)
    if any(isinstance(top.get(name), dict | list) for name in _COLLECTIONS) or (top.get("sections") and len(top) == 1):
        return _read(top)
    return None


def _read(top: Mapping[str, Any]) -> Contents:
    reading = _Reading()
    found = next((name for name in _COLLECTIONS if name in top), None)
    if found is not None:
        reading.take_all(top[found], found, None)
    reading.take_sections(top.get("sections") or {}, inside=found is None)
    next_id = top.get("next_id", 0)
    return from_dict(
        {"bullets": reading.bullets, "sections": reading.sections, "next_id": next_id if isinstance(next_id, int) else 0}
    )


class _Reading:
    """Bullets by id and ids by section, in the dictionary form, as far as they were read."""

    def __init__(self) -> None:
        self.bullets: dict[str, dict[str, Any]] = {}
        self.sections: dict[str, list[str]] = {}

    def take_sections(self, sections: Any, *, inside: bool) -> None:
        """Reads sections: names, lists of ids, or lists of bullets.

        Args:
            sections: By name, or in a list.
            inside: Whether they hold the bullets; otherwise they only name them.
        """
        if isinstance(sections, Mapping):
            named = list(cast("Mapping[str, Any]", sections).items())
        else:
            named = [_named(one, f"sections[{n}]") for n, one in enumerate(expect(sections, list, "sections"))]
        for name, held in named:
            where = f"sections.{name[:80]}"
            if isinstance(held, Mapping) or inside or any(isinstance(one, dict) for one in cast("list[Any]", held or [])):
                self.take_all(held or [], where, name)
            else:
                ids = expect(held or [], list, where)
                self.sections.setdefault(name, []).extend(ids)

    def take_all(self, bullets: Any, where: str, section: str | None) -> None:
        """Reads bullets by id, or in a list, in which a text alone is one too."""
        if isinstance(bullets, Mapping):
            for id_, one in cast("Mapping[str, Any]", bullets).items():
                self._take(one, f"{where}.{id_[:80]}", section, id_)
        else:
            for number, one in enumerate(expect(bullets, list, where)):
                self._take(one, f"{where}[{number}]", section, None)

    def _take(self, value: Any, where: str, section: str | None, id_: str | None) -> None:
        given: dict[str, Any] = {"content": value} if isinstance(value, str) else expect(value, dict, where)
        content = _first(given, _CONTENTS)
        if content is None:
            refuse(where, f"a bullet has its text in {_CONTENTS[0]!r}, and there is none. Add it")
        section = _first(given, _SECTIONS) or section or DEFAULT_SECTION
        name = str(id_ or _first(given, _IDS) or self._new_id(expect(section, str, f"{where}.section")))
        if name in self.bullets:
            refuse(where, f"the id {quoted(name)} is there twice. Give one of the two bullets another")
        self.bullets[name] = {
            "section": section,
            "content": content,
            **{tag: _count(given, tag) for tag in TAGS},
            **{time: given[time] for time in ("created_at", "updated_at") if time in given},
            "archived": given.get("archived") is True or given.get("status") == "invalid",
        }

    def _new_id(self, section: str) -> str:
        slug = _NOT_IN_ID.sub("-", section.lower()).strip("-") or DEFAULT_SECTION
        return f"{slug[:60]}-{len(self.bullets) + 1:05d}"


def _named(value: Any, where: str) -> tuple[str, Any]:
    """The name of a section in a list, and what it holds."""
    if isinstance(value, str):
        return value, None
    given: dict[str, Any] = expect(value, dict, where)
    name = _first(given, _NAMES)
    if name is None:
        refuse(where, f"a section has its name in {_NAMES[0]!r}, and there is none. Add it")
    return expect(name, str, f"{where}.{_NAMES[0]}"), _first(given, (*_COLLECTIONS, "bullet_ids", "ids"))


def _is_bullet(value: Any) -> bool:
    """Whether a value can only be a bullet: it has a text, and what else bullets have."""
    if not isinstance(value, Mapping):
        return False
    given = cast("Mapping[str, Any]", value)
    return isinstance(_first(given, _CONTENTS), str) and _first(given, (*_IDS, *_SECTIONS, *TAGS)) is not None


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), None)


def _count(given: Mapping[str, Any], tag: str) -> Any:
    """A counter: beside the text or in an object of counters, under its name or as `helpful_count`."""
    held = [given, *(given[name] for name in _COUNTERS if isinstance(given.get(name), Mapping))]
    found = (one[name] for one in held for name in (tag, f"{tag}_count") if one.get(name) is not None)
    return next(found, 0)
