"""Changes: what the log keeps of applied operations, and their effect on a playbook. Pure functions.

A change is a plain dictionary. It names every value, so a fold over the log gives the same playbook in every process, and
it holds what its undo needs. `resolution` makes changes of operations; `undo` takes changes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from agents.ace.bullet import TAGS, StoredBullet
from agents.ace.operations import Change
from agents.ace.value.bullets import Bullets, Value


def apply_all(playbook: Value, changes: Iterable[Change], *, by: str, at: float) -> Value:
    """The playbook after changes, in order."""
    for change in changes:
        playbook = apply(playbook, change, by=by, at=at)
    return playbook


def apply(playbook: Value, change: Change, *, by: str, at: float) -> Value:
    """The playbook after one change.

    Args:
        playbook: The playbook that the change was made for; not changed.
        change: The change.
        by: The submitter of its batch.
        at: Time of submission, in seconds since the epoch.
    """
    return cast("Value", _APPLY[change["type"]](playbook, change, change.get("by", by), at))


def changed_ids(change: Change) -> list[str]:
    """The ids of the bullets that a change concerns."""
    single = [change["bullet_id"]] if "bullet_id" in change else []
    return [*single, *change.get("bullet_ids", ())]


def bullet_to_plain(bullet: StoredBullet) -> dict[str, Any]:
    """A bullet as JSON, without fields at their defaults."""
    kept = {name: value for name, value in bullet._asdict().items() if value != StoredBullet._field_defaults.get(name)}
    return kept | {"merged_from": list(bullet.merged_from)} if bullet.merged_from else kept


def bullet_from_plain(value: Mapping[str, Any]) -> StoredBullet:
    """A bullet from `bullet_to_plain`."""
    values: dict[str, Any] = {**value, "merged_from": tuple(value.get("merged_from", ()))}
    return StoredBullet(**values)


# The effect of each change.


def _apply_add(playbook: Bullets, change: Change, by: str, at: float) -> Bullets:
    bullet = StoredBullet(
        change["bullet_id"],
        change["section"],
        change["content"],
        created_at=at,
        updated_at=at,
        created_by=by,
        updated_by=by,
        last_cited=playbook.queries,
        place=playbook.next_number,
    )
    return playbook.with_bullet(bullet)


def _apply_update(playbook: Bullets, change: Change, by: str, at: float) -> Bullets:
    bullet = _there(playbook, change)
    if "counted" in change:  # a correction: what was counted is that of the wrong text
        bullet = bullet._replace(**dict.fromkeys(TAGS, 0))
    changed = bullet._replace(
        content=change["content"],
        updated_at=at,
        updated_by=by,
        helpful_before=bullet.helpful,
        harmful_before=bullet.harmful,
    )
    return playbook.with_bullet(changed)


def _apply_remove(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    return playbook.without(change["bullet_id"])


def _apply_merge(playbook: Bullets, change: Change, by: str, at: float) -> Bullets:
    merged = [bullet for id_ in change["bullet_ids"] if (bullet := playbook.get(id_)) is not None]
    for bullet in merged:
        playbook = playbook.without(bullet.id)
    made = StoredBullet(
        change["bullet_id"],
        change["section"],
        change["content"],
        helpful=sum(bullet.helpful for bullet in merged),
        harmful=sum(bullet.harmful for bullet in merged),
        neutral=sum(bullet.neutral for bullet in merged),
        created_at=min(bullet.created_at for bullet in merged),
        updated_at=at,
        created_by=merged[0].created_by,
        updated_by=by,
        last_cited=max(bullet.last_cited for bullet in merged),
        archived=all(bullet.archived for bullet in merged),
        merged_from=tuple(change["bullet_ids"]),
        helpful_before=sum(bullet.helpful_before for bullet in merged),
        harmful_before=sum(bullet.harmful_before for bullet in merged),
        place=playbook.next_number,
    )
    return playbook.with_bullet(made)


def _apply_tag(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    bullet, tag = _there(playbook, change), change["tag"]
    return playbook.with_bullet(bullet._replace(**{tag: getattr(bullet, tag) + 1}))


def _apply_cite(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    for id_ in change["bullet_ids"]:
        if (bullet := playbook.get(id_)) is not None:
            playbook = playbook.with_bullet(bullet._replace(last_cited=change["query"]))
    return playbook.replace(queries=change["query"])


def _apply_adjust(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    bullet = _there(playbook, change)
    counted = {name: getattr(bullet, name) + change.get(name, 0) for name in TAGS}
    return playbook.with_bullet(bullet._replace(**counted))


def _apply_restore(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    return playbook.with_bullet(bullet_from_plain(change["bullet"]))


def _apply_archive(playbook: Bullets, change: Change, _by: str, _at: float) -> Bullets:
    bullet = _there(playbook, change)
    if change["type"] == "ARCHIVE":
        return playbook.with_bullet(bullet._replace(archived=True))
    return playbook.with_bullet(bullet._replace(archived=False, last_cited=playbook.queries))


def _there(playbook: Bullets, change: Change) -> StoredBullet:
    bullet = playbook.get(change["bullet_id"])
    assert bullet is not None, change  # a change was made for a playbook that has it
    return bullet


_APPLY: dict[str, Callable[[Bullets, Change, str, float], Bullets]] = {
    "ADD": _apply_add,
    "UPDATE": _apply_update,
    "REMOVE": _apply_remove,
    "MERGE": _apply_merge,
    "TAG": _apply_tag,
    "CITE": _apply_cite,
    "ADJUST": _apply_adjust,
    "RESTORE": _apply_restore,
    "ARCHIVE": _apply_archive,
    "UNARCHIVE": _apply_archive,
}
