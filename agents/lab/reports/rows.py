"""The results of a run as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import ArmSummary, LabRun
from agents.models import SIMULATED

CLOSED_WORLD = (
    "A simulated learner answered, in a closed world made for it: this shows the mechanism, not what a model can do."
)
"""Stands beside each figure of the simulated model with one of our own data sets."""
SIMULATED_NOTE = "A simulated model answered: this shows the mechanism, not what a model can do."
"""Stands beside each figure of the simulated model with other data."""

HISTORY_NOTE = (
    "It looks up a question of a history that is asked again, and works nothing out from the others: its figures say "
    "nothing about full history."
)
"""Stands there, too, where an arm has the full history."""


def simulation_note(run: LabRun) -> str:
    """What is to be known of a run's figures where the simulated model answered; "" for a real model."""
    if run.description.model != SIMULATED:
        return ""
    data = run.description.data
    note = CLOSED_WORLD if not isinstance(data, str) and "generate" in data else SIMULATED_NOTE
    return f"{note} {HISTORY_NOTE}" if any(arm.kind == "history" for arm in run.description.arms) else note


def report_rows(run: LabRun) -> Iterator[dict[str, Any]]:
    """A run's results: the run, its arms, the differences of `LabRun.pairs`."""
    summaries = run.summaries()
    yield {
        "type": "run",
        "name": run.name,
        "status": run.status,
        "pipeline": run.description.pipeline,
        "model": run.description.model,
        "seeds": run.description.seeds,
        "simulated": run.description.model == SIMULATED,
        "skipped": dict(run.origin.skipped),
        "problems": list(run.origin.problems),
    }
    yield from (arm_row(run, one) for one in summaries)
    yield from map(difference_row, run.differences())


def arm_row(run: LabRun, one: ArmSummary) -> dict[str, Any]:
    """An arm's results."""
    row = asdict(one) | {"by_seed": list(one.by_seed), "interval": list(one.interval), "accuracy": one.accuracy}
    row |= {"labels": [label._asdict() for label in run.by_label(one.arm)], "ended": row.pop("has_ended")}
    return {"type": "arm", "run": run.name, **row}


def difference_row(one: Comparison) -> dict[str, Any]:
    """The difference between two arms."""
    row = {name: value for name, value in one._asdict().items() if name not in {"both", "changed", "of"}}
    interval = None if one.interval is None else list(one.interval)
    return {"type": "difference", **row, "interval": interval, "comparisons": one.of, "outcome": one.outcome}
