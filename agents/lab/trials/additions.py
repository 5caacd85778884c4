"""The switch *add only*: of what a cycle submits, only new bullets and tags are applied. Values in, values out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents.ace.dictionary_delta import is_dictionary
from agents.errors import LabError
from agents.lab.task import Outcome

_KEPT = frozenset({"ADD", "TAG"})
WHY = "This arm only adds."
"""The reason with which other operations are rejected."""


def additions_of(outcome: Outcome) -> Outcome:
    """An outcome whose batches change and remove no bullet; what they lose is among their rejected operations.

    Raises:
        LabError: A batch is a whole playbook, of which nothing can be left out.
    """
    return replace(outcome, batches=tuple(_additions(batch) for batch in outcome.batches))


def _additions(batch: dict[str, Any]) -> dict[str, Any]:
    if is_dictionary(batch):
        raise LabError(
            "An arm with add_only_after needs a pipeline that submits single operations. This one writes the whole playbook."
        )
    operations: list[dict[str, Any]] = batch.get("operations") or []
    lost = [{"operation": one, "reason": WHY} for one in operations if one["type"] not in _KEPT]
    kept = [one for one in operations if one["type"] in _KEPT]
    return {**batch, "operations": kept, "rejected": [*(batch.get("rejected") or []), *lost]}
