"""What goes wrong again and again in sessions, the bullet that would prevent it, and the cases that tell whether it does.

A bullet is made of the earlier sessions, and tried on the later ones, which are held out. A sentence that a template can
write is written here; where it takes understanding, a lesson has no bullet and waits for a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.cases import AnswerContains, Case, InlineBullet, InlinePlaybook, NoPlaybook
from agents.cases.case import MAX_NAME, PlaybookChoice
from agents.transcripts.commands import essence, pattern_of
from agents.transcripts.repairs import Kind, Repair

PIPELINE = "ace"
"""The pipeline that cases ask: it answers from a playbook."""
SECTIONS: dict[Kind, str] = {"command": "COMMANDS", "correction": "WHAT THE USER WANTS"}
"""Kinds that a template can write a bullet for, and its section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A failure and its repair in a session.

    Attributes:
        pipeline: The session's pipeline.
        session_id: The session.
        title: Its title.
        at: When it was, in seconds since the epoch.
        repair: What was found there.
    """

    pipeline: str
    session_id: str
    title: str
    at: float
    repair: Repair


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What went wrong in the same way in one or more sessions.

    Attributes:
        kind: The rule that found it.
        places: Where it was, the earliest first.
        learned_from: Those of the earlier sessions.
        held_out: Those of the later ones; empty if there is one session only.
        bullet_id: The id of its bullet.
        bullet: The bullet that the earlier sessions teach; "" where it takes a model to write one.
    """

    kind: Kind
    places: tuple[Place, ...]
    learned_from: tuple[Place, ...]
    held_out: tuple[Place, ...]
    bullet_id: str
    bullet: str

    @property
    def sessions(self) -> int:
        """In how many sessions it went wrong."""
        return len({place.session_id for place in self.places})

    @property
    def section(self) -> str:
        """The section of its bullet."""
        return SECTIONS.get(self.kind, "OTHERS")


def lessons_of(places: Iterable[Place]) -> list[Lesson]:
    """Groups what went wrong in the same way; what is in most sessions comes first."""
    groups: dict[tuple[str, str, str], list[Place]] = {}
    for place in sorted(places, key=lambda one: (one.at, one.repair.failed_at)):
        groups.setdefault(place.repair.pattern, []).append(place)
    ranked = sorted(groups.values(), key=lambda group: (-len({one.session_id for one in group}), -len(group)))
    return [_lesson(group, number) for number, group in enumerate(ranked, 1)]


def _lesson(group: Sequence[Place], number: int) -> Lesson:
    sessions = list(dict.fromkeys(place.session_id for place in group))
    early = set(sessions[: (len(sessions) + 1) // 2])
    learned_from = tuple(place for place in group if place.session_id in early)
    kind = group[0].repair.kind
    return Lesson(
        kind=kind,
        places=tuple(group),
        learned_from=learned_from,
        held_out=tuple(place for place in group if place.session_id not in early),
        bullet_id=f"{'cmd' if kind == 'command' else 'user'}-{number:05d}",
        bullet=_bullet(learned_from[-1].repair),
    )


def _bullet(repair: Repair) -> str:
    """The bullet of a repair, by a template."""
    match repair.kind:
        case "command":
            problem = pattern_of(repair.problem)
            return f"When `{_short(repair.tried)}` fails with “{problem}”, run `{answer_of(repair)}` instead."
        case "correction" if repair.wanted:
            return f"Use {repair.wanted}. The user said: {repair.problem}"
        case _:
            return ""


def answer_of(repair: Repair) -> str:
    """What is right, as a case or a sample expects it."""
    if repair.kind == "correction":
        return repair.wanted or repair.problem
    return _short(repair.repair) if repair.kind == "command" else repair.repair


def question_of(repair: Repair) -> str:
    """What an agent is asked in the same situation."""
    match repair.kind:
        case "command":
            return f"`{repair.tried}` failed: {repair.problem}\nWhich command works instead?"
        case "tests":
            return f"`{repair.tried}` is red: {repair.problem}\nWhat has to be changed?"
        case "correction":
            return f"{repair.request or repair.tried}\nBefore you start: what does the user want used?"
        case "tool":
            return f"The tool call {repair.tried} failed: {repair.problem}\nWhat works instead?"
        case "undone":
            return f"An edit of {repair.tried} was undone. What should stand there?"


def _short(command: str) -> str:
    return essence(command) or command


def cases_of(lesson: Lesson, bullets: Sequence[Lesson]) -> Iterator[Case]:
    """The cases that the held-out sessions make of a lesson, asked with the bullets of some lessons."""
    choice: PlaybookChoice = NoPlaybook()
    if bullets:
        inline = (InlineBullet(id=one.bullet_id, section=one.section, content=one.bullet) for one in bullets)
        choice = InlinePlaybook(bullets=tuple(inline))
    for number, place in enumerate(lesson.held_out, 1):
        yield Case(
            name=f"{lesson.bullet_id} {number}: {place.title}"[:MAX_NAME],
            pipeline=PIPELINE,
            messages=(question_of(place.repair),),
            playbook=choice,
            expect=(AnswerContains(text=answer_of(place.repair)),),
        )


def samples_of(lessons: Iterable[Lesson]) -> Iterator[str]:
    """Every failure and its repair as a line of JSON that the Lab reads: question, answer, and where it was."""
    for lesson in lessons:
        for place in lesson.places:
            repair = place.repair
            yield json.dumps(
                {
                    "question": question_of(repair),
                    "answer": answer_of(repair),
                    "kind": repair.kind,
                    "session": place.session_id,
                    "failed_at": repair.failed_at,
                    "repaired_at": repair.repaired_at,
                },
                ensure_ascii=False,
            )
