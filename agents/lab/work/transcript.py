"""The arm *full history*: the questions so far with their right answers, as they are, in the window. No model is called.

The transcript is a playbook with a bullet for each question, so that any pipeline that is given a playbook can be asked with
it. When it has more tokens than the window, the oldest bullets are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.ace.operations import MAX_BULLET_LENGTH, MAX_OPERATIONS, Add, DeltaBatch, Operation, Remove
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.lab.task import Task

SECTION = "history"
_ASKED, _ANSWER = "Asked: ", " Answer: "


def batches_after(task: Task, playbook: Playbook) -> Iterator[dict[str, Any]]:
    """The operations that add a question to the transcript, and drop the oldest ones that do not fit any more.

    Args:
        task: The sample that was answered; one without a right answer adds nothing.
        playbook: The transcript.
    """
    truth = task.told or task.sample.truth
    if truth is None:
        return
    add = Add(section=SECTION, content=_line(task.sample.question, truth))
    grown = apply_batch(playbook, DeltaBatch(by="transcript", operations=[add]), at=0.0).playbook
    operations: list[Operation] = [add]
    for bullet in grown.sections.get(SECTION, ()):
        if grown.tokens <= task.window:
            break
        operations.append(Remove(bullet_id=bullet.id, reason="The window is full."))
        grown = grown.without(bullet.id)
    for first in range(0, len(operations), MAX_OPERATIONS):
        some = operations[first : first + MAX_OPERATIONS]
        yield DeltaBatch(by="transcript", reasoning="The question was answered.", operations=some).model_dump(mode="json")


def _line(question: str, truth: str) -> str:
    """A question with its answer in one line; of one that is too long for a bullet, the beginning."""
    answer = f"{_ANSWER}{' '.join(truth.split())}"[: MAX_BULLET_LENGTH // 2]
    return f"{_ASKED}{' '.join(question.split())}"[: MAX_BULLET_LENGTH - len(answer)] + answer
