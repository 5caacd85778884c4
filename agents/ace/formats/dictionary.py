"""The dictionary form of ACE on Google's ADK: `{"bullets": {id: {…}}, "sections": {name: [ids]}, "next_id": n}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from agents.ace.bullet import TAGS, Contents, StoredBullet
from agents.ace.formats.line import MAX_DIGITS, check_id
from agents.ace.formats.shapes import expect, quoted, refuse


def to_dict(
    bullets: Iterable[StoredBullet], sections: Mapping[str, Iterable[StoredBullet]], next_number: int
) -> dict[str, Any]:
    """A playbook in the dictionary form.

    Times are ISO 8601 in UTC, `next_id` is the number given out last. An archived bullet has `archived`, which other readers
    ignore.
    """
    return {
        "bullets": {
            bullet.id: {
                "id": bullet.id,
                "section": bullet.section,
                "content": bullet.content,
                "helpful": bullet.helpful,
                "harmful": bullet.harmful,
                "neutral": bullet.neutral,
                "created_at": _iso(bullet.created_at),
                "updated_at": _iso(bullet.updated_at),
                **({"archived": True} if bullet.archived else {}),
            }
            for bullet in bullets
        },
        "sections": {section: [bullet.id for bullet in listed] for section, listed in sections.items()},
        "next_id": next_number - 1,
    }


def from_dict(value: Any) -> Contents:
    """Reads the dictionary form.

    Bullets are in the order of the sections, unlisted ones last. Unknown fields are ignored; times may be ISO 8601 or
    seconds since the epoch.

    Raises:
        PlaybookFormatError: It has another shape; the message says where.
    """
    top = expect(value, dict, "The playbook")
    by_id = expect(top.get("bullets"), dict, "bullets")
    section_of: dict[str, str] = {}
    for section, ids in expect(top.get("sections", {}), dict, "sections").items():
        for number, id_ in enumerate(expect(ids, list, f"sections.{section}")):
            where = f"sections.{section}[{number}]"
            if expect(id_, str, where) not in by_id:
                refuse(where, f"there is no bullet {quoted(id_)} in bullets. Take it out of the section, or add it there")
            section_of.setdefault(id_, section)
    bullets = [_bullet(id_, by_id[id_], section_of.get(id_)) for id_ in dict.fromkeys([*section_of, *by_id])]
    return Contents(bullets, next_number=expect(top.get("next_id", 0), int, "next_id") + 1)


def _bullet(bullet_id: str, value: Any, listed: str | None) -> StoredBullet:
    where = f"bullets.{bullet_id[:80]}"
    check_id(bullet_id, "bullets")
    plain = expect(value, dict, where)
    if (own := plain.get("id", bullet_id)) != bullet_id:
        refuse(f"{where}.id", f"{quoted(str(own))} is not {quoted(bullet_id)}, under which it stands. Make both the same")
    section = plain.get("section", listed)
    if section is None:
        refuse(f"{where}.section", "there is none, and no section lists the bullet. Add it")
    counts = [_count(plain.get(name, 0), f"{where}.{name}") for name in TAGS]
    return StoredBullet(
        bullet_id,
        expect(section, str, f"{where}.section"),
        expect(plain.get("content"), str, f"{where}.content"),
        helpful=counts[0],
        harmful=counts[1],
        neutral=counts[2],
        created_at=_time(plain.get("created_at"), f"{where}.created_at"),
        updated_at=_time(plain.get("updated_at"), f"{where}.updated_at"),
        archived=expect(plain.get("archived", False), bool, f"{where}.archived"),
    )


def _count(value: Any, where: str) -> int:
    count: int = expect(value, int, where)
    if not 0 <= count < 10**MAX_DIGITS:
        refuse(where, f"{quoted(str(count))} is no count. Write a whole number from 0 on, with at most {MAX_DIGITS} digits")
    return count


def _time(value: Any, where: str) -> float:
    if value is None or value == "":
        return 0.0
    if not isinstance(value, str):
        seconds: float = expect(value, float, where)
        return seconds
    try:
        time = datetime.fromisoformat(value)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        refuse(where, f"{quoted(value)} is no time. Write it as in 2025-01-31T12:00:00+00:00, or as seconds since the epoch")


def _iso(seconds: float) -> str | float:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return seconds  # beyond the calendar
