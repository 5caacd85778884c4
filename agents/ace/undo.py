"""Undo of changes, and comparison of playbooks. Pure functions.

A change is undone on the current playbook, which may have changed since: independent changes stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from agents.ace.bullet import TAGS, StoredBullet
from agents.ace.changes import apply_all, bullet_to_plain, changed_ids
from agents.ace.operations import BY_USER, Change, Rejection
from agents.ace.resolution import RejectedError, Resolved, remove
from agents.ace.value.bullets import Bullets, Value

_KINDS = {"UPDATE": "text", "TAG": "counters", "ADJUST": "counters", "ARCHIVE": "archive", "UNARCHIVE": "archive"}
"""The part of a bullet that a change concerns."""
_ALL_KINDS = {*_KINDS.values()}


def inverse(playbook: Value, changes: Sequence[Change]) -> Resolved[Value]:
    """The changes that undo others, on a playbook that may have changed since.

    Args:
        playbook: As it is now.
        changes: Of one batch, in the order in which they were made.

    Returns:
        The undoing changes; `rejected` has those that can no longer be undone, with reasons.
    """
    applied: list[Change] = []
    rejected: list[Rejection] = []
    for change in reversed(changes):
        try:
            back = _INVERSE[change["type"]](playbook, change)
        except RejectedError as error:
            rejected.append({"operation": change, "reason": str(error)})
            continue
        playbook = apply_all(playbook, back, by=BY_USER, at=0.0)
        applied += back
    return Resolved(playbook, applied, rejected)


def depends(later: Sequence[Change], earlier: Sequence[Change]) -> bool:
    """Whether changes depend on earlier ones, so that an undo of those affects them.

    Every change depends on the one that made the bullet. A removal or a merge depends on all earlier changes of the bullet;
    other changes depend on those of their own kind, except tags, which only add up; a correction changes counters, too.
    """
    made = {id_ for change in earlier if change["type"] in {"ADD", "MERGE", "RESTORE"} for id_ in (change["bullet_id"],)}
    gone = {id_ for change in earlier if change["type"] in {"REMOVE", "MERGE"} for id_ in _ids_lost(change)}
    done = {(kind, change["bullet_id"]) for change in earlier if (kind := _KINDS.get(change["type"]))}
    for change in later:
        touched = set(changed_ids(change))
        if touched & made or (change["type"] != "CITE" and touched & gone):
            return True
        is_all = change["type"] in {"REMOVE", "MERGE"} or "counted" in change
        kinds = _ALL_KINDS if is_all else {_KINDS.get(change["type"])}
        if change["type"] != "TAG" and any((kind, id_) in done for kind in kinds for id_ in touched):
            return True
    return False


class Difference(NamedTuple):
    """The differences in a later playbook.

    Attributes:
        added: Bullets of the later playbook alone.
        removed: Bullets of the earlier playbook alone.
        changed: (before, after) of bullets whose text, counters or archived state differ.
    """

    added: list[StoredBullet]
    removed: list[StoredBullet]
    changed: list[tuple[StoredBullet, StoredBullet]]


def difference(before: Bullets, after: Bullets) -> Difference:
    """Compares two playbooks, bullet by bullet."""
    both = [(old, bullet) for bullet in after.bullets if (old := before.get(bullet.id)) is not None]
    return Difference(
        [bullet for bullet in after.bullets if bullet.id not in before],
        [bullet for bullet in before.bullets if bullet.id not in after],
        [(old, new) for old, new in both if old is not new and old.said != new.said],
    )


def towards(playbook: Bullets, target: Bullets) -> list[Change]:
    """The changes that turn a playbook's contents and counts into those of another."""
    found = difference(playbook, target)
    changes: list[Change] = [remove(playbook, bullet.id) for bullet in found.removed]
    for before, after in found.changed:
        if before.section != after.section:
            changes += [remove(playbook, before.id), _restored(after)]
            continue
        if before.content != after.content:
            changes.append({"type": "UPDATE", "bullet_id": after.id, "content": after.content, "before": before.content})
        counted = {name: getattr(after, name) - getattr(before, name) for name in TAGS}
        if any(counted.values()):
            changes.append({"type": "ADJUST", "bullet_id": after.id, **counted})
        if before.archived != after.archived:
            changes.append({"type": "ARCHIVE" if after.archived else "UNARCHIVE", "bullet_id": after.id})
    return changes + [_restored(bullet) for bullet in found.added]


