"""`PlaybookReducer`: a batch written to `app:playbook` is committed with the event that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from agents.ace.dictionary_delta import is_dictionary
from agents.ace.operations import DeltaBatch
from agents.ace.playbook import Playbook
from agents.ace.store.ledger import Ledger
from agents.errors import PlaybookFormatError, StateValueError
from agents.playbook import PlaybookTransaction, check_playbook_name, is_playbook_name
from agents.storage.reducer import Origin, Reducers, StateReducer

PLAYBOOK_KEY = "app:playbook"
"""The state key: its delta is a `DeltaBatch` or a playbook as a dictionary, its value a `Playbook`."""
NAME_KEY = "playbook_name"
"""The state key that names the session's playbook; without it the app has one of its own name."""


class PlaybookReducer(StateReducer):
    """Commits batches to the playbook that they name, else the session's, else the app's.

    Attributes:
        ledger: The ledger; a `PlaybookStore` of the same database may share it.
    """

    def __init__(self) -> None:
        self.ledger = Ledger()

    @staticmethod
    def check(key: str, operation: Any) -> None:
        """See `StateReducer`."""
        if is_dictionary(operation):
            return _check_dictionary(key, operation)
        try:
            named = DeltaBatch.model_validate(operation).playbook
            if named:
                check_playbook_name(named)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the value'}: {e['msg']}" for e in error.errors()[:5])
            raise StateValueError(
                f"State key {key!r} takes changes of the playbook, not another value: {problems}. Write a batch, e.g. "
                'DeltaBatch(reasoning="…", operations=[…]).model_dump(mode="json"), or the whole playbook as '
                "playbook.to_dict() gives it."
            ) from error
        except ValueError as error:
            raise StateValueError(f"State key {key!r} takes changes of a playbook with a name: {error}") from error

    @staticmethod
    def changes(operation: Any) -> bool:
        """See `StateReducer`."""
        if is_dictionary(operation):
            return True
        batch = DeltaBatch.model_validate(operation)
        return bool(batch.operations or batch.refine) or batch.cited is not None or batch.judgement is not None

    def commit(
        self, playbooks: PlaybookTransaction, operation: Any, state: Mapping[str, Any], origin: Origin
    ) -> dict[str, Any]:
        """See `StateReducer`."""
        if is_dictionary(operation):
            name = name_for(origin.app_name, state)
            return self.ledger.commit_dictionary(playbooks, name, operation, origin).to_json()
        batch = DeltaBatch.model_validate(operation)
        commit, _ = self.ledger.commit(playbooks, batch.playbook or name_for(origin.app_name, state), batch, origin)
        return commit.to_json()

    def read(self, playbooks: PlaybookTransaction, app_name: str, state: Mapping[str, Any]) -> Playbook:
        """See `StateReducer`."""
        name = name_for(app_name, state)
        found = self.ledger.load(playbooks, name)
        return Playbook(name=name) if found is None else found


def _check_dictionary(key: str, value: Mapping[str, Any]) -> None:
    try:
        Playbook.from_dict(value)
    except PlaybookFormatError as error:
        raise StateValueError(f"State key {key!r} cannot take this playbook: {error}") from error


def ledger_of(reducers: Reducers) -> Ledger:
    """The ledger of a session service."""
    reducer = reducers.for_key(PLAYBOOK_KEY)
    assert isinstance(reducer, PlaybookReducer)
    return reducer.ledger


def name_for(app_name: str, state: Mapping[str, Any]) -> str:
    """The name of the playbook that a session uses."""
    chosen = state.get(NAME_KEY)
    return chosen if isinstance(chosen, str) and is_playbook_name(chosen) else app_name
