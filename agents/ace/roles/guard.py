"""The guard between a model's operations and a playbook: each operation passes or is rejected with a reason.

Pure functions. The store may still reject an operation that passed, since the playbook may have changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agents.ace.bullet import TAGS, section_key
from agents.ace.operations import MAX_BULLET_LENGTH, MAX_OPERATIONS, Add, Merge, Operation, Rejection, Remove, Tag, Update
from agents.ace.playbook import Playbook
from agents.ace.refine.wording import content_of, words_of
from agents.ace.roles.orders import is_about_agent, is_echo, order_in, secret_in
from agents.ace.roles.schemas import BulletTag, CuratorOperation

SMALL = 5
"""From a playbook with fewer bullets, any number may be removed."""
MOST_REMOVED = 0.25
"""Share of a playbook that one batch may remove."""
MOST_MERGED = 0.5
"""Share of a playbook that one batch may merge away."""
LEAST_SHARED = 0.1
"""Least share of common words, of the shorter text, between a bullet and the text that replaces it."""

_ADAPTER: TypeAdapter[Operation] = TypeAdapter(Operation)
_TYPES = {"ADD", "UPDATE", "REMOVE", "MERGE", "TAG"}


class Guarded(NamedTuple):
    """The guard's result on a model's operations.

    Attributes:
        operations: Those that passed, in their order.
        rejected: The others, each `{"operation": {…}, "reason": "…"}`.
    """

    operations: list[Operation]
    rejected: list[Rejection]


class _RefusedError(Exception):
    """An operation is rejected; the message says why."""


def guarded(
    playbook: Playbook,
    operations: Sequence[CuratorOperation | Mapping[str, Any]],
    *,
    shown: Collection[str] | None = None,
    question: str = "",
) -> Guarded:
    """Checks a curator's operations.

    Args:
        playbook: The playbook that they are for.
        operations: The model's operations, in order.
        shown: Ids of the bullets in the curator's prompt; None for all.
        question: The question that was learned from: a bullet that only repeats it is rejected.
    """
    kept: list[Operation] = []
    rejected: list[Rejection] = []
    seen: set[tuple[str, ...]] = set()
    for asked in operations:
        try:
            operation = _read(asked)
            _check_batch(kept, operation, seen)
            _check_bullets(playbook, operation, shown)
            _check_text(playbook, operation, question)
        except _RefusedError as refusal:
            rejected.append({"operation": _told(asked), "reason": str(refusal)})
        else:
            seen.add(_mark_of(operation))
            kept.append(operation)
    for spoiled, reason in (_too_many_removed(playbook, kept), _too_many_merged(playbook, kept)):
        rejected += [{"operation": operation.model_dump(mode="json"), "reason": reason} for operation in spoiled]
        kept = [operation for operation in kept if operation not in spoiled]
    return Guarded(kept, rejected)


def guarded_tags(
    playbook: Playbook, tags: Iterable[BulletTag], cited: Iterable[str], *, given: Collection[str] | None = None
) -> tuple[Guarded, list[str]]:
    """Checks a reflector's tags, and the bullets that the generator cited.

    Args:
        playbook: The playbook that they are for.
        tags: The model's tags.
        cited: Ids that the generator cites.
        given: Ids of the bullets in the generator's prompt; None for all.

    Returns:
        The tags to submit with the rejections (also of citations), and the ids that count as cited.
    """
    found, rejected = Guarded([], []), list[Rejection]()
    counted: list[str] = []
    for bullet_id in dict.fromkeys(cited):
        if (problem := _problem_of(playbook, bullet_id, given)) is None:
            counted.append(bullet_id)
        else:
            rejected.append({"operation": {"type": "CITE", "bullet_id": bullet_id}, "reason": f"Cited, but: {problem}"})
    tagged: set[str] = set()
    for tag in tags:
        operation = {"type": "TAG", "bullet_id": tag.id, "tag": tag.tag}
        problem = None if tag.tag in TAGS else f"{tag.tag!r} is no tag: it must be one of {', '.join(TAGS)}."
        if problem is None and tag.id in tagged:
            problem = "It was tagged for this answer already."
        if (problem := problem or _problem_of(playbook, tag.id, given)) is None:
            tagged.add(tag.id)
            found.operations.append(_ADAPTER.validate_python(operation))
        else:
            rejected.append({"operation": operation, "reason": problem})
    return Guarded(found.operations, rejected), counted


def read_operation(value: Mapping[str, Any]) -> Operation | str:
    """An operation, e.g. one edited by the user; or the reason why it is not valid."""
    try:
        return _read(value)
    except _RefusedError as refusal:
        return str(refusal)


@lru_cache(maxsize=4096)
def why_no_knowledge(content: str, section: str = "") -> str:
    """Why a text is no knowledge for a task: it has an order to the model in it, or a secret; "" if it is knowledge."""
    order = order_in(content) or order_in(" ".join(section.replace(".", " ").split()))
    if order is not None:
        return f"It speaks to the model itself (“{order}”) where a bullet is knowledge for a task."
    if (secret := secret_in(content)) is not None:
        return f"It has a secret in it (“{secret}”), which each later prompt would send."
    if is_about_agent(section):
        return f"It says what the agent is or may do (“{_cut(section, 40)}”), which no bullet decides."
    return ""


def _read(asked: CuratorOperation | Mapping[str, Any]) -> Operation:
    """A valid operation.

    Raises:
        _RefusedError: It is not valid.
    """
    try:
        found = asked if isinstance(asked, CuratorOperation) else CuratorOperation.model_validate(asked)
    except ValidationError as error:
        raise _RefusedError(f"It cannot be read: {error.errors()[0]['msg']}.") from error
    if found.type not in _TYPES:
        raise _RefusedError(f"{found.type!r} is no type of operation: it must be ADD, UPDATE, REMOVE, MERGE or TAG.")
    try:
        return _ADAPTER.validate_python(found.model_dump(exclude_none=True))
    except ValidationError as error:
        wrong = {str(step) for problem in error.errors() for step in problem["loc"][-1:]}
        raise _RefusedError(f"{found.type} needs {' and '.join(sorted(wrong))}.") from error


def _told(asked: CuratorOperation | Mapping[str, Any]) -> dict[str, Any]:
    """The model's operation for the record, cut to the lengths of a valid one."""
    try:
        return CuratorOperation.model_validate(asked).model_dump(mode="json", exclude_none=True)
    except ValidationError:
        return {"type": ""}


