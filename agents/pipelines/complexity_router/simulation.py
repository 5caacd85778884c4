"""What a simulated model answers for the classifier and for both agents.

The classifier and the quick agent read in their instructions how many steps are few. The careful agent works nothing out:
it calls its tool for each step whose numbers it knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from agents.models.simulated import Reply, SimulatedRequest
from agents.pipelines.complexity_router.sums import Sum, read_sums, shown, step_sign, steps_in, work_out

MOST_STEPS = 20
NO_SUM = "There is no sum in that. Ask me to work something out, such as 17 + 25."

_AT_MOST = re.compile(r"at most (\d+)")


def classify(request: SimulatedRequest) -> str:
    """Counts the steps, and says on which side of the limit they are."""
    return "simple" if steps_in(request.last_user_text()) <= _limit(request) else "complex"


def answer_quickly(request: SimulatedRequest) -> str:
    """Works out what is short, and says no to the rest."""
    sums = read_sums(request.last_user_text())
    if not sums:
        return NO_SUM
    steps, limit = sum(len(list(found.steps())) for found in sums), _limit(request)
    if steps > limit:
        return f"That takes {steps} steps, and I do {limit} at most. I would have to guess."
    try:
        return " ".join(f"{found} = {shown(_value(found))}." for found in sums)
    except ArithmeticError as error:
        return str(error)


def answer_carefully(request: SimulatedRequest) -> Reply | str:
    """Calls calculate for the steps that can be done, until all are; then shows them."""
    sums = read_sums(request.last_user_text())
    steps = [step for found in sums for step in found.steps()]
    if not steps:
        return NO_SUM
    if len(steps) > MOST_STEPS:
        return f"That takes {len(steps)} steps. I do {MOST_STEPS} at most: ask for a part of it."
    results = [result.response or {} for result in request.tool_results("calculate")]
    if failed := [str(result["error"]) for result in results if "error" in result]:
        return f"It cannot be worked out: {failed[0]}"
    known, due = _with_results(steps, results)
    if due:
        plan = f"{len(steps)} steps in all, {len(due)} of them can be done now." if len(steps) > 1 and not results else ""
        return Reply(calls=[("calculate", _numbers(steps[place], known, steps)) for place in due], thought=plan)
    lines = [f"{number}. {_line(step, known, steps)}" for number, step in enumerate(steps, 1)]
    ends = [f"{found} = {shown(known[_place(found, steps)])}" for found in sums]
    return "\n".join([*lines, f"Result: {'; '.join(ends)}."])


def _with_results(steps: Sequence[Sum], results: Sequence[dict[str, Any]]) -> tuple[dict[int, Decimal], list[int]]:
    """What is known of each step, by its place, given the results in the order of the calls; and what to call next."""
    known: dict[int, Decimal] = {}
    come = iter(results)
    while due := [place for place, step in enumerate(steps) if place not in known and _is_ready(step, known, steps)]:
        for place in due:
            if (result := next(come, None)) is None:
                return known, due
            known[place] = Decimal(str(result["result"]))
    return known, []


def _is_ready(step: Sum, known: dict[int, Decimal], steps: Sequence[Sum]) -> bool:
    return all(isinstance(side, Decimal) or _place(side, steps) in known for side in (step.left, step.right))


def _place(step: Sum, steps: Sequence[Sum]) -> int:
    """Where a step stands: it may look like another one, so it is found by what it is."""
    return next(place for place, other in enumerate(steps) if other is step)


def _number(side: Decimal | Sum, known: dict[int, Decimal], steps: Sequence[Sum]) -> Decimal:
    return known[_place(side, steps)] if isinstance(side, Sum) else side


def _numbers(step: Sum, known: dict[int, Decimal], steps: Sequence[Sum]) -> dict[str, Any]:
    left, right = _number(step.left, known, steps), _number(step.right, known, steps)
    return {"left": float(left), "sign": step.sign, "right": float(right)}


def _line(step: Sum, known: dict[int, Decimal], steps: Sequence[Sum]) -> str:
    left, right = _number(step.left, known, steps), _number(step.right, known, steps)
    return f"{shown(left)} {step_sign(step.sign)} {shown(right)} = {shown(known[_place(step, steps)])}"


def _value(side: Decimal | Sum) -> Decimal:
    return work_out(_value(side.left), side.sign, _value(side.right)) if isinstance(side, Sum) else side


def _limit(request: SimulatedRequest) -> int:
    found = _AT_MOST.search(request.instruction)
    return int(found[1]) if found else 1


SIMULATION = {"ComplexityClassifier": classify, "QuickSums": answer_quickly, "CarefulSums": answer_carefully}
