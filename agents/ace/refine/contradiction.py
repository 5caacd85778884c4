"""Contradiction: two texts that say the same of one thing, but for the answer.

A right answer that contradicts a bullet does not show which of them is true, so the user decides. A formula is no answer,
and neither are examples after "e.g.": the next right answer tells whether they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.operations import Add, Operation, Remove, Update
from agents.ace.playbook import Playbook
from agents.ace.refine.disagreement import Reading


class Conflict(NamedTuple):
    """A bullet that a right answer contradicts.

    Attributes:
        bullet_id: The bullet.
        says: Its text.
        truth: The right answer.
    """

    bullet_id: str
    says: str
    truth: str


def settled(
    playbook: Playbook, operations: Sequence[Operation], *, truth: str, answer: str, own: Container[str]
) -> tuple[list[Operation], list[Conflict]]:
    """Operations with the contradictions in them: what was to be added beside a contradicted bullet changes that bullet.

    Args:
        playbook: The playbook that they are for.
        operations: In order.
        truth: The right answer that they were learned from.
        answer: What was answered instead.
        own: Ids of the bullets that may be changed without a conflict.
    """
    found: list[Operation] = []
    conflicts: list[Conflict] = []
    for operation in operations:
        bullet = _contradicted(playbook, operation, truth, answer)
        if bullet is None or not isinstance(operation, Add | Update):
            found.append(operation)
            continue
        found.append(Update(bullet_id=bullet.id, content=operation.content, corrects=True))
        if bullet.id not in own:
            conflicts.append(Conflict(bullet.id, bullet.content, truth))
    changed = {operation.bullet_id for operation in found if isinstance(operation, Update) and operation.corrects}
    return [one for one in found if not (isinstance(one, Remove) and one.bullet_id in changed)], conflicts


def says_otherwise(text: str, bullet: str, feedback: str) -> bool:
    """Whether the text that replaces a bullet's says something else; other counts in it are nothing else.

    Args:
        text: The new text.
        bullet: The text that it replaces.
        feedback: What it was learned from.
    """
    new, old, told = Reading(text), Reading(bullet), Reading(feedback)
    learned = set(new.words) - set(old.words)
    return _formulas(new) != _formulas(old) or any(not word[0].isdigit() or word in told.words for word in learned)


def may_be_contradicted(bullet: str, truth: str) -> bool:
    """Whether a right answer may contradict a bullet: it is no formula, and does not have that answer in it."""
    says = _statement(bullet)
    return not _formulas(says) and not set(Reading(truth).content) <= set(says.content)


def _contradicted(playbook: Playbook, operation: Operation, truth: str, answer: str) -> StoredBullet | None:
    """The bullet that an operation's text contradicts."""
    right, given = set(Reading(truth).content), set(Reading(answer).content)
    match operation:
        case Update():
            new, bullet = _statement(operation.content), playbook.get(operation.bullet_id)
            return bullet if bullet and _answers_otherwise(new, _statement(bullet.content), right, given) else None
        case Add() if right <= set((new := _statement(operation.content)).content):
            others = ((bullet, _statement(bullet.content)) for bullet in playbook.active)
            return next((bullet for bullet, old in others if _is_another_answer(new, old, right, given)), None)
        case _:
            return None


def _statement(text: str) -> Reading:
    """A text without the examples at its end."""
    return Reading(text.partition("e.g.")[0])


def _answers_otherwise(new: Reading, old: Reading, right: set[str], given: set[str]) -> bool:
    """Whether a new text of a bullet has the right answer in place of another one."""
    mine, its = set(new.content), set(old.content)
    if not right <= mine or right <= its or _formulas(new) != _formulas(old):
        return False
    return given <= its or (mine - right <= its and _holds_an_answer(its - mine, right))


def _is_another_answer(new: Reading, old: Reading, right: set[str], given: set[str]) -> bool:
    """Whether a text is about the same as a bullet, and nothing but the answer differs."""
    mine, its = set(new.content), set(old.content)
    others, about = its - mine, Counter(new.content) - Counter(right)  # “house” is still what “house: HOUSE” is about
    is_same = set(about) <= its and not right <= its and _formulas(new) == _formulas(old)
    return is_same and _holds_an_answer(others, right) and (others <= given or len(others) <= len(right - its))


def _holds_an_answer(words: set[str], right: set[str]) -> bool:
    """Whether words may be another answer than the right one: a number in place of a number, else any word."""
    return bool(words) and (not _numbers(right) or bool(_numbers(words)))


def _numbers(words: set[str]) -> set[str]:
    return {word for word in words if word[:1].isdigit()}


def _formulas(reading: Reading) -> list[str]:
    return [claim.value for claim in reading.claims if claim.kind == "formula"]
