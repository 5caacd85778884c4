"""The gate of a playbook: a delta is tried before it is committed, and waits for the user if it would break something.

A contract: what a delta is tried against is said by who implements it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.runtime.run_config import RunConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenCase:
    """A case that holds without a delta, and not with it.

    Attributes:
        name: The case.
        why: What does not hold, in a sentence.
        pipeline: The pipeline that was run.
        before: Id of the session that ran it without the delta; "" if it is not kept.
        after: The same, with the delta.
    """

    name: str
    why: str
    pipeline: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of a delta that was tried.

    Attributes:
        tried: How many cases were run.
        broken: Those that it breaks.
        problems: Why other cases say nothing, in sentences.
        why: Why no case could be run at all; "" if they could.
    """

    tried: int = 0
    broken: tuple[BrokenCase, ...] = ()
    problems: tuple[str, ...] = ()
    why: str = ""

    @property
    def holds_back(self) -> bool:
        """Whether the delta has to wait for the user."""
        return bool(self.broken or self.why)


class DeltaGate(Protocol):
    """Tries deltas; see `RunConfig.delta_gate`."""

    async def try_delta(self, playbook: Playbook, batch: DeltaBatch, config: RunConfig) -> Trial | None:
        """Tries a delta on a copy of a playbook.

        Args:
            playbook: The playbook as it is.
            batch: What is to be committed to it.
            config: The configuration of the run that learned it.

        Returns:
            None if the playbook is not guarded.
        """
        ...
