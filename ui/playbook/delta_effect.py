"""The effect of a delta on each bullet, from the changes in the log.

The law: the effect is the difference between the revision and the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.ace import TAGS, Playbook, StoredBullet, bullet_from_plain
from ui.text.labels import many

SIGNS = {"helpful": "▲", "harmful": "▼", "neutral": "○"}
"""Counter → sign: colour never carries meaning alone."""


@dataclass(slots=True)
class BulletEffect:
    """The effect of one delta on one bullet.

    Attributes:
        came: How it came into the playbook: "new", "merged", "imported" or "back"; "" if it was there before.
        before: Its text before, if the text changed.
        counted: Change of each counter.
        moved: "archived" or "restored", else "".
    """

    came: str = ""
    before: str | None = None
    counted: dict[str, int] = field(default_factory=dict[str, int])
    moved: str = ""

    def __bool__(self) -> bool:
        return bool(self.came or self.moved or self.before is not None or any(self.counted.values()))


@dataclass(slots=True)
class DeltaEffect:
    """The effect of one delta.

    Attributes:
        bullets: Changed bullets that exist afterwards, by id.
        gone: Removed bullets, as they were last.
    """

    bullets: dict[str, BulletEffect] = field(default_factory=dict[str, BulletEffect])
    gone: list[StoredBullet] = field(default_factory=list[StoredBullet])

    def of(self, bullet_id: str) -> BulletEffect | None:
        """The effect on a bullet; None if there was none."""
        return self.bullets.get(bullet_id)


def effect_of(applied: Sequence[Mapping[str, Any]], after: Playbook) -> DeltaEffect:
    """The effect of changes.

    Args:
        applied: The changes of one delta, in order.
        after: The playbook afterwards.
    """
    effects: dict[str, BulletEffect] = {}
    gone: dict[str, StoredBullet] = {}
    for change in applied:
        match change["type"]:
            case "REMOVE":
                gone.setdefault(change["bullet_id"], bullet_from_plain(change["bullet"]))
            case "MERGE":
                gone |= {bullet["id"]: bullet_from_plain(bullet) for bullet in change["merged"] if bullet["id"] not in gone}
                effects.setdefault(change["bullet_id"], BulletEffect()).came = "merged"
            case "CITE":
                pass
            case _:
                _add(effects.setdefault(change["bullet_id"], BulletEffect()), change)
    for bullet_id, effect in effects.items():
        bullet = after.get(bullet_id)
        if bullet is not None and effect.before == bullet.content:
            effect.before = None  # changed, and changed back
    was_there = {bullet_id for bullet_id in gone if not (bullet_id in effects and effects[bullet_id].came)}
    return DeltaEffect(
        {bullet_id: effect for bullet_id, effect in effects.items() if bullet_id in after and effect},
        [bullet for bullet_id, bullet in gone.items() if bullet_id not in after and bullet_id in was_there],
    )


def _add(effect: BulletEffect, change: Mapping[str, Any]) -> None:
    match change["type"]:
        case "ADD":
            effect.came = "new"
        case "RESTORE":
            effect.came = "imported" if is_import(change) else "back"
        case "UPDATE":
            effect.before = change["before"] if effect.before is None else effect.before
            for name, count in change.get("counted", {}).items():
                effect.counted[name] = effect.counted.get(name, 0) - count
        case "TAG":
            effect.counted[change["tag"]] = effect.counted.get(change["tag"], 0) + 1
        case "ADJUST":
            for name in TAGS:
                effect.counted[name] = effect.counted.get(name, 0) + change.get(name, 0)
        case "ARCHIVE" | "UNARCHIVE":
            effect.moved = "archived" if change["type"] == "ARCHIVE" else "restored"


def is_import(change: Mapping[str, Any]) -> bool:
    """Whether a RESTORE comes from a file; otherwise it takes back a removal. Those of older logs have only `was`."""
    return "imported" in change or "was" in change


def summary(effect: DeltaEffect, rejected: int) -> str:
    """An effect in a few words, e.g. "2 bullets added, 1 text changed; 1 operation rejected"."""
    bullets = effect.bullets.values()
    counts = {
        ("bullet", "added"): sum(bullet.came == "new" for bullet in bullets),
        ("bullet", "imported"): sum(bullet.came == "imported" for bullet in bullets),
        ("bullet", "brought back"): sum(bullet.came == "back" for bullet in bullets),
        ("bullet", "made by merging"): sum(bullet.came == "merged" for bullet in bullets),
        ("text", "changed"): sum(bullet.before is not None and not bullet.came for bullet in bullets),
        ("bullet", "tagged"): sum(any(bullet.counted.values()) and not bullet.came for bullet in bullets),
        ("bullet", "archived"): sum(bullet.moved == "archived" for bullet in bullets),
        ("bullet", "restored"): sum(bullet.moved == "restored" for bullet in bullets),
        ("bullet", "removed"): len(effect.gone),
    }
    said = ", ".join(f"{many(count, noun)} {verb}" for (noun, verb), count in counts.items() if count)
    refused = f"{many(rejected, 'operation')} rejected" if rejected else ""
    return "; ".join(part for part in (said, refused) if part) or "no bullet changed"
