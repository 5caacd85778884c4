"""Changes: the effects of operations on a certain playbook, and how they are applied. Pure functions.

A change is a plain dictionary as the log keeps it: fully resolved, and with all that undoing it needs. So a fold over the
log gives the same playbook in every process. `undo` takes changes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from agents.ace.bullet import TAGS, StoredBullet, number_of, slug_of
from agents.ace.formats.reader import check_count, check_limits
from agents.ace.operations import (
    BY_USER,
    MAX_BULLET_LENGTH,
    MAX_OPERATIONS,
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
from agents.ace.playbook import Playbook

FAR = 10**8
"""Numbers from here on are never given out: an imported id with one would use up all numbers before it."""


class Resolved(NamedTuple):
    """The result of operations.

    Attributes:
        playbook: As it is afterwards.
        applied: The changes, in order.
        rejected: The operations that were not applied, with reasons.
    """

    playbook: Playbook
    applied: list[Change]
    rejected: list[Rejection]


class RejectedError(Exception):
    """An operation cannot be applied; the message says why. Never leaves this package."""


def resolve(playbook: Playbook, operations: Sequence[Operation], *, by: str, at: float) -> Resolved:
    """Applies operations one after the other; each is applied as a whole or rejected with a reason.

    Args:
        playbook: What they are applied to; not changed.
        operations: In order.
        by: Who submits them.
        at: When, in seconds since the epoch.
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


def apply_all(playbook: Playbook, changes: Iterable[Change], *, by: str, at: float) -> Playbook:
    """The playbook after changes, in order: those of one kind together where they come in a row, as in an import."""
    for kind, run in groupby(changes, key=_bulk_kind):
        if kind == "RESTORE":
            playbook = playbook.with_all([bullet_from_plain(change["bullet"]) for change in run])
        elif kind == "REMOVE":
            playbook = playbook.without_all([change["bullet_id"] for change in run])
        else:
            for change in run:
                playbook = apply(playbook, change, by=by, at=at)
    return playbook


def _bulk_kind(change: Change) -> str:
    return change["type"] if change["type"] in {"RESTORE", "REMOVE"} else ""


def apply(playbook: Playbook, change: Change, *, by: str, at: float) -> Playbook:
    """The playbook after one change.

    Args:
        playbook: The one that the change was made for; not changed.
        change: What to do.
        by: Who submitted its batch.
        at: When, in seconds since the epoch.
    """
    return _APPLY[change["type"]](playbook, change, change.get("by", by), at)


def cite(playbook: Playbook, cited: Iterable[str]) -> Change:
    """The change that counts a query and the bullets cited for it; unknown ids are left out."""
    return {
        "type": "CITE",
        "bullet_ids": [id_ for id_ in dict.fromkeys(cited) if id_ in playbook],
        "query": playbook.queries + 1,
    }


def merge(playbook: Playbook, bullet_ids: Sequence[str], content: str) -> Change:
    """The change that makes one bullet of several, which must be there; it goes into the first one's section."""
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


def remove(playbook: Playbook, bullet_id: str) -> Change:
    """The change that takes out a bullet, which must be there."""
    return {"type": "REMOVE", "bullet_id": bullet_id, "bullet": bullet_to_plain(_found(playbook, bullet_id))}


def import_changes(playbook: Playbook, bullets: Iterable[StoredBullet], *, room: int = 0) -> list[Change]:
    """The changes that add bullets from elsewhere, counters and all.

    An id is kept if this playbook has never given out its number, and has numbers left behind it; else the bullet gets a
    new one, and the change says what it `was`.

    Args:
        playbook: What they are added to.
        bullets: From elsewhere.
        room: Numbers to leave for deltas that are committed before these changes are.

    Raises:
        PlaybookFormatError: A bullet is beyond the limits of operations, or there are too many; the message names it.
    """
    first, found = playbook.next_number + room, list(bullets)
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
        changes.append({"type": "RESTORE", "bullet_id": moved.id, "bullet": bullet_to_plain(moved), **more})
    return changes


def changed_ids(change: Change) -> list[str]:
    """The bullets that a change concerns."""
    single = [change["bullet_id"]] if "bullet_id" in change else []
    return [*single, *change.get("bullet_ids", ())]


def bullet_to_plain(bullet: StoredBullet) -> dict[str, Any]:
    """A bullet as JSON, without what is at its default."""
    kept = {name: value for name, value in bullet._asdict().items() if value != StoredBullet._field_defaults.get(name)}
    return kept | {"merged_from": list(bullet.merged_from)} if bullet.merged_from else kept


def bullet_from_plain(value: Mapping[str, Any]) -> StoredBullet:
    """A bullet from `bullet_to_plain`."""
    values: dict[str, Any] = {**value, "merged_from": tuple(value.get("merged_from", ()))}
    return StoredBullet(**values)


def clean(text: str) -> str:
    """A text as a bullet holds it: without spaces around it, and without lone surrogates."""
    return text.encode("utf-8", "replace").decode().strip()


