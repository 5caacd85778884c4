"""Poisoned bullets: which answers a false text touched, and the one undo that heals the playbook.

A false rule enters a playbook as any other does: by the answer that a message calls right, or by what a tool gave back. From
then on answers may rest on it. All is read from the playbook's own log, which has sessions that were deleted too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.ace.changes import changed_ids
from agents.ace.operations import Change, FeedbackKind
from agents.ace.store.deltas import DeltaRecord
from agents.ace.store.playbook_store import PlaybookStore, Undone
from agents.errors import PlaybookNotFoundError
from agents.playbook import JudgedAnswer

_SETS_TEXT = {"ADD", "UPDATE", "MERGE", "RESTORE"}
_ENDS_TEXT = {"UPDATE", "REMOVE", "MERGE", "RESTORE"}


class Span(NamedTuple):
    """Revisions at which a text was in prompts: from `start` on, and before `end`; None while it is."""

    start: int
    end: int | None = None

    def __contains__(self, revision: object) -> bool:
        """Whether the text was in prompts at a revision."""
        return isinstance(revision, int) and self.start <= revision and (self.end is None or revision < self.end)


@dataclass(frozen=True, slots=True)
class Infection:
    """What a text of a bullet did.

    Attributes:
        bullet_id: The bullet.
        text: The text.
        source: The delta that brought it; its session is where it came from.
        told_by: What had judged the answer that the delta was learned from; None for a delta of no session.
        spans: When it was in prompts, oldest first; an archived bullet is not.
        answers: The answers that cite the bullet while it had this text, oldest first.
        given: All answers whose playbook had this text, oldest first. The bullets of a long playbook may have been chosen
            for each question, so not every one of them was given the text.
        learned: Revisions of deltas in which a session with such an answer changed other bullets: they may rest on it.
    """

    bullet_id: str
    text: str
    source: DeltaRecord
    told_by: FeedbackKind | None
    spans: tuple[Span, ...]
    answers: tuple[JudgedAnswer, ...]
    given: tuple[JudgedAnswer, ...]
    learned: tuple[int, ...]

    @property
    def ended(self) -> int | None:
        """The revision that took it away again; None while it stands."""
        return self.spans[-1].end


def infection_of(
    store: PlaybookStore,
    bullet_id: str,
    *,
    revision: int | None = None,
    lineage: Sequence[DeltaRecord] | None = None,
) -> Infection:
    """Finds what a text of a bullet touched.

    Args:
        store: The playbook's store.
        bullet_id: The bullet.
        revision: The revision that brought the text; by default the last one that did.
        lineage: The bullet's lineage, if it was read already.

    Raises:
        PlaybookNotFoundError: No delta gave that bullet a text, or not that one.
    """
    lineage = store.lineage(bullet_id) if lineage is None else lineage
    found = texts_in(lineage, bullet_id)
    source = next((one for one in reversed(found) if revision is None or one.revision == revision), None)
    if source is None:
        at = "" if revision is None else f" in revision {revision}"
        raise PlaybookNotFoundError(f"No delta gave the bullet {bullet_id!r} a text{at}. Choose one from its history.")
    later = [record for record in lineage if record.revision > source.revision]
    spans = _spans(source, later, bullet_id)
    touched = [record for record in later if bullet_id in (record.cited or ()) and _is_within(record.revision - 1, spans)]
    answers = store.answers()
    return Infection(
        bullet_id,
        _text_set(source, bullet_id) or "",
        source,
        next((answer.feedback for answer in _answers_of([source], answers)), None),
        spans,
        tuple(_answers_of(touched, answers)),
        tuple(answer for answer in answers if _is_within(answer.revision, spans)),
        tuple(_learned_in(touched, store.text_changes(after=source.revision))),
    )


def texts_in(lineage: Sequence[DeltaRecord], bullet_id: str) -> list[DeltaRecord]:
    """The deltas of a bullet's lineage that gave it a text, oldest first."""
    return [record for record in lineage if _text_set(record, bullet_id) is not None]


def heal(store: PlaybookStore, infection: Infection) -> Undone:
    """Undoes the delta that brought a text. What other sessions learned stays.

    Raises:
        PlaybookNotFoundError: There is no such delta.
        PlaybookFrozenError: The playbook is frozen.
    """
    return store.undo(infection.source.revision)


def _text_set(record: DeltaRecord, bullet_id: str) -> str | None:
    """The text that a delta gave a bullet, or None."""
    for change in reversed(record.applied):
        if change["type"] in _SETS_TEXT and change["bullet_id"] == bullet_id:
            return str(change["bullet"]["content"] if change["type"] == "RESTORE" else change["content"])
    return None


def _spans(source: DeltaRecord, later: Sequence[DeltaRecord], bullet_id: str) -> tuple[Span, ...]:
    spans = [Span(source.revision)]
    for record in later:
        changes = [change for change in record.applied if bullet_id in changed_ids(change)]
        if spans[-1].end is None and any(change["type"] in {*_ENDS_TEXT, "ARCHIVE"} for change in changes):
            spans[-1] = spans[-1]._replace(end=record.revision)
        if any(change["type"] in _ENDS_TEXT for change in changes):
            break
        if spans[-1].end is not None and any(change["type"] == "UNARCHIVE" for change in changes):
            spans.append(Span(record.revision))
    return tuple(spans)


def _is_within(revision: int, spans: Sequence[Span]) -> bool:
    return any(revision in span for span in spans)


def _answers_of(touched: Sequence[DeltaRecord], answers: Sequence[JudgedAnswer]) -> list[JudgedAnswer]:
    """The answer that each delta counts: the last one before it in its session."""
    of_session: dict[tuple[str, str], list[JudgedAnswer]] = {}
    for answer in answers:
        of_session.setdefault((answer.app_name, answer.session_id), []).append(answer)
    found: dict[tuple[str, str, int], JudgedAnswer] = {}
    for record in touched:
        before = [one for one in of_session.get((record.app_name, record.session_id), ()) if one.seq <= record.seq]
        if before:
            answer = max(before, key=lambda one: one.seq)
            found[answer.app_name, answer.session_id, answer.seq] = answer
    return list(found.values())


def _learned_in(touched: Sequence[DeltaRecord], changed: Sequence[DeltaRecord]) -> list[int]:
    """Deltas of the same runs that changed what bullets say."""
    runs = {_run_of(record) for record in touched}
    return sorted(record.revision for record in changed if _run_of(record) in runs and _changes_text(record.applied))


def _run_of(record: DeltaRecord) -> tuple[str, str, str]:
    return record.app_name, record.session_id, record.invocation_id


def _changes_text(applied: Sequence[Change]) -> bool:
    return any(change["type"] in _SETS_TEXT for change in applied)
