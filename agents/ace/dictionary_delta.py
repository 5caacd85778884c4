"""The difference between a stored playbook and one in the dictionary form, as a delta.

New bullets get ids from the store, whatever ids the dictionary has. Differences that cannot be applied are rejected, with
a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from agents.ace.bullet import TAGS, StoredBullet
from agents.ace.changes import apply
from agents.ace.operations import BY_USER, Add, Archive, Change, Operation, Rejection, Remove, Unarchive, Update
from agents.ace.playbook import Playbook
from agents.ace.resolution import Resolved, resolve

REASONING = "The playbook was written as a whole; this is what was different."


def is_dictionary(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is meant as a playbook in the dictionary form, and not as a batch."""
    return isinstance(value, Mapping) and "bullets" in value and "operations" not in value


def difference_from(now: Playbook, value: Mapping[str, Any], *, by: str, at: float) -> Resolved[Playbook]:
    """The changes that make the stored playbook equal to a dictionary in content and counts.

    Args:
        now: The stored playbook; not changed.
        value: The dictionary form.
        by: The submitter.
        at: Time of submission, in seconds since the epoch.

    Raises:
        PlaybookFormatError: It has another shape; the message says where.
    """
    wanted = Playbook.from_dict(value)
    work = _Work(now, by, at)
    for bullet in now.bullets:
        if bullet.id not in wanted:
            work.do(Remove(bullet_id=bullet.id))
    for bullet in wanted.bullets:
        if (there := now.get(bullet.id)) is None:
            work.add(bullet)
        else:
            work.change(there, bullet)
    return Resolved(work.playbook, work.applied, work.rejected)


class _Work:
    """A playbook while a difference is applied to it."""

    def __init__(self, playbook: Playbook, by: str, at: float) -> None:
        self.playbook, self._by, self._at = playbook, by, at
        self.applied: list[Change] = []
        self.rejected: list[Rejection] = []

    def do(self, operation: Operation, **more: Any) -> Change | None:
        """Applies an operation or rejects it; `more` is stored with the change."""
        done = resolve(self.playbook, [operation], by=BY_USER, at=self._at)
        self.rejected += done.rejected
        if not done.applied:
            return None
        change = {**done.applied[0], **more}
        self._apply(change)
        return change

    def add(self, bullet: StoredBullet) -> None:
        change = self.do(Add(section=bullet.section, content=bullet.content), **({"was": bullet.id} if bullet.id else {}))
        if change is not None:
            self._count(change["bullet_id"], {name: getattr(bullet, name) for name in TAGS})
            if bullet.archived:
                self.do(Archive(bullet_id=change["bullet_id"]))

    def change(self, there: StoredBullet, wanted: StoredBullet) -> None:
        if there.section != wanted.section:
            operation = {"type": "UPDATE", "bullet_id": there.id, "section": wanted.section}
            reason = f"Bullet {there.id!r} keeps its section, {there.section!r}. REMOVE it and ADD it in the other."
            self.rejected.append({"operation": operation, "reason": reason})
        if there.content != wanted.content:
            self.do(Update(bullet_id=there.id, content=wanted.content))
        self._count(there.id, {name: getattr(wanted, name) - getattr(there, name) for name in TAGS})
        if there.archived != wanted.archived:
            self.do(Archive(bullet_id=there.id) if wanted.archived else Unarchive(bullet_id=there.id))

    def _count(self, bullet_id: str, counted: dict[str, int]) -> None:
        if any(counted.values()):
            self._apply({"type": "ADJUST", "bullet_id": bullet_id, **counted})

    def _apply(self, change: Change) -> None:
        self.playbook = apply(self.playbook, change, by=self._by, at=self._at)
        self.applied.append(change)
