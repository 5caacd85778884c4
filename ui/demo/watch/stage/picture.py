"""What the stage shows, as plain values: read from the playbooks and their judged answers, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ui.demo.drawing.bullet_text import short
from ui.demo.watch import arms
from ui.demo.watch.arms import ARMS, LABELS, Arm, Watch
from ui.text.judged_answers import FEEDBACK, SIGNS, VERDICTS, points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents.ace import JudgedAnswer

SHOWN_BULLETS = 7
TICKS = 10
"""Questions between two numbers at the axis of one round; of two rounds, twice as many."""


def picture(watch: Watch) -> dict[str, Any]:
    """The values of `stage.js`."""
    answers: dict[Arm, list[JudgedAnswer]] = {arm: watch.answers(arm) for arm in watch.arms()}
    main: Arm = "without" if "without" in answers else "learning"
    rounds = 2 if "without" in answers else 1
    return {
        "place": watch.name,
        **_now(main, answers),
        "curves": [_curve(arm, answers) for arm in ARMS if arm in answers],
        "questions": arms.QUESTIONS * rounds,
        "cut": arms.QUESTIONS if "without" in answers else 0,
        "ticks": list(range(TICKS * rounds, arms.QUESTIONS * rounds, TICKS * rounds)),
        "axis": "questions → share right of the last ten",
        **_bullets(watch, taken="without" in answers),
    }


def _now(main: Arm, answers: Mapping[Arm, Sequence[JudgedAnswer]]) -> dict[str, Any]:
    """The last question that was judged, and its verdict."""
    number = len(answers[main])
    if not number:
        head = f"{arms.QUESTIONS} questions of {arms.KINDS} kinds"
        said = "The same questions again." if main == "without" else "Press Play."
        return {"head": head, "question": said, "verdict": "", "sign": "", "word": "", "beside": ""}
    last = answers[main][-1]
    beside = f"Judged by {FEEDBACK[last.feedback]}"
    if main == "learning" and len(answers["empty"]) >= number:
        other = answers["empty"][number - 1].right
        beside += f". With the playbook kept empty: {SIGNS[other]} {VERDICTS[other]}"
    elif main == "without" and len(answers["learning"]) >= number:
        other = answers["learning"][number - 1].right
        beside += f". With the bullets it was {SIGNS[other]} {VERDICTS[other]}"
    return {
        "head": f"Question {number} of {arms.QUESTIONS}, {_with(main)}",
        "question": last.question,
        "verdict": VERDICTS[last.right],
        "sign": SIGNS[last.right],
        "word": VERDICTS[last.right],
        "beside": f"{beside}.",
    }


def _with(arm: Arm) -> str:
    return "with the bullets taken away" if arm == "without" else "with a playbook that learns"


def _curve(arm: Arm, answers: Mapping[Arm, Sequence[JudgedAnswer]]) -> dict[str, Any]:
    """The share of right answers among the last ten; that without bullets goes on from the end of what was learned."""
    before = answers["learning"] if arm == "without" else []
    found = points([*before, *answers[arm]])[max(0, len(before) - 1) :]
    return {
        "arm": arm,
        "label": f"right, {LABELS[arm]}",
        "right": sum(answer.right is True for answer in answers[arm]),
        "of": len(answers[arm]),
        "points": [[point.number, point.latest] for point in found if point.latest is not None],
    }


def _bullets(watch: Watch, *, taken: bool) -> dict[str, Any]:
    """The learned bullets, newest first; of those that were taken away, that they are gone."""
    learned = sorted(watch.store("learning").playbook().bullets, key=lambda bullet: bullet.created_at, reverse=True)
    kept = watch.store("without").playbook() if taken else None
    gone = {bullet.id for bullet in learned if kept is not None and bullet.id not in kept}
    shown = [{"id": bullet.id, "text": short(bullet.content), "taken": bullet.id in gone} for bullet in learned]
    said = "1 bullet learned" if len(learned) == 1 else f"{len(learned)} bullets learned"
    more = len(learned) - SHOWN_BULLETS
    return {
        "bullets": shown[:SHOWN_BULLETS],
        "more": f"and {more} more" if more > 0 else "",
        "kept": f"{said}, {len(gone)} taken away" if taken else said,
    }
