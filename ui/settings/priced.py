"""Which models recent runs asked that have no price: read from their logs. Draws nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from agents.errors import SessionNotFoundError
from agents.pricing import Price, price_of
from agents.runs import RunManager

SESSIONS, ENTRIES = 20, 300
"""So many sessions are looked at, and of each so many entries, the newest."""


def without_price(manager: RunManager, table: Mapping[str, Price]) -> list[str]:
    """Names of models, those asked last first."""
    sessions = [(found.app_name, found.id) for found in manager.sessions()[:SESSIONS]]
    names = asyncio.run(_asked(manager, sessions))
    return [name for name in names if price_of(name, table) is None]


async def _asked(manager: RunManager, sessions: list[tuple[str, str]]) -> list[str]:
    names: dict[str, None] = {}
    for pipeline, session in sessions:
        try:
            log = await manager.newest(pipeline, session, limit=ENTRIES)
        except SessionNotFoundError:  # deleted a moment ago
            continue
        for entry in reversed(log):
            if entry.kind == "model_finished" and isinstance(model := entry.fields().get("model"), str) and model:
                names.setdefault(model)
    return list(names)
