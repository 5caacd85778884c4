"""The provenance of a playbook's delta, or of an answer: a fold over the log of the session that it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agents.ace.roles.instructions import ANSWER_KEY, CURATION_KEY, FEEDBACK_KEY, QUERY_KEY, REFLECTION_KEY, TRUTH_KEY
from agents.ace.store.deltas import DeltaRecord
from agents.log import EVENT_KIND, LogEntry
from agents.playbook import JudgedAnswer

_KEYS = (QUERY_KEY, TRUTH_KEY, FEEDBACK_KEY, ANSWER_KEY, REFLECTION_KEY, CURATION_KEY)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a delta.

    Attributes:
        session: (pipeline, session id); None if it comes from no session, or that is gone.
        seq: Of the event that carried the delta.
        values: The run's state when it was committed: `user_query`, `ground_truth`, `feedback`,
            `generator_output`, `reflector_output` and `curator_output`, those of them that were set.
    """

    session: tuple[str, str] | None
    seq: int = 0
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def query(self) -> str:
        """The user's question; "" if it is not known."""
        return str(self.values.get(QUERY_KEY) or "")


def provenance_in(log: Iterable[LogEntry], record: DeltaRecord | JudgedAnswer) -> Provenance:
    """The origin of a delta or of an answer, from a session's log."""
    values: dict[str, Any] = {}
    carried = False  # else it is a later session that has the id of a deleted one
    for entry in log:
        if entry.seq > record.seq:
            break
        carried = entry.seq == record.seq and float(entry.fields().get("timestamp") or 0) <= _time_of(record)
        if entry.kind == EVENT_KIND and "state_delta" in entry.body:
            delta = entry.fields().get("actions", {}).get("state_delta", {})
            values |= {key: delta[key] for key in _KEYS if key in delta}
    if not carried:
        return Provenance(session=None)
    return Provenance((record.app_name, record.session_id), record.seq, values)


def _time_of(record: DeltaRecord | JudgedAnswer) -> float:
    return record.at if isinstance(record, JudgedAnswer) else record.committed_at