# The changes of each operation.


def _found(playbook: Playbook, bullet_id: str) -> StoredBullet:
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


def _section(playbook: Playbook, name: str) -> str:
    section = " ".join(clean(name).split())
    if not section:
        raise RejectedError("The section has no name.")
    if len(section) > MAX_SECTION:
        raise RejectedError(f"The section's name has {len(section)} characters; it may have {MAX_SECTION}.")
    return playbook.section_like(section)


def _new_id(playbook: Playbook, section: str) -> str:
    return f"{slug_of(section)}-{playbook.next_number:05d}"


def _resolve_beyond(number: int) -> Change:
    raise RejectedError(f"It is number {number + 1} of the batch, and a batch has at most {MAX_OPERATIONS}.")


def _resolve_add(playbook: Playbook, operation: Add) -> Change:
    section, content = _section(playbook, operation.section), _content(operation.content)
    return {"type": "ADD", "bullet_id": _new_id(playbook, section), "section": section, "content": content}


def _resolve_update(playbook: Playbook, operation: Update) -> Change:
    before, content = _found(playbook, operation.bullet_id).content, _content(operation.content)
    if content == before:
        raise RejectedError("The bullet says exactly this already.")
    return {"type": "UPDATE", "bullet_id": operation.bullet_id, "content": content, "before": before}


def _resolve_remove(playbook: Playbook, operation: Remove) -> Change:
    more = {"reason": operation.reason} if operation.reason else {}
    return {**remove(playbook, operation.bullet_id), **more}


def _resolve_merge(playbook: Playbook, operation: Merge) -> Change:
    ids = list(dict.fromkeys(operation.bullet_ids))
    if len(ids) < 2:  # noqa: PLR2004  one is none to merge with
        raise RejectedError("A merge needs at least two different bullets.")
    return merge(playbook, ids, _content(operation.content))


def _resolve_tag(playbook: Playbook, operation: Tag) -> Change:
    _found(playbook, operation.bullet_id)
    return {"type": "TAG", "bullet_id": operation.bullet_id, "tag": operation.tag}


def _resolve_archive(playbook: Playbook, operation: Archive | Unarchive) -> Change:
    if _found(playbook, operation.bullet_id).archived == (operation.type == "ARCHIVE"):
        raise RejectedError("It is archived already." if operation.type == "ARCHIVE" else "It is not archived.")
    return {"type": operation.type, "bullet_id": operation.bullet_id}


_RESOLVE: dict[str, Callable[[Playbook, Any], Change]] = {
    "ADD": _resolve_add,
    "UPDATE": _resolve_update,
    "REMOVE": _resolve_remove,
    "MERGE": _resolve_merge,
    "TAG": _resolve_tag,
    "ARCHIVE": _resolve_archive,
    "UNARCHIVE": _resolve_archive,
}


# The effect of each change.


def _apply_add(playbook: Playbook, change: Change, by: str, at: float) -> Playbook:
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


def _apply_update(playbook: Playbook, change: Change, by: str, at: float) -> Playbook:
    bullet = _there(playbook, change)
    changed = bullet._replace(
        content=change["content"],
        updated_at=at,
        updated_by=by,
        helpful_before=bullet.helpful,
        harmful_before=bullet.harmful,
    )
    return playbook.with_bullet(changed)


def _apply_remove(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    return playbook.without(change["bullet_id"])


def _apply_merge(playbook: Playbook, change: Change, by: str, at: float) -> Playbook:
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


def _apply_tag(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    bullet, tag = _there(playbook, change), change["tag"]
    return playbook.with_bullet(bullet._replace(**{tag: getattr(bullet, tag) + 1}))


def _apply_cite(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    for id_ in change["bullet_ids"]:
        if (bullet := playbook.get(id_)) is not None:
            playbook = playbook.with_bullet(bullet._replace(last_cited=change["query"]))
    return playbook.replace(queries=change["query"])


def _apply_adjust(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    bullet = _there(playbook, change)
    counted = {name: getattr(bullet, name) + change.get(name, 0) for name in TAGS}
    return playbook.with_bullet(bullet._replace(**counted))


def _apply_restore(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    return playbook.with_bullet(bullet_from_plain(change["bullet"]))


def _apply_archive(playbook: Playbook, change: Change, _by: str, _at: float) -> Playbook:
    bullet = _there(playbook, change)
    if change["type"] == "ARCHIVE":
        return playbook.with_bullet(bullet._replace(archived=True))
    return playbook.with_bullet(bullet._replace(archived=False, last_cited=playbook.queries))


def _there(playbook: Playbook, change: Change) -> StoredBullet:
    bullet = playbook.get(change["bullet_id"])
    assert bullet is not None, change  # a change was made for a playbook that has it
    return bullet


_APPLY: dict[str, Callable[[Playbook, Change, str, float], Playbook]] = {
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
