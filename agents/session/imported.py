"""A session from outside, to be stored whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.log import LogEntry, TraceRecord
from agents.playbook import PlaybookTransaction


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLog:
    """The beginning of an imported session.

    Attributes:
        entries: Its entries, in order, read one at a time: they need not fit into memory. They are numbered from 1, and
            references to them in `model_started` records and in state are renumbered with them. Deltas in them are not
            applied.
        timestamps: When each was made, by its `seq`; in seconds since the epoch.
        records: What follows them. One of kind `imported` names the origin; the session then has `app:` and `user:` state
            of its own, as a fork has. Without it they are those of all sessions.
        state: The state after all of them.
        is_numbered: Whether the entries are numbered from 1 already, so that no reference changes.
    """

    entries: Collection[LogEntry]
    timestamps: Mapping[int, float]
    records: Sequence[TraceRecord]
    state: Mapping[str, Any]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionImport:
    """A session from outside this database.

    Attributes:
        app_name: The app.
        user_id: Whose session it will be.
        id: Its new id.
        title: Its title; "" for none.
        texts: Texts that its trace records refer to, by `log.text_hash`.
        log: What it begins with.
        beside: Called in the transaction with the playbooks in it, to store those that belong to the session.
    """

    app_name: str
    user_id: str
    id: str
    title: str
    texts: Mapping[str, str]
    log: ImportedLog
    beside: Callable[[PlaybookTransaction], object]
