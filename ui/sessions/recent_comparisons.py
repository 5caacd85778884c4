"""Comparisons that were drawn last: drawn again, they read only what their sessions have gained. One store per process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents import BaseSessionService, LogEntry, SessionSummary
from agents.access import Action
from agents.comparison import Comparison, GrowingComparison
from agents.runs import RunManager

MOST = 4
"""Comparisons that are kept."""

Key = tuple[tuple[str, str, float], ...]


@dataclass(slots=True)
class _Recent:
    """A comparison, and the prices that it was made with."""

    prices: Mapping[str, Any]
    compared: GrowingComparison
    lock: threading.Lock = field(default_factory=threading.Lock)


_lock = threading.Lock()
_recent: OrderedDict[Key, _Recent] = OrderedDict()


def comparison_of(manager: RunManager, sessions: Sequence[SessionSummary]) -> Comparison:
    """The comparison of sessions as they are now.

    Raises:
        SessionNotFoundError: One was deleted.
        DatabaseError: A log cannot be read.
    """
    found = _kept(sessions, manager.models.preferences.price_table)
    with found.lock:
        more = manager.in_store(
            lambda services: _since(services.sessions, sessions, found.compared.last), action=Action.READ_SESSION
        )
        found.compared.take(more)
        return found.compared.result


def _kept(sessions: Sequence[SessionSummary], prices: Mapping[str, Any]) -> _Recent:
    key = tuple((row.app_name, row.id, row.created_at) for row in sessions)
    with _lock:
        found = _recent.pop(key, None)
        if found is None or found.prices != prices:
            found = _Recent(prices, GrowingComparison(len(sessions), prices=prices))
        _recent[key] = found
        while len(_recent) > MOST:
            _recent.popitem(last=False)
        return found


async def _since(
    service: BaseSessionService, sessions: Sequence[SessionSummary], last: Sequence[int]
) -> list[list[LogEntry]]:
    """What each log has after an entry."""
    return [
        await service.read_log(app_name=row.app_name, user_id=row.user_id, session_id=row.id, after=seq)
        for row, seq in zip(sessions, last, strict=True)
    ]
