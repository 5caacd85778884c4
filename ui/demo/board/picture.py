"""What the board shows of the story: read from the log and the playbook, never from the script."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ui.demo.board import rows
from ui.demo.script import SESSIONS, Ask, Edit, Thumb, Undo, day
from ui.demo.stage.bullet_text import short
from ui.demo.stage.picture import Band, Bullet, Chart, Column, Line, Picture, Question, Sign, Strip, shares, verdict
from ui.text.judged_answers import FEEDBACK, SIGNS, VERDICTS, points
from ui.text.labels import status_words, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.ace import JudgedAnswer
    from ui.demo.play import Demo
    from ui.demo.script import Step
    from ui.demo.turns import Turn

AT_WORK = "● At work …"
RECENT = 4
"""Answers of the curve's share: fewer than in *Growth*, where there are more questions."""
LONGEST_ANSWER = 60
"""Characters shown of an answer."""
_NOT_JUDGED = "Nothing has judged it yet."


def picture(demo: Demo, number: int, *, fills: bool = True) -> Picture:
    """What a step shows, as far as its run has come.

    Args:
        demo: The demo.
        number: The step's number, from 1.
        fills: Whether the curve takes the place of the session.
    """
    step, score = demo.steps[number - 1], score_at(demo, number)
    playbook = demo.at(score.revision)
    sessions = [(day(name), own) for name in SESSIONS if (own := score.of_session(demo, name))]
    return Picture(
        layout="board",
        now=_now(demo, step, score),
        score=_right(score.answers) if any(answer.right is not None for answer in score.answers) else "",
        charts=[_chart(score, sessions)] if step.curve else [],
        strips=[Strip(label=name, cells=[verdict("", is_right=one.right) for one in own]) for name, own in sessions],
        columns=[Column("", rows.of_step(demo, step, score.revision))],
        place=demo.playbook,
        bullets=[Bullet(bullet.id, short(bullet.content)) for bullet in playbook.bullets],
        kept=_count(len(playbook)),
        fills=fills,
    )


def totals(demo: Demo) -> str:
    """The playbook as it is now, in a sentence."""
    playbook = demo.store.playbook()
    return f"{_count(len(playbook))} after {playbook.revision} revisions" if playbook.revision else "no bullets yet"


def _count(bullets: int) -> str:
    return "1 bullet" if bullets == 1 else f"{bullets} bullets"


def _right(answers: Sequence[JudgedAnswer]) -> str:
    """Right answers, and answers that were judged."""
    verdicts = [answer.right for answer in answers]
    return f"{verdicts.count(True)} of {len(verdicts) - verdicts.count(None)}"


def _now(demo: Demo, step: Step, score: Score) -> Question:
    """The question of the step, its answer and its verdict."""
    shown = step.shown
    turn = demo.turn(shown) if shown else None
    if shown is None or turn is None:
        return Question(head=f"Playbook “{demo.playbook}”", question=f"{totals(demo).capitalize()}.")
    asked = shown if isinstance(shown, Ask) else shown.after
    asks = [action for one in demo.steps for action in one.actions if isinstance(action, Ask)]
    head = f"{day(asked.session)}, question {asks.index(asked) + 1} of {len(asks)}"
    said = Question(head=head, question=asked.message.partition("\nAnswer:")[0])
    if turn.status == "running":
        return replace(said, beside=AT_WORK)
    answered = demo.turn(asked) if isinstance(shown, Thumb) else turn
    if answered is None or answered.answer is None:
        return replace(said, beside=f"{status_words(turn.status)}, without an answer.")
    found = judged(demo, shown, score.answers)
    right = found.right if found else None
    beside = _NOT_JUDGED if found is None or right is None else f"Judged by {FEEDBACK[found.feedback]}."
    end = "" if turn.status == "completed" else f" The run: {status_words(turn.status)}."
    answer = _answer(answered, is_right=right is True)
    return replace(said, answer=answer, sign=SIGNS[right], verdict=VERDICTS[right], beside=f"{beside}{end}")


def _answer(turn: Turn, *, is_right: bool) -> str:
    said = f"Answer: {title_of(turn.answer or '', length=LONGEST_ANSWER)}"
    if is_right or not turn.expected:
        return said
    return f"{said} · Right answer: {title_of(turn.expected, length=LONGEST_ANSWER)}"


def _chart(score: Score, sessions: Sequence[tuple[str, Sequence[JudgedAnswer]]]) -> Chart:
    """The share of right answers among the last few, question by question, below the names of the sessions."""
    answers, bands = score.answers, list[Band]()
    recent = [points(answers[max(0, number - RECENT) : number])[-1].share for number in range(1, len(answers) + 1)]
    for name, own in sessions:
        bands.append(Band((bands[-1].until if bands else 0) + len(own), name, _right(own)))
    line = Line(
        label="right",
        score=_right(answers),
        colour="var(--learning)",
        dashes=(),
        points=[(number, share) for number, share in enumerate(recent, start=1) if share is not None],
    )
    chart = shares("", [line], across=len(answers) + 1, axis=f"question → share right of the last {RECENT}")
    signs = [Sign(number, SIGNS[answer.right], VERDICTS[answer.right]) for number, answer in enumerate(answers, start=1)]
    return replace(chart, below=[(sign.at, str(sign.at)) for sign in signs], bands=bands, signs=signs)


class Score(NamedTuple):
    """The score up to a step.

    Attributes:
        answers: The judged answers of the demo's sessions, in order.
        revision: The playbook's revision after the step.
    """

    answers: list[JudgedAnswer]
    revision: int

    def of_session(self, demo: Demo, name: str) -> list[JudgedAnswer]:
        """The judged answers of one session."""
        return [answer for answer in self.answers if answer.session_id == demo.session_id(name)]


def score_at(demo: Demo, number: int) -> Score:
    """The score up to a step, as far as its run has come."""
    steps = demo.steps[:number]
    return Score(_until(demo, steps), next((found for step in reversed(steps) if (found := _revision(demo, step))), 0))


def judged(demo: Demo, shown: Ask | Thumb, answers: Sequence[JudgedAnswer]) -> JudgedAnswer | None:
    """The judged answer of a question; None if nothing judged it, or only a later thumb."""
    turn = demo.turn(shown)
    if turn is None:
        return None
    seq = turn.judges or turn.answered_at
    for answer in answers:
        if (answer.session_id, answer.seq) == (demo.session_id(shown.session), seq):
            return None if answer.feedback == "person" and isinstance(shown, Ask) else answer
    return None


def _until(demo: Demo, steps: Sequence[Step]) -> list[JudgedAnswer]:
    answers = demo.answers()
    for step in reversed(steps):
        if step.shown and (last := judged(demo, step.shown, answers)):
            place = [(answer.session_id, answer.seq) for answer in answers].index((last.session_id, last.seq))
            return [*answers[:place], last]
    return []


def _revision(demo: Demo, step: Step) -> int:
    """The playbook's last revision that a step made; 0 if it made none."""
    turn = demo.turn(step.shown) if step.shown else None
    found = [delta.revision for delta in turn.deltas] if turn else []
    for action in step.actions:
        match action:
            case Undo():
                record = demo.undone(action.after)
            case Edit():
                record = demo.edited(action)
            case _:
                record = None
        if record:
            found.append(record.revision)
    return max(found, default=0)
