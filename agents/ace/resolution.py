"""Resolution: the changes that operations make in a certain playbook, or the reason why they make none. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple

from agents.ace.bullet import TAGS, StoredBullet, number_of, slug_of
from agents.ace.changes import apply, bullet_to_plain
from agents.ace.formats.reader import check_count, check_limits
from agents.ace.operations import (
    BY_USER,
    MAX_BULLET_LENGTH,
    MAX_OPERATIONS,
    MAX_PLAYBOOK_BULLETS,
    MAX_SECTION,
    Add,
    Archive,
    Change,
    Merge,
    Operation,
    Rejection,
    Remove,
    Tag,
    Unarchive,
    Update,
)
from agents.ace.value.bullets import Bullets, Value

FAR = 10**8
"""Imported ids with numbers from here on are replaced: keeping one would use up all numbers before it."""


class Resolved(NamedTuple, Generic[Value]):
    """The result of operations.

    Attributes:
        playbook: The playbook afterwards.
        applied: The changes, in order.
        rejected: The operations that were not applied, with reasons.
    """

    playbook: Value
    applied: list[Change]
    rejected: list[Rejection]


class RejectedError(Exception):
    """An operation cannot be applied; the message says why. Never leaves this package."""


def resolve(playbook: Value, operations: Sequence[Operation], *, by: str, at: float) -> Resolved[Value]:
    """Applies operations one after the other; each is applied as a whole or rejected with a reason.

    Args:
        playbook: The playbook; not changed.
        operations: In order.
        by: The submitter.
        at: Time of submission, in seconds since the epoch.
    """
    applied: list[Change] = []
    rejected: list[Rejection] = []
    most = len(operations) if by == BY_USER else MAX_OPERATIONS
    for number, operation in enumerate(operations):
        try:
            change = _resolve_beyond(number) if number >= most else _RESOLVE[operation.type](playbook, operation)
        except RejectedError as error:
            rejected.append({"operation": operation.model_dump(mode="json"), "reason": str(error)})
        else:
            playbook = apply(playbook, change, by=by, at=at)
            applied.append(change)
    return Resolved(playbook, applied, rejected)


def cite(playbook: Bullets, cited: Iterable[str]) -> Change:
    """The change that counts a query and its citations; unknown ids are left out."""
    return {
        "type": "CITE",
        "bullet_ids": [id_ for id_ in dict.fromkeys(cited) if id_ in playbook],
        "query": playbook.queries + 1,
    }


def merge(playbook: Bullets, bullet_ids: Sequence[str], content: str) -> Change:
    """The change that makes one bullet of several, in the section of the first. All must exist."""
    merged = [_found(playbook, id_) for id_ in dict.fromkeys(bullet_ids)]
    section = merged[0].section
    return {
        "type": "MERGE",
        "bullet_id": _new_id(playbook, section),
        "bullet_ids": [bullet.id for bullet in merged],
        "section": section,
        "content": content,
        "merged": [bullet_to_plain(bullet) for bullet in merged],
    }


def remove(playbook: Bullets, bullet_id: str) -> Change:
    """The change that removes a bullet, which must exist."""
    return {"type": "REMOVE", "bullet_id": bullet_id, "bullet": bullet_to_plain(_found(playbook, bullet_id))}


def import_changes(playbook: Bullets, bullets: Iterable[StoredBullet]) -> list[Change]:
    """The changes that import bullets with their counters.

    An id is kept if its number is new to this playbook and below `FAR`; else the bullet gets a new id, and the change has
    the old one in `was`. All of them have `imported`, which tells them from the undo of a removal.

    Args:
        playbook: The playbook to import into.
        bullets: The bullets.

    Raises:
        PlaybookFormatError: A bullet is beyond the limits of operations, or there are too many; the message names it.
    """
    first, found = playbook.next_number, list(bullets)
    check_limits(found)
    check_count(len(playbook) + len(found), f"The playbook {playbook.name}".rstrip())
    section_like = playbook.sections_like()
    kept = {bullet.id for bullet in found if first <= number_of(bullet.id) < FAR}
    following = max([first + len(found), *(number_of(id_) + 1 for id_ in kept)])
    changes: list[Change] = []
    for place, bullet in enumerate(found, start=first):
        section = section_like(bullet.section)
        moved = bullet._replace(section=section, place=place, last_cited=playbook.queries)
        more: dict[str, Any] = {}
        if bullet.id in kept:
            kept.discard(bullet.id)
        else:
            moved = moved._replace(id=f"{slug_of(section)}-{following:05d}")
            following += 1
            more["was"] = bullet.id
        restored = {"type": "RESTORE", "bullet_id": moved.id, "bullet": bullet_to_plain(moved), "imported": True}
        changes.append(restored | more)
    return changes


def clean(text: str) -> str:
    """A text as bullets store it: without surrounding spaces and lone surrogates; lines keep their indentation."""
    whole = text.encode("utf-8", "replace").decode()
    stripped = whole.strip()
    if "\n" not in stripped:
        return stripped
    before = whole[: len(whole) - len(whole.lstrip())]
    return before[len(before.rstrip(" \t")) :] + stripped


# The changes of each operation.


def _found(playbook: Bullets, bullet_id: str) -> StoredBullet:
    if (bullet := playbook.get(bullet_id)) is None:
        raise RejectedError(f"There is no bullet {bullet_id[:80]!r} in this playbook.")
    return bullet


def _content(text: str) -> str:
    content = clean(text)
    if not content:
        raise RejectedError("The content is empty: a bullet must say something.")
    if len(content) > MAX_BULLET_LENGTH:
        raise RejectedError(
            f"The content has {len(content):,} characters; a bullet has at most {MAX_BULLET_LENGTH:,}. Split it."
        )
    return content


def _section(playbook: Bullets, name: str) -> str:
    section = " ".join(clean(name).split())
    if not section:
        raise RejectedError("The section has no name.")
    if len(section) > MAX_SECTION:
        raise RejectedError(f"The section's name has {len(section)} characters; it may have {MAX_SECTION}.")
    return playbook.section_like(section)


def _new_id(playbook: Bullets, section: str) -> str:
    return f"{slug_of(section)}-{playbook.next_number:05d}"


def _resolve_beyond(number: int) -> Change:
    raise RejectedError(f"It is number {number + 1} of the batch, and a batch has at most {MAX_OPERATIONS}.")


def _resolve_add(playbook: Bullets, operation: Add) -> Change:
    if len(playbook) >= MAX_PLAYBOOK_BULLETS:
        raise RejectedError(
            f"The playbook has {len(playbook):,} bullets, and {MAX_PLAYBOOK_BULLETS:,} is the most, since a model reads "
            "them. Remove or merge some first."
        )
    section, content = _section(playbook, operation.section), _content(operation.content)
    return {"type": "ADD", "bullet_id": _new_id(playbook, section), "section": section, "content": content}


def _resolve_update(playbook: Bullets, operation: Update) -> Change:
    bullet, content = _found(playbook, operation.bullet_id), _content(operation.content)
    if content == bullet.content:
        raise RejectedError("The bullet says exactly this already.")
    change = {"type": "UPDATE", "bullet_id": bullet.id, "content": content, "before": bullet.content}
    return change | {"counted": {tag: getattr(bullet, tag) for tag in TAGS}} if operation.corrects else change


def _resolve_remove(playbook: Bullets, operation: Remove) -> Change:
    more = {"reason": operation.reason} if operation.reason else {}
    return {**remove(playbook, operation.bullet_id), **more}


def _resolve_merge(playbook: Bullets, operation: Merge) -> Change:
    ids = list(dict.fromkeys(operation.bullet_ids))
    if len(ids) < 2:  # noqa: PLR2004  a single bullet cannot be merged
        raise RejectedError("A merge needs at least two different bullets.")
    return merge(playbook, ids, _content(operation.content))


def _resolve_tag(playbook: Bullets, operation: Tag) -> Change:
    _found(playbook, operation.bullet_id)
    return {"type": "TAG", "bullet_id": operation.bullet_id, "tag": operation.tag}


def _resolve_archive(playbook: Bullets, operation: Archive | Unarchive) -> Change:
    if _found(playbook, operation.bullet_id).archived == (operation.type == "ARCHIVE"):
        raise RejectedError("It is archived already." if operation.type == "ARCHIVE" else "It is not archived.")
    return {"type": operation.type, "bullet_id": operation.bullet_id}


_RESOLVE: dict[str, Callable[[Bullets, Any], Change]] = {
    "ADD": _resolve_add,
    "UPDATE": _resolve_update,
    "REMOVE": _resolve_remove,
    "MERGE": _resolve_merge,
    "TAG": _resolve_tag,
    "ARCHIVE": _resolve_archive,
    "UNARCHIVE": _resolve_archive,
}
