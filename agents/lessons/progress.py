"""What a learner has done in a step, as it is stored, and the table of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from agents.lessons.verdict import Verdict

Status = Literal["open", "waiting", "solved", "failed", "given_up"]
"""Open: begun. Waiting: a prediction is made and its run goes on. Failed: the prediction was wrong."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell that a spreadsheet would compute begins with."""


class StepProgress(BaseModel):
    """What a learner has done in a step.

    Attributes:
        status: How far it is.
        points: What it came to.
        hints: How many hints were shown.
        tries: How many answers were given.
        answer: The last answer.
        seq: The entry that was selected last.
        said: What was said of the last answer.
        truth: The log's answer to a prediction.
        found: Of a fault, what was found: "event", "cause".
        session: The step's run.
        beside: The session in which a model answers what the learner was asked first as the model.
        controls: Controls of the pipeline that the learner has changed.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    status: Status = "open"
    points: int = 0
    hints: int = 0
    tries: int = 0
    answer: JsonValue = None
    seq: int | None = None
    said: str = ""
    truth: JsonValue = None
    found: tuple[str, ...] = ()
    session: str | None = None
    beside: str | None = None
    controls: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be done."""
        return self.status in ("solved", "failed", "given_up")

    def but(self, **changes: Any) -> StepProgress:
        """The same with changes."""
        return self.model_copy(update=changes)

    def scored(self, verdict: Verdict, *, wrong: Status = "open", **changes: Any) -> StepProgress:
        """The same after an answer; what is over stays as it is.

        Args:
            verdict: The verdict on the answer.
            wrong: The status after a wrong one.
            changes: What else changes.
        """
        if self.is_over:
            return self
        return self.but(
            status="solved" if verdict.right else wrong,
            points=max(0, verdict.points - self.hints),
            said=verdict.hint,
            **{"tries": self.tries + 1, **changes},
        )


def read_progress(body: str | None) -> StepProgress:
    """The progress of a stored row; what cannot be read counts as not begun."""
    try:
        return StepProgress() if body is None else StepProgress.model_validate_json(body)
    except ValidationError:
        return StepProgress()


class ProgressLine(NamedTuple):
    """A line of the table of progress.

    Attributes:
        learner: The learner's user id.
        lesson: The lesson, by its pipeline.
        step: The step's id.
        changed_at: When it last changed, in seconds since the epoch.
        progress: What was done.
    """

    learner: str
    lesson: str
    step: str
    changed_at: float
    progress: StepProgress


def to_csv(lines: Iterable[ProgressLine]) -> str:
    """The table of progress as CSV. No cell is a formula to a spreadsheet."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(("learner", "lesson", "step", "status", "points", "hints", "tries", "answer", "changed"))
    for line in lines:
        one = line.progress
        changed = datetime.fromtimestamp(line.changed_at, UTC).isoformat(timespec="seconds")
        answer = "" if one.answer is None else str(one.answer)
        cells = (line.learner, line.lesson, line.step, one.status, one.points, one.hints, one.tries, answer, changed)
        writer.writerow([f"'{cell}" if str(cell).startswith(_FORMULA) else cell for cell in cells])
    return made.getvalue()
