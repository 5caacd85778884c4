"""Where sessions are kept: in memory, or in one SQLite file. Both keep the contract of `agents.session`."""

from __future__ import annotations

from agents.storage.sessions.memory import InMemorySessionService
from agents.storage.sessions.sqlite import SqliteSessionService

__all__ = ["InMemorySessionService", "SqliteSessionService"]