def _restored(bullet: StoredBullet) -> Change:
    return {"type": "RESTORE", "bullet_id": bullet.id, "bullet": bullet_to_plain(bullet)}


def _still_there(playbook: Bullets, change: Change) -> StoredBullet:
    if (bullet := playbook.get(change["bullet_id"])) is None:
        raise RejectedError(f"Bullet {change['bullet_id']} is gone: a later change removed or merged it.")
    return bullet


def _undo_new(playbook: Bullets, change: Change) -> list[Change]:
    return [remove(playbook, _still_there(playbook, change).id)]


def _undo_update(playbook: Bullets, change: Change) -> list[Change]:
    if _still_there(playbook, change).content != change["content"]:
        raise RejectedError(f"The text of {change['bullet_id']} was changed again later.")
    back = {"type": "UPDATE", "bullet_id": change["bullet_id"], "content": change["before"], "before": change["content"]}
    counted = {name: count for name, count in change.get("counted", {}).items() if count}
    return [back, *([{"type": "ADJUST", "bullet_id": change["bullet_id"], **counted}] if counted else [])]


def _undo_remove(playbook: Bullets, change: Change) -> list[Change]:
    if change["bullet_id"] in playbook:
        raise RejectedError(f"Bullet {change['bullet_id']} was brought back already.")
    return [{"type": "RESTORE", "bullet_id": change["bullet_id"], "bullet": change["bullet"]}]


def _undo_merge(playbook: Bullets, change: Change) -> list[Change]:
    back = _undo_new(playbook, change)
    return back + [
        {"type": "RESTORE", "bullet_id": bullet["id"], "bullet": bullet}
        for bullet in change["merged"]
        if bullet["id"] not in playbook
    ]


def _undo_tag(playbook: Bullets, change: Change) -> list[Change]:
    return _undo_adjust(playbook, {**change, change["tag"]: 1})


def _undo_adjust(playbook: Bullets, change: Change) -> list[Change]:
    bullet = _still_there(playbook, change)
    counted = {name: -change[name] for name in TAGS if change.get(name)}
    if any(getattr(bullet, name) + count < 0 for name, count in counted.items()):
        raise RejectedError(f"The counters of {bullet.id} were taken back already, or its text was corrected since.")
    return [{"type": "ADJUST", "bullet_id": bullet.id, **counted}]


def _undo_archive(playbook: Bullets, change: Change) -> list[Change]:
    back = "UNARCHIVE" if change["type"] == "ARCHIVE" else "ARCHIVE"
    if _still_there(playbook, change).archived != (change["type"] == "ARCHIVE"):
        raise RejectedError(f"Bullet {change['bullet_id']} was moved back already.")
    return [{"type": back, "bullet_id": change["bullet_id"]}]


def _undo_nothing(_playbook: Bullets, _change: Change) -> list[Change]:
    return []  # the query was asked all the same


_INVERSE: dict[str, Callable[[Bullets, Change], list[Change]]] = {
    "ADD": _undo_new,
    "UPDATE": _undo_update,
    "REMOVE": _undo_remove,
    "MERGE": _undo_merge,
    "TAG": _undo_tag,
    "CITE": _undo_nothing,
    "ADJUST": _undo_adjust,
    "RESTORE": _undo_new,
    "ARCHIVE": _undo_archive,
    "UNARCHIVE": _undo_archive,
}


def _ids_lost(change: Change) -> list[str]:
    return change["bullet_ids"] if change["type"] == "MERGE" else [change["bullet_id"]]
