"""What a batch makes of a playbook: its citations, its operations, and the refinement after them. A pure function."""

from __future__ import annotations

from agents.ace.changes import apply_all
from agents.ace.operations import Change, DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.resolution import Resolved, cite, resolve


def apply_batch(playbook: Playbook, batch: DeltaBatch, *, at: float) -> Resolved[Playbook]:
    """Applies a batch. The playbook's revision stays as it is.

    Args:
        playbook: The playbook; not changed.
        batch: The batch.
        at: Time of submission, in seconds since the epoch.
    """
    applied: list[Change] = []
    if batch.cited is not None:
        applied.append(cite(playbook, batch.cited))
        playbook = apply_all(playbook, applied, by=batch.by, at=at)
    playbook, changes, rejected = resolve(playbook, batch.operations, by=batch.by, at=at)
    applied += changes
    if batch.refine is not None:
        from agents.ace.refine.refinement import refine  # slow to import, and not needed to read a playbook

        fresh = [change["bullet_id"] for change in changes if change["type"] in {"ADD", "UPDATE", "MERGE"}]
        kept = refine(playbook, batch.refine, fresh=fresh)
        playbook = apply_all(playbook, kept, by=batch.by, at=at)
        applied += kept
    return Resolved(playbook, applied, [*batch.rejected, *rejected])
