"""The score of the demo up to a step: the judged answers, and the playbook after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ui.demo.script import Ask, Edit, Thumb, Undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.ace import JudgedAnswer
    from ui.demo.play import Demo
    from ui.demo.script import Step


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
