"""State keys whose delta is an operation: it is applied to the stored value in the transaction that stores the event.

So sessions which change one value at the same time lose nothing. A session service takes its reducers from here; which keys
have one is said in `agents.state`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from agents.playbook import PlaybookTransaction
from agents.state import REDUCED, reducer_class

CHOOSING = frozenset({"playbook_name"})
"""Keys that choose which stored value a key with a reducer stands for."""


class Origin(NamedTuple):
    """The origin of an operation.

    Attributes:
        app_name: The app.
        session_id: The session.
        invocation_id: The run, "" outside of one.
        seq: Of the log entry that carries the operation.
        at: When, in seconds since the epoch.
    """

    app_name: str
    session_id: str
    invocation_id: str
    seq: int
    at: float


class StateReducer(ABC):
    """Applies the operations of one key. Each session service has its own instance, which may cache what it has read."""

    @staticmethod
    @abstractmethod
    def check(key: str, operation: Any) -> None:
        """Raises `StateValueError`, with the reason, unless `operation` is valid."""

    @staticmethod
    def changes(operation: Any) -> bool:  # noqa: ARG004  others look at it
        """Whether an operation that `check` has passed may change the stored value."""
        return True

    @abstractmethod
    def commit(self, playbooks: PlaybookTransaction, operation: Any, state: Mapping[str, Any], origin: Origin) -> Any:
        """Applies an operation to the stored value.

        Args:
            playbooks: The playbooks, in the transaction that stores the event.
            operation: JSON that `check` has passed.
            state: The session's state.
            origin: Where it comes from.

        Returns:
            The result, as JSON: it replaces the operation in the event's delta.
        """

    @abstractmethod
    def read(self, playbooks: PlaybookTransaction, app_name: str, state: Mapping[str, Any]) -> Any:
        """The stored value for a session of an app, as `as_reference` of it names it in a log."""


class Reducers:
    """The reducers of one session service, created on first use."""

    def __init__(self) -> None:
        self._made: dict[str, StateReducer] = {}

    def for_key(self, key: str) -> StateReducer:
        """The reducer of a key in `REDUCED`."""
        if key not in self._made:
            self._made[key] = reducer_class(key)()
        return self._made[key]

    def read_into(self, state: dict[str, Any], playbooks: PlaybookTransaction, app_name: str) -> None:
        """Replaces the values of keys with a reducer in `state` by the stored ones."""
        for key in REDUCED & state.keys():
            state[key] = self.for_key(key).read(playbooks, app_name, state)

    def values(self, state: dict[str, Any], playbooks: PlaybookTransaction, app_name: str) -> dict[str, Any]:
        """The stored values of the keys with a reducer that `state` has; they are put into it, too."""
        self.read_into(state, playbooks, app_name)
        return {key: state[key] for key in REDUCED & state.keys()}

    def first_state(
        self, playbooks: PlaybookTransaction, name: tuple[str, str, str], seq: int, at: float, state: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A session's first state: with the results of the operations in it, else with references to what is stored already.

        Args:
            playbooks: The playbooks, in the transaction that stores the session.
            name: The session's app, user and id.
            seq: Of the session's first log entry.
            at: When, in seconds since the epoch.
            state: The state that the session is created with.
        """
        app_name, _, session_id = name
        if not REDUCED.isdisjoint(state):
            origin = Origin(app_name, session_id, "", seq, at)
            done = {key: self.for_key(key).commit(playbooks, state[key], state, origin) for key in REDUCED & state.keys()}
            return {**state, **done}
        chosen = next((state[key] for key in CHOOSING if isinstance(state.get(key), str) and state[key].strip()), app_name)
        if (found := playbooks.find(chosen)) is None or not found.revision:
            return dict(state)
        return {**state, **{key: self.for_key(key).read(playbooks, app_name, state).as_reference() for key in REDUCED}}
