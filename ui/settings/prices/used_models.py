"""Models without a price in recent runs, read from their logs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from agents import ModelFinished, SessionNotFoundError
from agents.models import Price, price_of, priced_names
from agents.runs import RunManager

SESSIONS, ENTRIES = 20, 300
"""Most sessions that are read, and most entries of each; the newest ones."""


def without_price(manager: RunManager, table: Mapping[str, Price]) -> list[str]:
    """Names of models, last used first."""
    sessions = [(found.app_name, found.id) for found in manager.sessions.page(limit=SESSIONS).rows]
    asked = asyncio.run(_asked(manager, sessions))
    unpriced = [names[0] for names in asked if all(price_of(name, table) is None for name in names)]
    return list(dict.fromkeys(unpriced))


async def _asked(manager: RunManager, sessions: list[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The two names of each called model: first the one that prices the call, as in the session view."""
    found: dict[tuple[str, ...], None] = {}
    for pipeline, session in sessions:
        try:
            log = await manager.sessions.newest(pipeline, session, limit=ENTRIES)
        except SessionNotFoundError:  # just deleted
            continue
        for entry in reversed(log):
            if entry.kind == ModelFinished.kind and (names := _names(entry.fields())):
                found.setdefault(names)
    return list(found)


def _names(call: Mapping[str, Any]) -> tuple[str, ...]:
    asked, answered = call.get("model"), call.get("answered_by")
    if not isinstance(asked, str) or not asked:
        return (answered,) if isinstance(answered, str) and answered else ()
    return priced_names(asked, answered if isinstance(answered, str) else None)
