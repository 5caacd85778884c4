"""Learns from sessions: what went wrong, which bullets would have prevented it, and which pass on held-out sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agents.access import Action
from agents.ace import Playbook, StoredBullet, why_no_knowledge, write_skill
from agents.cases import Check
from agents.pipelines import CODING_SESSION, Catalog
from agents.runs.manager import RunManager
from agents.runs.services import Services
from agents.session_list import SessionFilter, SessionSummary
from agents.storage.preferences import SIMULATED
from agents.transcripts.lessons import Lesson, Place, cases_of
from agents.transcripts.repairs import RULES, Repair, RepairFold

EXAMPLE = Path(__file__).parent / "example"
"""The folder of sessions that come with the playground."""
_PAGE = 1000
MOST_TRIED = 40
"""Most lessons whose bullets are tried."""
MOST_CASES = 5
"""Most held-out failures that a bullet is tried on; the latest ones."""

Progress = Callable[[int, int], None]
"""Called with how many were done, and of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the cases of the held-out sessions say of a lesson's bullet.

    Attributes:
        lesson: The lesson.
        cases: How many cases there were.
        before: How many of them held without any bullet.
        alone: How many hold with the bullet alone.
        together: How many hold with all bullets that were tried.
        why: Why it did not pass; "" if it did.
    """

    lesson: Lesson
    cases: int = 0
    before: int = 0
    alone: int = 0
    together: int = 0
    why: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bullet would have prevented what went wrong in the held-out sessions."""
        return not self.why


def read_places(manager: RunManager, sessions: Iterable[str] | None = None, progress: Progress | None = None) -> list[Place]:
    """The failures and repairs in sessions of coding agents.

    Args:
        manager: Where they are.
        sessions: Their ids; None for all that there are.
        progress: Called after each session.

    Raises:
        DatabaseError: They cannot be read.
    """
    wanted = None if sessions is None else set(sessions)
    rows = [
        row
        for row in manager.sessions.each(SessionFilter(app_name=CODING_SESSION))
        if (row.id in wanted if wanted is not None else not row.fork)
    ]
    found: list[Place] = []
    for number, row in enumerate(rows, 1):
        found += places_in(manager, row)
        if progress is not None:
            progress(number, len(rows))
    return found


def places_in(manager: RunManager, row: SessionSummary) -> list[Place]:
    """The failures and repairs of one session, of whatever pipeline."""
    key = manager.key(Action.READ_SESSION, row.app_name, row.id)

    async def work(services: Services) -> tuple[list[Repair], float]:
        fold, began, after = RepairFold(), row.created_at, 0
        while page := await services.sessions.read_log(**key.name, after=after, limit=_PAGE):
            began = float(page[0].fields()["timestamp"]) if not after else began
            await asyncio.to_thread(fold.add, page)
            after = page[-1].seq
        return fold.found, began

    repairs, began = manager.in_store(work, action=Action.READ_SESSION)
    return [Place(pipeline=row.app_name, session_id=row.id, title=row.title, at=began, repair=repair) for repair in repairs]


async def try_lessons(
    catalog: Catalog, lessons: Sequence[Lesson], *, model: str = SIMULATED, progress: Progress | None = None
) -> list[Trial]:
    """Tries the bullets of lessons on cases made of the held-out sessions.

    A bullet passes if a case fails without it and holds with it, and every case that holds with it alone also holds beside
    all the others. One that gives orders, or has a secret in it, is not tried: its words come from what tools returned.

    Args:
        catalog: The pipelines.
        lessons: The lessons.
        model: The model that answers.
        progress: Called after each lesson.
    """
    check = Check(catalog, model=model)
    tried = [one for one in lessons if one.bullet and one.held_out and not why_no_knowledge(one.bullet)][:MOST_TRIED]
    found: list[Trial] = []
    for number, lesson in enumerate(lessons, 1):
        found.append(await _tried(check, lesson, tried) if lesson in tried else Trial(lesson=lesson, why=_not_tried(lesson)))
        if progress is not None:
            progress(number, len(lessons))
    return found


async def _tried(check: Check, lesson: Lesson, others: Sequence[Lesson]) -> Trial:
    counts: list[int] = []
    cases = 0
    for bullets in ((), (lesson,), others):
        asked = list(cases_of(lesson, bullets))[-MOST_CASES:]
        cases = len(asked)
        counts.append(sum([(await check.run_once(case)).outcome == "held" for case in asked]))
    before, alone, together = counts
    why = ""
    if alone <= before:
        why = "It was right without the bullet." if before == cases else "The bullet does not help in the held-out sessions."
    elif together < alone:
        why = "It does not help beside the other bullets."
    return Trial(lesson=lesson, cases=cases, before=before, alone=alone, together=together, why=why)


def _not_tried(lesson: Lesson) -> str:
    if not lesson.bullet:
        return "A sentence for this takes a model: teach it from the samples."
    if why := why_no_knowledge(lesson.bullet):
        return f"It is no knowledge: {why}"
    if not lesson.held_out:
        return "It went wrong in one session only, so that none is left to try the bullet on."
    return f"At most {MOST_TRIED} bullets are tried at once."


def passed_playbook(trials: Iterable[Trial], *, name: str = "") -> Playbook:
    """A playbook with only the bullets that passed, each judged helpful once for each case that it made right."""
    return Playbook(
        [
            StoredBullet(
                one.lesson.bullet_id, one.lesson.section, one.lesson.bullet, helpful=one.alone - one.before, place=place
            )
            for place, one in enumerate(trial for trial in trials if trial.passed)
        ],
        name=name,
    )


def keep_passed(manager: RunManager, trials: Iterable[Trial], name: str) -> int:
    """Adds the bullets that passed to a playbook, which need not exist; those that it has already stay as they are.

    Returns:
        How many are new.

    Raises:
        ValueError: The name is not valid.
        PlaybookFrozenError: The playbook is frozen.
    """
    store = manager.playbooks(name)
    known = {bullet.content for bullet in store.playbook().bullets}
    new = [bullet for bullet in passed_playbook(trials).bullets if bullet.content not in known]
    if new:
        store.import_playbook(Playbook(new), reasoning="Passed the cases of held-out sessions.")
    return len(new)


def learned_skill(trials: Sequence[Trial], *, name: str) -> dict[str, str]:
    """The bullets that passed as a skill's files, with the places in the sessions as their evidence.

    Raises:
        PlaybookFormatError: No bullet passed.
    """
    evidence = {one.lesson.bullet_id: evidence_of_trial(one) for one in trials}
    about = "What went wrong before in sessions of a coding agent, and what works instead. Read it before you run commands."
    return write_skill(passed_playbook(trials), name=name, description=about, evidence=evidence)


def evidence_of_trial(trial: Trial) -> str:
    """Where a lesson comes from, and how its bullet was tried."""
    lesson = trial.lesson
    lines = [
        f"Rule: {RULES[lesson.kind]}",
        f"Found in {lesson.sessions} sessions.",
        f"Tried on {trial.cases} held-out cases: {trial.before} held without it, {trial.alone} with it.",
        "",
    ]
    for place in lesson.places:
        at = datetime.fromtimestamp(place.at, UTC).strftime("%Y-%m-%d")
        kept = "learned from" if place in lesson.learned_from else "held out"
        where = f"session {place.session_id}, entries {place.repair.failed_at} and {place.repair.repaired_at}"
        lines.append(f"- {at}, {kept}, {where}: `{place.repair.tried}`: {place.repair.problem} → `{place.repair.repair}`")
    return "\n".join(lines)
