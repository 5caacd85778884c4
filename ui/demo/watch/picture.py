"""What the stage shows of a watch: read from the playbooks and their judged answers, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.demo.stage.bullet_text import short
from ui.demo.stage.picture import Bullet, Chart, Line, Mark, Picture, Question, shares
from ui.demo.watch import arms
from ui.demo.watch.arms import ARMS, LABELS, Arm, Watch
from ui.text.judged_answers import FEEDBACK, SIGNS, VERDICTS, points, verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents.ace import JudgedAnswer

SHOWN_BULLETS = 7
_LOOKS: dict[Arm, tuple[str, tuple[int, ...]]] = {
    "learning": ("var(--learning)", ()),
    "empty": ("var(--empty)", (5, 3)),
    "without": ("var(--without)", (8, 2)),
}
"""Colour and dashes of each arm; see `Line`."""


def picture(watch: Watch) -> Picture:
    """The values of a watch as it is now."""
    answers: dict[Arm, list[JudgedAnswer]] = {arm: watch.answers(arm) for arm in watch.arms()}
    is_second = "without" in answers
    learned = sorted(watch.store("learning").playbook().bullets, key=lambda bullet: bullet.created_at, reverse=True)
    kept = watch.store("without").playbook() if is_second else None
    gone = {bullet.id for bullet in learned if kept is not None and bullet.id not in kept}
    said = "1 bullet learned" if len(learned) == 1 else f"{len(learned)} bullets learned"
    others = len(learned) - SHOWN_BULLETS
    return Picture(
        layout="watch",
        now=_now("without" if is_second else "learning", answers),
        charts=[_chart(answers)],
        place=watch.name,
        bullets=[Bullet(bullet.id, short(bullet.content), bullet.id in gone) for bullet in learned[:SHOWN_BULLETS]],
        kept=f"{said}, {len(gone)} taken away" if is_second else said,
        others=f"and {others} more" if others > 0 else "",
        note="" if is_second else _note(),
    )


def _note() -> str:
    return (
        f"{arms.QUESTIONS} questions of {arms.KINDS} kinds, each asked twice: with a playbook that learns, and with one "
        f"that is kept empty. Every {arms.PER_SESSION} questions are a new session; only the playbook goes along."
    )


def _now(main: Arm, answers: Mapping[Arm, Sequence[JudgedAnswer]]) -> Question:
    """The last question that was judged, and its verdict."""
    number = len(answers[main])
    if not number:
        said = "The same questions again." if main == "without" else "Press Play."
        return Question(head=f"{arms.QUESTIONS} questions of {arms.KINDS} kinds", question=said)
    last = answers[main][-1]
    other: Arm = "learning" if main == "without" else "empty"
    beside = f"Judged by {FEEDBACK[last.feedback]}."
    if len(answers[other]) >= number:
        compared = "With the bullets it was" if main == "without" else "With the playbook kept empty:"
        beside += f" {compared} {verdict(answers[other][number - 1].right)}."
    how = "with the bullets taken away" if main == "without" else "with a playbook that learns"
    return Question(
        head=f"Question {number} of {arms.QUESTIONS}, {how}",
        question=last.question,
        verdict=VERDICTS[last.right],
        sign=SIGNS[last.right],
        beside=beside,
    )


def _chart(answers: Mapping[Arm, Sequence[JudgedAnswer]]) -> Chart:
    lines = [_line(arm, answers) for arm in ARMS if arm in answers]
    asked, is_second = arms.QUESTIONS, "without" in answers
    marks = [Mark(asked, "")] if is_second else []
    return shares("", lines, across=asked * (1 + is_second), axis="questions → share right of the last ten", marks=marks)


def _line(arm: Arm, answers: Mapping[Arm, Sequence[JudgedAnswer]]) -> Line:
    """The share of right answers among the last ten; that without bullets goes on from the end of what was learned."""
    before = answers["learning"] if arm == "without" else []
    found = points([*before, *answers[arm]])[max(0, len(before) - 1) :]
    colour, dashes = _LOOKS[arm]
    return Line(
        label=f"right, {LABELS[arm]}",
        score=f"{sum(answer.right is True for answer in answers[arm])} of {len(answers[arm])}",
        colour=colour,
        dashes=dashes,
        points=[(point.number, point.latest) for point in found if point.latest is not None],
    )
