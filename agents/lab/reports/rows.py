"""The results of a run as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.lab.results.comparison import Comparison
from agents.lab.results.lab_run import ArmSummary, LabRun
from agents.models import SIMULATED

CLOSED_WORLD = (
    "A simulated learner answered, in a closed world made for it: this shows the mechanism, not what a model can do."
)
"""Stands beside each figure of the simulated model."""


def report_rows(run: LabRun) -> Iterator[dict[str, Any]]:
    """A run's results: the run, its arms, the differences from the first arm."""
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
    yield from (difference_row(run.compare(one.arm, summaries[0].arm)) for one in summaries[1:])


def arm_row(run: LabRun, one: ArmSummary) -> dict[str, Any]:
    """An arm's results."""
    return {
        "type": "arm",
        "run": run.name,
        "arm": one.arm,
        "kind": one.kind,
        "accuracy": one.accuracy,
        "interval": list(one.interval),
        "right": one.right,
        "of": one.of,
        "failed": one.failed,
        "samples": one.samples,
        "calls": one.calls,
        "tokens": one.tokens,
        "cost": one.cost,
        "bullets": one.bullets,
        "playbook_tokens": one.playbook_tokens,
        "lost": one.lost,
        "ended": one.has_ended,
        "why": one.why,
    }


def difference_row(one: Comparison) -> dict[str, Any]:
    """The difference between two arms."""
    return {
        "type": "difference",
        "arm": one.arm,
        "other": one.other,
        "pairs": one.pairs,
        "difference": one.difference,
        "interval": None if one.interval is None else list(one.interval),
        "p": one.p,
        "only_arm": one.only_arm,
        "only_other": one.only_other,
    }
