"""The curves of all arms of a run, as a board draws them. They can be read while the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ui.demo.stage.picture import Chart, Line, Mark, Strip, amounts, count_of, line, shares, strip, verdict

if TYPE_CHECKING:
    from agents.lab import LabRun, Point, Result

SEED = 0
"""The demos' runs have one seed: the data's own order."""
QUESTIONS = "questions"


def results_of(run: LabRun, arm: str) -> list[Result]:
    """The results of an arm; none before it was begun."""
    return list(run.results(arm, SEED)) if any(one.arm == arm for one in run.standings()) else []


def recent(run: LabRun, *, marks: Sequence[Mark] = ()) -> Chart:
    """Right answers among the last 20, over the questions."""
    lines = _lines(run, lambda point: (point.number, point.recent))
    return shares("Right of the last 20 answers", lines, across=questions(run), axis=QUESTIONS, marks=marks)


def recent_over_calls(run: LabRun) -> Chart:
    """Right answers among the last 20, over the model calls that the arm has made."""
    lines = _lines(run, lambda point: (point.calls, point.recent))
    most = run.description.limits.calls or max((one.points[-1][0] for one in lines if one.points), default=1)
    return shares("Right of the last 20 answers", lines, across=most, axis="model calls")


def tokens(run: LabRun, *, marks: Sequence[Mark] = ()) -> Chart:
    """Tokens of the playbook or text, over the questions."""
    lines = _lines(run, lambda point: (point.number, point.playbook_tokens))
    return amounts("Tokens of what was learned", lines, across=questions(run), axis=QUESTIONS, marks=marks)


def bullets(run: LabRun) -> Chart:
    """Bullets of the playbook, over the questions."""
    lines = _lines(run, lambda point: (point.number, point.bullets))
    return amounts("Bullets of the playbook", lines, across=questions(run), axis=QUESTIONS)


def questions(run: LabRun) -> int:
    """The number of questions of the run."""
    data = run.description.data
    return int(data["count"]) if isinstance(data, dict) else 1


def place_of(run: LabRun, arm: str) -> int:
    """The place of an arm in the description."""
    return [one.title for one in run.description.arms].index(arm)


def right_of(results: Iterable[Result]) -> str:
    """The right answers of some, e.g. `8 of 10`."""
    return count_of(one.is_right for one in results)


def answers(run: LabRun, arm: str, *parts: Sequence[Result], lit: Collection[int] = ()) -> Strip:
    """Answers of an arm in order.

    Args:
        run: The run.
        arm: The arm.
        parts: The answers, with a gap between two parts.
        lit: Numbers of those that were touched by what the step is about.
    """
    cells = [
        verdict(about(one), is_right=one.is_right, lit=one.number in lit, apart=part is not parts[0] and one is part[0])
        for part in parts
        for one in part
    ]
    return strip(place_of(run, arm), arm, ", then ".join(map(right_of, parts)), cells)


def about(result: Result) -> str:
    """The number of the question of a result."""
    return f"question {result.number + 1}"


def _lines(run: LabRun, at: Callable[[Point], tuple[float, float]]) -> list[Line]:
    found: list[Line] = []
    begun = {one.arm for one in run.standings()}
    for place, arm in enumerate(run.summaries()):
        points = run.curve(arm.arm, SEED) if arm.arm in begun else []
        found.append(line(place, f"right, {arm.arm}", f"{arm.right} of {arm.of}", [at(point) for point in points]))
    return found
