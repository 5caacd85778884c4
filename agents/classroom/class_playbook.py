"""The playbook that a class writes: bullets with their authors, one of them made wrong, and what answers come of it.

It is a playbook like any other. Authors are the submitters of its deltas, a bullet that is switched off is an archived one,
and what happened to a bullet is its lineage.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from agents.ace.bullet import StoredBullet
from agents.ace.operations import Add, Archive, DeltaBatch, Merge, Operation, RefinePolicy, Unarchive, Update
from agents.ace.playbook import Playbook
from agents.ace.store.deltas import DeltaRecord
from agents.ace.store.playbook_store import PlaybookStore
from agents.classroom.given_text import clean
from agents.errors import ClassError
from agents.lab import Sample, Task, make_scorer, run_sample
from agents.pipelines import Question, draw_questions

SECTION = "the class"
LONGEST_BULLET = 300
SIMILARITY = 0.6
"""Least similarity of two bullets that are merged at once: learners say the same in fewer words than models."""
MOST_BULLETS = 400
MOST_TOLD = 30
TEACHER = "teacher"
"""The submitter of the teacher's changes."""
KINDS = ("speed", "work", "voltage", "density", "current ratio")
"""What is asked: formulas that a class can write down, and that a model does not have without a bullet."""
_REFINED = RefinePolicy(mode="proactive", similarity=SIMILARITY, prune=False)
_SCORER = {"kind": "number", "relative": 0.005}


class ShownBullet(NamedTuple):
    """A bullet on the wall.

    Attributes:
        id: Its id.
        text: Its text.
        authors: Who wrote it, and who wrote what was merged into it.
        off: Whether it is switched off.
        switched_by: Who did that, "" if it was never switched.
        lineage: What happened to it last, at most `MOST_TOLD` sentences, oldest first.
    """

    id: str
    text: str
    authors: tuple[str, ...]
    off: bool
    switched_by: str
    lineage: tuple[str, ...]


class Check(NamedTuple):
    """An answer of the pipeline with the class's playbook.

    Attributes:
        question: What was asked.
        truth: The right answer.
        answer: The answer given.
        right: Whether it counts as right.
        cited: Ids of the bullets that it cites.
    """

    question: str
    truth: str
    answer: str
    right: bool
    cited: tuple[str, ...]


class ClassPlaybook:
    """The playbook of a class.

    Args:
        store: Where it is kept; it may be changed.
    """

    def __init__(self, store: PlaybookStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._shown: tuple[int, list[ShownBullet]] = (-1, [])

    def bullets(self) -> list[ShownBullet]:
        """Its bullets, in the order in which they came; worked out once, however many pages ask."""
        with self._lock:
            playbook = self._store.playbook()
            if self._shown[0] != playbook.revision:
                self._shown = playbook.revision, [self._shown_bullet(bullet) for bullet in playbook.bullets]
            return self._shown[1]

    def add(self, author: str, texts: Sequence[str]) -> list[str]:
        """Adds bullets; those that say the same as others are merged with them. Returns what was merged, in words.

        Raises:
            ClassError: A text cannot be shown, or the playbook is full.
        """
        if len(self._store.playbook().bullets) + len(texts) > MOST_BULLETS:
            raise ClassError(f"The class's playbook is full: it has {MOST_BULLETS} bullets. Merge some of them.")
        operations = [Add(section=SECTION, content=clean(text, most=LONGEST_BULLET, what="a bullet")) for text in texts]
        return self._commit(author, operations, refine=_REFINED)

    def merge(self, bullet_ids: Sequence[str]) -> None:
        """Merges bullets that say the same in other words; the first one's text stays.

        Raises:
            ClassError: There are not two of them.
        """
        playbook = self._store.playbook()
        found = [bullet for bullet in playbook.bullets if bullet.id in bullet_ids]
        if len(found) < 2:  # noqa: PLR2004  a pair
            raise ClassError("Choose two bullets or more: they become one.")
        self._commit(TEACHER, [Merge(bullet_ids=[bullet.id for bullet in found], content=found[0].content)])

    def make_wrong(self, bullet_id: str, text: str) -> None:
        """Gives a bullet another text. Its author stays; its lineage tells.

        Raises:
            ClassError: There is no such bullet, or the text cannot be shown.
        """
        self._commit(TEACHER, [Update(bullet_id=bullet_id, content=clean(text, most=LONGEST_BULLET, what="the wrong text"))])

    def switch(self, by: str, bullet_id: str, *, off: bool) -> None:
        """Takes a bullet out of prompts, or brings it back.

        Raises:
            ClassError: There is no such bullet.
        """
        self._commit(by, [Archive(bullet_id=bullet_id) if off else Unarchive(bullet_id=bullet_id)])

    async def check(self, questions: Sequence[Question], *, model: str, pipeline: str = "ace") -> list[Check]:
        """Asks questions with the playbook as it is. Nothing is learned from the answers."""
        playbook = self._store.playbook()
        return [await _answered(playbook, question, model, pipeline) for question in questions]

    def _commit(self, by: str, operations: Sequence[Operation], refine: RefinePolicy | None = None) -> list[str]:
        commit = self._store.commit(DeltaBatch(operations=list(operations), by=by, refine=refine))
        if commit.rejected and not commit.applied:
            raise ClassError(str(commit.rejected[0].get("reason") or "There is no such bullet."))
        return [str(change["bullet_id"]) for change in commit.applied if change["type"] == "MERGE"]

    def _shown_bullet(self, bullet: StoredBullet) -> ShownBullet:
        lineage = self._store.lineage(bullet.id)
        done = [(record.by, change["type"]) for record in lineage for change in record.applied]
        authors = [by for by, what in done if what == "ADD"]
        switched = [by for by, what in done if what in {"ARCHIVE", "UNARCHIVE"}]
        return ShownBullet(
            bullet.id,
            bullet.content,
            tuple(dict.fromkeys(authors)),
            bullet.archived,
            switched[-1] if switched else "",
            tuple(_told(lineage)[-MOST_TOLD:]),
        )


def check_questions() -> list[Question]:
    """The questions that the class's playbook is checked with: one of each of `KINDS`, always the same."""
    return list(draw_questions(1, len(KINDS), KINDS))


def _told(lineage: Sequence[DeltaRecord]) -> list[str]:
    words = {"ADD": "wrote it", "UPDATE": "changed it", "MERGE": "merged it", "ARCHIVE": "switched it off"}
    words["UNARCHIVE"] = "switched it on"
    return [
        f"{change.get('by') or record.by} {words[change['type']]}"
        + (f": {change['content']}" if change["type"] in {"ADD", "UPDATE"} else "")
        for record in lineage
        for change in record.applied
        if change["type"] in words
    ]


async def _answered(playbook: Playbook, question: Question, model: str, pipeline: str) -> Check:
    sample = Sample(id=question.family, question=question.text, truth=question.answer)
    task = Task(sample=sample, playbook=playbook, pipeline=pipeline, model=model, scorer=make_scorer(_SCORER))
    outcome = await run_sample(task)
    return Check(question.text, question.answer, outcome.answer[:LONGEST_BULLET], outcome.is_right, outcome.cited)
