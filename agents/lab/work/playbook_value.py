"""A playbook as a value in a session: operations change the value, and are kept to be committed to a store later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from agents.ace.dictionary_delta import REASONING, difference_from, is_dictionary
from agents.ace.operations import Commit, DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.refine.application import apply_batch
from agents.ace.store.reducer import PLAYBOOK_KEY, PlaybookReducer
from agents.playbook import PlaybookTransaction
from agents.storage.reducer import Origin, Reducers, StateReducer


class PlaybookValue(StateReducer):
    """Holds one playbook for one session.

    Attributes:
        playbook: The playbook as the session sees it.
        submitted: The operations so far, as JSON; those that change and count nothing are left out.
    """

    def __init__(self, playbook: Playbook) -> None:
        self.playbook = playbook
        self.submitted: list[dict[str, Any]] = []

    @staticmethod
    def check(key: str, operation: Any) -> None:
        """See `StateReducer`."""
        PlaybookReducer.check(key, operation)

    def commit(
        self, playbooks: PlaybookTransaction, operation: Any, state: Mapping[str, Any], origin: Origin
    ) -> dict[str, Any]:
        """See `StateReducer`."""
        now = self.playbook
        if is_dictionary(operation):
            found = difference_from(now, operation, by="agent", at=origin.at)
            batch = DeltaBatch(reasoning=REASONING, by="agent")
        else:
            batch = DeltaBatch.model_validate(operation)
            found = apply_batch(now, batch, at=origin.at)
        revision = now.revision + bool(found.applied or found.rejected)
        if revision > now.revision or batch.judgement is not None:
            self.submitted.append(cast("dict[str, Any]", operation))
        if revision > now.revision:
            self.playbook = found.playbook.replace(revision=revision)
        return Commit(
            playbook=now.name,
            revision=revision,
            applied=found.applied,
            rejected=found.rejected,
            reasoning=batch.reasoning,
            by=batch.by,
            cited=batch.cited,
        ).to_json()

    def read(self, playbooks: PlaybookTransaction, app_name: str, state: Mapping[str, Any]) -> Playbook:
        """See `StateReducer`."""
        return self.playbook


class ValueReducers(Reducers):
    """The reducers of a session whose playbook is a value."""

    def __init__(self, playbook: PlaybookValue) -> None:
        super().__init__()
        self._made[PLAYBOOK_KEY] = playbook
