"""What a delta did to each bullet, from the changes that the log keeps. Pure functions.

The law: what is marked here is the difference between the revision and the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.ace import TAGS, BundledChanges, Playbook, StoredBullet, from_plain

SIGNS = {"helpful": "▲", "harmful": "▼", "neutral": "○"}
"""Of the counters: colour never carries meaning alone."""
MOST = 1000
"""Changes of a bundled delta that are looked at."""


@dataclass(slots=True)
class Mark:
    """What one delta did to one bullet.

    Attributes:
        came: Whether it was not there before: "new", "merged" or "back"; else "".
        before: Its text before, if that changed.
        counted: How much its counters went up or down.
        moved: "archived" or "restored", else "".
    """

    came: str = ""
    before: str | None = None
    counted: dict[str, int] = field(default_factory=dict[str, int])
    moved: str = ""

    def __bool__(self) -> bool:
        return bool(self.came or self.moved or self.before is not None or any(self.counted.values()))


@dataclass(slots=True)
class Marks:
    """What one delta did.

    Attributes:
        bullets: Bullets that are there afterwards, by id.
        gone: Bullets that are not, as they were when they went.
    """

    bullets: dict[str, Mark] = field(default_factory=dict[str, Mark])
    gone: list[StoredBullet] = field(default_factory=list[StoredBullet])

    def of(self, bullet_id: str) -> Mark | None:
        """A bullet's mark, if the delta did anything to it."""
        return self.bullets.get(bullet_id)


def marks_of(applied: Sequence[Mapping[str, Any]], after: Playbook) -> Marks:
    """What changes did.

    Args:
        applied: The changes of one delta, in order.
        after: The playbook afterwards.
    """
    if isinstance(applied, BundledChanges):  # of an import or its undo: the first of very many say enough
        applied = applied[:MOST]
    marks: dict[str, Mark] = {}
    gone: dict[str, StoredBullet] = {}
    for change in applied:
        match change["type"]:
            case "REMOVE":
                gone.setdefault(change["bullet_id"], from_plain(change["bullet"]))
            case "MERGE":
                gone |= {bullet["id"]: from_plain(bullet) for bullet in change["merged"] if bullet["id"] not in gone}
                marks.setdefault(change["bullet_id"], Mark()).came = "merged"
            case "CITE":
                pass
            case _:
                _mark(marks.setdefault(change["bullet_id"], Mark()), change)
    for bullet_id, mark in marks.items():
        bullet = after.get(bullet_id)
        if bullet is not None and mark.before == bullet.content:
            mark.before = None  # there and back again
    was_there = {bullet_id for bullet_id in gone if not (bullet_id in marks and marks[bullet_id].came)}
    return Marks(
        {bullet_id: mark for bullet_id, mark in marks.items() if bullet_id in after and mark},
        [bullet for bullet_id, bullet in gone.items() if bullet_id not in after and bullet_id in was_there],
    )


def _mark(mark: Mark, change: Mapping[str, Any]) -> None:
    match change["type"]:
        case "ADD":
            mark.came = "new"
        case "RESTORE":
            mark.came = "back"
        case "UPDATE" if mark.before is None:
            mark.before = change["before"]
        case "TAG":
            mark.counted[change["tag"]] = mark.counted.get(change["tag"], 0) + 1
        case "ADJUST":
            for name in TAGS:
                mark.counted[name] = mark.counted.get(name, 0) + change.get(name, 0)
        case "ARCHIVE" | "UNARCHIVE":
            mark.moved = "archived" if change["type"] == "ARCHIVE" else "restored"


def summary_of(applied: Sequence[Mapping[str, Any]], after: Playbook, rejected: int) -> str:
    """What a delta did, in a few words."""
    if isinstance(applied, BundledChanges):
        verbs = {"RESTORE": "brought back", "REMOVE": "removed"}
        counted = [f"{many(count, 'bullet')} {verbs.get(kind, kind.lower())}" for kind, count in applied.kinds.items()]
        refused = f"; {many(rejected, 'operation')} rejected" if rejected else ""
        return ", ".join(counted) + refused
    return summary(marks_of(applied, after), rejected)


def summary(marks: Marks, rejected: int) -> str:
    """What a delta did in a few words, e.g. "2 bullets added, 1 text changed; 1 operation rejected"."""
    bullets = marks.bullets.values()
    counts = {
        ("bullet", "added"): sum(mark.came == "new" for mark in bullets),
        ("bullet", "brought back"): sum(mark.came == "back" for mark in bullets),
        ("bullet", "made by merging"): sum(mark.came == "merged" for mark in bullets),
        ("text", "changed"): sum(mark.before is not None and not mark.came for mark in bullets),
        ("bullet", "tagged"): sum(any(mark.counted.values()) and not mark.came for mark in bullets),
        ("bullet", "archived"): sum(mark.moved == "archived" for mark in bullets),
        ("bullet", "restored"): sum(mark.moved == "restored" for mark in bullets),
        ("bullet", "removed"): len(marks.gone),
    }
    said = ", ".join(f"{many(count, noun)} {verb}" for (noun, verb), count in counts.items() if count)
    refused = f"{many(rejected, 'operation')} rejected" if rejected else ""
    return "; ".join(part for part in (said, refused) if part) or "no bullet changed"


def many(count: int, noun: str) -> str:
    """A number of things, e.g. "1 bullet", "1,200 bullets"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