def _ids_of(operation: Operation) -> list[str]:
    match operation:
        case Add():
            return []
        case Merge():
            return operation.bullet_ids
        case _:
            return [operation.bullet_id]


def _mark_of(operation: Operation) -> tuple[str, ...]:
    """A key that is unique in a batch; () for an operation that may be repeated."""
    match operation:
        case Add():
            return "ADD", section_key(operation.section), " ".join(operation.content.casefold().split())
        case Tag() | Remove():
            return operation.type, operation.bullet_id
        case _:
            return ()


def _problem_of(playbook: Playbook, bullet_id: str, shown: Collection[str] | None) -> str | None:
    if bullet_id not in playbook:
        return f"there is no bullet {bullet_id!r} in this playbook."
    if shown is not None and bullet_id not in shown:
        return f"bullet {bullet_id!r} was not among those given for this question."
    return None


def _check_bullets(playbook: Playbook, operation: Operation, shown: Collection[str] | None) -> None:
    for bullet_id in _ids_of(operation):
        if (problem := _problem_of(playbook, bullet_id, shown)) is not None:
            raise _RefusedError(problem[0].upper() + problem[1:])


def _check_text(playbook: Playbook, operation: Operation, question: str) -> None:
    if not isinstance(operation, Add | Update | Merge):
        return
    if not operation.content.strip():
        raise _RefusedError("The content is empty: a bullet must say something.")
    if len(operation.content) > MAX_BULLET_LENGTH:
        raise _RefusedError(f"The content is too long: a bullet has at most {MAX_BULLET_LENGTH:,} characters. Split it.")
    if is_echo(operation.content, question):
        raise _RefusedError("It repeats the question or the instructions: a bullet must say what was learned.")
    if why := why_no_knowledge(operation.content, operation.section if isinstance(operation, Add) else ""):
        raise _RefusedError(f"{why} If it is meant so, a user may add it by hand.")
    for bullet_id in _ids_of(operation):
        bullet = playbook.get(bullet_id)
        if bullet is not None and not have_in_common(bullet.content, operation.content):
            what = "be about another thing than" if isinstance(operation, Update) else "leave out"
            raise _RefusedError(
                f"The new text would {what} bullet {bullet_id}, which says “{_cut(bullet.content)}”. To replace knowledge "
                "by other knowledge, REMOVE the one and ADD the other."
            )


def _check_batch(kept: list[Operation], operation: Operation, seen: set[tuple[str, ...]]) -> None:
    if len(kept) >= MAX_OPERATIONS:
        raise _RefusedError(f"A batch has at most {MAX_OPERATIONS} operations, and so many came before this one.")
    if (mark := _mark_of(operation)) and mark in seen:
        raise _RefusedError("The same stands in this batch already.")


def _too_many_removed(playbook: Playbook, kept: list[Operation]) -> tuple[list[Operation], str]:
    return _too_many(
        playbook, kept, lambda operation: 1 if isinstance(operation, Remove) else 0, MOST_REMOVED, "remove", "a quarter"
    )


def _too_many_merged(playbook: Playbook, kept: list[Operation]) -> tuple[list[Operation], str]:
    def lost(operation: Operation) -> int:
        return len(set(operation.bullet_ids)) - 1 if isinstance(operation, Merge) else 0

    return _too_many(playbook, kept, lost, MOST_MERGED, "merge away", "half")


def _too_many(
    playbook: Playbook,
    kept: list[Operation],
    lost: Callable[[Operation], int],
    share: float,
    what: str,
    limit: str,
) -> tuple[list[Operation], str]:
    """The operations of one kind, if together they remove too much, and the reason."""
    spoiled = [operation for operation in kept if lost(operation) > 0]
    number = sum(map(lost, spoiled))
    if len(playbook) < SMALL or number <= len(playbook) * share:
        return [], ""
    return spoiled, (
        f"Together these would {what} {number} of {len(playbook)} bullets, and one batch may take at most {limit}: a "
        "playbook that shrinks in one step forgets. A user may do it on the playbook page."
    )


def have_in_common(one: str, other: str) -> bool:
    """Whether two texts share some of their words, so that one can be a new wording of the other."""
    words, others = _words(one), _words(other)
    if not words:
        return True  # no words to lose
    return len(words & others) >= max(1e-9, LEAST_SHARED * min(len(words), len(others)))


def _words(text: str) -> set[str]:
    """Content words and numbers."""
    return {word for word in content_of(words_of(text)) if any(sign.isalnum() for sign in word)}


def _cut(text: str, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
