"""An answer once more without a bullet: asked with the playbook that the answer had, and scored as the answer was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agents import LabError
from agents.access import Action
from agents.lab import AsJudged, Task, asked_question, run_sample
from agents.runs import SIMULATED
from ui.forks.fork_point import model_of
from ui.state import runs

if TYPE_CHECKING:
    from agents.ace import JudgedAnswer
    from ui.playbook.shown_playbook import ShownPlaybook


class Switched(NamedTuple):
    """An answer, and what is answered without a bullet.

    Attributes:
        answer: The recorded answer; "" if it is not known.
        without: The answer without the bullet.
        right: Whether that is right; None if no right answer is known, or there is no answer.
        truth: The right answer; None if none is known.
        problem: Why there is no answer; "" if there is one.
        model: The model that answered both.
    """

    answer: str
    without: str
    right: bool | None
    truth: str | None
    problem: str
    model: str


def switch_off(found: ShownPlaybook, answer: JudgedAnswer, bullet_id: str) -> Switched:
    """Answers a question again without a bullet. Nothing is stored.

    Raises:
        LabError: The question is not known, or the playbook had no such bullet.
        PlaygroundError: The session is gone, or the user may not have questions answered again.
    """
    found.manager.require(Action.USE_LAB)
    asked = asked_question(found.manager.sessions.log(answer.app_name, answer.session_id), answer)
    if asked is None:
        raise LabError("The question of this answer is not in its session any more, so it cannot be asked again.")
    playbook = found.store.at(answer.revision)
    if bullet_id not in playbook:
        raise LabError(f"The playbook had no bullet {bullet_id!r} at revision {answer.revision}.")
    model = model_of(answer.app_name, answer.session_id, answer.seq) or SIMULATED
    task = Task(
        sample=asked.sample,
        playbook=playbook.without(bullet_id),
        pipeline=answer.app_name,
        model=model,
        scorer=AsJudged(),
        agents_dir=runs.workspace().catalog.folder_of(answer.app_name),
    )
    outcome = found.manager.work(lambda _: run_sample(task), action=Action.USE_LAB)
    truth = asked.sample.truth
    right = outcome.is_right if truth is not None and outcome.score is not None else None
    return Switched(asked.answer, outcome.answer, right, truth, "" if outcome.answer else outcome.error, model)
