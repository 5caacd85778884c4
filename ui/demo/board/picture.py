"""The values of `board.js`: read from the log and the playbook, never from the script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ui.demo.board import rows
from ui.demo.drawing.bullet_text import short
from ui.demo.script import SESSIONS, Ask, Edit, Thumb, Undo, day
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
_NO_VERDICT = {"verdict": "", "sign": "", "word": "", "beside": ""}
_NOT_JUDGED = "Nothing has judged it yet."


def picture(demo: Demo, number: int) -> dict[str, Any]:
    """The values of a step, as far as its run has come."""
    step, score = demo.steps[number - 1], score_at(demo, number)
    playbook = demo.at(score.revision)
    return {
        "place": demo.playbook,
        **_now(demo, step, score),
        "rows": rows.of_step(demo, step, score.revision),
        **_totals(score.answers),
        "kept": _count(len(playbook)),
        "sessions": [_session(name, own) for name in SESSIONS if (own := score.of_session(demo, name))],
        "bullets": [{"id": bullet.id, "text": short(bullet.content), "taken": False} for bullet in playbook.bullets],
        "more": "",
        "chart": _chart(demo, score) if step.curve else None,
    }


def totals(demo: Demo) -> str:
    """The playbook as it is now, in a sentence."""
    playbook = demo.store.playbook()
    return f"{_count(len(playbook))} after {playbook.revision} revisions" if playbook.revision else "no bullets yet"


def _count(bullets: int) -> str:
    return "1 bullet" if bullets == 1 else f"{bullets} bullets"


def _totals(answers: Sequence[JudgedAnswer]) -> dict[str, int]:
    """Right answers, and answers that were judged."""
    verdicts = [answer.right for answer in answers]
    return {"right": verdicts.count(True), "of": len(verdicts) - verdicts.count(None)}


def _now(demo: Demo, step: Step, score: Score) -> dict[str, str]:
    """The question of the step, its answer and its verdict."""
    shown = step.shown
    turn = demo.turn(shown) if shown else None
    if shown is None or turn is None:
        head = f"Playbook “{demo.playbook}”"
        return {**_NO_VERDICT, "head": head, "question": f"{totals(demo).capitalize()}."}
    asked = shown if isinstance(shown, Ask) else shown.after
    head = f"{day(asked.session)}, question {_number(demo, asked)} of {_number(demo, None)}"
    said = {"head": head, "question": asked.message.partition("\nAnswer:")[0]}
    if turn.status == "running":
        return {**_NO_VERDICT, **said, "beside": AT_WORK}
    answered = demo.turn(asked) if isinstance(shown, Thumb) else turn
    if answered is None or answered.answer is None:
        return {**_NO_VERDICT, **said, "beside": f"{status_words(turn.status)}, without an answer."}
    verdict = judged(demo, shown, score.answers)
    right = verdict.right if verdict else None
    beside = _NOT_JUDGED if verdict is None or right is None else f"Judged by {FEEDBACK[verdict.feedback]}."
    end = "" if turn.status == "completed" else f" The run: {status_words(turn.status)}."
    answer = _answer(answered, is_right=right is True)
    return {**said, "answer": answer, **_sign(right), "word": VERDICTS[right], "beside": f"{beside}{end}"}


def _number(demo: Demo, asked: Ask | None) -> int:
    """The number of a question in the script; of None, how many there are."""
    asks = [action for step in demo.steps for action in step.actions if isinstance(action, Ask)]
    return asks.index(asked) + 1 if asked else len(asks)


def _answer(turn: Turn, *, is_right: bool) -> str:
    said = f"Answer: {title_of(turn.answer or '', length=LONGEST_ANSWER)}"
    if is_right or not turn.expected:
        return said
    return f"{said} · Right answer: {title_of(turn.expected, length=LONGEST_ANSWER)}"


def _sign(right: bool | None) -> dict[str, str]:
    return {"sign": SIGNS[right], "verdict": VERDICTS[right]}


def _session(name: str, answers: Sequence[JudgedAnswer]) -> dict[str, Any]:
    return {"name": day(name), "marks": [_sign(answer.right) for answer in answers]}


def _chart(demo: Demo, score: Score) -> dict[str, Any]:
    """The share of right answers among the last few, question by question, below the names of the sessions."""
    answers = score.answers
    recent = [points(answers[max(0, number - RECENT) : number])[-1].share for number in range(1, len(answers) + 1)]
    bands, until = list[dict[str, Any]](), 0
    for name in SESSIONS:
        if own := score.of_session(demo, name):
            until += len(own)
            bands.append({"until": until, "name": day(name), "score": "{right} of {of}".format(**_totals(own))})
    return {
        "curves": [
            {
                "arm": "learning",
                "label": "right",
                **_totals(answers),
                "points": [[number, share] for number, share in enumerate(recent, start=1) if share is not None],
            }
        ],
        "questions": len(answers) + 1,
        "cut": 0,
        "ticks": list(range(1, len(answers) + 1)),
        "axis": f"question → share right of the last {RECENT}",
        "bands": bands,
        "marks": [{"number": number, **_sign(answer.right)} for number, answer in enumerate(answers, start=1)],
    }


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
