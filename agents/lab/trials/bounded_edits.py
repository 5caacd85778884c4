"""The arm *skillopt*: of what a step would change in a text, only so many edits are made. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.lab.task import Outcome
from agents.lab.work.rewriter import batches_between, text_of


def bounded(outcomes: Sequence[Outcome], best: Playbook, newest: Playbook, most: int) -> list[Outcome]:
    """The outcomes of a step with at most so many edits together; an edit adds a line or takes one away.

    Args:
        outcomes: What came of each sample; their operations are those that rewrite `best`.
        best: The text that the samples were answered with, which is edited.
        newest: The text that is stored, perhaps a refused one. The operations that remain turn it into the edited one.
        most: Most edits.
    """
    edited = best
    for edit in islice(_edits(outcomes), most):
        edited = apply_batch(edited, DeltaBatch.model_validate({"operations": [edit]}), at=0.0).playbook
    batches = tuple(batches_between(newest, text_of(edited).splitlines()))
    return [replace(one, batches=batches if place == 0 else ()) for place, one in enumerate(outcomes)]


def _edits(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    """The operations of all samples, each once: what is new before what would be lost, one sample after the other."""
    seen = set[str]()
    for outcome in outcomes:
        operations: list[dict[str, Any]] = [one for batch in outcome.batches for one in batch.get("operations") or ()]
        for one in sorted(operations, key=lambda one: one["type"] != "ADD"):
            what = str(one["content"] if one["type"] == "ADD" else one["bullet_id"])
            if what not in seen:
                seen.add(what)
                yield one
